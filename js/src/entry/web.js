// For browsers: WebAssembly, loaded from the file beside this one.

import init, * as bindgen from "simdtext-bindgen";

import { defineApi } from "../api.js";
import { wasmEngine } from "../engine/wasm.js";

export { install } from "../polyfill.js";

await init({ module_or_path: new URL("./simdtext.wasm", import.meta.url) });

export const api = defineApi(wasmEngine(bindgen));
