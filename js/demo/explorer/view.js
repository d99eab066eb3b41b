// The explorer: which index is shown and how, the readout of its cells, the legend and the search.

import { byId, make } from "../dom.js";
import { unicode } from "../format.js";
import { legend } from "./classes.js";
import { Grid } from "./grid.js";
import { findIndex, groups, shiftJisView } from "./indexes.js";
import { coverageMap, legendNote, pointerMap } from "./model.js";
import { drawMark, readColours } from "./paint.js";
import { rangesTable } from "./ranges.js";
import { parseQuery } from "./query.js";

const layouts = {
  grid: { name: "By pointer", map: pointerMap },
  "shift-jis": { name: "As Shift_JIS", map: () => pointerMap(shiftJisView), note: shiftJisView.note },
  bmp: { name: "Coverage of the BMP", map: coverageMap },
};

export function start() {
  const view = new Explorer();
  return { show: ([id, layout]) => view.show(id, layout) };
}

class Explorer {
  constructor() {
    this.grid = new Grid(byId("grid"), (cell, byKey) => this.tell(cell, byKey));
    this.found = { query: "", turn: 0 };
    this.fillIndexes();
    byId("index").addEventListener("change", ({ target }) => this.go(target.value, "grid"));
    byId("layout").addEventListener("change", ({ target }) => this.go(byId("index").value, target.value));
    byId("size").addEventListener("change", ({ target }) => this.grid.setSize(target.value));
    byId("find").addEventListener("submit", (event) => {
      event.preventDefault();
      this.find(byId("query").value);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.showLegend());
  }

  fillIndexes() {
    for (const { name, indexes } of groups) {
      const options = indexes.map(({ id, name: text }) => make("option", { value: id }, text));
      byId("index").append(make("optgroup", { label: name }, ...options));
    }
  }

  go(id, layout) {
    location.hash = layout === "grid" ? `#/explorer/${id}` : `#/explorer/${id}/${layout}`;
  }

  /** Shows what the address names, or the first index if it names none. */
  async show(id, layoutName) {
    const index = findIndex(id) ?? groups[0].indexes[0];
    const names = layoutsOf(index);
    const layout = names.includes(layoutName) ? layoutName : names[0];
    byId("index").value = index.id;
    const options = names.map((name) => make("option", { value: name }, layouts[name]?.name ?? "Table"));
    byId("layout").replaceChildren(...options);
    byId("layout").value = layout;
    byId("find-result").textContent = "";
    byId("map").hidden = Boolean(index.ranges);
    byId("ranges").hidden = !index.ranges;
    byId("find").hidden = byId("size-field").hidden = Boolean(index.ranges);
    this.index = index;
    if (index.ranges) {
      this.showRanges();
    } else {
      await this.showMap(index, layout);
    }
  }

  showRanges() {
    const box = byId("ranges");
    if (!box.firstChild) {
      box.append(rangesTable());
    }
    const ranges = box.querySelectorAll("tbody tr").length;
    byId("index-note").textContent =
      `The four-byte part of gb18030 in ${ranges} ranges, in each of which code points follow each other. ` +
      "But pointer 7457 (81 35 F4 37) is U+E7C7.";
  }

  async showMap(index, layout) {
    const shown = `${index.id}/${layout}`;
    if (this.shown === shown) {
      this.grid.layOut();
      return;
    }
    this.shown = shown;
    const model = await layouts[layout].map(index);
    if (this.shown !== shown) {
      return;
    }
    this.model = model;
    byId("index-note").textContent = model.note ?? layouts[layout].note ?? index.note;
    const name = `Index ${index.name}, ${layouts[layout].name.toLowerCase()}`;
    byId("grid").setAttribute("aria-label", name);
    // Han characters look different in Japan, Korea and China; fonts are chosen by this.
    byId("grid").lang = byId("cell").lang = index.lang ?? "";
    byId("query").placeholder = `${model.example} or ${unicode(model.example.codePointAt(0))}`;
    this.grid.show(model, model.first);
    this.showLegend();
    this.tell(model.first, false);
    byId("grid").dataset.shown = shown;
  }

  tell(cell, byKey) {
    const { kind, character, lines, phrase } = this.model.tell(cell);
    const list = make("dl");
    for (const [term, value, className = ""] of lines) {
      list.append(make("dt", {}, term), make("dd", { className }, value));
    }
    const large = make("div", { className: "character" }, character || "\u00A0");
    byId("cell").replaceChildren(large, list);
    for (const item of byId("legend").children) {
      item.classList.toggle("here", Number(item.dataset.kind) === kind);
    }
    if (byKey) {
      byId("cell-status").textContent = phrase;
    }
  }

  showLegend() {
    if (!this.model) {
      return;
    }
    const colours = readColours();
    const items = this.model.legend.map((kind) => {
      const item = make("li", {}, swatch(kind, colours), make("span", {}, legend[kind].meaning));
      item.dataset.kind = kind;
      return item;
    });
    byId("legend").replaceChildren(...items);
    byId("legend-note").textContent = legendNote(this.model);
  }

  find(query) {
    const result = byId("find-result");
    const codePoint = parseQuery(query);
    if (codePoint === null) {
      const number = unicode(this.model.example.codePointAt(0));
      result.textContent = `Write one character, or its number as ${number}.`;
      return;
    }
    const cells = this.model.find(codePoint);
    if (cells.length === 0) {
      result.textContent = `${unicode(codePoint)} is not in this index.`;
      return;
    }
    this.found = { query, turn: this.found.query === query ? (this.found.turn + 1) % cells.length : 0 };
    const names = cells.map(this.model.cellName).join(", ");
    const more = cells.length > 1 ? ` Find again for the next of ${cells.length}.` : "";
    result.textContent = `${unicode(codePoint)}: ${names}.${more}`;
    this.grid.select(cells[this.found.turn], true);
  }
}

function layoutsOf(index) {
  if (index.ranges) {
    return ["table"];
  }
  const shiftJis = index.id === shiftJisView.id ? ["shift-jis"] : [];
  return ["grid", ...shiftJis, ...(index.onlyGrid ? [] : ["bmp"])];
}

function swatch(kind, colours) {
  const size = 16;
  const canvas = make("canvas", { width: size * devicePixelRatio, height: size * devicePixelRatio });
  canvas.style.width = canvas.style.height = `${size}px`;
  canvas.ariaHidden = "true";
  const context = canvas.getContext("2d");
  context.scale(devicePixelRatio, devicePixelRatio);
  context.fillStyle = colours.classes[kind];
  context.fillRect(0, 0, size, size);
  drawMark(context, kind, 0, 0, size, colours);
  return canvas;
}
