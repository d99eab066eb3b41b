"use strict";

// The addon where there is one for this platform, and else WebAssembly; `engine` tells which.
function load() {
  try {
    return require("./native.cjs");
  } catch {
    return require("./wasm.cjs");
  }
}

module.exports = load();
