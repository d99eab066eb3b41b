"use strict";

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { defineApi, showWhenInspected } = require("./core.cjs");
const { bindgen, initSync, wasmEngine } = require("./core-wasm.cjs");

initSync({ module: readFileSync(join(__dirname, "simdtext.wasm")) });

module.exports = showWhenInspected(defineApi(wasmEngine(bindgen)));
