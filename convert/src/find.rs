//! Searches bytes for sequences of several kinds.

/// How many bytes are looked at at a time.
const BLOCK: usize = 64;

/// The first place at which something `begins`. `may_begin` is given its first two bytes, and must be simple enough to
/// be vectorised.
pub(crate) fn find(
    bytes: &[u8],
    may_begin: impl Fn(u8, u8) -> bool,
    begins: impl Fn(&[u8]) -> bool,
) -> Option<usize> {
    let nexts = bytes.get(1..)?;
    let firsts = &bytes[..nexts.len()];
    // Blocks of a fixed size, and without an early exit in a block, so that the compiler vectorises it.
    let blocks = firsts.as_chunks::<BLOCK>().0;
    let pairs = blocks.iter().zip(nexts.as_chunks::<BLOCK>().0);
    let may_be_in = pairs.map(|(block, nexts)| {
        let pairs = block.iter().zip(nexts);
        pairs.fold(false, |any, (byte, next)| any | may_begin(*byte, *next))
    });
    let mut candidates = may_be_in
        .enumerate()
        .filter(|(_, may_be)| *may_be)
        .flat_map(|(number, _)| number * BLOCK..(number + 1) * BLOCK)
        .chain(blocks.len() * BLOCK..firsts.len());
    candidates.find(|at| begins(&bytes[*at..]))
}
