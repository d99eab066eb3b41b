//! Where pieces of encoded text meet.
//!
//! ISO-2022-JP is the one encoding whose encoder has a state between two characters. Each piece is encoded as
//! if it began in the initial state. When it is delivered, its true state is known, and its front is encoded
//! again, up to the first character after which both states are the same. After JIS X 0208 that is the first
//! character; after Roman it is the first one that is not in both ASCII and Roman.

use std::vec::Vec;

use super::encode_text::{EncodedPiece, EncoderInput};
use crate::encoder::Encoder;
use crate::progress::{MIN_ENCODED, Status, Unmappable};

/// `encoded` is what `piece` became from the initial state, and `after` the encoder after it. Changes both to what
/// they are from the state of `before`.
pub(super) fn join<T: EncoderInput>(
    before: &Encoder,
    after: &mut Encoder,
    piece: T,
    unmappable: Unmappable,
    encoded: &mut EncodedPiece,
) {
    let (mut assumed, mut right) = (before.clone(), before.clone());
    assumed.reset();
    let mut rest = piece;
    let (mut front, mut assumed_front) = (Vec::new(), Vec::new());
    while rest.units() > 0 && !right.is_in_state_of(&assumed) {
        let ch = rest.part(0, rest.front());
        rest = rest.part(rest.front(), rest.units());
        encode_char(&mut assumed, ch, unmappable, &mut assumed_front);
        if encode_char(&mut right, ch, unmappable, &mut front) {
            break;
        }
    }
    encoded.replace_front(assumed_front.len(), &front);
    if !right.is_in_state_of(&assumed) {
        *after = right;
    }
}

/// Encodes one character. Returns whether it is unmappable with [`Unmappable::Strict`].
fn encode_char<T: EncoderInput>(
    encoder: &mut Encoder,
    ch: T,
    unmappable: Unmappable,
    to: &mut Vec<u8>,
) -> bool {
    // Room for an escape sequence, and whatever is written for a character.
    let mut scratch = [0; 2 * MIN_ENCODED];
    let taken = ch.encode(encoder, &mut scratch, unmappable);
    let (written, flushed) = scratch.split_at_mut(taken.written);
    to.extend_from_slice(written);
    if matches!(taken.status, Status::Unmappable { .. }) {
        return true;
    }
    // An unpaired surrogate is held until something follows that is not its other half.
    let after = encoder.encode_from_utf8("", flushed, false, unmappable);
    to.extend_from_slice(&flushed[..after.written]);
    matches!(after.status, Status::Unmappable { .. })
}
