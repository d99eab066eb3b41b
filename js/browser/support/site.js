// The built page on a server of its own, Chromium, and a server for the package, from which pages can import
// it.

import assert from "node:assert/strict";
import { createReadStream, existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

const root = join(import.meta.dirname, "../..");
export const samples = join(root, "../samples");

const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium"].find((path) => path && existsSync(path));
const screenshots = process.env.SIMDTEXT_SCREENSHOTS ?? join(tmpdir(), "simdtext-screenshots");

let server;
let browser;
let files;

/** Builds the page and starts everything. Returns the addresses of the page and of the package's files. */
export async function startSite() {
  assert.ok(executablePath, "Chromium is needed: apt-get install chromium, or its path in CHROMIUM");
  const demo = join(root, "demo");
  const configFile = join(demo, "vite.config.js");
  await build({ root: demo, configFile, logLevel: "warn" });
  server = await preview({ root: demo, configFile, preview: { host: "127.0.0.1", port: 0 }, logLevel: "warn" });
  files = await serveFolder(join(root, "dist"));
  browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
      ...["--disable-component-update", "--disable-sync"],
    ],
  });
}

export async function stopSite() {
  await browser?.close();
  await server?.close();
  files?.close();
}

const siteAddress = () => `http://127.0.0.1:${server.httpServer.address().port}/`;
export const packageAddress = () => `http://127.0.0.1:${files.address().port}/`;

const TYPES = {
  ".html": "text/html",
  ".mjs": "text/javascript",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** Serves a folder as any web server would, without a bundler. */
export function serveFolder(folder) {
  const serving = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (pathname === "/" && !existsSync(path)) {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>package</title>");
      return;
    }
    if (pathname.includes("..") || !existsSync(path)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => serving.listen(0, "127.0.0.1", () => resolve(serving)));
}

/** Opens the page at a view, runs `work` with it, and checks what must hold everywhere: no request goes to
 * another server, and no script fails.
 */
export async function withPage({ view = "converter", width = 1280, height = 900, dark = false, init }, work) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    acceptDownloads: true,
  });
  const requests = [];
  const failures = [];
  context.on("request", (request) => requests.push(request.url()));
  context.on("weberror", (error) => failures.push(String(error.error())));
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    if (init) {
      await page.addInitScript(init);
    }
    await page.goto(`${siteAddress()}#/${view}`);
    await page.waitForSelector("html[data-ready]");
    await work(page);
    const elsewhere = requests.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(siteAddress()));
    assert.deepEqual(elsewhere, [], "requests to other servers");
    assert.deepEqual(failures, [], "errors of scripts");
  } finally {
    await context.close();
  }
}

/** An empty page on the package's server, in which the package can be imported. */
export const withPackage = (work) => withAddress(packageAddress(), work);

/** Opens the page at an address; no script may fail. */
export async function withAddress(address, work) {
  const context = await browser.newContext();
  const failures = [];
  context.on("weberror", (error) => failures.push(String(error.error())));
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(address);
    await work(page);
    assert.deepEqual(failures, [], "errors of scripts");
  } finally {
    await context.close();
  }
}

/** Saves a picture for people to look at, in a folder outside of the repository. */
export async function screenshot(page, name) {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}
