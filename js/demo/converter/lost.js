// The characters that were unmappable when a file was saved in an encoding other than UTF-8.

import { byId, make } from "../dom.js";
import { count, many, unicode } from "../format.js";

const became = {
  html: "written as references",
  replace: "written as question marks",
  skip: "left out",
};

/** Shows the characters in the list; nothing if there are none. */
export function showLost(lost, { target, unmappable }) {
  byId("lost").hidden = lost === undefined || lost.errors === 0;
  if (byId("lost").hidden) {
    return;
  }
  const { errors, listed, all } = lost;
  const more = all ? "" : " The first of them:";
  byId("lost-count").textContent =
    `${many(errors, "character")} ${errors === 1 ? "is" : "are"} not in ${target}, and ${became[unmappable]}.${more}`;
  byId("lost-list").replaceChildren(...listed.map(item));
}

function item({ codePoint, times }) {
  const character = String.fromCodePoint(codePoint);
  const shown = /^[\p{C}\p{Z}]/u.test(character) ? "" : /^\p{M}/u.test(character) ? `\u25CC${character}` : character;
  const often = times === 1 ? "" : `, ${count(times)} times`;
  return make("li", {}, make("b", {}, shown), ` ${unicode(codePoint)}${often}`);
}
