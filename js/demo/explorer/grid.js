// Draws cells on a canvas the size of the visible part, within a scrolled box the size of the map.

import { make } from "../dom.js";
import { drawMark, readColours } from "./paint.js";

/** Space for the labels of rows and columns, and at the opposite edges, in CSS pixels. */
const LEFT = 38;
const TOP = 22;
const RIGHT = 10;

/** The minimum size of a cell; smaller ones are hard to point at. */
const LEAST = 4;

/** The maximum size of a cell, for small maps. */
const MOST = 40;

/** Cells of at least this size show their character. */
const READABLE = 20;

const PAGE_ROWS = 8;

export class Grid {
  /** `moved` receives the cell that the cursor has moved to, and whether a key moved it. */
  constructor(box, moved) {
    this.box = box;
    this.moved = moved;
    this.canvas = make("canvas");
    this.sizer = make("div", {}, this.canvas);
    box.append(this.sizer);
    this.model = null;
    this.cursor = 0;
    this.hovered = null;
    this.size = "fit";
    this.drawing = 0;
    box.addEventListener("scroll", () => this.draw());
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("focus", () => this.draw());
    box.addEventListener("blur", () => this.draw());
    box.addEventListener("pointermove", (event) => this.point(event, false));
    box.addEventListener("pointerdown", (event) => this.point(event, true));
    box.addEventListener("pointerleave", () => this.hover(null));
    new ResizeObserver(() => this.layOut()).observe(box.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /**
   * Shows a map: `{ columns, cells, classes, character(cell), rowLabel(row), columnLabel(column) }`.
   */
  show(model, cursor) {
    this.model = model;
    this.cursor = cursor;
    this.hovered = null;
    this.layOut();
    this.box.scrollTo(0, 0);
    this.reveal();
  }

  setSize(size) {
    this.size = size;
    this.layOut();
    this.reveal();
  }

  select(cell, byKey) {
    this.cursor = Math.min(Math.max(cell, 0), this.model.cells - 1);
    this.reveal();
    this.moved(this.cursor, byKey);
  }

  get rows() {
    return Math.ceil(this.model.cells / this.model.columns);
  }

  layOut() {
    if (!this.model || this.box.offsetParent === null) {
      return;
    }
    const ratio = devicePixelRatio;
    const fitting = (this.box.clientWidth - LEFT - RIGHT) / this.model.columns;
    const wanted = this.size === "fit" ? Math.min(MOST, Math.max(LEAST, fitting)) : Number(this.size);
    // Whole device pixels keep the edges of cells sharp.
    this.cell = Math.floor(wanted * ratio) / ratio;
    this.sizer.style.width = `${LEFT + this.cell * this.model.columns + RIGHT}px`;
    this.sizer.style.height = `${TOP + this.cell * this.rows + RIGHT}px`;
    const width = Math.min(this.box.clientWidth, this.sizer.offsetWidth);
    const height = Math.min(this.box.clientHeight, this.sizer.offsetHeight);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.draw();
  }

  reveal() {
    const { box, cell } = this;
    if (!cell) {
      return;
    }
    const x = (this.cursor % this.model.columns) * cell;
    const y = Math.floor(this.cursor / this.model.columns) * cell;
    const room = { x: box.clientWidth - LEFT - cell, y: box.clientHeight - TOP - cell };
    box.scrollTo(
      Math.min(Math.max(box.scrollLeft, x - room.x), x),
      Math.min(Math.max(box.scrollTop, y - room.y), y),
    );
    this.draw();
  }

  key(event) {
    const { columns, cells } = this.model;
    const rowStart = this.cursor - (this.cursor % columns);
    const far = event.ctrlKey || event.metaKey;
    const targets = {
      ArrowLeft: this.cursor - 1,
      ArrowRight: this.cursor + 1,
      ArrowUp: this.cursor - columns,
      ArrowDown: this.cursor + columns,
      Home: far ? 0 : rowStart,
      End: far ? cells - 1 : rowStart + columns - 1,
      PageUp: this.cursor - PAGE_ROWS * columns,
      PageDown: this.cursor + PAGE_ROWS * columns,
    };
    const target = targets[event.key];
    if (target === undefined || event.altKey) {
      return;
    }
    event.preventDefault();
    this.hovered = null;
    const vertical = !event.key.startsWith("Arrow") || event.key === "ArrowUp" || event.key === "ArrowDown";
    const outside = target < 0 || target >= cells;
    if (outside && vertical && event.key !== "End") {
      // At the first and the last row, the column stays the same.
      const column = this.cursor % columns;
      const last = column + columns * (this.rows - 1);
      this.select(target < 0 ? column : last < cells ? last : last - columns, true);
    } else {
      this.select(target, true);
    }
  }

  point(event, pressed) {
    const cell = this.cellAt(event);
    if (pressed && cell !== null) {
      this.hovered = null;
      this.select(cell, false);
    } else {
      this.hover(cell);
    }
  }

  /** Shows the cell under the mouse pointer, or the one at the cursor if there is none. */
  hover(cell) {
    if (cell === this.hovered || !this.model) {
      return;
    }
    this.hovered = cell;
    this.moved(cell ?? this.cursor, false);
    this.draw();
  }

  cellAt({ clientX, clientY }) {
    const frame = this.canvas.getBoundingClientRect();
    const x = clientX - frame.left - LEFT;
    const y = clientY - frame.top - TOP;
    if (!this.model || x < 0 || y < 0) {
      return null;
    }
    const column = Math.floor((x + this.box.scrollLeft) / this.cell);
    const row = Math.floor((y + this.box.scrollTop) / this.cell);
    const cell = row * this.model.columns + column;
    return column < this.model.columns && cell < this.model.cells ? cell : null;
  }

  draw() {
    if (!this.drawing) {
      this.drawing = requestAnimationFrame(() => {
        this.drawing = 0;
        if (this.model && this.cell) {
          this.paint();
        }
      });
    }
  }

  paint() {
    const { canvas, cell, model, box } = this;
    const context = canvas.getContext("2d");
    const colours = readColours();
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.fillStyle = colours.card;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const scrolled = { x: box.scrollLeft, y: box.scrollTop };
    const view = {
      left: LEFT - scrolled.x,
      top: TOP - scrolled.y,
      firstRow: Math.floor(scrolled.y / cell),
      lastRow: Math.min(this.rows - 1, Math.ceil((scrolled.y + box.clientHeight) / cell)),
      firstColumn: Math.floor(scrolled.x / cell),
      lastColumn: Math.min(model.columns - 1, Math.ceil((scrolled.x + box.clientWidth) / cell)),
    };
    this.paintCells(context, colours, view);
    this.paintLabels(context, colours, view);
    this.paintFrame(context, colours, view, this.hovered, 1);
    this.paintFrame(context, colours, view, this.cursor, document.activeElement === box ? 3 : 2);
  }

  paintCells(context, colours, view) {
    const { cell, model } = this;
    const gap = cell >= 6 ? 1 : 0;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `${Math.round(cell * 0.62)}px system-ui, sans-serif`;
    for (let row = view.firstRow; row <= view.lastRow; row++) {
      for (let column = view.firstColumn; column <= view.lastColumn; column++) {
        const at = row * model.columns + column;
        if (at >= model.cells) {
          return;
        }
        const kind = model.classes[at];
        const x = view.left + column * cell;
        const y = view.top + row * cell;
        context.fillStyle = colours.classes[kind];
        context.fillRect(x, y, cell - gap, cell - gap);
        drawMark(context, kind, x, y, cell - gap, colours);
        if (cell >= READABLE) {
          context.fillStyle = colours.inkOn(kind);
          context.fillText(model.character(at), x + (cell - gap) / 2, y + (cell - gap) / 2 + 1);
        }
      }
    }
  }

  paintFrame(context, colours, view, at, width) {
    if (at === null) {
      return;
    }
    const { cell } = this;
    const x = view.left + (at % this.model.columns) * cell;
    const y = view.top + Math.floor(at / this.model.columns) * cell;
    // If it is scrolled under the labels, it is not visible.
    if (x < LEFT - 1 || y < TOP - 1) {
      return;
    }
    const room = Math.max(width, (9 - cell) / 2);
    // A lighter line around the line makes it visible on every colour.
    for (const [colour, lineWidth] of [[colours.card, width + 3], [colours.text, width]]) {
      context.lineWidth = lineWidth;
      context.strokeStyle = colour;
      context.strokeRect(x - room / 2, y - room / 2, cell + room, cell + room);
    }
  }

  paintLabels(context, colours, view) {
    const { canvas, cell, model } = this;
    context.fillStyle = colours.card;
    context.fillRect(0, 0, canvas.width, TOP);
    context.fillRect(0, 0, LEFT, canvas.height);
    context.fillStyle = colours.quiet;
    context.font = "11px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    context.textBaseline = "middle";
    context.textAlign = "center";
    const everyColumn = Math.ceil(26 / cell);
    for (let column = view.firstColumn; column <= view.lastColumn; column++) {
      const x = view.left + (column + 0.5) * cell;
      if (column % everyColumn === 0 && x > LEFT) {
        context.fillText(model.columnLabel(column), x, TOP / 2);
      }
    }
    context.textAlign = "right";
    const everyRow = Math.ceil(14 / cell);
    for (let row = view.firstRow; row <= view.lastRow; row++) {
      const y = view.top + (row + 0.5) * cell;
      if (row % everyRow === 0 && y > TOP) {
        context.fillText(model.rowLabel(row), LEFT - 8, y);
      }
    }
  }
}
