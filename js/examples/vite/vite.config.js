import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the built page works in any folder of any server.
  base: "./",
  // The module has top-level await.
  build: { target: "es2022" },
  // The development server would move the module away from simdtext.wasm.
  optimizeDeps: { exclude: ["simdtext"] },
});
