// The converter: the open file, its encoding, and what the user does with it.

import { encodings } from "simdtext";
import { byId, make } from "../dom.js";
import { many, size } from "../format.js";
import { showDetection } from "./detection.js";
import { parseHex } from "./hex.js";
import { showLost } from "./lost.js";
import { createMalformedList } from "./malformed-list.js";
import { startReader } from "./reader.js";
import { samples } from "./samples.js";
import { fileToSaveTo, offerDownload } from "./save.js";
import { createTextView } from "./text-view.js";

export function start() {
  const view = new Converter();
  return { show: () => view };
}

class Converter {
  constructor() {
    this.opened = null;
    this.reader = startReader((message) => this.heard(message));
    this.text = createTextView((number) => this.reader.page(number));
    this.malformed = createMalformedList(({ page, offset }) => this.text.goTo(page, offset));
    this.fillEncodings();
    this.fillSamples();
    this.listenToSources();
    byId("encoding").addEventListener("change", ({ target }) => this.readAs(target.value));
    byId("target").addEventListener("change", () => this.showTarget());
    byId("unmappable").addEventListener("change", () => this.showTarget());
    byId("save").addEventListener("click", () => this.save());
    this.showTarget();
    byId("cancel").addEventListener("click", () => this.reader.cancel());
  }

  fillEncodings() {
    const options = encodings.map(({ name }) => make("option", { value: name }, name));
    byId("encoding").append(...options);
    // The replacement encoding has no encoder.
    const targets = encodings.filter(({ name }) => name !== "replacement");
    byId("target").append(...targets.map(({ name }) => make("option", { value: name }, name)));
  }

  /** The encoding to save in, and what to do with characters that it lacks. */
  target() {
    return { target: byId("target").value, unmappable: byId("unmappable").value };
  }

  showTarget() {
    const { target } = this.target();
    byId("save").textContent = `Save as ${target}`;
    byId("unmappable-field").hidden = target.startsWith("UTF-");
    byId("save-note").textContent = "";
    showLost(undefined, {});
  }

  fillSamples() {
    const buttons = samples.map(({ name, bytes }) => {
      const button = make("button", { type: "button" }, name);
      button.addEventListener("click", () => this.open(new Blob([bytes()]), `Sample: ${name}`));
      return button;
    });
    byId("samples").append(...buttons);
  }

  listenToSources() {
    const input = byId("file");
    input.addEventListener("change", () => {
      if (input.files.length > 0) {
        this.open(input.files[0], input.files[0].name);
        // So that choosing the same file again reads it again.
        input.value = "";
      }
    });
    byId("hex").addEventListener("input", ({ target }) => this.readHex(target.value));
    this.listenToDrops();
  }

  listenToDrops() {
    const dropping = (on) => document.body.classList.toggle("dropping", on);
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      dropping(true);
    });
    document.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) {
        dropping(false);
      }
    });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      dropping(false);
      const [file] = event.dataTransfer.files;
      if (file) {
        location.hash = "#/converter";
        this.open(file, file.name);
      }
    });
  }

  readHex(text) {
    const problem = byId("hex-problem");
    problem.textContent = "";
    try {
      const bytes = parseHex(text);
      if (bytes.length > 0) {
        this.open(new Blob([bytes]), "Bytes in hex");
      }
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  open(blob, name) {
    this.opened = { blob, name, pages: 0 };
    byId("source-name").textContent = name;
    byId("source-size").textContent =
      blob.size < 10 * 1024 ? size(blob.size) : `${size(blob.size)} (${many(blob.size, "byte")})`;
    byId("problem").hidden = true;
    this.read();
  }

  /** Reads the open file again, in the encoding that the user has chosen. */
  readAs(encoding) {
    this.opened.chosen = encoding;
    this.read();
  }

  read() {
    this.text.clear();
    this.malformed.clear();
    byId("save-note").textContent = "";
    showLost(undefined, {});
    byId("save").disabled = true;
    this.progress("Reading", 0);
    this.reader.open(this.opened.blob, this.opened.chosen);
  }

  async save() {
    byId("save-note").textContent = "";
    showLost(undefined, {});
    const target = this.target();
    try {
      const handle = await fileToSaveTo(this.opened.name, target.target);
      if (handle !== "dismissed") {
        byId("save").disabled = true;
        this.progress("Saving", 0);
        this.opened.savedAs = target;
        this.reader.save(handle, target);
      }
    } catch (error) {
      this.problem(`The file could not be saved: ${error.message}`);
    }
  }

  heard(message) {
    const handlers = {
      detected: () => this.detected(message),
      progress: () => this.scanned(message),
      page: () => this.text.show(message),
      saving: () => this.saved(message),
      problem: () => this.problem(problemText(message, this.opened.name)),
    };
    handlers[message.tell]();
  }

  detected({ encoding, detection }) {
    byId("result").hidden = false;
    byId("encoding").value = encoding;
    showDetection(detection, this.opened.chosen, (name) => this.readAs(name));
    this.opened.encoding = encoding;
  }

  scanned({ bytesRead, pages, errors, listed, state }) {
    const { encoding } = this.opened;
    this.text.pages(pages, state);
    this.malformed.add(listed, errors, { state, encoding });
    if (state === "reading") {
      this.progress("Reading", bytesRead, `${many(errors, "malformed sequence")} so far`);
      return;
    }
    this.endProgress();
    const found = `Read as ${encoding}: ${many(errors, "malformed sequence")}`;
    this.announce(state === "done" ? `${found}.` : `Cancelled after ${size(bytesRead)}. ${found} until there.`);
  }

  saved({ state, bytesRead, written, blob, lost }) {
    if (state === "writing") {
      this.progress("Saving", bytesRead);
      return;
    }
    this.endProgress();
    if (blob) {
      offerDownload(blob, this.opened.name, this.opened.savedAs.target);
    }
    const { target } = this.opened.savedAs;
    const note = state === "done" ? `Saved ${many(written, "byte")} of ${target}.` : "Saving was cancelled.";
    showLost(lost, this.opened.savedAs);
    byId("save-note").textContent = note;
    this.announce(note);
  }

  progress(title, bytesRead, more = "") {
    const { size: total } = this.opened.blob;
    byId("progress").hidden = false;
    byId("progress-title").textContent = title;
    byId("progress-bar").value = total === 0 ? 1 : bytesRead / total;
    byId("progress-numbers").textContent = `${size(bytesRead)} of ${size(total)}${more && ` · ${more}`}`;
  }

  endProgress() {
    byId("progress").hidden = true;
    byId("save").disabled = false;
  }

  announce(text) {
    byId("announce").textContent = text;
  }

  problem(text) {
    this.endProgress();
    const problem = byId("problem");
    problem.hidden = false;
    problem.textContent = text;
  }
}

function problemText({ during, message }, name) {
  const doing = during === "save" ? "could not be saved" : "could not be read";
  return `${name} ${doing}: ${message}`;
}
