import { byId, make } from "../dom.js";
import { count, hex, many } from "../format.js";

/** The list of malformed sequences. `jump` receives the one whose button is pressed. */
export function createMalformedList(jump) {
  const list = byId("malformed");
  return {
    clear() {
      list.replaceChildren();
      byId("malformed-count").textContent = "";
    },

    /** Adds sequences, and shows their total number. */
    add(listed, errors, { state, encoding }) {
      list.append(...listed.map((entry) => item(entry, jump)));
      byId("malformed-count").textContent = summary(list.children.length, errors, state, encoding);
    },
  };
}

function summary(shown, errors, state, encoding) {
  const where = { reading: " so far", cancelled: " until reading was cancelled", done: "" }[state];
  if (errors === 0) {
    return `None${where}: all bytes that were read are valid ${encoding}.`;
  }
  const first = shown < errors ? ` The first ${count(shown)} are listed.` : "";
  return `${many(errors, "sequence")}${where}, each read as U+FFFD.${first}`;
}

function item(entry, jump) {
  const { offset, bytes, before, after, textBefore, textAfter } = entry;
  const button = make("button", { type: "button" }, "Show in text");
  button.setAttribute("aria-label", `Show byte ${offset} in the text`);
  button.addEventListener("click", () => jump(entry));
  const around = [onOneLine(textBefore), make("b", {}, "\uFFFD"), onOneLine(textAfter)];
  return make(
    "li",
    {},
    make("div", { className: "where" }, `Byte ${count(offset)} (0x${offset.toString(16).toUpperCase()})`),
    make("div", { className: "hex" }, `${hex(before)} `, make("b", {}, hex(bytes)), ` ${hex(after)}`),
    make("div", { className: "around", dir: "auto" }, ...around),
    button,
  );
}

/** Replaces line ends and other controls with Unicode's pictures of them. */
const onOneLine = (text) =>
  text.replace(/[\0-\x1F]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)));
