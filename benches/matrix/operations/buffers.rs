//! Texts decoded through an output buffer of fixed size: the cost of calls that end because it is full.

use encoding_rs::CoderResult;
use simdtext::{Bom, Status};

use super::legacy::{bytes, encodings};
use super::{Case, List, Outcome};
use crate::select::{Subject, USUAL};
use crate::timing::Contest;
use simdtext_bench::corpus::Kind;

pub(crate) const NAME: &str = "buffers-to-utf8";

pub(super) fn list(list: &mut List) {
    list.about("Decoding 64 KiB of text through a small output buffer, whose size this is.")
        .usual(NAME, contest);
}

/// Encodings, languages and kinds of text.
pub(crate) const TEXTS: [(&str, &str, Kind); 6] = [
    ("UTF-8", "ru", Kind::Html),
    ("UTF-8", "ja", Kind::Dense),
    ("UTF-16LE", "ru", Kind::Dense),
    ("windows-1252", "fr", Kind::Dense),
    ("windows-1251", "ru", Kind::Dense),
    ("Shift_JIS", "ja", Kind::Dense),
];

/// Sizes of the output buffer in bytes.
pub(crate) const SIZES: [usize; 7] = [16, 64, 256, 1024, 4096, 1 << 14, 1 << 16];

/// Each call gets the next part of a long buffer, so that whole outputs can be compared.
fn contest(case: &Case<'_>) -> Outcome {
    let (encoding, peer) = encodings(case)?;
    let room = case.subject.size;
    let subject = Subject {
        size: USUAL,
        ..case.subject
    };
    let text = bytes(&Case { subject, ..*case }, encoding)?;
    Contest::<u8, u8>::converting(text, 3)
        .ours(move |mut src, dst| {
            let (mut decoder, mut written) = (encoding.decoder(Bom::Keep), 0);
            loop {
                let end = dst.len().min(written + room);
                let progress = decoder.decode_to_utf8(src, &mut dst[written..end], true);
                written += progress.written;
                if progress.status != Status::OutputFull {
                    return written;
                }
                src = &src[progress.read..];
            }
        })
        .peer("encoding_rs", move |mut src, dst| {
            let mut decoder = peer.new_decoder_without_bom_handling();
            let mut all = 0;
            loop {
                let end = dst.len().min(all + room);
                let (result, read, written, _) =
                    decoder.decode_to_utf8(src, &mut dst[all..end], true);
                all += written;
                if result != CoderResult::OutputFull {
                    return all;
                }
                src = &src[read..];
            }
        })
        .run(case.effort)
}
