/** Puts the package's `TextDecoder`, `TextEncoder`, `TextDecoderStream` and `TextEncoderStream` in the
 * place of the global ones. */
export {};
