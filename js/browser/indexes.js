// Every cell that the explorer shows, compared with the identifiers of the standard's indexes: each is the
// SHA-256 of the index written as a list in Python. This needs no browser: the explorer reads its indexes by
// decoding, here with Node's engine.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { EUDC, findIndex, groups, shiftJisView } from "../demo/explorer/indexes.js";
import { readRanges } from "../demo/explorer/ranges.js";
import { readIndex } from "../demo/explorer/read.js";

const fingerprints = readFileSync(join(import.meta.dirname, "../../tables/FINGERPRINTS"), "utf8");

/** The identifier that the standard gives for its index. */
const identifierOf = (id) =>
  new RegExp(`^source index-${id}\\.txt identifier (\\w+)$`, "m").exec(fingerprints)[1];

const identify = (items) => createHash("sha256").update(`[${items.join(", ")}]`).digest("hex");

const orNone = (codePoints) => Array.from(codePoints, (codePoint) => codePoint || "None");

describe("indexes of the explorer", () => {
  for (const { id, ranges } of groups.flatMap(({ indexes }) => indexes)) {
    if (!ranges) {
      test(id, async () => {
        const { codePoints } = await readIndex(findIndex(id));
        assert.equal(identify(orNone(codePoints)), identifierOf(id));
      });
    }
  }

  test("gb18030 ranges", () => {
    const shown = readRanges().map(({ first, firstCodePoint }) => `[${first}, ${firstCodePoint}]`);
    assert.equal(identify(shown), identifierOf("gb18030-ranges"));
  });

  test("jis0208 as Shift_JIS", async () => {
    const { codePoints } = await readIndex(shiftJisView);
    const index = codePoints.slice();
    for (let pointer = EUDC.first; pointer <= EUDC.last; pointer++) {
      assert.equal(codePoints[pointer], 0xe000 + pointer - EUDC.first);
      index[pointer] = 0;
    }
    assert.equal(identify(orNone(index)), identifierOf("jis0208"));
  });
});
