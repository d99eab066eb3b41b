"use strict";

// The package over the addon, which native.cjs and native.mjs export.

const { defineApi, nativeEngine, platforms, showWhenInspected } = require("./core.cjs");

function load() {
  const names = platforms(process).map((platform) => `simdtext.${platform}.node`);
  const causes = [];
  for (const name of names) {
    try {
      return require(`./addon/${name}`);
    } catch (cause) {
      causes.push(cause);
    }
  }
  throw new AggregateError(
    causes,
    `simdtext: the addon ${names.join(" or ")} could not be loaded. Import "simdtext/wasm" instead, which runs `
      + "everywhere, or build the addon: npm run build in the package's folder, with a Rust toolchain",
  );
}

let api;

/** Returns the package's API over the addon, the same object in each call. */
exports.loadApi = () => api ??= showWhenInspected(defineApi(nativeEngine(load())));
