//! Finds the lead bytes in a block of two-byte text.

/// The even bits.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Returns the lead bytes among those that can be one (`lead`): in a run of these, every other byte from the
/// first one on, because the others are trail bytes.
#[inline(always)]
pub(in crate::simd) fn leads_among(lead: u64) -> u64 {
    let runs = lead & !(lead << 1);
    // A bit added to the front of a run carries through all of it.
    let from_even = lead & !lead.wrapping_add(runs & EVEN);
    from_even & EVEN | lead & !from_even & !EVEN
}

#[cfg(test)]
mod tests {
    use super::leads_among;

    #[test]
    fn every_other_byte_of_a_run_leads() {
        let mut lead = 0x0123_4567_89AB_CDEF_u64;
        for _ in 0..10_000 {
            // Runs of all lengths, from a simple generator.
            lead ^= lead << 13;
            lead ^= lead >> 7;
            lead ^= lead << 17;
            for lead in [lead, lead | lead >> 1, lead | lead << 1 | lead >> 2, !0, !1] {
                let (mut expected, mut at) = (0_u64, 0);
                while at < 64 {
                    let leads = lead >> at & 1;
                    expected |= leads << at;
                    at += 1 + leads as u32;
                }
                assert_eq!(leads_among(lead), expected, "{lead:#b}");
            }
        }
    }
}
