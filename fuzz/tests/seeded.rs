//! Every target on inputs from a generator, for where there is no fuzzer: any toolchain runs this.
//!
//! The generator begins with the files of `samples/`, cuts, joins and damages parts of them, and has
//! a taste for the bytes that make trouble. It is the same in every run. `SIMDTEXT_FUZZ_INPUTS` says
//! how many inputs each target gets, and `SIMDTEXT_FUZZ_SEED` starts it elsewhere.

use std::env;
use std::fs;
use std::path::Path;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).unwrap_or(0) % limit.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.0.to_le_bytes()[self.below(4)]
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Bytes at the edges of ranges: ASCII, leads, trails, surrogates, escapes, four-byte gb18030.
const TROUBLE: [u8; 40] = [
    0x00, 0x0A, 0x1B, 0x20, 0x24, 0x28, 0x30, 0x39, 0x40, 0x41, 0x42, 0x4A, 0x5C, 0x7E, 0x7F, 0x80,
    0x81, 0x8E, 0x8F, 0x90, 0x9F, 0xA0, 0xA1, 0xBF, 0xC0, 0xC1, 0xC2, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0,
    0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFC, 0xFE, 0xFF,
];

/// The samples, and those in UTF-8 also in the forms of Unicode that no sample has.
fn seeds() -> Vec<Vec<u8>> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut seeds = Vec::new();
    for folder in [samples.join("utf-8"), samples] {
        let entries = fs::read_dir(&folder).expect("samples are part of the repository");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        paths.sort();
        for bytes in paths.iter().map(|path| fs::read(path).expect("a file")) {
            if let Ok(text) = std::str::from_utf8(&bytes) {
                seeds.push(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
                seeds.push(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
                let scalars = text.chars().map(u32::from);
                seeds.push(scalars.flat_map(u32::to_ne_bytes).collect());
            }
            seeds.push(bytes);
        }
    }
    seeds.push("💩👩‍🚀🇫🇷🙂🤷🏽".repeat(20).into_bytes());
    seeds.push(vec![b'a'; 1000]);
    assert!(seeds.len() > 100, "the samples are there");
    seeds
}

fn invent(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    // What the targets read as encoding, piece and room.
    let mut input: Vec<u8> = (0..3).map(|_| random.byte()).collect();
    for _ in 0..=random.below(3) {
        let longest = *random.choose(&[8, 40, 100, 100, 300, 700]);
        let len = random.below(longest);
        match random.below(8) {
            0 => input.extend((0..len).map(|_| random.byte())),
            1 => input.extend((0..len).map(|_| *random.choose(&TROUBLE))),
            2 => input.resize(input.len() + len, *random.choose(&TROUBLE)),
            _ => {
                let seed = random.choose(seeds);
                // Whole units of the wider forms, as a rule.
                let mut start = random.below(seed.len());
                start -= if random.one_in(8) { 0 } else { start % 4 };
                input.extend(seed[start..].iter().take(len));
            }
        }
    }
    let damages = *random.choose(&[0, 0, 1, 1, 3, 20]);
    for _ in 0..damages {
        let at = random.below(input.len());
        match random.below(6) {
            0 => input.insert(at, *random.choose(&TROUBLE)),
            1 if input.len() > 3 => drop(input.remove(at)),
            2 => input[at] ^= 1 << random.below(8),
            3 => input.truncate(at.max(3)),
            _ => input[at] = *random.choose(&TROUBLE),
        }
    }
    input
}

/// Shows the input that a target panicked on.
struct Shown<'a>(&'a str, usize, &'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Shown(name, number, input) = self;
            eprintln!("{name}, input {number}: {input:02X?}");
        }
    }
}

fn number(name: &str, otherwise: usize) -> usize {
    let value = env::var(name);
    value.map_or(otherwise, |value| value.parse().expect("a number"))
}

fn run(name: &str, inputs: usize, target: fn(&[u8])) {
    let seeds = seeds();
    let seed = number("SIMDTEXT_FUZZ_SEED", 0x5EED) as u64;
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for number in 0..number("SIMDTEXT_FUZZ_INPUTS", inputs) {
        let input = invent(&mut random, &seeds);
        let shown = Shown(name, number, &input);
        target(&input);
        drop(shown);
    }
}

macro_rules! targets {
    ($($name:ident: $inputs:literal;)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name), $inputs, simdtext_fuzz::$name);
        })*

        /// A target that is in the folder of the fuzzer and not here would not be run.
        #[test]
        fn all_targets() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
            let entries = fs::read_dir(folder).expect("a folder");
            let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
            files.sort();
            let mut names = [$(concat!(stringify!($name), ".rs")),*];
            names.sort();
            assert_eq!(files, names);
        }
    };
}

// As many as take about a second or two each.
targets! {
    counts: 100_000;
    decode: 20_000;
    detect: 20_000;
    drop_in: 20_000;
    encode: 20_000;
    hooks: 20_000;
    latin1: 20_000;
    offsets: 4_000;
    sniff: 100_000;
    utf16: 20_000;
    utf32: 20_000;
    utf8: 20_000;
    web: 20_000;
}
