// The package as npm packs it, in a folder of its own.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A new folder, which is removed when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "simdtext-test-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of the package's folder without what was built or installed there. */
export function unbuiltCopy() {
  const folder = temporaryFolder();
  for (const name of ["package.json", "README.md", "types", "scripts", "src"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  return folder;
}

/**
 * Installs the packed package into `folder`, beside tools of ours.
 *
 * @returns {string} where it is
 */
export function install(folder, tools = []) {
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
      cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "simdtext"), { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", join(modules, "simdtext")]);
  for (const tool of tools) {
    symlinkSync(join(root, "node_modules", tool), join(modules, tool));
    mkdirSync(join(modules, ".bin"), { recursive: true });
    symlinkSync(join(root, "node_modules", ".bin", tool), join(modules, ".bin", tool));
  }
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  return join(modules, "simdtext");
}
