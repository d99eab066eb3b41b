// Builds dist/: the addon for this platform, the WebAssembly module, and the JavaScript for both.
//
//   node scripts/build.js [native] [wasm] [javascript]
//
// builds both engines unless one is named, and neither with `javascript` alone. Needs a Rust toolchain with the
// target wasm32-unknown-unknown (`rustup target add wasm32-unknown-unknown`). If that is not available,
// SIMDTEXT_WASM_RUSTC names a compiler that comes with the sources of the standard library, which is then built
// as well (Debian: rustc-web, rust-web-src and lld, /usr/bin/rustc). SIMDTEXT_PROFILE names a profile of Cargo for both
// engines, other than release. SIMDTEXT_BUILT names a folder where Cargo has put the addon and simdtext-js-bindgen
// already.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { platforms } from "../src/engine/native.js";
import { NAMES } from "../src/names.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const bindgenFolder = join(root, "wasm", "bindgen");
const BINDGEN = "simdtext-js-bindgen";

const { SIMDTEXT_BUILT: built, SIMDTEXT_PROFILE: profile = "release" } = process.env;

const asked = process.argv.slice(2);
const isAsked = (engine) => asked.length === 0 || asked.includes(engine);

/** Runs cargo. Returns the paths of the files that it reports as built. */
function cargo(verb, args, environment = {}) {
  const command = [verb, "--message-format=json-render-diagnostics", ...args];
  console.log(`cargo ${command.join(" ")}`);
  const { error, status, stdout } = spawnSync("cargo", command, {
    cwd: root,
    env: { ...process.env, ...environment },
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (error || status !== 0) {
    fail(error?.code === "ENOENT" ? "cargo is not there: install Rust, see https://rustup.rs" : "cargo failed");
  }
  return stdout.toString().split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter(({ reason }) => reason === "compiler-artifact");
}

function fail(why) {
  console.error(`build: ${why}`);
  process.exit(1);
}

const fileOf = (artifacts, target, suffix) =>
  artifacts.findLast((artifact) => artifact.target.name === target)?.filenames
    .find((name) => name.endsWith(suffix)) ?? fail(`cargo did not say where ${target} is`);

function buildNative() {
  const library = built === undefined ? buildAddon() : join(built, "libsimdtext_js_native.so");
  mkdirSync(join(dist, "addon"), { recursive: true });
  const [platform, otherwise] = platforms(process);
  const isMusl = otherwise !== undefined && !process.report.getReport().header.glibcVersionRuntime;
  copyFileSync(library, join(dist, "addon", `simdtext.${isMusl ? otherwise : platform}.node`));
}

/** Returns the path of the shared library. */
function buildAddon() {
  const artifacts = cargo("rustc", ["--profile", profile, "-p", "simdtext-js-native", "--", "-C", "strip=symbols"]);
  const suffix = { darwin: ".dylib", win32: ".dll" }[process.platform] ?? ".so";
  return fileOf(artifacts, "simdtext_js_native", suffix);
}

function buildWasm() {
  const target = "wasm32-unknown-unknown";
  const environment = { RUSTFLAGS: "-C target-feature=+simd128" };
  const flags = [];
  const { SIMDTEXT_WASM_RUSTC: compiler } = process.env;
  if (compiler !== undefined) {
    // Building the standard library is not a stable feature of cargo.
    Object.assign(environment, { RUSTC: compiler, RUSTC_BOOTSTRAP: "1" });
    flags.push("-Zbuild-std=std,panic_abort", "--config", `target.${target}.linker="wasm-ld"`);
  } else if (!hasStandardLibrary(target)) {
    fail(`the Rust toolchain has no standard library for ${target}: run rustup target add ${target}`);
  }
  const selected = ["--profile", profile, "-p", "simdtext-js-wasm", "--target", target];
  const artifacts = cargo("build", [...selected, ...flags], environment);
  const module = fileOf(artifacts, "simdtext_js_wasm", ".wasm");
  run(built === undefined ? buildBindgen() : join(built, BINDGEN), [module, bindgenFolder, "simdtext"]);
  copyFileSync(join(bindgenFolder, "simdtext_bg.wasm"), join(dist, "simdtext.wasm"));
}

/** Returns the path of the program. */
function buildBindgen() {
  return cargo("build", ["-p", BINDGEN]).find(({ target }) => target.name === BINDGEN).executable;
}

function hasStandardLibrary(target) {
  const { stdout } = spawnSync("rustc", ["--print", "target-libdir", "--target", target], { cwd: root });
  try {
    return readdirSync(stdout.toString().trim()).some((name) => name.startsWith("libcore-"));
  } catch {
    return false;
  }
}

function run(command, args) {
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (error || status !== 0) {
    fail(`${basename(command)} failed`);
  }
}

async function buildJavaScript() {
  const shared = {
    absWorkingDir: root,
    bundle: true,
    target: "es2022",
    legalComments: "none",
    logLevel: "warning",
    // The output of wasm-bindgen.
    inject: ["src/platform.js"],
    alias: {
      "simdtext-bindgen": join(bindgenFolder, "simdtext.js"),
      // The imports of the module.
      "simdtext-results": join(root, "wasm", "results.js"),
    },
  };
  for (const core of ["core", "core-wasm"]) {
    const [from, to] = [`src/${core}.js`, `dist/${core}.cjs`];
    await build({ ...shared, entryPoints: [from], outfile: to, format: "cjs", platform: "node" });
  }
  const web = { entryPoints: ["src/entry/web.js"], outfile: "dist/core-web.mjs" };
  await build({ ...shared, ...web, format: "esm", platform: "browser" });
  for (const entry of ["load-addon.cjs", "native.cjs", "wasm.cjs", "node.cjs", "polyfill.cjs", "polyfill-web.mjs"]) {
    copyFileSync(join(root, "src", "entry", entry), join(dist, entry));
  }
  const names = `export const {\n${NAMES.map((name) => `  ${name},\n`).join("")}} = api;\n`;
  for (const entry of ["wasm", "node"]) {
    writeFileSync(join(dist, `${entry}.mjs`), `import api from "./${entry}.cjs";\n\n${names}`);
  }
  // If a CommonJS module that is imported throws, Node 20 rejects the import and also ends the process, as if nobody
  // had caught the error. So it is thrown by the importing module.
  const native = 'import addon from "./load-addon.cjs";\n\nconst api = addon.loadApi();\n\n';
  writeFileSync(join(dist, "native.mjs"), `${native}${names}`);
  writeFileSync(join(dist, "web.mjs"), `import { api } from "./core-web.mjs";\n\n${names}`);
  writeFileSync(join(dist, "polyfill.mjs"), 'import "./polyfill.cjs";\n');
  mkdirSync(join(dist, "types"), { recursive: true });
  copyFileSync(join(root, "types/index.d.ts"), join(dist, "types/index.d.cts"));
  for (const license of ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE-WHATWG"]) {
    copyFileSync(join(root, "..", license), join(dist, license));
  }
}

if (asked.some((part) => !["native", "wasm", "javascript"].includes(part))) {
  fail(`there is no part ${asked.join(", ")}: native, wasm and javascript are the three`);
}
if (asked.length === 0) {
  rmSync(dist, { recursive: true, force: true });
}
mkdirSync(dist, { recursive: true });
if (isAsked("native")) {
  buildNative();
}
if (isAsked("wasm")) {
  buildWasm();
}
await buildJavaScript();
