/** Replaces the global `TextDecoder`, `TextEncoder`, `TextDecoderStream` and `TextEncoderStream` with the
 * package's. */
export {};
