// The platform's own classes, taken when the package loads and before a polyfill can take their place.
//
// Never by their bare names: `const { TextDecoder } = require("simdtext")` at the top of a script, in a REPL or in
// `node -e` makes the name a binding of the global scope, which throws until `require` has returned and is this
// package's class from then on. The build puts these in the place of the bare names in what wasm-bindgen makes.

const { TextDecoder: PlatformTextDecoder, TextEncoder: PlatformTextEncoder } = globalThis;

export { PlatformTextDecoder as TextDecoder, PlatformTextEncoder as TextEncoder };
