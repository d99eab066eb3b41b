// Shows one page of the text at a time, with its malformed sequences marked.

import { byId, make } from "../dom.js";
import { count, many, unicode } from "../format.js";

/** `ask` is called with the number of a page, which is then passed to `show`. */
export function createTextView(ask) {
  const text = byId("text");
  let shown = 0;
  let pageCount = 0;
  let pageNote = "";
  let sought = null;

  const turn = (number, offset = null) => {
    sought = offset;
    ask(Math.min(Math.max(number, 0), pageCount - 1));
  };
  byId("first").addEventListener("click", () => turn(0));
  byId("previous").addEventListener("click", () => turn(shown - 1));
  byId("next").addEventListener("click", () => turn(shown + 1));
  byId("last").addEventListener("click", () => turn(pageCount - 1));
  byId("page").addEventListener("change", ({ target }) => turn((target.valueAsNumber || 1) - 1));

  function showPager() {
    byId("pager").hidden = pageCount < 2;
    byId("pages").textContent = `of ${count(pageCount)}${pageNote}`;
    byId("page").max = pageCount;
    for (const [id, end] of [["first", 0], ["previous", 0], ["next", pageCount - 1], ["last", pageCount - 1]]) {
      byId(id).disabled = shown === end;
    }
  }

  function jump(offset) {
    text.querySelector("mark.here")?.classList.remove("here");
    const mark = text.querySelector(`mark[data-offset="${offset}"]`);
    if (mark) {
      mark.classList.add("here");
      mark.focus();
      mark.scrollIntoView({ block: "center" });
    }
  }

  return {
    clear() {
      text.replaceChildren();
      byId("window").textContent = "";
      shown = 0;
      pageCount = 0;
      sought = null;
      showPager();
    },

    /** Sets how many pages are known, and whether the file is still being read, or was read in full or in part. */
    pages(known, state) {
      pageCount = known;
      pageNote = { reading: " so far", cancelled: " that were read", done: "" }[state];
      showPager();
    },

    /** Shows the page, and in it the malformed sequence at this offset in the file. */
    goTo(number, offset) {
      if (number === shown) {
        jump(offset);
      } else {
        turn(number, offset);
      }
    },

    show({ number, start, end, text: content, marks }) {
      shown = number;
      // Scroll first, so that the new text need not be laid out for it.
      text.scrollTop = 0;
      text.replaceChildren(...blocks(content, marks));
      byId("page").value = number + 1;
      const where = `Bytes ${count(start)} to ${count(end - 1)}, ${many(content.length, "code unit")}`;
      byId("window").textContent = end === start ? "The file is empty." : where;
      showPager();
      if (sought !== null) {
        jump(sought);
        sought = null;
      }
    },
  };
}

/** The minimum length of a block in code units. It extends to the end of the line. */
const BLOCK = 1024;

/** Divides the text into blocks of several lines, of which the browser lays out only the visible ones. Laying
 * out a whole page of Chinese or Japanese at once would make a slow machine stutter.
 */
function blocks(content, marks) {
  const made = [];
  let mark = 0;
  for (let from = 0; from < content.length; ) {
    const lineEnd = content.indexOf("\n", from + BLOCK);
    const end = lineEnd === -1 ? content.length : lineEnd + 1;
    const block = make("div");
    for (; mark < marks.length && marks[mark].textAt < end; mark++) {
      const { offset, textAt } = marks[mark];
      block.append(content.slice(from, textAt), malformedMark(offset, content[textAt]));
      from = textAt + 1;
    }
    block.append(content.slice(from, end));
    made.push(block);
    from = end;
  }
  return made;
}

function malformedMark(offset, character) {
  const title = `Malformed sequence at byte ${count(offset)}, read as ${unicode(0xfffd)}`;
  const mark = make("mark", { title, tabIndex: -1 }, character);
  mark.dataset.offset = offset;
  return mark;
}
