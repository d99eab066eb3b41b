/** What people write between bytes, or before each: `0x41, 0x42`, `\x41\x42`, `41:42`, `%41%42`. */
const filler = /^(?:[\s,;:|-]+|0x|\\x|%)/i;

/** Reads bytes written in hexadecimal.
/**
/** @returns {Uint8Array}
/** @throws {SyntaxError} that says what is wrong and where.
 */
export function parseHex(text) {
  const bytes = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 32);
    const skipped = filler.exec(rest);
    if (skipped) {
      at += skipped[0].length;
      continue;
    }
    const pair = /^[0-9a-f]{2}/i.exec(rest);
    if (pair) {
      bytes.push(parseInt(pair[0], 16));
      at += 2;
      continue;
    }
    if (/^[0-9a-f]/i.test(rest)) {
      throw new SyntaxError(`Character ${at + 1}: a byte has two hex digits; “${rest[0]}” is one.`);
    }
    const where = `Character ${at + 1}: “${rest[0]}” is no hex digit.`;
    throw new SyntaxError(`${where} Write bytes as 83 65 or 0x83, 0x65.`);
  }
  return Uint8Array.from(bytes);
}
