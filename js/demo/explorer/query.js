/** The code point that a search names as `亜`, `U+4E9C` or `0x4E9C`; `null` if it names none. */
export function parseQuery(query) {
  const text = query.trim();
  const number = /^(?:u\+?|0x)([0-9a-f]{1,6})$/i.exec(text) ?? /^([0-9a-f]{4,6})$/i.exec(text);
  if (number) {
    const codePoint = parseInt(number[1], 16);
    return codePoint <= 0x10ffff && codePoint > 0 ? codePoint : null;
  }
  const characters = [...text];
  return characters.length === 1 ? characters[0].codePointAt(0) : null;
}
