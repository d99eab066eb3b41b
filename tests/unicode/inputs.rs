//! Text to convert, well-formed and not, in every form.

use proptest::prelude::*;

use crate::model::Form;

/// Lines in several scripts.
const LINES: [&str; 8] = [
    "The quick brown fox jumps over the lazy dog. ",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ",
    "Где-то на юге жил-был чёрный кот; звали его Мурзик. ",
    "いろはにほへと ちりぬるを。わかよたれそ、つねならむ。",
    "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. ",
    "💩👩‍🚀🇫🇷🙂🤷🏽",
    "a💩é日",
    "ÀÉÎÕÜàéîõüÿ\u{80}\u{9F}\u{A0}",
];

/// Characters at the limits between lengths.
const EDGES: [char; 12] = [
    '\0',
    '\u{7F}',
    '\u{80}',
    'é',
    '\u{FF}',
    '\u{100}',
    '\u{7FF}',
    '\u{800}',
    '\u{D7FF}',
    '\u{E000}',
    '\u{FFFF}',
    '\u{10000}',
];

/// This number of characters of a script, in turn.
pub(crate) fn text_of(script: &str, len: usize) -> String {
    script.chars().cycle().take(len).collect()
}

/// A few characters, with something malformed among them.
pub(crate) fn short(form: Form) -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> = LINES
        .iter()
        .map(|line| form.encode(&line.chars().take(24).collect::<String>()))
        .collect();
    inputs.push(form.encode(&EDGES.iter().collect::<String>()));
    inputs.push(form.encode("\u{10FFFF}a\u{10000}"));
    inputs.push([form.encode("aé日"), form.malformed(), form.encode("b💩")].concat());
    inputs.push([form.encode("💩"), form.malformed()].concat());
    if matches!(form, Form::Utf16Le | Form::Utf16Be) {
        let mut odd = form.encode("a💩");
        odd.pop();
        inputs.push(odd);
        inputs.push([form.encode("a"), vec![7]].concat());
    }
    inputs
}

/// ASCII of every length up to 150, and one other character, or something malformed, somewhere.
pub(crate) fn with_one_odd_character(form: Form) -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for len in 0..150 {
        let ascii: String = (0..len)
            .map(|i| char::from(b' ' + (i * 7 % 90) as u8))
            .collect();
        let (front, back) = ascii.split_at(len * 5 % (len + 1));
        let odd = EDGES[len % EDGES.len()].to_string();
        for odd in [form.encode(&odd), form.encode("é"), form.malformed()] {
            inputs.push([form.encode(front), odd, form.encode(back)].concat());
        }
    }
    inputs
}

/// Some thousand units of every script, and of all scripts mixed; malformed only far into the text.
pub(crate) fn long(form: Form) -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> = LINES
        .iter()
        .map(|line| form.encode(&line.repeat(60)))
        .collect();
    inputs.push(form.encode(&LINES.concat().repeat(9)));
    inputs.retain(|input| !input.is_empty());
    let mut bad = inputs.concat();
    bad.extend(form.malformed());
    bad.extend(form.encode("after"));
    inputs.push(bad);
    inputs
}

/// Bytes that cause trouble more often than others.
pub(crate) fn hostile_byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        3 => Just(0),
        3 => 0x20_u8..0x7F,
        3 => 0x80_u8..0xC0,
        3 => 0xC0_u8..=0xFF,
        2 => 0xD8_u8..=0xDF,
        1 => any::<u8>(),
    ]
}
