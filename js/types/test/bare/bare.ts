// With the language's own types, and neither DOM's nor Node's.

import { TextEncoder, TextEncoderStream } from "simdtext";

export const bytes: Uint8Array<ArrayBuffer> = new TextEncoder().encode("text");
export const stream: TextEncoderStream = new TextEncoderStream();
// @ts-expect-error nothing of either is there
export type Absent = Buffer | HTMLElement;
// @ts-expect-error the streams are names, and no more
stream.readable.getReader();
