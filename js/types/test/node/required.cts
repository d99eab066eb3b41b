// By `require`.

import simdtext = require("simdtext");
import wasm = require("simdtext/wasm");

const text: string = simdtext.decode(simdtext.encode("text", "gbk"), "gbk");
const decoder: simdtext.TextDecoder = new wasm.TextDecoder();

export = { text, decoder };
