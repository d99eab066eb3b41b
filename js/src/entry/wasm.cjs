"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { bindgen, defineApi, initSync, wasmEngine } = require("./core.cjs");

initSync({ module: readFileSync(join(__dirname, "simdtext.wasm")) });

module.exports = defineApi(wasmEngine(bindgen));
