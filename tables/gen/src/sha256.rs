//! SHA-256 in hexadecimal digits, as fingerprints are written.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(digits, "{byte:02x}").expect("a String takes everything");
    }
    digits
}
