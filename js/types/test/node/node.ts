// With Node's types only.

import { writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { decode, encode, TextDecoder, TextDecoderStream, TextEncoder } from "simdtext";

writeFileSync("text.txt", encode("text", "gbk"));
export const joined: Buffer = Buffer.concat([encode("text", "gbk"), Buffer.from("text")]);
export const text: string = decode(Buffer.from("text"), "gbk") + new TextDecoder().decode(Buffer.alloc(4));
new TextEncoder().encodeInto("text", Buffer.alloc(4));
Readable.toWeb(Readable.from([])).pipeThrough(new TextDecoderStream("gbk"));
// @ts-expect-error no type of the DOM's is there
export type Absent = HTMLElement;
