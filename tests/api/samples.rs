//! Texts for all encodings, and their encodings in encoding_rs.

use simdtext::Encoding;

/// Short texts in the scripts that the legacy encodings were made for, with characters of one to four bytes
/// of UTF-8. Every encoding lacks some of them.
pub(crate) const TEXTS: [&str; 15] = [
    "",
    "Plain ASCII, ~tilde~ and \\backslash\\.\r\n",
    "Où est l'œuf ? Ça coûte 5 €.",
    "Zażółć gęślą jaźń – příliš žluťoučký kůň",
    "Şişli'de ılık öğle çayı",
    "Съешь ещё этих мягких булок; їжак, ґанок",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
    "שלום עולם, מה נשמע?",
    "مرحبا بالعالم، كيف الحال؟",
    "สวัสดีชาวโลก",
    "日本語のテキスト、ｶﾀｶﾅ、¥と‾もある。",
    "你好，世界！简体与繁體。",
    "안녕하세요, 세계! 한글",
    "Sąsiuvinis ŽŲĖ Tiếng Việt ồ",
    "emoji 💩 and ☃, then a\u{0E}b",
];

/// The encoding of the same name in encoding_rs.
pub(crate) fn reference(encoding: &Encoding) -> &'static encoding_rs::Encoding {
    encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("encoding_rs has all forty")
}

/// The bytes of `text` in `encoding`, with character references for unmappable characters. UTF-16 is encoded
/// here, because encoding_rs does not encode to it.
pub(crate) fn encoded(encoding: &Encoding, text: &str) -> Vec<u8> {
    match encoding.name() {
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => reference(encoding).encode(text).0.into_owned(),
    }
}
