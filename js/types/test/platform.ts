// How results are used, and where the classes can replace the platform's: with DOM's types and with Node's.

import * as simdtext from "simdtext";

const bytes = simdtext.encode("text", "gbk");

// Bodies and messages.
new Blob([bytes, new simdtext.TextEncoder().encode("text"), new simdtext.Encoder().encode("text")]);
new Blob([new simdtext.Decoder().decodeToUtf8(bytes)]);
export const requests = async (): Promise<Response[]> => [
  await fetch("https://example.com/", { method: "POST", body: bytes }),
  await fetch("https://example.com/", { method: "POST", body: new simdtext.TextEncoder().encode("text") }),
  new Response(bytes),
];
export const digest: Promise<ArrayBuffer> = crypto.subtle.digest("SHA-256", bytes);
export const buffer: ArrayBuffer = bytes.buffer;

// The platform's classes.
export const textEncoder: InstanceType<typeof globalThis.TextEncoder> = new simdtext.TextEncoder();
export const encoderStream: InstanceType<typeof globalThis.TextEncoderStream> = new simdtext.TextEncoderStream();
export const decoderStream: InstanceType<typeof globalThis.TextDecoderStream> = new simdtext.TextDecoderStream();
globalThis.TextEncoder = simdtext.TextEncoder;

// Streams.
export async function streams(source: ReadableStream<Uint8Array>): Promise<void> {
  const decoding = new simdtext.TextDecoderStream("gbk", { fatal: true });
  const texts: ReadableStream<string> = source.pipeThrough(decoding);
  const back: ReadableStream<Uint8Array<ArrayBuffer>> = texts.pipeThrough(new simdtext.TextEncoderStream());
  await back.cancel();
  const stream = new simdtext.TextDecoderStream();
  await stream.writable.getWriter().write(new SharedArrayBuffer(1));
  // @ts-expect-error bytes, not strings
  await stream.writable.getWriter().write("text");
  // @ts-expect-error strings, not bytes
  await new simdtext.TextEncoderStream().writable.getWriter().write(bytes);
}
