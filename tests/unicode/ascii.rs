//! ASCII of every length.

use simdtext::unicode::{Invalid, validate_ascii};

#[test]
fn every_length_and_every_place_of_another_byte() {
    for len in 0..300 {
        let mut bytes: Vec<u8> = (0..len).map(|i| (i * 37 % 0x80) as u8).collect();
        assert_eq!(validate_ascii(&bytes), Ok(()), "{len} bytes");
        for offset in 0..len {
            let before = bytes[offset];
            for other in [0x80, 0xFF] {
                bytes[offset] = other;
                let error = Err(Invalid { offset, len: 1 });
                assert_eq!(validate_ascii(&bytes), error, "{len} bytes");
                // Another such byte after it changes nothing.
                let last = std::mem::replace(&mut bytes[len - 1], 0xE9);
                assert_eq!(validate_ascii(&bytes), error, "{len} bytes, two others");
                bytes[len - 1] = last;
            }
            bytes[offset] = before;
        }
    }
}

#[test]
fn every_byte() {
    for byte in 0..=0xFF_u8 {
        for len in [1, 15, 16, 17, 64, 100] {
            let bytes = vec![byte; len];
            assert_eq!(
                validate_ascii(&bytes).is_ok(),
                byte < 0x80,
                "{byte:02X}, {len} of them"
            );
        }
    }
}
