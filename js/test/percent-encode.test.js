// Beyond section 7: the URL standard's percent-encode after encoding.

import assert from "node:assert/strict";
import { onEach } from "./engines.js";
import { thrown } from "./tools.js";

const FORM = "application/x-www-form-urlencoded";

onEach("percentEncodeAfterEncoding: the examples of the URL standard", (api) => {
  for (const [label, input, set, spaceAsPlus, expected] of [
    ["shift_jis", " ", "userinfo", false, "%20"],
    ["shift_jis", "≡", "userinfo", false, "%81%DF"],
    ["shift_jis", "‽", "userinfo", false, "%26%238253%3B"],
    ["shift_jis", "1+1 ≡ 2%20‽", "userinfo", true, "1+1+%81%DF+2%20%26%238253%3B"],
    ["shift_jis", "1+1 ≡ 2%20‽", FORM, true, "1%2B1+%81%DF+2%2520%26%238253%3B"],
    ["iso-2022-jp", "¥", "special-query", false, "%1B(J\\%1B(B"],
    ["utf-8", "≡", "userinfo", false, "%E2%89%A1"],
    ["utf-8", "‽", "userinfo", false, "%E2%80%BD"],
    ["utf-8", "Say what‽", "userinfo", false, "Say%20what%E2%80%BD"],
  ]) {
    assert.equal(
      api.percentEncodeAfterEncoding(input, label, { set, spaceAsPlus }),
      expected,
      `${label}: ${input}`,
    );
  }
});

onEach("percentEncodeAfterEncoding: the sets of the URL standard", (api) => {
  const alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (const [set, plain] of [
    ["c0-control", " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"],
    ["fragment", "!#$%&'()*+,-./:;=?@[\\]^_{|}~"],
    ["query", "!$%&'()*+,-./:;=?@[\\]^_`{|}~"],
    ["special-query", "!$%&()*+,-./:;=?@[\\]^_`{|}~"],
    ["path", "!$%&'()*+,-./:;=@[\\]_|~"],
    ["userinfo", "!$%&'()*+,-._~"],
    ["component", "!'()*-._~"],
    [FORM, "*-._"],
  ]) {
    for (let unit = 0; unit < 0x80; unit += 1) {
      const string = String.fromCharCode(unit);
      const escaped = `%${unit.toString(16).toUpperCase().padStart(2, "0")}`;
      const expected = alphanumerics.includes(string) || plain.includes(string) ? string : escaped;
      const options = { set, spaceAsPlus: false };
      assert.equal(api.percentEncodeAfterEncoding(string, "utf-8", options), expected, `${set}: ${escaped}`);
      assert.equal(api.percentEncodeAfterEncoding(string, "gbk", options), expected, `${set}: ${escaped}`);
    }
  }
});

onEach("percentEncodeAfterEncoding: a component is what encodeURIComponent makes", (api) => {
  const text = "a b&c=d/é€💩!'()*~`^|%";
  assert.equal(api.percentEncodeAfterEncoding(text, "utf-8", { set: "component" }), encodeURIComponent(text));
});

onEach("percentEncodeAfterEncoding: a form is what URLSearchParams makes", (api) => {
  const text = "a b&c=d/é€💩!'()*~`^|%\0\n";
  const expected = new URLSearchParams([["", text]]).toString().slice(1);
  assert.equal(api.percentEncodeAfterEncoding(text, "utf-8", { set: FORM }), expected);
});

onEach("percentEncodeAfterEncoding: space", (api) => {
  const encode = (options) => api.percentEncodeAfterEncoding("a b+c", "utf-8", options);
  assert.equal(encode(), "a%20b+c");
  assert.equal(encode({ set: FORM }), "a+b%2Bc");
  assert.equal(encode({ set: FORM, spaceAsPlus: undefined }), "a+b%2Bc");
  assert.equal(encode({ set: FORM, spaceAsPlus: false }), "a%20b%2Bc");
  assert.equal(encode({ spaceAsPlus: true }), "a+b+c");
  assert.equal(encode({ set: "c0-control" }), "a b+c");
  assert.equal(encode({ set: "c0-control", spaceAsPlus: true }), "a+b+c");
});

onEach("percentEncodeAfterEncoding: states of the encoder and output encodings", (api) => {
  for (const [label, input, expected] of [
    ["iso-2022-jp", "日☃¥☃", "%1B$BF|%1B(B%26%239731%3B%1B(J\\%26%239731%3B%1B(B"],
    ["iso-2022-jp", "\u001B", "%26%2365533%3B"],
    ["windows-1252", "💩", "%26%23128169%3B"],
    ["windows-1252", "\uD83D", "%26%2365533%3B"],
    ["utf-8", "\uD83D", "%EF%BF%BD"],
    ["windows-1252", "", ""],
    ["utf-16le", "é", "%C3%A9"],
    ["utf-16be", "é", "%C3%A9"],
    ["replacement", "é", "%C3%A9"],
    [undefined, "é", "%C3%A9"],
  ]) {
    assert.equal(api.percentEncodeAfterEncoding(input, label), expected, `${label}: ${input}`);
  }
});

onEach("percentEncodeAfterEncoding: long strings are encoded as short ones are, cut where they may be", (api) => {
  const lengths = [(1 << 20) - 1, 1 << 20, (1 << 20) + 1];
  for (const label of ["utf-8", "shift_jis", "iso-2022-jp"]) {
    for (const length of lengths) {
      const output = api.percentEncodeAfterEncoding(`${"a".repeat(length - 1)}💩\uD83D日本`, label);
      const end = api.percentEncodeAfterEncoding("a💩\uD83D日本", label).slice(1);
      assert.equal(output.length, length - 1 + end.length, `${label}, ${length}`);
      assert.ok(output.endsWith(`a${end}`), `${label}, ${length}`);
    }
  }
});

onEach("percentEncodeAfterEncoding: no such set", (api) => {
  for (const set of ["", "Query", "form", null, 1]) {
    const error = thrown(
      () => api.percentEncodeAfterEncoding("a", "utf-8", { set }),
      RangeError,
      String(set),
    );
    assert.ok(error.message.includes(String(set)), error.message);
  }
});

onEach("percent-encoding in ISO-2022-JP, which is not cut, has a limit", (api) => {
  // Two characters that take the most, between escape sequences.
  const worst = api.percentEncodeAfterEncoding("日☃", "iso-2022-jp", { set: "component" });
  assert.ok(worst.length <= 2 * 17, worst);
  const { code } = thrown(() => api.percentEncodeAfterEncoding("a".repeat(32 << 20), "iso-2022-jp"), RangeError);
  assert.equal(code, "ERR_STRING_TOO_LONG");
  const long = "a".repeat(3 << 20);
  assert.ok(api.percentEncodeAfterEncoding(`${long}日${long}`, "iso-2022-jp") === `${long}%1B$BF|%1B(B${long}`);
});
