// The declarations for TypeScript name the members that objects have, and no others.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { onEach } from "./engines.js";

const path = new URL("../types/index.d.ts", import.meta.url);
const declarations = ts.createSourceFile("index.d.ts", readFileSync(path, "utf8"), ts.ScriptTarget.Latest).statements;

/** The names of the members that a class or an interface declares; a symbol's is as it is written. */
function membersOf(declared) {
  const found = declarations.find(({ name }) => name?.text === declared);
  assert.ok(found, `${declared} is declared`);
  const names = found.members.filter(({ name }) => name !== undefined).map(({ name }) =>
    name.text ?? `[${name.expression.name.text}]`
  );
  return [...new Set(names)].sort();
}

const ownKeys = (object) => Object.keys(object).sort();

onEach("declarations: results have the members that are declared", (api) => {
  const detection = api.detect(Buffer.from("\x93\xFA\x96{\x8C\xEA\x82\xCC\x95\xB6\x8F\xCD", "latin1"));
  assert.deepEqual(ownKeys(detection), membersOf("Detection"));
  assert.ok(detection.candidates.length > 0);
  for (const candidate of detection.candidates) {
    assert.deepEqual(ownKeys(candidate), membersOf("Candidate"));
  }
  assert.deepEqual(ownKeys(api.encodings[0]), membersOf("EncodingInfo"));
  assert.deepEqual(
    ownKeys(new api.TextEncoder().encodeInto("a", new Uint8Array(1))),
    membersOf("TextEncoderEncodeIntoResult"),
  );
  const decoder = new api.Decoder();
  decoder.decode(Uint8Array.of(0xFF));
  assert.deepEqual(ownKeys(decoder.malformed[0]), membersOf("Malformed"));
  const encoder = new api.Encoder("latin1", { unmappable: "skip" });
  encoder.encode("‽");
  assert.deepEqual(ownKeys(encoder.unmappable[0]), membersOf("Unmappable"));
  assert.deepEqual(ownKeys(api.segments(Uint8Array.of(0x61), [])[0]), membersOf("Segment"));
});

onEach("declarations: errors have the members that are declared", (api) => {
  const calls = {
    MalformedError: () => new api.TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.of(0xFF)),
    UnmappableError: () => api.encode("‽", "latin1"),
  };
  for (const [name, call] of Object.entries(calls)) {
    assert.throws(call, (error) => {
      const own = Object.getOwnPropertyNames(error).filter((key) => key !== "stack" && key !== "message");
      assert.deepEqual(own.sort(), membersOf(name));
      return true;
    });
  }
});

onEach("declarations: classes have the members that are declared", (api) => {
  const classes = declarations.filter((declaration) => ts.isClassDeclaration(declaration));
  assert.equal(classes.length, 7);
  for (const { name: { text } } of classes) {
    const { prototype } = api[text];
    const names = Object.getOwnPropertyNames(prototype).filter((key) => key !== "constructor");
    const statics = Object.keys(Object.getOwnPropertyDescriptors(api[text]))
      .filter((key) => !["length", "name", "prototype"].includes(key));
    const declared = membersOf(text).filter((key) => key !== "[toStringTag]");
    assert.deepEqual([...names, ...statics].sort(), declared, text);
    assert.equal(prototype[Symbol.toStringTag], text);
  }
});
