// With the types of the language only, without those of DOM and Node.

import { TextEncoder, TextEncoderStream } from "simdtext";

export const bytes: Uint8Array<ArrayBuffer> = new TextEncoder().encode("text");
export const stream: TextEncoderStream = new TextEncoderStream();
// @ts-expect-error nothing of either is there
export type Absent = Buffer | HTMLElement;
// @ts-expect-error the streams are names, and no more
stream.readable.getReader();
