//! Runs every target with inputs from a generator, without a fuzzer and with any toolchain.
//!
//! The generator begins with the files of `samples/`, cuts, joins and damages parts of them, and prefers
//! bytes that cause trouble. It is the same in every run. `SIMDTEXT_FUZZ_INPUTS` sets the number of inputs
//! for each target, and `SIMDTEXT_FUZZ_SEED` makes it start elsewhere.

use std::borrow::Cow;
use std::env;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

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

/// Bytes at the ends of ranges: ASCII, leads, trails, surrogates, escapes, four-byte gb18030.
const TROUBLE: [u8; 40] = [
    0x00, 0x0A, 0x1B, 0x20, 0x24, 0x28, 0x30, 0x39, 0x40, 0x41, 0x42, 0x4A, 0x5C, 0x7E, 0x7F, 0x80,
    0x81, 0x8E, 0x8F, 0x90, 0x9F, 0xA0, 0xA1, 0xBF, 0xC0, 0xC1, 0xC2, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0,
    0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFC, 0xFE, 0xFF,
];

/// How the text of a sample becomes the bytes of a seed.
#[derive(Clone, Copy)]
enum Form {
    AsItIs,
    Utf16Le,
    Utf16Be,
    Utf32,
}

/// The samples, and those in UTF-8 also in the forms of Unicode of which there are no samples. They are read
/// once and converted when they are chosen, because converting all would take Miri a minute.
static SEEDS: LazyLock<Vec<(Form, Vec<u8>)>> = LazyLock::new(|| {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut seeds = Vec::new();
    for folder in [samples.join("utf-8"), samples] {
        let entries = fs::read_dir(&folder).expect("samples are part of the repository");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.retain(|name| name.as_encoded_bytes().ends_with(b".txt"));
        names.sort();
        for name in names {
            let bytes = fs::read(folder.join(name)).expect("a file");
            if str::from_utf8(&bytes).is_ok() {
                for form in [Form::Utf16Le, Form::Utf16Be, Form::Utf32] {
                    seeds.push((form, bytes.clone()));
                }
            }
            seeds.push((Form::AsItIs, bytes));
        }
    }
    let emoji = "💩👩‍🚀🇫🇷🙂🤷🏽".repeat(20);
    seeds.push((Form::AsItIs, emoji.into_bytes()));
    seeds.push((Form::AsItIs, vec![b'a'; 1000]));
    assert!(seeds.len() > 100, "the samples are there");
    seeds
});

fn bytes_of((form, bytes): &(Form, Vec<u8>)) -> Cow<'_, [u8]> {
    let text = str::from_utf8(bytes).unwrap_or_default();
    let mut seed = Vec::with_capacity(4 * text.len());
    match form {
        Form::AsItIs => return Cow::Borrowed(bytes),
        Form::Utf16Le => {
            for unit in text.encode_utf16() {
                seed.extend_from_slice(&unit.to_le_bytes());
            }
        }
        Form::Utf16Be => {
            for unit in text.encode_utf16() {
                seed.extend_from_slice(&unit.to_be_bytes());
            }
        }
        Form::Utf32 => {
            for ch in text.chars() {
                seed.extend_from_slice(&u32::from(ch).to_ne_bytes());
            }
        }
    }
    Cow::Owned(seed)
}

fn invent(random: &mut Random) -> Vec<u8> {
    // The values that the targets read as encoding, length of a piece and room.
    let mut input: Vec<u8> = (0..3).map(|_| random.byte()).collect();
    for _ in 0..=random.below(3) {
        let longest = *random.choose(&[8, 40, 100, 100, 300, 700]);
        let len = random.below(longest);
        match random.below(8) {
            0 => input.extend((0..len).map(|_| random.byte())),
            1 => input.extend((0..len).map(|_| *random.choose(&TROUBLE))),
            2 => input.resize(input.len() + len, *random.choose(&TROUBLE)),
            _ => {
                let seed = bytes_of(random.choose(&SEEDS));
                // Mostly whole units of the wider forms.
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

/// Prints the input for which a target has panicked.
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

fn run(name: &str, inputs: usize, in_miri: usize, target: fn(&[u8])) {
    let inputs = if cfg!(miri) { in_miri } else { inputs };
    let seed = number("SIMDTEXT_FUZZ_SEED", 0x5EED) as u64;
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for number in 0..number("SIMDTEXT_FUZZ_INPUTS", inputs) {
        let mut input = invent(&mut random);
        if cfg!(miri) && name == "offsets" {
            // Each byte is looked up, and what is before it is decoded for that.
            input.truncate(32);
        }
        let shown = Shown(name, number, &input);
        target(&input);
        drop(shown);
    }
}

macro_rules! targets {
    ($($name:ident: $inputs:literal, $in_miri:literal;)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name), $inputs, $in_miri, simdtext_fuzz::$name);
        })*

        /// A target in the folder of the fuzzer that is missing here would not be run.
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

// Enough for a second or two per target; under Miri, where an input takes from half a second to ten, about
// twenty.
targets! {
    counts: 100_000, 12;
    decode: 20_000, 40;
    detect: 20_000, 3;
    drop_in: 20_000, 20;
    encode: 20_000, 6;
    hooks: 20_000, 4;
    latin1: 20_000, 20;
    offsets: 4_000, 5;
    sniff: 100_000, 20;
    utf16: 20_000, 6;
    utf32: 20_000, 20;
    utf8: 20_000, 6;
    web: 20_000, 25;
}
