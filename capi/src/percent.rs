//! Encodes text for URLs and forms.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use simdtext::hooks::PercentEncodeSet;
use simdtext::{Encoder, Encoding, Status, Unmappable};

use crate::boundary::{Outcome, buffers, call_with_result, input};
use crate::encoding::{encoding_of, handle, simdtext_encoding};
use crate::types::simdtext_result;
use crate::types::simdtext_status::{
    SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_NO_ENCODER, SIMDTEXT_STATUS_OUTPUT_FULL,
};

/// The percent-encode sets of the URL standard: which ASCII characters become `%` and two digits. All others do.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_percent_encode_set {
    /// U+0000 to U+001F, and U+007F.
    SIMDTEXT_PERCENT_ENCODE_C0_CONTROL = 0,
    /// The fragment of a URL.
    SIMDTEXT_PERCENT_ENCODE_FRAGMENT = 1,
    /// The query of a URL.
    SIMDTEXT_PERCENT_ENCODE_QUERY = 2,
    /// The query of a URL whose scheme is special, such as http and https.
    SIMDTEXT_PERCENT_ENCODE_SPECIAL_QUERY = 3,
    /// The path of a URL.
    SIMDTEXT_PERCENT_ENCODE_PATH = 4,
    /// The user name and the password in a URL.
    SIMDTEXT_PERCENT_ENCODE_USERINFO = 5,
    /// One component: the set of JavaScript's encodeURIComponent().
    SIMDTEXT_PERCENT_ENCODE_COMPONENT = 6,
    /// A form, application/x-www-form-urlencoded, in which a space is `+` as well (`space_as_plus`).
    SIMDTEXT_PERCENT_ENCODE_FORM = 7,
}

/// An enum as C programs pass it: a number that may have any value.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_percent_encode_set_number(u32);

impl simdtext_percent_encode_set_number {
    fn get(self) -> Outcome<PercentEncodeSet> {
        match self.0 {
            0 => Ok(PercentEncodeSet::C0_CONTROL),
            1 => Ok(PercentEncodeSet::FRAGMENT),
            2 => Ok(PercentEncodeSet::QUERY),
            3 => Ok(PercentEncodeSet::SPECIAL_QUERY),
            4 => Ok(PercentEncodeSet::PATH),
            5 => Ok(PercentEncodeSet::USERINFO),
            6 => Ok(PercentEncodeSet::COMPONENT),
            7 => Ok(PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED),
            _ => Err(SIMDTEXT_STATUS_INVALID_ARGUMENT),
        }
    }
}

/// Encodes all of `src` (UTF-8, `len` bytes) for a URL or a form, in `dst` (room for `room` bytes): the URL standard's
/// "percent-encode after encoding". simdtext_percent_encoded_len counts how many bytes are needed.
///
/// Encoded bytes that are not in `set` are written as they are, the others as `%` and two upper-case digits, and with
/// `space_as_plus` a space as `+`. A character that the encoding does not have becomes `%26%23`, its number and `%3B`.
/// Malformed UTF-8 is encoded as U+FFFD. Both are counted in `errors`. UTF-16 and replacement encode as UTF-8, as on the
/// web.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_percent_encode_after_encoding(
    encoding: *const simdtext_encoding,
    src: *const c_char,
    len: usize,
    dst: *mut c_char,
    room: usize,
    set: simdtext_percent_encode_set_number,
    space_as_plus: bool,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src.cast::<u8>(), len, dst.cast::<u8>(), room) }?;
        PercentEncoder::new(encoding, set.get()?, space_as_plus, Some(dst))?.run(src, result);
        Ok(())
    })
}

/// The result of simdtext_percent_encode_after_encoding with enough room: `written` is the length of the output in
/// bytes. This takes as long as encoding does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_percent_encoded_len(
    encoding: *const simdtext_encoding,
    src: *const c_char,
    len: usize,
    set: simdtext_percent_encode_set_number,
    space_as_plus: bool,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let encoding = unsafe { encoding_of(encoding) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        PercentEncoder::new(encoding, set.get()?, space_as_plus, None)?.run(src, result);
        Ok(())
    })
}

/// A text that is being percent-encoded, without allocating.
struct PercentEncoder<'a> {
    encoder: Encoder,
    set: PercentEncodeSet,
    space_as_plus: bool,
    /// The output, or none if it is only counted.
    dst: Option<&'a mut [MaybeUninit<u8>]>,
}

/// How many bytes are encoded at a time.
const SCRATCH: usize = 1024;

impl<'a> PercentEncoder<'a> {
    fn new(
        encoding: &'static Encoding,
        set: PercentEncodeSet,
        space_as_plus: bool,
        dst: Option<&'a mut [MaybeUninit<u8>]>,
    ) -> Outcome<Self> {
        let encoder = encoding.output_encoding().encoder();
        Ok(PercentEncoder {
            encoder: encoder.ok_or(SIMDTEXT_STATUS_NO_ENCODER)?,
            set,
            space_as_plus,
            dst,
        })
    }

    fn run(mut self, src: &[u8], done: &mut simdtext_result) {
        done.encoding = handle(self.encoder.encoding());
        for chunk in src.utf8_chunks() {
            if !self.encode(chunk.valid(), done) {
                return;
            }
            if !chunk.invalid().is_empty() {
                let (read, errors) = (done.read, done.errors);
                if !self.encode("\u{FFFD}", done) {
                    return;
                }
                // The sequence is one error, whether or not U+FFFD is unmappable.
                (done.read, done.errors) = (read + chunk.invalid().len(), errors + 1);
            }
        }
        let mut end = [0; simdtext::MIN_ENCODED];
        let last = self
            .encoder
            .encode_from_utf8("", &mut end, true, Unmappable::Strict);
        self.push(end.get(..last.written).unwrap_or_default(), None, done);
    }

    /// Encodes text. Returns whether it fits.
    fn encode(&mut self, mut text: &str, done: &mut simdtext_result) -> bool {
        let mut scratch = [0; SCRATCH];
        let mut is_tight = false;
        while let Some(first) = text.chars().next() {
            // At the end of the output it goes on character by character.
            let piece = match text.get(..first.len_utf8()) {
                Some(one) if is_tight => one,
                _ => text,
            };
            let before = self.encoder.clone();
            let progress =
                self.encoder
                    .encode_from_utf8(piece, &mut scratch, false, Unmappable::Strict);
            let unmappable = match progress.status {
                Status::Unmappable { ch, .. } => Some(ch),
                _ => None,
            };
            let bytes = scratch.get(..progress.written).unwrap_or_default();
            if self.push(bytes, unmappable, done) {
                done.read += progress.read;
                done.errors += progress.errors;
                text = text.get(progress.read..).unwrap_or_default();
            } else if is_tight {
                return false;
            } else {
                self.encoder = before;
                is_tight = true;
            }
        }
        true
    }

    /// Writes encoded bytes and the reference to an unmappable character after them. Returns whether there was room for
    /// all of this; if not, nothing is written.
    fn push(&mut self, bytes: &[u8], unmappable: Option<char>, done: &mut simdtext_result) -> bool {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let (set, space_as_plus) = (self.set, self.space_as_plus);
        let escaped = bytes.iter().flat_map(|&byte| {
            let digit = |number: u8| DIGITS[usize::from(number & 0xF)];
            match byte {
                b' ' if space_as_plus => [b'+', 0, 0].into_iter().take(1),
                _ if set.contains(char::from(byte)) => {
                    [b'%', digit(byte >> 4), digit(byte)].into_iter().take(3)
                }
                _ => [byte, 0, 0].into_iter().take(1),
            }
        });
        let mut number = [0; 7];
        let number = unmappable.map(|ch| decimal(ch, &mut number));
        let reference = number.into_iter().flat_map(|number| {
            let (start, end) = (b"%26%23".iter(), b"%3B".iter());
            start.chain(number).chain(end).copied()
        });
        let all = escaped.chain(reference);
        let len = all.clone().count();
        let Some(dst) = &mut self.dst else {
            done.written += len;
            return true;
        };
        let Some(room) = dst.get_mut(done.written..).filter(|room| room.len() >= len) else {
            done.status = SIMDTEXT_STATUS_OUTPUT_FULL;
            return false;
        };
        for (to, byte) in room.iter_mut().zip(all) {
            to.write(byte);
        }
        done.written += len;
        true
    }
}

/// The number of a character in decimal digits.
fn decimal(ch: char, digits: &mut [u8; 7]) -> &[u8] {
    let mut rest = u32::from(ch);
    let mut start = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        start -= 1;
        if rest == 0 {
            break;
        }
    }
    digits.get(start..).unwrap_or_default()
}
