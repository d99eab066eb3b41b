import { legend, UNMAPPED } from "./classes.js";

/** The current colours of the style sheet: light or dark. */
export function readColours() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(name).trim();
  const ink = named("--cell-ink");
  const strong = named("--cell-ink-strong");
  const bright = named("--cell-ink-bright");
  return {
    card: named("--card"),
    text: named("--text"),
    quiet: named("--quiet"),
    classes: legend.map(({ colour }) => named(colour)),
    inkOn(kind) {
      const { bright: isBright, run } = legend[kind];
      return isBright ? bright : run || kind === UNMAPPED ? ink : strong;
    },
  };
}

/** Draws what distinguishes some classes without their colour, if there is room. */
export function drawMark(context, kind, x, y, size, colours) {
  const { mark } = legend[kind];
  if (!mark || size < 10) {
    return;
  }
  context.fillStyle = colours.inkOn(kind);
  context.strokeStyle = colours.inkOn(kind);
  const part = Math.max(3, size * 0.22);
  context.beginPath();
  if (mark === "slash") {
    context.lineWidth = 1;
    context.moveTo(x + 1, y + size - 1);
    context.lineTo(x + part + 2, y + size - part - 2);
    context.moveTo(x + size - part - 2, y + part + 2);
    context.lineTo(x + size - 1, y + 1);
    context.stroke();
  } else if (mark === "corner") {
    context.moveTo(x + size - part, y);
    context.lineTo(x + size, y);
    context.lineTo(x + size, y + part);
    context.fill();
  } else {
    context.fillRect(x + 2, y + size - 2, size - 4, 1.5);
  }
}
