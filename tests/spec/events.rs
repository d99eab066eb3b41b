//! The result of decoding a stream, with the position of every error, and of encoding a text under each
//! policy for unmappable characters: the standard's algorithms, run in fatal mode and continued.

use super::instances::{Decoder, Encoder};
use super::iso_2022_jp::State;
use super::process::{ErrorMode, Processed, process_an_item, push_html};
use super::queue::Queue;

/// An event in decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Text(char),
    /// Malformed bytes: offset from the start of the stream, and length.
    Malformed(usize, usize),
}

/// Decodes `bytes`, which begin at `start` in the stream (after a BOM).
///
/// The standard does not say which bytes an error is about. Here, as in encoding_rs, it is about
/// the bytes read since the last character, error or escape sequence, less those restored, with
/// two exceptions in ISO-2022-JP: an escape sequence right after another one makes an error about
/// the *first* of the two; and 0x1B in place of a trail byte makes one about the lead byte alone.
pub(crate) fn decode(mut decoder: Decoder, bytes: &[u8], start: usize) -> Vec<Event> {
    let mut events = Vec::with_capacity(bytes.len() + 1);
    let mut input = Queue::new(bytes);
    let mut text = Vec::with_capacity(2);
    let mut pending = 0;
    loop {
        let state = iso_2022_jp_state(&decoder);
        let item = input.read();
        let mode = ErrorMode::Fatal;
        match process_an_item(item, &mut decoder, &mut input, &mut text, mode) {
            Processed::Finished => return events,
            Processed::Continue => {
                events.extend(text.iter().copied().map(Event::Text));
                let escaped = state == Some(State::Escape);
                if !text.is_empty() || escaped {
                    pending = input.position();
                }
                text.clear();
            }
            Processed::Error(_) => {
                let end = input.position();
                let (from, to, next) = match state {
                    Some(State::Escape) if end == pending + 3 => (pending - 3, pending, end),
                    Some(State::TrailByte) if item == Some(0x1B) => (pending, end - 1, end - 1),
                    _ => (pending, end, end),
                };
                events.push(Event::Malformed(start + from, to - from));
                pending = next;
            }
        }
    }
}

fn iso_2022_jp_state(decoder: &Decoder) -> Option<State> {
    match decoder {
        Decoder::Iso2022Jp(decoder) => Some(decoder.state()),
        _ => None,
    }
}

/// How unmappable characters are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Ncr,
    Replace(char),
    /// Encode the text without them. This is not in the standard.
    Skip,
    /// Report them to the caller, who continues after them.
    Stop,
}

/// The result of encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    /// The unmappable characters that the encoder reported, with their positions in the text.
    pub(crate) unmappable: Vec<(char, usize)>,
}

/// Encodes `text`. According to the ISO-2022-JP encoder (step 11), what a policy writes follows the escape to
/// ASCII that the encoder has already emitted.
pub(crate) fn encode(mut encoder: Encoder, text: &[char], policy: Policy) -> Encoded {
    if policy == Policy::Skip {
        return encode_skipping(encoder, text);
    }
    let mut encoded = Encoded::default();
    let mut input = Queue::new(text);
    loop {
        let item = input.read();
        let output = &mut encoded.bytes;
        match process_an_item(item, &mut encoder, &mut input, output, ErrorMode::Fatal) {
            Processed::Continue => {}
            Processed::Finished => return encoded,
            Processed::Error(code_point) => {
                match policy {
                    Policy::Ncr => push_html(output, ErrorMode::Html, code_point),
                    Policy::Replace(c) => {
                        if !encode_one(&mut encoder, c, output) {
                            assert!(encode_one(&mut encoder, '?', output));
                        }
                    }
                    Policy::Skip | Policy::Stop => {}
                }
                let c = code_point.expect("encoders return error with a code point");
                encoded.unmappable.push((c, input.position() - 1));
            }
        }
    }
}

/// Encodes the mappable part of `text`. Whether a character is mappable does not depend on the encoder's
/// state.
fn encode_skipping(encoder: Encoder, text: &[char]) -> Encoded {
    let (mut mappable, mut unmappable) = (Vec::new(), Vec::new());
    for (place, &c) in text.iter().enumerate() {
        match encode(encoder.clone(), &[c], Policy::Stop).unmappable[..] {
            [] => mappable.push(c),
            [(c, _)] => unmappable.push((c, place)),
            [..] => panic!("one character, one error"),
        }
    }
    Encoded {
        unmappable,
        ..encode(encoder, &mappable, Policy::Stop)
    }
}

/// Runs `c` through the encoder. Returns whether the encoding has it.
fn encode_one(encoder: &mut Encoder, c: char, output: &mut Vec<u8>) -> bool {
    let mut input = Queue::new(&[c]);
    while !input.is_empty() {
        let item = input.read();
        let processed = process_an_item(item, encoder, &mut input, output, ErrorMode::Fatal);
        if processed != Processed::Continue {
            return false;
        }
    }
    true
}

/// *Convert a string into a scalar value string* (Infra): each lone surrogate becomes U+FFFD. Also returns
/// the position of each scalar value in `units`.
pub(crate) fn scalar_values(units: &[u16]) -> (Vec<char>, Vec<usize>) {
    let mut text = Vec::new();
    let mut places = Vec::new();
    let mut place = 0;
    for decoded in char::decode_utf16(units.iter().copied()) {
        let c = decoded.unwrap_or('\u{FFFD}');
        text.push(c);
        places.push(place);
        place += c.len_utf16();
    }
    (text, places)
}
