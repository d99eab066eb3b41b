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

/** Shows what was found, and the guesses; `choose` gets the encoding of the guess that is clicked. */
export function showDetection(detection, chosen, choose) {
  byId("found").textContent = detection.encoding ?? "no text of any encoding";
  const tag = byId("certain");
  tag.textContent = detection.certain ? "certain" : "not certain";
  tag.classList.toggle("certain", detection.certain);
  const reading = chosen && chosen !== detection.encoding ? ` You read it as ${chosen}.` : "";
  byId("evidence").textContent = `${explain(detection)}${reading}`;
  byId("guesses").hidden = detection.candidates.length === 0;
  byId("candidates").replaceChildren(...detection.candidates.map((candidate) => row(candidate, choose)));
}

/** The library's reason tells more than the kind of evidence where it is a guess or a declaration. */
function explain({ evidence: kind, reason }) {
  return ["guess", "declaration"].includes(kind) ? `${evidence[kind]}: ${reason}.` : `${evidence[kind]}.`;
}

function row({ encoding, language, after, malformed }, choose) {
  const button = make("button", { type: "button", title: `Read it as ${encoding}` }, encoding);
  button.addEventListener("click", () => choose(encoding));
  const name = language && make("abbr", { title: languages.of(language) }, language);
  const bits = after < 10 ? after.toFixed(1) : count(Math.round(after));
  return make(
    "tr",
    {},
    make("td", {}, button),
    make("td", {}, name || "–"),
    make("td", { className: "number" }, bits),
    make("td", { className: "number" }, count(malformed)),
  );
}
