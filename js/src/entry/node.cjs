"use strict";

const { getEnvironmentData, setEnvironmentData } = require("node:worker_threads");

const WARNED = "simdtext: warned of the addon";

// Loads the addon if there is one for this platform and it works, and otherwise WebAssembly; `engine` says which.
function load() {
  try {
    return require("./native.cjs");
  } catch (error) {
    warn(error);
    return require("./wasm.cjs");
  }
}

/** Warns once in this process, including the workers that it starts later. */
function warn({ message, errors = [] }) {
  const quiet = process.env.SIMDTEXT_QUIET;
  if ((quiet !== undefined && quiet !== "") || getEnvironmentData(WARNED)) {
    return;
  }
  setEnvironmentData(WARNED, true);
  const causes = errors.map((cause) => `  ${String(cause.message).split("\n")[0]}`);
  process.emitWarning("the addon could not be loaded; WebAssembly takes its place, which is slower", {
    type: "SimdtextWarning",
    code: "SIMDTEXT_NO_ADDON",
    detail: [...(causes.length > 0 ? causes : [message]), "Set SIMDTEXT_QUIET=1 to silence this."].join("\n"),
  });
}

module.exports = load();
