//! Texts converted through an output buffer of fixed size: the cost of calls that end because it is full.

use simdtext::{Bom, Encoding};

use super::legacy::{Encoded, bytes, encodings, has_encoder, mappable};
use super::units::{Done, Unit};
use super::{Case, List, Outcome, damage, high_byte};
use crate::select::{Subject, USUAL};
use crate::timing::{Contest, Pieces};
use simdtext_bench::corpus::Kind;

/// The operation whose speed is drawn.
pub(crate) const NAME: &str = "buffers-to-utf8";

pub(super) fn list(list: &mut List) {
    list.about("Decoding 64 KiB through a small output buffer, whose size in bytes this is.")
        .usual(NAME, |case| decode::<u8>(case, bytes));
    list.about("Decoding 64 KiB through a small output buffer, whose size in code units this is.")
        .usual("buffers-to-utf16", |case| decode::<u16>(case, bytes));
    list.about("1 byte in 100 damaged, through a small output buffer: does the speed hold?")
        .usual("buffers-to-utf8-1", |case| decode::<u8>(case, damaged));
    list.about("1 byte in 100 damaged, to UTF-16.")
        .usual("buffers-to-utf16-1", |case| decode::<u16>(case, damaged));
    list.about("Encoding 64 KiB of UTF-8 through a small output buffer, whose size this is.")
        .usual("buffers-from-utf8", encode::<u8>);
    list.about("Encoding 64 KiB of UTF-16 through a small output buffer, whose size this is.")
        .usual("buffers-from-utf16", encode::<u16>);
}

/// The encodings, languages and kinds of text that are drawn.
pub(crate) const DRAWN: [(&str, &str, Kind); 6] = [
    ("UTF-8", "ru", Kind::Html),
    ("UTF-8", "ja", Kind::Dense),
    ("UTF-16LE", "ru", Kind::Dense),
    ("windows-1252", "fr", Kind::Dense),
    ("windows-1251", "ru", Kind::Dense),
    ("Shift_JIS", "ja", Kind::Dense),
];

/// Sizes of the output buffer in units.
pub(crate) const SIZES: [usize; 11] = [16, 24, 48, 64, 100, 256, 500, 1024, 4096, 1 << 14, 1 << 16];

/// The case with 64 KiB of text: its size is that of the buffer.
fn whole<'a>(case: &Case<'a>) -> Case<'a> {
    let subject = Subject {
        size: USUAL,
        ..case.subject
    };
    Case { subject, ..*case }
}

/// Converts all of `src` by calls of `step`. Each gets the next part of `dst`, with up to `room` units, so that whole
/// outputs can be compared.
fn through<S, D>(
    room: usize,
    mut src: &[S],
    dst: &mut [D],
    mut step: impl FnMut(&[S], &mut [D]) -> Done,
) -> usize {
    let mut written = 0;
    loop {
        let end = dst.len().min(written + room);
        let done = step(src, &mut dst[written..end]);
        written += done.written;
        if !done.is_full {
            return written;
        }
        src = &src[done.read..];
    }
}

fn damaged(case: &Case<'_>, encoding: &'static Encoding) -> Result<Pieces<u8>, String> {
    Ok(bytes(case, encoding)?.map(damage(100, high_byte)))
}

fn decode<D: Unit>(case: &Case<'_>, text: Encoded) -> Outcome {
    let (encoding, peer) = encodings(case)?;
    let room = case.subject.size;
    Contest::<u8, D>::converting(text(&whole(case), encoding)?, D::GROWTH)
        .ours(move |src, dst| {
            let mut decoder = encoding.decoder(Bom::Keep);
            through(room, src, dst, |src, dst| D::decode(&mut decoder, src, dst))
        })
        .peer("encoding_rs", move |src, dst| {
            let mut decoder = peer.new_decoder_without_bom_handling();
            through(room, src, dst, |src, dst| {
                D::peer_decode(&mut decoder, src, dst)
            })
        })
        .run(case.cell)
}

fn encode<S: Unit>(case: &Case<'_>) -> Outcome {
    let (encoding, peer) = encodings(case)?;
    let Some(encoder) = encoding.encoder().filter(|_| has_encoder(peer)) else {
        return Ok(None);
    };
    let room = case.subject.size;
    let text = mappable(&whole(case), encoding);
    Contest::<S, u8>::converting(Pieces::new(text.into_iter().map(S::units)), 4)
        .ours(move |src, dst| {
            let mut encoder = encoder.clone();
            through(room, src, dst, |src, dst| S::encode(&mut encoder, src, dst))
        })
        .peer("encoding_rs", move |src, dst| {
            let mut encoder = peer.new_encoder();
            through(room, src, dst, |src, dst| {
                S::peer_encode(&mut encoder, src, dst)
            })
        })
        .run(case.cell)
}
