import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the built page works in any folder of any server.
  base: "./",
  build: {
    // The package is a module with top-level await.
    target: "es2022",
    // A data: address would need a wider Content-Security-Policy than the page has.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
});
