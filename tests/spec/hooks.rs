//! Hooks for standards (section 6).

use super::instances::{Decoder, Encoder};
use super::process::{ErrorMode, Processed, process_a_queue};
use super::queue::Queue;

/// *UTF-8 decode*.
pub(crate) fn utf8_decode(bytes: &[u8]) -> String {
    let mut io_queue = Queue::new(bytes);
    // 1. Let buffer be the result of peeking three bytes from ioQueue.
    let buffer = io_queue.peek(3);
    // 2. If buffer is 0xEF 0xBB 0xBF, then read three bytes from ioQueue.
    if buffer == [0xEF, 0xBB, 0xBF] {
        read(&mut io_queue, 3);
    }
    // 3. Process a queue with an instance of UTF-8's decoder, ioQueue, output, and "replacement".
    // 4. Return output.
    replacement("UTF-8", io_queue)
}

/// *UTF-8 decode without BOM*.
pub(crate) fn utf8_decode_without_bom(bytes: &[u8]) -> String {
    replacement("UTF-8", Queue::new(bytes))
}

/// *UTF-8 decode without BOM or fail*.
pub(crate) fn utf8_decode_without_bom_or_fail(bytes: &[u8]) -> Option<String> {
    // 1. Let potentialError be the result of processing a queue with an instance of UTF-8's
    // decoder, ioQueue, output, and "fatal".
    let mut output = Vec::new();
    let potential_error = process_a_queue(
        &mut Decoder::new("UTF-8"),
        &mut Queue::new(bytes),
        &mut output,
        ErrorMode::Fatal,
    );
    // 2. If potentialError is an error, then return failure. 3. Return output.
    (potential_error == Processed::Finished).then(|| output.into_iter().collect())
}

/// *Decode*: the text, and the name of the encoding that it was in.
pub(crate) fn decode(bytes: &[u8], fallback: &'static str) -> (String, &'static str) {
    let mut io_queue = Queue::new(bytes);
    let mut encoding = fallback;
    // 1. Let BOMEncoding be the result of BOM sniffing ioQueue.
    // 2. If BOMEncoding is non-null:
    if let Some(bom_encoding) = bom_sniff(&io_queue) {
        // 1. Set encoding to BOMEncoding.
        encoding = bom_encoding;
        // 2. Read three bytes from ioQueue, if BOMEncoding is UTF-8; otherwise read two bytes.
        read(&mut io_queue, if bom_encoding == "UTF-8" { 3 } else { 2 });
    }
    // 3. Process a queue with an instance of encoding's decoder, ioQueue, output, and
    // "replacement". 4. Return output.
    (replacement(encoding, io_queue), encoding)
}

/// *BOM sniff*: the name of the encoding.
pub(crate) fn bom_sniff(io_queue: &Queue<u8>) -> Option<&'static str> {
    // 1. Let BOM be the result of peeking 3 bytes from ioQueue.
    // 2. For each of the rows in the table below, … return the encoding … Otherwise, return null.
    match io_queue.peek(3)[..] {
        [0xEF, 0xBB, 0xBF] => Some("UTF-8"),
        [0xFE, 0xFF, ..] => Some("UTF-16BE"),
        [0xFF, 0xFE, ..] => Some("UTF-16LE"),
        _ => None,
    }
}

/// *Encode*.
pub(crate) fn encode(text: &str, name: &str) -> Vec<u8> {
    let text: Vec<char> = text.chars().collect();
    let mut output = Vec::new();
    // 1. Let encoder be the result of getting an encoder from encoding.
    // 2. Process a queue with encoder, ioQueue, output, and "html".
    process_a_queue(
        &mut get_an_encoder(name),
        &mut Queue::new(&text),
        &mut output,
        ErrorMode::Html,
    );
    // 3. Return output.
    output
}

/// *Get an encoder*.
pub(crate) fn get_an_encoder(name: &str) -> Encoder {
    // 1. Assert: encoding is not replacement or UTF-16BE/LE.
    assert!(!matches!(name, "replacement" | "UTF-16BE" | "UTF-16LE"));
    // 2. Return an instance of encoding's encoder.
    Encoder::new(name).expect("all others have one")
}

/// *Encode or fail*: the output, and the code point that could not be encoded.
pub(crate) fn encode_or_fail(
    io_queue: &mut Queue<char>,
    encoder: &mut Encoder,
) -> (Vec<u8>, Option<char>) {
    let mut output = Vec::new();
    // 1. Let potentialError be the result of processing a queue with encoder, ioQueue, output, and
    // "fatal". 2. Push end-of-queue to output.
    let potential_error = process_a_queue(encoder, io_queue, &mut output, ErrorMode::Fatal);
    match potential_error {
        // 3. If potentialError is an error, then return error's code point's value.
        Processed::Error(code_point) => (output, code_point),
        // 4. Return null.
        _ => (output, None),
    }
}

/// *Percent-encode after encoding* (URL standard, section 1.3), for an encoding that is its own
/// output encoding.
pub(crate) fn percent_encode_after_encoding(
    name: &str,
    input: &str,
    is_in_set: impl Fn(char) -> bool,
    space_as_plus: bool,
) -> String {
    // 1. Let encoder be the result of getting an encoder from encoding.
    let mut encoder = get_an_encoder(name);
    // 2. Let inputQueue be input converted to an I/O queue.
    let input: Vec<char> = input.chars().collect();
    let mut input_queue = Queue::new(&input);
    // 3. Let output be the empty string. 4. Let potentialError be 0.
    let mut output = String::new();
    // 5. While potentialError is non-null:
    loop {
        // 1, 2. Set potentialError to the result of running encode or fail with inputQueue,
        // encoder, and encodeOutput.
        let (encode_output, potential_error) = encode_or_fail(&mut input_queue, &mut encoder);
        // 3. For each byte of encodeOutput converted to a byte sequence:
        for byte in encode_output {
            // 1. If spaceAsPlus is true and byte is 0x20, then append U+002B to output.
            // 2, 4. If isomorph is not in percentEncodeSet, then append isomorph to output.
            // 5. Otherwise, percent-encode byte and append the result to output.
            let isomorph = char::from(byte);
            if space_as_plus && byte == 0x20 {
                output.push('+');
            } else if isomorph.is_ascii() && !is_in_set(isomorph) {
                output.push(isomorph);
            } else {
                output.push_str(&format!("%{byte:02X}"));
            }
        }
        match potential_error {
            // 4. If potentialError is non-null, then append "%26%23", followed by the shortest
            // sequence of ASCII digits representing potentialError in base ten, and "%3B".
            Some(code_point) => output.push_str(&format!("%26%23{}%3B", u32::from(code_point))),
            // 6. Return output.
            None => return output,
        }
    }
}

fn read(io_queue: &mut Queue<u8>, number: usize) {
    for _ in 0..number {
        io_queue.read();
    }
}

fn replacement(name: &str, mut io_queue: Queue<u8>) -> String {
    let mut output = Vec::new();
    process_a_queue(
        &mut Decoder::new(name),
        &mut io_queue,
        &mut output,
        ErrorMode::Replacement,
    );
    output.into_iter().collect()
}
