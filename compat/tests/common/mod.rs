//! The encodings of both packages, and inputs for them.
#![allow(dead_code, reason = "each test uses a part")]

/// Each encoding, of this package and of encoding_rs.
pub(crate) static PAIRS: [(&simdtext_encoding_rs::Encoding, &encoding_rs::Encoding); 40] = [
    (&simdtext_encoding_rs::UTF_8_INIT, &encoding_rs::UTF_8_INIT),
    (
        &simdtext_encoding_rs::IBM866_INIT,
        &encoding_rs::IBM866_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_2_INIT,
        &encoding_rs::ISO_8859_2_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_3_INIT,
        &encoding_rs::ISO_8859_3_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_4_INIT,
        &encoding_rs::ISO_8859_4_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_5_INIT,
        &encoding_rs::ISO_8859_5_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_6_INIT,
        &encoding_rs::ISO_8859_6_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_7_INIT,
        &encoding_rs::ISO_8859_7_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_8_INIT,
        &encoding_rs::ISO_8859_8_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_8_I_INIT,
        &encoding_rs::ISO_8859_8_I_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_10_INIT,
        &encoding_rs::ISO_8859_10_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_13_INIT,
        &encoding_rs::ISO_8859_13_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_14_INIT,
        &encoding_rs::ISO_8859_14_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_15_INIT,
        &encoding_rs::ISO_8859_15_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_8859_16_INIT,
        &encoding_rs::ISO_8859_16_INIT,
    ),
    (
        &simdtext_encoding_rs::KOI8_R_INIT,
        &encoding_rs::KOI8_R_INIT,
    ),
    (
        &simdtext_encoding_rs::KOI8_U_INIT,
        &encoding_rs::KOI8_U_INIT,
    ),
    (
        &simdtext_encoding_rs::MACINTOSH_INIT,
        &encoding_rs::MACINTOSH_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_874_INIT,
        &encoding_rs::WINDOWS_874_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1250_INIT,
        &encoding_rs::WINDOWS_1250_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1251_INIT,
        &encoding_rs::WINDOWS_1251_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1252_INIT,
        &encoding_rs::WINDOWS_1252_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1253_INIT,
        &encoding_rs::WINDOWS_1253_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1254_INIT,
        &encoding_rs::WINDOWS_1254_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1255_INIT,
        &encoding_rs::WINDOWS_1255_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1256_INIT,
        &encoding_rs::WINDOWS_1256_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1257_INIT,
        &encoding_rs::WINDOWS_1257_INIT,
    ),
    (
        &simdtext_encoding_rs::WINDOWS_1258_INIT,
        &encoding_rs::WINDOWS_1258_INIT,
    ),
    (
        &simdtext_encoding_rs::X_MAC_CYRILLIC_INIT,
        &encoding_rs::X_MAC_CYRILLIC_INIT,
    ),
    (&simdtext_encoding_rs::GBK_INIT, &encoding_rs::GBK_INIT),
    (
        &simdtext_encoding_rs::GB18030_INIT,
        &encoding_rs::GB18030_INIT,
    ),
    (&simdtext_encoding_rs::BIG5_INIT, &encoding_rs::BIG5_INIT),
    (
        &simdtext_encoding_rs::EUC_JP_INIT,
        &encoding_rs::EUC_JP_INIT,
    ),
    (
        &simdtext_encoding_rs::ISO_2022_JP_INIT,
        &encoding_rs::ISO_2022_JP_INIT,
    ),
    (
        &simdtext_encoding_rs::SHIFT_JIS_INIT,
        &encoding_rs::SHIFT_JIS_INIT,
    ),
    (
        &simdtext_encoding_rs::EUC_KR_INIT,
        &encoding_rs::EUC_KR_INIT,
    ),
    (
        &simdtext_encoding_rs::REPLACEMENT_INIT,
        &encoding_rs::REPLACEMENT_INIT,
    ),
    (
        &simdtext_encoding_rs::UTF_16BE_INIT,
        &encoding_rs::UTF_16BE_INIT,
    ),
    (
        &simdtext_encoding_rs::UTF_16LE_INIT,
        &encoding_rs::UTF_16LE_INIT,
    ),
    (
        &simdtext_encoding_rs::X_USER_DEFINED_INIT,
        &encoding_rs::X_USER_DEFINED_INIT,
    ),
];

/// A generator of pseudorandom numbers (xorshift), so that a failure can be repeated from its seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Bytes that are often text in some encoding, often nearly so, and sometimes begin with a byte order
    /// mark.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.below(4) == 0 {
            let marks: [&[u8]; 8] = [
                b"\xEF",
                b"\xEF\xBB",
                b"\xEF\xBB\xBF",
                b"\xFE",
                b"\xFF",
                b"\xFE\xFF",
                b"\xFF\xFE",
                b"\xEF\xBF",
            ];
            bytes.extend(self.one_of(&marks));
        }
        for _ in 0..self.below(5) {
            let len = self.one_of(&[0, 1, 2, 3, 5, 9, 17, 40, 100]);
            let len = self.below(len + 1);
            match self.below(9) {
                0 => bytes.extend((0..len).map(|_| self.next() as u8)),
                1 => bytes.extend((0..len).map(|_| b' ' + self.below(95) as u8)),
                2 => bytes.extend((0..len).map(|_| 0x80 | self.next() as u8)),
                3 => {
                    // Bytes that occur in escape sequences and four-byte sequences.
                    let parts = b"\x1B$@BJI(!0123456789\x81\x84\x8E\x8F\xA1\xFE\xFF\x0E\\~a";
                    bytes.extend((0..len).map(|_| self.one_of(parts)));
                }
                4 => {
                    let parts: [&[u8]; 8] = [
                        b"\x1B$B", b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B", b"\x1B$",
                        b"F|K\\",
                    ];
                    for _ in 0..len / 3 {
                        bytes.extend(self.one_of(&parts));
                    }
                }
                5 => {
                    // UTF-16 with surrogates, in either byte order.
                    let is_big = self.below(2) == 0;
                    for _ in 0..len / 2 {
                        let high = self.one_of(&[0x00, 0x04, 0x30, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0]);
                        let low = self.next() as u8;
                        bytes.extend(if is_big { [high, low] } else { [low, high] });
                    }
                }
                6 => {
                    let text = self.text();
                    bytes.extend(text.bytes().take(len));
                }
                _ => {
                    let text = self.text();
                    let (_, encoding) = self.one_of(&PAIRS);
                    bytes.extend(&*encoding.encode(&text).0);
                }
            }
        }
        bytes
    }

    /// Text in various scripts, often in a single one.
    pub(crate) fn text(&mut self) -> String {
        let starts = [
            0x20, 0x41, 0xA0, 0x100, 0x3B1, 0x410, 0x5D0, 0x627, 0xE01, 0x2010, 0x3041, 0x30A1,
            0x4E00, 0x9000, 0xAC00, 0xE000, 0xE5E5, 0xE780, 0xF8F0, 0xFE10, 0xFF01, 0xFF61, 0xFFF0,
            0x1F300, 0x20000, 0x10FFF0, 0x0E,
        ];
        let mut text = String::new();
        for _ in 0..self.below(4) {
            let start = self.one_of(&starts);
            let range = self.one_of(&[1, 16, 96, 1000]);
            for _ in 0..self.below(30) {
                text.extend(char::from_u32(start + self.below(range) as u32));
            }
        }
        text
    }

    /// Code units, often with lone surrogates.
    pub(crate) fn units(&mut self) -> Vec<u16> {
        let mut units = Vec::new();
        for _ in 0..self.below(4) {
            units.extend(self.text().encode_utf16());
            if self.below(2) == 0 {
                units.push(0xD7F0 + self.below(0x820) as u16);
            }
        }
        units
    }
}

/// The streams of a test, each with its seed.
pub(crate) fn streams() -> impl Iterator<Item = (u64, Random)> {
    let number =
        |name: &str, or: u64| std::env::var(name).map_or(or, |value| value.parse().unwrap());
    let first = number("SIMDTEXT_SEED", 1);
    (first..first + number("SIMDTEXT_STREAMS", 60_000)).map(|seed| {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        random.next();
        (seed, random)
    })
}
