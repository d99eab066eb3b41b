// What the entries for Node need for WebAssembly.

export { wasmEngine } from "./engine/wasm.js";
export { initSync } from "simdtext-bindgen";
export * as bindgen from "simdtext-bindgen";
