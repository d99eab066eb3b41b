// The platform's own classes, taken when the package loads, before a polyfill can replace them.
//
// They are never used by their bare names. `const { TextDecoder } = require("simdtext")` at the top of a
// script, in a REPL or in `node -e` makes the name a binding of the global scope. That binding throws until
// `require` has returned, and is this package's class afterwards. For the same reason, the build replaces the
// bare names in the output of wasm-bindgen with these.

const { TextDecoder: PlatformTextDecoder, TextEncoder: PlatformTextEncoder } = globalThis;

export { PlatformTextDecoder as TextDecoder, PlatformTextEncoder as TextEncoder };
