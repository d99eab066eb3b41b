// The page and the WebAssembly build, in Chromium. There is one file for the test runner, because tests share
// the browser and the built page, and must not disturb measurements.

import { after, before } from "node:test";
import { startSite, stopSite } from "./support/site.js";
import "./engine.js";
import "./bundlers.js";
import "./converter.js";
import "./pages.js";
import "./large-file.js";
import "./indexes.js";
import "./explorer.js";
import "./access.js";

before(startSite);
after(stopSite);
