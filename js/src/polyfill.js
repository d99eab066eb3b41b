// Replaces the four global classes, with the attributes that Web IDL gives interfaces.

export function install({ TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream }) {
  const classes = { TextDecoder, TextEncoder, TextDecoderStream, TextEncoderStream };
  for (const [name, value] of Object.entries(classes)) {
    Object.defineProperty(globalThis, name, {
      value,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
}
