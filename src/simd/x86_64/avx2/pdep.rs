//! Whether the instruction `pdep` is fast.
//!
//! AMD's processors before Zen 3 have it as microcode: it takes 20 to 300 cycles, by the bits of the mask, instead of 3. So a
//! kernel with `pdep` or `pext` must not run there. (Processors with AVX-512 are all newer.)

use core::arch::x86_64::{__cpuid, CpuidResult};
use core::sync::atomic::{AtomicU8, Ordering};

/// Asks the processor once, as virtual machines take microseconds for the answer.
pub(super) fn is_slow() -> bool {
    const UNKNOWN: u8 = 0;
    const FAST: u8 = 1;
    const SLOW: u8 = 2;
    static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);
    match ANSWER.load(Ordering::Relaxed) {
        UNKNOWN => {
            let is_slow = ask();
            ANSWER.store(if is_slow { SLOW } else { FAST }, Ordering::Relaxed);
            is_slow
        }
        answer => answer == SLOW,
    }
}

#[cold]
fn ask() -> bool {
    if cfg!(any(miri, target_env = "sgx")) {
        return false;
    }
    // SAFETY: a processor that runs this has AVX2, so it has `cpuid`.
    #[allow(unused_unsafe, reason = "newer compilers know that")]
    let [vendor, version] = unsafe { [__cpuid(0), __cpuid(1)] };
    is_slow_in(vendor, version.eax)
}

/// Whether it is in the processor of this vendor, who is named in three registers, and of this version.
fn is_slow_in(vendor: CpuidResult, version: u32) -> bool {
    const EXTENDED: u32 = 0xF;
    const ZEN_3: u32 = 0x19;
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let family = match version >> 8 & 0xF {
        EXTENDED => EXTENDED + (version >> 20 & 0xFF),
        family => family,
    };
    match name.as_flattened() {
        b"AuthenticAMD" => family < ZEN_3,
        // Made from Zen.
        b"HygonGenuine" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors() {
        let vendor = |name: &[u8; 12]| {
            let [ebx, edx, ecx] =
                [0, 4, 8].map(|at| u32::from_le_bytes(*name[at..].first_chunk().unwrap()));
            CpuidResult {
                eax: 0,
                ebx,
                ecx,
                edx,
            }
        };
        for (name, version, is_slow) in [
            (b"AuthenticAMD", 0x0066_0F01, true),  // Excavator
            (b"AuthenticAMD", 0x0080_0F12, true),  // Zen
            (b"AuthenticAMD", 0x0083_0F10, true),  // Zen 2
            (b"AuthenticAMD", 0x00A0_0F11, false), // Zen 3
            (b"AuthenticAMD", 0x00B0_0F21, false), // Zen 5
            (b"HygonGenuine", 0x0090_0F01, true),
            (b"GenuineIntel", 0x0003_06C3, false), // Haswell
            (b"GenuineIntel", 0x0008_06F8, false), // Sapphire Rapids
        ] {
            assert_eq!(is_slow_in(vendor(name), version), is_slow, "{version:x}");
        }
    }

    #[test]
    fn no_other_kernel_uses_it() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/simd/x86_64/avx2");
        let mut users = std::vec::Vec::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let source = std::fs::read_to_string(&path).unwrap();
            if ["_pdep_u", "_pext_u"]
                .iter()
                .any(|name| source.contains(name))
            {
                users.push(path.file_name().unwrap().to_owned());
            }
        }
        users.sort();
        assert_eq!(users, ["pdep.rs", "three_bytes.rs"]);
    }
}
