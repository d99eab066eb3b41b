// The repository's samples: files in all encodings of practical use, and the texts that they decode to.

import { readFileSync } from "node:fs";

const folder = new URL("../../samples/", import.meta.url);

export const SAMPLES = readFileSync(new URL("LIST", folder), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [file, label, text, errors, malformed] = line.split("\t");
    return {
      file,
      label,
      bytes: readFileSync(new URL(file, folder)),
      text: readFileSync(new URL(text, folder), "utf8"),
      errors: Number(errors),
      malformed: malformed === "-" ? [] : malformed.split(","),
    };
  });
