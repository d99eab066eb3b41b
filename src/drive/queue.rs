//! Bytes that a decoder has read and not decoded yet.

/// Bytes that an earlier call has read and that are not decoded yet: the front of a sequence, bytes that the
/// standard restored, or a possible byte order mark.
///
/// Up to three bytes, with 0 after the last one, and their number, which are read and written as one word:
/// that is where a call with one byte spends its time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held([u8; 4]);

/// Enough for the held bytes and as many more of the input as show what they belong to: the longest sequence
/// has four bytes.
pub(crate) const BRIDGE: usize = 8;

impl Held {
    #[inline(always)]
    fn new(bytes: u32, len: usize) -> Self {
        Held((bytes | (len as u32) << 24).to_le_bytes())
    }

    #[inline(always)]
    fn bytes(self) -> u32 {
        u32::from_le_bytes(self.0) & 0xFF_FFFF
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.0[..self.len()]
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.0[3] & 3)
    }

    /// Holds `bytes` as well. They always fit, because an incomplete sequence has at most three bytes.
    #[inline(always)]
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        let len = self.len();
        debug_assert!(len + bytes.len() <= 3);
        let bytes = &bytes[..bytes.len().min(3 - len)];
        let more = (front(bytes) as u32) << (8 * len);
        *self = Held::new(self.bytes() | more, len + bytes.len());
    }

    /// Drops the first `count` bytes.
    #[inline(always)]
    pub(crate) fn drop_front(&mut self, count: usize) {
        let count = count.min(self.len());
        *self = Held::new(self.bytes() >> (8 * count), self.len() - count);
    }

    /// Returns the held bytes followed by the front of `src`, and how many bytes of `src` are among them.
    #[inline(always)]
    pub(crate) fn bridge(&self, src: &[u8]) -> ([u8; BRIDGE], usize) {
        let ahead = front(src) << (8 * self.len());
        let bridge = u64::from(self.bytes()) | ahead;
        (bridge.to_le_bytes(), src.len().min(BRIDGE - self.len()))
    }
}

/// Loads the first eight bytes, the first one lowest, with 0 after the last one.
#[inline(always)]
fn front(src: &[u8]) -> u64 {
    if let Some(bytes) = src.first_chunk() {
        return u64::from_le_bytes(*bytes);
    }
    let byte = |at: usize| u64::from(src[at]) << (8 * at);
    match (src.first_chunk(), src.last_chunk()) {
        (Some(first), Some(last)) => {
            let last = u64::from(u32::from_le_bytes(*last));
            u64::from(u32::from_le_bytes(*first)) | last << (8 * (src.len() - 4))
        }
        // Of fewer than three bytes, the middle one is the first or the last.
        _ if !src.is_empty() => byte(0) | byte(src.len() / 2) | byte(src.len() - 1),
        _ => 0,
    }
}

/// The bytes still to be decoded that are not in the call's input, and their offset.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Queue {
    pub(crate) held: Held,
    /// The offset in the stream of the first held byte, or of the next byte of input if none is held.
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
