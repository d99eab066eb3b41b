//! What a decoder has read and not decoded yet.

/// Bytes that an earlier call has read and that are not decoded yet: the front of a sequence, bytes
/// that the standard restored, or what may become a byte order mark.
///
/// Three bytes, of which those past the length are 0, and the length: read and written as a word, which is what
/// one byte a call spends its time on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held([u8; 4]);

/// Held bytes and as many more of the input as it takes to see what they belong to: the longest
/// sequence has four bytes.
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

    /// Holds `bytes` as well. No sequence has more than three bytes before it is complete, so that
    /// they always fit.
    #[inline(always)]
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        let len = self.len();
        debug_assert!(len + bytes.len() <= 3);
        let bytes = &bytes[..bytes.len().min(3 - len)];
        let more = (front(bytes) as u32) << (8 * len);
        *self = Held::new(self.bytes() | more, len + bytes.len());
    }

    /// Gives up the first `count` bytes.
    #[inline(always)]
    pub(crate) fn drop_front(&mut self, count: usize) {
        let count = count.min(self.len());
        *self = Held::new(self.bytes() >> (8 * count), self.len() - count);
    }

    /// The held bytes followed by the front of `src`; the second value says how many bytes of
    /// `src` are in it.
    #[inline(always)]
    pub(crate) fn bridge(&self, src: &[u8]) -> ([u8; BRIDGE], usize) {
        let ahead = front(src) << (8 * self.len());
        let bridge = u64::from(self.bytes()) | ahead;
        (bridge.to_le_bytes(), src.len().min(BRIDGE - self.len()))
    }
}

/// The first eight bytes, the first one lowest; 0 after the last one.
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
        // The one in the middle is the first or the last one of fewer than three.
        _ if !src.is_empty() => byte(0) | byte(src.len() / 2) | byte(src.len() - 1),
        _ => 0,
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
