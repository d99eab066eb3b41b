//! What a decoder has read and not decoded yet.

/// Bytes that an earlier call has read and that are not decoded yet: the front of a sequence, bytes
/// that the standard restored, or what may become a byte order mark.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    bytes: [u8; 3],
    len: u8,
}

/// Held bytes and as many more of the input as it takes to see what they belong to: the longest
/// sequence has four bytes.
pub(crate) const BRIDGE: usize = 8;

impl Held {
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }

    pub(crate) fn len(&self) -> usize {
        usize::from(self.len).min(3)
    }

    /// Holds `bytes` as well. No sequence has more than three bytes before it is complete, so that
    /// they always fit.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        debug_assert!(self.len() + bytes.len() <= 3);
        for &byte in bytes {
            if let Some(to) = self.bytes.get_mut(usize::from(self.len)) {
                *to = byte;
                self.len += 1;
            }
        }
    }

    /// Gives up the first `count` bytes.
    pub(crate) fn drop_front(&mut self, count: usize) {
        let mut rest = Held::default();
        rest.extend(self.as_slice().get(count..).unwrap_or_default());
        *self = rest;
    }

    /// The held bytes followed by the front of `src`; the second value says how many bytes of
    /// `src` are in it.
    pub(crate) fn bridge(&self, src: &[u8]) -> ([u8; BRIDGE], usize) {
        let mut bridge = [0; BRIDGE];
        let (held, room) = bridge.split_at_mut(self.len());
        held.copy_from_slice(self.as_slice());
        let taken = src.len().min(room.len());
        room[..taken].copy_from_slice(&src[..taken]);
        (bridge, taken)
    }
}

/// The bytes still to be decoded that are not in the call's input, and where they stand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Queue {
    pub(crate) held: Held,
    /// The offset in the stream of the first held byte, or else of the next byte of input.
    pub(crate) offset: u64,
}

impl Queue {
    /// Takes `count` bytes, held ones first; returns how many of them are the input's.
    #[inline(always)]
    pub(super) fn take(&mut self, count: usize) -> usize {
        self.offset += count as u64;
        let from_held = count.min(self.held.len());
        if from_held > 0 {
            self.held.drop_front(from_held);
        }
        count - from_held
    }
}
