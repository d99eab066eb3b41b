// What the entries for Node have in common, except for WebAssembly.

export { defineApi } from "./api.js";
export { nativeEngine, platforms } from "./engine/native.js";
export { showWhenInspected } from "./inspect.js";
export { install } from "./polyfill.js";
