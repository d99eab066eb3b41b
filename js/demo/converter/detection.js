import { byId, make } from "../dom.js";
import { count } from "../format.js";

const evidence = {
  bom: "A byte order mark says so",
  override: "It was chosen by hand",
  transport: "The file’s type says so",
  declaration: "The document declares it",
  environment: "The document that refers to it has this encoding",
  "utf-8": "All bytes are valid UTF-8",
  ascii: "All bytes are ASCII, which most encodings read alike",
  guess: "Guessed from the bytes",
};

const languages = new Intl.DisplayNames(["en"], { type: "language" });

/** Shows the encoding that was found, and the guesses. `choose` receives the encoding of a guess that is
 * clicked. */
export function showDetection(detection, chosen, choose) {
  const found = nameOf(detection);
  const differs = chosen !== undefined && chosen !== detection.encoding;
  byId("found").textContent = differs ? chosen : found;
  const tag = byId("certain");
  tag.textContent = differs ? "your choice" : detection.certain ? "certain" : "not certain";
  tag.classList.toggle("certain", !differs && detection.certain);
  byId("evidence").textContent = `${differs ? `Detected: ${found}. ` : ""}${explain(detection)}`;
  byId("guesses").hidden = detection.candidates.length === 0;
  byId("candidates").replaceChildren(...detection.candidates.map((candidate) => row(candidate, choose)));
}

function nameOf({ encoding, binary, reason }) {
  if (encoding !== null) {
    return encoding;
  }
  return binary ? "Binary data" : reason.includes("UTF-32") ? "UTF-32" : "No text of any encoding";
}

/** For a guess or a declaration, the library's reason says more than the kind of evidence. */
function explain({ encoding, evidence: kind, binary, reason }) {
  if (encoding === null) {
    return `${reason[0].toUpperCase()}${reason.slice(1)}.`;
  }
  const known = ["guess", "declaration"].includes(kind) ? `${evidence[kind]}: ${reason}.` : `${evidence[kind]}.`;
  return binary ? `${known} But the bytes look like no text.` : known;
}

function row({ encoding, language, bits: behind, malformed }, choose) {
  const button = make("button", { type: "button", title: `Read it as ${encoding}` }, encoding);
  button.addEventListener("click", () => choose(encoding));
  const name = language && languages.of(language);
  const bits = behind < 10 ? behind.toFixed(1) : count(Math.round(behind));
  return make(
    "tr",
    {},
    make("td", {}, button),
    make("td", {}, name || "–"),
    make("td", { className: "number" }, bits),
    make("td", { className: "number" }, count(malformed)),
  );
}
