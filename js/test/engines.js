// The two engines, and tests that run on each of them.

import test from "node:test";
import * as native from "simdtext/native";
import * as wasm from "simdtext/wasm";

export const engines = [
  { name: "native", api: native },
  { name: "wasm", api: wasm },
];

/** One test per engine; the engine stands in the test's name. */
export function onEach(title, body, options = {}) {
  for (const { name, api } of engines) {
    test(`${title} [${name}]`, options, (context) => body(api, context, name));
  }
}
