//! Handlers, and how they are run (section 4.1).

use super::queue::Queue;

/// What a handler returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<T> {
    Finished,
    Continue,
    /// One or more items: the first `1`…`4` of the array.
    Items([T; 4], usize),
    /// *error*, with a code point where an encoder returns it.
    Error(Option<char>),
}

impl Step<char> {
    /// *Return a code point whose value is* `value`.
    pub(crate) fn code_point(value: u32) -> Self {
        // "Assert: result does not contain any surrogates."
        let c = char::from_u32(value).expect("decoders return scalar values only");
        Step::Items([c, '\0', '\0', '\0'], 1)
    }

    pub(crate) fn two_code_points(first: char, second: char) -> Self {
        Step::Items([first, second, '\0', '\0'], 2)
    }
}

impl Step<u8> {
    /// *Return bytes*.
    pub(crate) fn bytes(bytes: &[u8]) -> Self {
        let mut items = [0; 4];
        items[..bytes.len()].copy_from_slice(bytes);
        Step::Items(items, bytes.len())
    }
}

/// An error mode. Decoders know replacement and fatal, encoders fatal and html.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorMode {
    Replacement,
    Fatal,
    Html,
}

/// What *process an item* returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Processed {
    Continue,
    Finished,
    Error(Option<char>),
}

/// A decoder or encoder instance.
pub(crate) trait Instance {
    type In: Copy;
    type Out: Copy;

    /// The instance's handler, given an I/O queue and an item (`None`: end-of-queue).
    fn handler(
        &mut self,
        io_queue: &mut Queue<Self::In>,
        item: Option<Self::In>,
    ) -> Step<Self::Out>;

    /// What *process an item* pushes to the output for an error, in the modes that push.
    fn push_error(output: &mut Vec<Self::Out>, mode: ErrorMode, code_point: Option<char>);
}

/// *Process a queue*.
pub(crate) fn process_a_queue<I: Instance>(
    instance: &mut I,
    input: &mut Queue<I::In>,
    output: &mut Vec<I::Out>,
    mode: ErrorMode,
) -> Processed {
    // 1. While true:
    loop {
        // 1.1 Let result be the result of processing an item with the result of reading from input.
        let item = input.read();
        let result = process_an_item(item, instance, input, output, mode);
        // 1.2 If result is not continue, then return result.
        if result != Processed::Continue {
            return result;
        }
    }
}

/// *Process an item*.
pub(crate) fn process_an_item<I: Instance>(
    item: Option<I::In>,
    instance: &mut I,
    input: &mut Queue<I::In>,
    output: &mut Vec<I::Out>,
    mode: ErrorMode,
) -> Processed {
    // 1 to 3 are assertions; the types and `push_error` make them.
    // 4. Let result be the result of running the handler on input and item.
    match instance.handler(input, item) {
        // 5. If result is finished: push end-of-queue to output, return result.
        Step::Finished => return Processed::Finished,
        // 6. Otherwise, if result is one or more items, push result to output.
        Step::Items(items, count) => output.extend_from_slice(&items[..count]),
        // 7. Otherwise, if result is error, switch on mode. "fatal": return result.
        Step::Error(code_point) if mode == ErrorMode::Fatal => {
            return Processed::Error(code_point);
        }
        Step::Error(code_point) => I::push_error(output, mode, code_point),
        Step::Continue => {}
    }
    // 8. Return continue.
    Processed::Continue
}

/// "replacement": push U+FFFD to output.
pub(crate) fn push_replacement(output: &mut Vec<char>, mode: ErrorMode) {
    assert_eq!(mode, ErrorMode::Replacement, "a mode of encoders");
    output.push('\u{FFFD}');
}

/// "html": push 0x26, 0x23, the shortest sequence of ASCII digits that represents the code point
/// in base ten, and 0x3B to output.
pub(crate) fn push_html(output: &mut Vec<u8>, mode: ErrorMode, code_point: Option<char>) {
    assert_eq!(mode, ErrorMode::Html, "a mode of decoders");
    let code_point = code_point.expect("encoders return error with a code point");
    output.extend_from_slice(b"&#");
    output.extend_from_slice(u32::from(code_point).to_string().as_bytes());
    output.push(b';');
}
