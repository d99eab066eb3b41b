import { TextDecoder, detect, encode, engine } from "simdtext";

const bytes = encode("日本語のテキスト、かなと漢字。", "shift_jis");
const { encoding } = detect(bytes);
const text = new TextDecoder(encoding).decode(bytes);

document.querySelector("output").textContent = `${engine}: ${encoding}, ${text}`;
