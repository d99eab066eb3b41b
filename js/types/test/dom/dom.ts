// With DOM's types only, resolved as bundlers do it.

import { encode, TextDecoder, TextDecoderStream } from "simdtext";

new FormData().append("file", new File([encode("text", "gbk")], "text.txt"));
navigator.sendBeacon("/", encode("text", "gbk"));
export const texts = async (response: Response): Promise<ReadableStream<string> | undefined> =>
  response.body?.pipeThrough(new TextDecoderStream("euc-jp"));
// In Node's types `decode(null)` is allowed, which is a TypeError.
export const decoder: globalThis.TextDecoder = new TextDecoder();
globalThis.TextDecoder = TextDecoder;
// @ts-expect-error no type of Node's is there
export type Absent = Buffer;
