// V8 compiles calls of WebAssembly into the functions that make them, and may discard such code at any time,
// even during the call: when a script replaces something that the code relies on. V8 11.3 (Node 20) then ends
// the process, unless the call returns a number or nothing.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

const CALLS = {
  "TextDecoder.decode": "const decoder = new api.TextDecoder('koi8-r'); call = () => decoder.decode(bytes).length;",
  "TextDecoder.decode, stream":
    "const decoder = new api.TextDecoder('koi8-r'); call = () => decoder.decode(bytes, { stream: true }).length;",
  "TextDecoder.decode, UTF-16LE":
    "const decoder = new api.TextDecoder('utf-16le'); call = () => decoder.decode(bytes).length;",
  "Decoder.decode": "const decoder = new api.Decoder('koi8-r'); call = () => decoder.decode(bytes).length;",
  "Decoder.decodeToUtf8": "const decoder = new api.Decoder('koi8-r'); call = () => decoder.decodeToUtf8(bytes).length;",
  encode: "call = () => api.encode('хлеб', 'koi8-r').length;",
  encodeInto:
    "const encoder = new api.TextEncoder(); const to = new Uint8Array(20);"
    + " call = () => encoder.encodeInto('хлеб', to).written;",
};

const script = (entry, setUp) => `
  const api = require(${JSON.stringify(entry)});
  const bytes = new Uint8Array(600).fill(0xC1);
  let call;
  ${setUp}
  const caller = () => call();
  let armed = false;
  // The engines call these while they work.
  const interrupt = (object, name) => {
    const original = object[name];
    object[name] = function (...args) {
      if (armed) {
        %DeoptimizeFunction(caller);
        %DeoptimizeFunction(call);
        %DeoptimizeFunction(api.TextDecoder.prototype.decode);
        %DeoptimizeFunction(api.TextEncoder.prototype.encodeInto);
        %DeoptimizeFunction(api.Decoder.prototype.decode);
        %DeoptimizeFunction(api.Decoder.prototype.decodeToUtf8);
        %DeoptimizeFunction(api.encode);
      }
      return original.apply(this, args);
    };
  };
  interrupt(Buffer, "from");
  interrupt(Uint8Array.prototype, "slice");
  let sum = 0;
  for (let round = 0; round < 40; round += 1) {
    armed = false;
    for (let i = 0; i < 3000; i += 1) {
      sum += caller();
    }
    armed = true;
    sum += caller();
  }
  console.log("finished", sum > 0);`;

for (const engine of ["native", "wasm"]) {
  for (const [name, setUp] of Object.entries(CALLS)) {
    test(`${name}: code that is given up during a call [${engine}]`, () => {
      const entry = fileURLToPath(new URL(`../dist/${engine}.cjs`, import.meta.url));
      const arguments_ = ["--allow-natives-syntax", "-e", script(entry, setUp)];
      const { status, signal, stdout, stderr } = spawnSync(process.execPath, arguments_, { encoding: "utf8" });
      assert.equal(stdout, "finished true\n", `${signal ?? status}: ${stderr}`);
    });
  }
}
