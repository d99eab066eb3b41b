//! Random text, and readers and writers that take little, are interrupted, and fail.

use std::io::{self, ErrorKind, Read, Write};

use simdtext::{Bom, Encoding, Unmappable};

#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn one_in(&mut self, chance: usize) -> bool {
        self.below(chance) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Most often small, and at most `most`.
    pub(crate) fn len(&mut self, most: usize) -> usize {
        let near = self.pick(&[2, 9, 40, 300, 5000, usize::MAX]);
        self.below(most.min(near) + 1)
    }

    /// One of those whose decoders differ, or any.
    pub(crate) fn encoding(&mut self) -> &'static Encoding {
        let labels =
            "utf-8 utf-8 utf-16le utf-16be gbk iso-2022-jp iso-2022-jp sjis euc-jp big5 euc-kr - -";
        let label = self.pick(&labels.split(' ').collect::<Vec<_>>());
        Encoding::for_label(label.as_bytes()).unwrap_or_else(|| self.pick(Encoding::all()))
    }

    pub(crate) fn bom(&mut self) -> Bom {
        self.pick(&[Bom::Sniff, Bom::Sniff, Bom::Strip, Bom::Keep])
    }

    pub(crate) fn unmappable(&mut self) -> Unmappable {
        let by = Unmappable::Replace(self.pick(&['?', '日', '¥', '\u{1B}']));
        self.pick(&[Unmappable::Strict, Unmappable::Ncr, Unmappable::Skip, by])
    }

    /// Text in which states change, and stay.
    pub(crate) fn text(&mut self, most: usize) -> String {
        const CHARS: &str =
            "Üï日本語ﾃｷ¥‾\\~русмир中Ω한ไท💩\u{E}\u{1B}€\u{FFFD}ß\r\n\u{80}\u{FEFF}09az ê̄ё";
        let chars: Vec<char> = CHARS.chars().collect();
        let (wanted, mut text) = (self.len(most), String::new());
        while text.len() < wanted {
            let (ch, more) = (self.pick(&chars), 1 + self.len(60));
            match self.below(5) {
                0 => text.extend(std::iter::repeat_n(ch, more)),
                1 => text.extend((b' '..=b'~').cycle().take(more).map(char::from)),
                2 => text.push_str(self.pick(&["\r\n", "\r", "日本語の", "слово ", "한국"])),
                3 => text.extend((0..more).map(|_| self.pick(&chars))),
                _ => text.extend(char::from_u32(self.below(0x30000) as u32)),
            }
        }
        text
    }

    /// Text in an encoding: often damaged, cut, after a byte order mark, or with escape sequences.
    pub(crate) fn bytes(&mut self, encoding: &'static Encoding, most: usize) -> Vec<u8> {
        let parts = b"\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE|\xEF\xBB|\xE2\x82|\xF0\x9F\x92|\x80|\xD8\x3D|\xA9\xDC|\0\xD8|\r|\
            \x1B|\x1B$|\x1B$B|\x1B(B|\x1B(J|\x1B(I|\x1B\x1B|F|\x810|\x810\x81|\x8F\xA2|\x8E\xB1|\x88\x62";
        let parts: Vec<&[u8]> = parts.split(|byte| *byte == b'|').collect();
        let mut bytes = self.pick(&parts).repeat(self.pick(&[0, 0, 1]));
        let (wanted, kinds) = (self.len(most), self.pick(&[1, 4]));
        while bytes.len() < wanted {
            let more = 1 + self.len(40);
            match self.below(kinds) {
                1 => bytes.extend((0..more).map(|_| self.next() as u8)),
                2 => bytes.extend(self.pick(&parts).repeat(self.pick(&[1, 1, more]))),
                _ => match encoding.encode(&self.text(wanted), Unmappable::Skip) {
                    Ok(encoded) => bytes.extend_from_slice(&encoded.bytes),
                    Err(_) => bytes.push(b'?'),
                },
            }
        }
        bytes.truncate(self.pick(&[usize::MAX, wanted]));
        bytes
    }
}

/// A reader or a writer that takes few bytes at a time, is interrupted, and fails some times.
pub(crate) struct Rough {
    /// What there is to read, or what was written.
    pub(crate) bytes: Vec<u8>,
    read: usize,
    random: Random,
    /// The most bytes that it takes at a time.
    step: usize,
    /// How often it may still fail, and has.
    may_fail: usize,
    pub(crate) failures: usize,
    has_ended: bool,
}

pub(crate) const FAILURE: ErrorKind = ErrorKind::WouldBlock;

impl Rough {
    pub(crate) fn new(random: &mut Random, bytes: Vec<u8>, may_fail: usize) -> Self {
        Rough {
            bytes,
            read: 0,
            step: random.pick(&[1, 3, 100, 5000, usize::MAX]),
            random: Random(random.next()),
            may_fail,
            failures: 0,
            has_ended: false,
        }
    }

    /// How many bytes to take.
    fn turn(&mut self, room: usize) -> io::Result<usize> {
        assert!(room > 0, "nothing is asked for");
        match self.random.below(8) {
            0 => Err(ErrorKind::Interrupted.into()),
            1 if self.may_fail > 0 => {
                (self.may_fail, self.failures) = (self.may_fail - 1, self.failures + 1);
                Err(FAILURE.into())
            }
            _ => Ok(self.random.len(room.min(self.step)).max(1)),
        }
    }
}

impl Read for Rough {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        assert!(!self.has_ended, "read again after the end");
        let len = self.turn(buf.len())?.min(self.bytes.len() - self.read);
        buf[..len].copy_from_slice(&self.bytes[self.read..self.read + len]);
        (self.read, self.has_ended) = (self.read + len, len == 0);
        Ok(len)
    }
}

impl Write for Rough {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = self.turn(buf.len())?;
        self.bytes.extend_from_slice(&buf[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.turn(1) {
            Err(error) if error.kind() == FAILURE => Err(error),
            _ => Ok(()),
        }
    }
}
