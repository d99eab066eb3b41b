import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the built page works in any folder of any server.
  base: "./",
  // A module with top-level await.
  build: { target: "es2022" },
  // The development server would move the module away from the simdtext.wasm beside it.
  optimizeDeps: { exclude: ["simdtext"] },
});
