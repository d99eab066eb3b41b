const whole = new Intl.NumberFormat("en");

/** `1234567` as `1,234,567`. */
export const count = (number) => whole.format(number);

/** `many(1, "byte")` is `1 byte`, `many(2, "byte")` is `2 bytes`. */
export const many = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

/** Bytes as `E2 82 AC`. */
export const hex = (bytes) => Array.from(bytes, hexByte).join(" ");

/** One byte as `0A`. */
export const hexByte = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

/** A code point as `U+20AC`. */
export const unicode = (codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;

/** A rounded size for people, to add to the exact number if that is longer: `200 MiB`. */
export function size(bytes) {
  if (bytes < 10 * 1024) {
    return many(bytes, "byte");
  }
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const scaled = bytes / 1024 ** power;
  return `${scaled.toFixed(scaled < 10 ? 1 : 0)} ${units[power - 1]}`;
}
