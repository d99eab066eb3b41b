// The page and the WebAssembly build, in Chromium. One file for the runner: the browser and the built
// page are shared, and the measurements are not to be disturbed by tests beside them.

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
