// The two engines, and tests that run with each of them.

import test from "node:test";
import * as native from "simdtext/native";
import * as wasm from "simdtext/wasm";

export const engines = [
  { name: "native", api: native },
  { name: "wasm", api: wasm },
];

/** Defines a test for each engine, whose name is added to that of the test. */
export function onEach(title, body, options = {}) {
  for (const { name, api } of engines) {
    test(`${title} [${name}]`, options, (context) => body(api, context, name));
  }
}
