// Bundles the page with esbuild into site/. The module loads simdtext.wasm from its own folder. esbuild does
// not copy the files that `new URL(…, import.meta.url)` names, so this script does.

import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

await build({
  entryPoints: ["main.js"],
  outdir: "site",
  bundle: true,
  minify: true,
  // The module has top-level await.
  format: "esm",
  target: "es2022",
});
copyFileSync(fileURLToPath(import.meta.resolve("simdtext/simdtext.wasm")), "site/simdtext.wasm");
copyFileSync("index.html", "site/index.html");
