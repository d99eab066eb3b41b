// What the entries for Node are made of, but for WebAssembly.

export { defineApi } from "./api.js";
export { nativeEngine, platforms } from "./engine/native.js";
export { showWhenInspected } from "./inspect.js";
export { install } from "./polyfill.js";
