//! The conversions of `simdtext::unicode`, strict and lossy, compared with the model of its tests.
//!
//! Input: the pair of forms, the room (255 is enough for all), the distance from an aligned address, then the
//! source.

use crate::model::{self, Form};
use crate::pairs::PAIRS;

/// Checks one of the conversions from or to a form.
pub(crate) fn check(form: Form, data: &[u8]) {
    let &[pair, room, shift, ref bytes @ ..] = data else {
        return;
    };
    let mut pairs: Vec<_> = PAIRS
        .iter()
        .filter(|pair| pair.from == form || pair.to == form)
        .collect();
    let pair = pairs.swap_remove(usize::from(pair) % pairs.len());
    // Kernels depend on addresses: forms in bytes may be at any.
    let shift = usize::from(shift % 64);
    let padded = [&vec![0x20; shift], bytes].concat();
    let src = &padded[shift..][..bytes.len() / pair.from.unit() * pair.from.unit()];
    let room = match room {
        255 => 4 * src.len() + 4,
        room => usize::from(room),
    };
    for lossy in [false, true] {
        let done = if lossy { pair.lossy } else { pair.strict }(src, room);
        let expected = model::convert(pair.from, pair.to, src, room, lossy);
        assert!(
            done == expected,
            "{:?} to {:?}, lossy: {lossy}, room {room}: {done:02X?}, not {expected:02X?}",
            pair.from,
            pair.to,
        );
    }
}
