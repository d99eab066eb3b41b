// Results of the WebAssembly engine: values of JavaScript, which it has made from views of its memory, and
// which its caller takes.

const { fromCharCode } = String;

// Up to here it costs less than a call into the platform (code units).
const SHORT = 24;

// What is made with one call of fromCharCode where the platform has nothing better (code units).
const PIECE = 4096;

function chooseLong() {
  if (typeof Buffer === "function" && typeof Buffer.prototype.ucs2Slice === "function") {
    const { ucs2Slice } = Buffer.prototype;
    return (units) => {
      const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
      return ucs2Slice.call(bytes, 0, units.byteLength);
    };
  }
  // The platform's own, kept before a polyfill can take its place.
  if (typeof TextDecoder === "function" && isLittleEndian()) {
    try {
      const platform = new TextDecoder("utf-16le", { ignoreBOM: true });
      if (platform.decode(new Uint16Array([0xFEFF, 0xD83D, 0xDCA9])) === "\uFEFF\u{1F4A9}") {
        return (units) => platform.decode(units);
      }
    } catch {
      // A platform without UTF-16.
    }
  }
  return (units) => {
    let string = "";
    for (let start = 0; start < units.length; start += PIECE) {
      string += fromCharCode.apply(null, units.subarray(start, start + PIECE));
    }
    return string;
  };
}

function isLittleEndian() {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
}

const long = chooseLong();

/** The string that consists of these code units. */
export function stringOf(units) {
  return units.length <= SHORT ? fromCharCode.apply(null, units) : long(units);
}

let given;

export function giveString(units) {
  given = stringOf(units);
}

export function giveAscii() {
  given = true;
}

export function giveView(units) {
  given = units;
}

export function giveNumbers(numbers) {
  given = Array.from(numbers);
}

export function giveBytes(bytes) {
  given = bytes.slice();
}

/** What was given last, which is not kept. */
export function taken() {
  const result = given;
  given = undefined;
  return result;
}
