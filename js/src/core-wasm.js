// What the entries for Node need to use WebAssembly.

export { wasmEngine } from "./engine/wasm.js";
export { initSync } from "simdtext-bindgen";
export * as bindgen from "simdtext-bindgen";
