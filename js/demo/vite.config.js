import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const { version } = JSON.parse(read("../package.json"));

/** Puts the package's version and its README into the page. */
const about = {
  name: "about",
  transformIndexHtml: (html) => html.replaceAll("%VERSION%", version),
  // With a byte order mark, for servers that do not state the encoding of text.
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "README.txt", source: `\uFEFF${read("../README.md")}` });
  },
  configureServer({ middlewares }) {
    middlewares.use("/README.txt", (_, response) => {
      response.setHeader("content-type", "text/plain; charset=utf-8");
      response.end(read("../README.md"));
    });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the built page works in any folder of any server.
  base: "./",
  plugins: [about],
  build: {
    // The package is a module with top-level await.
    target: "es2022",
    // A data: address would need a more permissive Content-Security-Policy than the page has.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
});
