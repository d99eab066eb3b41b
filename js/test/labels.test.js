// Names and labels: the list `encodings`, compared with the table from which the Rust library is made.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { onEach } from "./engines.js";
import { thrown } from "./tools.js";

/**
 * The encodings of the standard, as generated for the Rust library: their names in `NAMES`, and in the same order the
 * labels of each in `LABELS_OF`.
 */
const TABLE = (() => {
  const source = readFileSync(new URL("../../tables/encodings.rs", import.meta.url), "utf8");
  const strings = (list) => Array.from(list.matchAll(/"([^"]+)"/g), ([, string]) => string);
  const [, names] = source.match(/ NAMES: [^=]*= \[([^\]]*)\];/);
  const [, labels] = source.match(/ LABELS_OF: [^=]*= \[(.*?)\n\];/s);
  const lists = Array.from(labels.matchAll(/&\[([^\]]*)\]/g), ([, list]) => strings(list));
  return strings(names).map((name, row) => ({ name, labels: lists[row] }));
})();

const mixCase = (label) =>
  Array.from(label, (c, i) => (i % 2 === 0 ? c.toUpperCase() : c.toLowerCase())).join("");

/** Spellings of the same label: *get an encoding* strips white space and ignores case. */
const variants = (label) => [
  label,
  label.toUpperCase(),
  mixCase(label),
  ` ${label}`,
  `${label} `,
  `\t\n\f\r ${label}\r\n\f\t `,
];

/** Spellings that are not a label. */
const spoilt = (label) => [
  `\v${label}`,
  `${label}\0`,
  `\u00A0${label}`,
  `\u2003${label}`,
  `\uFEFF${label}`,
  `${label}\u0085`,
  `"${label}"`,
  `${label};`,
  `${label}~`,
];

onEach("encodings are those of the standard, in its order", (api) => {
  assert.equal(TABLE.length, 40);
  assert.equal(TABLE.flatMap(({ labels }) => labels).length, 228);
  assert.deepEqual(
    api.encodings.map(({ name, labels }) => ({ name, labels: [...labels] })),
    TABLE,
  );
});

onEach("encodings can't be changed by who uses them", (api) => {
  assert.ok(Object.isFrozen(api.encodings));
  for (const info of api.encodings) {
    assert.ok(Object.isFrozen(info));
    assert.ok(Object.isFrozen(info.labels));
  }
});

onEach("every label means its encoding, however it is spelt", (api) => {
  for (const { name, labels } of TABLE) {
    for (const label of labels) {
      for (const variant of variants(label)) {
        assert.equal(api.labelToName(variant), name, JSON.stringify(variant));
      }
      for (const variant of spoilt(label)) {
        assert.equal(api.labelToName(variant), null, JSON.stringify(variant));
      }
    }
  }
  assert.equal(api.labelToName(""), null);
  assert.equal(api.labelToName("   "), null);
});

onEach("every label makes a decoder, but those of replacement", (api) => {
  for (const { name, labels } of TABLE) {
    for (const label of labels.flatMap(variants)) {
      for (const Class of [api.TextDecoder, api.TextDecoderStream]) {
        if (name === "replacement") {
          const { message } = thrown(() => new Class(label), RangeError, label);
          assert.ok(message.includes(label.trim()), message);
        } else {
          assert.equal(new Class(label).encoding, name.toLowerCase(), label);
        }
      }
    }
    for (const label of spoilt(labels[0])) {
      thrown(() => new api.TextDecoder(label), RangeError, JSON.stringify(label));
    }
  }
});

onEach("an error about an unknown label says which one is similar", (api) => {
  for (const [label, meant] of [
    ["utf_8", "utf-8"],
    ["UTF16LE", "utf-16le"],
    ["latin-1", "latin1"],
    ["win1251", "windows-1251"],
    ["windows1252", "windows-1252"],
    [" Win-1250 ", "windows-1250"],
    ["cp932", "shift_jis"],
    ["936", "gbk"],
    ["ms949", "euc-kr"],
    ["65001", "utf-8"],
    ["shiftjis", "shift-jis"],
    ["euc_jp", "euc-jp"],
    ["gb-18030", "gb18030"],
    ["iso8859_15", "iso-8859-15"],
    ["koi-8", "koi8"],
    ["bih5", "big5"],
    ["widnows-1252", "windows-1252"],
    ["\u212Aoi8-r", "koi8-r"],
  ]) {
    for (const call of [
      () => new api.TextDecoder(label),
      () => new api.TextDecoderStream(label),
      () => new api.Decoder(label),
      () => new api.Encoder(label),
      () => api.decode(new Uint8Array(0), label),
      () => api.encode("", label),
      () => api.percentEncodeAfterEncoding("", label),
    ]) {
      const { code, message } = thrown(call, RangeError, label);
      const expected = `The label ${JSON.stringify(label)} is not a label of any encoding; did you mean "${meant}"?`;
      assert.equal(message, expected, String(call));
      assert.equal(code, "ERR_ENCODING_NOT_SUPPORTED");
    }
  }
  for (const label of ["", "-", "nonsense", "utf-7", "utf-32", "euc-tw", "ibm850", "cp437", "日本語", "é".repeat(100)]) {
    const { message } = thrown(() => new api.TextDecoder(label), RangeError, label);
    assert.match(message, /is not a label of any encoding$/, label);
  }
});

onEach("names that the command knows are known here", (api) => {
  const hints = readFileSync(new URL("../../convert/src/labels/hints.rs", import.meta.url), "utf8");
  const [, list] = /const OTHER_NAMES[^=]*= \[(.*?)\n\];/s.exec(hints);
  const names = Array.from(list.matchAll(/\("([^"]+)", "([^"]+)"\)/g), ([, name, label]) => [name, label]);
  assert.ok(names.length > 40, `${names.length} names were read`);
  for (const [name, label] of names.filter(([, meant]) => !meant.startsWith("utf-32"))) {
    const { message } = thrown(() => api.decode(new Uint8Array(0), name), RangeError, name);
    assert.ok(message.endsWith(`did you mean "${label}"?`), `${message} ${label}`);
  }
});

onEach("attributes of decoders are what was asked for", (api) => {
  for (const fatal of [false, true]) {
    for (const ignoreBOM of [false, true]) {
      for (const Class of [api.TextDecoder, api.TextDecoderStream]) {
        const decoder = new Class("euc-kr", { fatal, ignoreBOM });
        assert.equal(decoder.fatal, fatal);
        assert.equal(decoder.ignoreBOM, ignoreBOM);
        assert.equal(decoder.encoding, "euc-kr");
      }
    }
  }
});

onEach("replacement has no encoder, but a decoder beyond section 7", (api) => {
  for (const label of TABLE.find(({ name }) => name === "replacement").labels) {
    thrown(() => api.encode("a", label), RangeError, label);
    assert.equal(api.decode(Uint8Array.of(0x61, 0x62), label), "\uFFFD");
    assert.equal(api.decode(new Uint8Array(0), label), "");
    const decoder = new api.Decoder(label);
    assert.equal(decoder.encoding, "replacement");
    assert.equal(decoder.decode(Uint8Array.of(0x61, 0x62)), "\uFFFD");
    assert.equal(decoder.errors, 1);
  }
});
