// Compares decoding with both engines, Node's own TextDecoder, @exodus/bytes and iconv-lite:
//
//   npm run bench [-- --only ENCODING]... [--seconds N] [--save]
//
// prints tables in Markdown: the speed of both engines, and how long the others take in comparison. Each engine
// has its own process, as in a program that uses it, where it takes turns with the others for N seconds each
// (0.1). A ratio compares turns of the same round, and the median of the rounds is printed. Garbage collection
// of the strings is included. With --save the tables are also written to
// ../docs/performance/js-*.tsv.

import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { TextDecoder as ExodusDecoder } from "@exodus/bytes/encoding.js";
import iconv from "iconv-lite";

import { bytesOf, dense, html } from "./texts.js";

const BuiltIn = globalThis.TextDecoder;

const ENCODINGS = [
  ["utf-8", "en"],
  ["utf-8", "ru"],
  ["utf-8", "ja"],
  ["utf-16le", "ru"],
  ["windows-1252", "fr"],
  ["windows-1251", "ru"],
  ["koi8-r", "ru"],
  ["gbk", "zh"],
  ["gb18030", "zh"],
  ["big5", "zh-tw"],
  ["shift_jis", "ja"],
  ["euc-jp", "ja"],
  ["iso-2022-jp", "ja"],
  ["euc-kr", "ko"],
];

const SIZES = [1 << 10, 1 << 16, 1 << 22];

/** The columns of the tables. */
const ABOUT = {
  speed: "GB/s of input, the fastest quarter of turns",
  native: "the others' time over the addon's; a star: other text",
  wasm: "the others' time over WebAssembly's; a star: other text",
};

const PEERS = ["node", "exodus", "iconv-lite"];

const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    seconds: { type: "string", default: "0.1" },
    save: { type: "boolean", default: false },
    // For the child processes.
    engine: { type: "string" },
  },
});

/** A function for each decoder, or undefined if the decoder does not know the encoding. */
function decoders(api, label) {
  const make = (Decoder) => {
    try {
      const decoder = new Decoder(label);
      return (bytes) => decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
  const lite = iconv.encodingExists(label) ? (bytes) => iconv.decode(bytes, label) : undefined;
  return {
    simdtext: make(api.TextDecoder),
    node: make(BuiltIn),
    exodus: make(ExodusDecoder),
    "iconv-lite": lite,
  };
}

let sink = 0;

/** The seconds per call of each contender in each round. All take turns, and each round begins with a different
 * one. */
function time(contenders, bytes, seconds) {
  const names = Object.keys(contenders).filter((name) => contenders[name] !== undefined);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const calls = {};
  const times = {};
  for (const name of names) {
    // Warm up, with enough calls that the clock's resolution does not matter.
    calls[name] = 1;
    while (once(contenders[name], view, calls[name]) < 2e-3 && calls[name] < 1 << 16) {
      calls[name] *= 2;
    }
    times[name] = [];
  }
  const end = performance.now() + seconds * 1000 * names.length;
  for (let round = 0; round < 5 || performance.now() < end; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      times[name].push(once(contenders[name], view, calls[name]) / calls[name]);
    }
  }
  return times;
}

const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)];

/** How many times as long one takes as the other: the median of the rounds. */
function ratio(times, one, other) {
  return times[one] && quantile(times[one].map((seconds, round) => seconds / times[other][round]), 0.5);
}

function once(decode, bytes, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i += 1) {
    const string = decode(bytes);
    // Reading a string that consists of parts joins them.
    sink += string.charCodeAt(string.length - 1);
  }
  return (performance.now() - start) / 1000;
}

const sizeName = (size) => size >= 1 << 20 ? `${size >> 20} MiB` : `${size >> 10} KiB`;
const number = (value) => value === undefined || !Number.isFinite(value) ? "–" : value.toPrecision(value < 10 ? 2 : 3);

/** Measures an engine beside the others. Returns a row for each text and size. */
async function measure(engine) {
  const api = await import(`simdtext/${engine}`);
  const rows = [];
  for (const [label, language] of ENCODINGS) {
    if (options.only && !options.only.includes(label)) {
      continue;
    }
    for (const [kind, text] of [["dense", dense(language)], ["html", html(language)]]) {
      for (const size of SIZES) {
        const encode = (string) => api.encode(string, label, { unmappable: "html" });
        const bytes = bytesOf(text, size, encode);
        const contenders = decoders(api, label);
        const expected = contenders.simdtext(bytes);
        const differ = Object.keys(contenders).filter((name) => contenders[name] !== undefined
          && contenders[name](Buffer.from(bytes)) !== expected);
        const times = time(contenders, bytes, Number(options.seconds));
        const ratios = {};
        for (const name of Object.keys(times)) {
          ratios[name] = ratio(times, name, "simdtext");
        }
        const speed = bytes.length / quantile(times.simdtext, 0.25) / 1e9;
        rows.push({ label, language, kind, speed, ratios, differ });
        console.error(`${engine}, ${label} ${language} ${kind} ${sizeName(size)}: ${number(speed)} GB/s, `
          + PEERS.map((name) => `${name} ${number(ratios[name])}`).join(", ")
          + (differ.length > 0 ? ` (other text: ${differ.join(", ")})` : ""));
      }
    }
  }
  if (sink === 0) {
    throw new Error("nothing was decoded");
  }
  return rows;
}

/** Measures in a process of its own. */
function measureApart(engine) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), "--engine", engine]);
    child.on("message", resolve);
    child.on("exit", (code) => code === 0 || reject(new Error(`measuring ${engine} failed`)));
  });
}

const head = (columns) => `| ${columns.join(" | ")} |\n|${columns.map((_, i) => i < 2 ? "---|" : "---:|").join("")}\n`;

/** The speed of both engines in GB/s of input: the fastest quarter of turns. */
function speeds(measured) {
  let table = head(["encoding", "text", ...SIZES.flatMap((size) => [sizeName(size), "wasm"])]);
  const wasm = [...grouped(measured.wasm)];
  for (const [i, [label, language, kind, cells]] of [...grouped(measured.native)].entries()) {
    const ofWasm = wasm[i][3];
    const speed = (cell, size) => [number(cell.speed), number(ofWasm[size].speed)];
    table += `| ${label} ${language} | ${kind} | ${cells.flatMap(speed).join(" | ")} |\n`;
  }
  return table;
}

/** How many times as fast as each peer an engine is. */
function ratioTable(rows) {
  let table = head(["encoding", "text", ...SIZES.flatMap((size) => PEERS.map((peer) => `${peer} ${sizeName(size)}`))]);
  for (const [label, language, kind, cells] of grouped(rows)) {
    const cell = ({ ratios, differ }) => PEERS.map((peer) => number(ratios[peer]) + (differ.includes(peer) ? "*" : ""));
    table += `| ${label} ${language} | ${kind} | ${cells.flatMap(cell).join(" | ")} |\n`;
  }
  return table;
}

function* grouped(rows) {
  for (let i = 0; i < rows.length; i += SIZES.length) {
    const { label, language, kind } = rows[i];
    yield [label, language, kind, rows.slice(i, i + SIZES.length)];
  }
}

if (options.engine) {
  process.send(await measure(options.engine), () => process.disconnect());
} else {
  const measured = { native: await measureApart("native"), wasm: await measureApart("wasm") };
  const tables = {
    speed: speeds(measured),
    native: ratioTable(measured.native),
    wasm: ratioTable(measured.wasm),
  };
  for (const table of Object.values(tables)) {
    console.log(table);
  }
  if (options.save && !options.only) {
    for (const [name, table] of Object.entries(tables)) {
      const [head, , ...rows] = table.trimEnd().split("\n");
      const cells = [head, ...rows].map((line) => {
        const row = line.slice(2, -2).split(" | ");
        return row.map((cell) => cell === "–" ? "" : cell).join("\t");
      });
      const about = `# ${new Date().toISOString().slice(0, 10)}, \`npm run bench\` in js/; ${ABOUT[name]}`;
      writeFileSync(new URL(`../../docs/performance/js-${name}.tsv`, import.meta.url), [about, ...cells, ""].join("\n"));
    }
  }
}
