// Checks before the package is packed (`prepack`) that everything in package.json has been built.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { default: description } = await import("../package.json", { with: { type: "json" } });

/** The files that a value of `exports` names. */
const filesOf = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(filesOf));

const promised = [...new Set([description.main, description.types, ...filesOf(description.exports)])];
const missing = promised.filter((file) => !existsSync(join(root, file)));
const addons = join(root, "dist", "addon");
if (!existsSync(addons) || !readdirSync(addons).some((name) => name.endsWith(".node"))) {
  missing.push("dist/addon/*.node");
}
if (missing.length > 0) {
  console.error(`simdtext: not built, nothing is packed: run npm run build first. There is no ${missing.join(", ")}`);
  process.exit(1);
}
