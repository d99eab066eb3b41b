// What the entries for Node are made of.

export { defineApi } from "./api.js";
export { nativeEngine, platforms } from "./engine/native.js";
export { wasmEngine } from "./engine/wasm.js";
export { initSync } from "simdtext-bindgen";
export * as bindgen from "simdtext-bindgen";
export { install } from "./polyfill.js";
