//! Lengths and counts, also of malformed text, compared with loops over units; and the byte swap.

use simdtext::unicode::*;

use crate::model::units;

pub fn counts(bytes: &[u8]) {
    let leads = bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
    let long = bytes.iter().filter(|&&byte| byte >= 0xF0).count();
    assert_eq!(count_scalars_utf8(bytes), leads);
    assert_eq!(utf16_len_from_utf8(bytes), leads + long);
    let pairs = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    let ends = bytes.iter().filter(|byte| b"\r\n".contains(byte)).count();
    assert_eq!(count_line_ends_utf8(bytes), ends - pairs);
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    assert_eq!(utf8_len_from_latin1(bytes), bytes.len() + high);

    // A lone surrogate counts like U+FFFD, which replaces it here.
    let native: Vec<u16> = units(bytes);
    let text = String::from_utf16_lossy(&native);
    assert_eq!(utf8_len_from_utf16(&native), text.len());
    assert_eq!(count_scalars_utf16(&native), text.chars().count());
    let even = &bytes[..bytes.len() / 2 * 2];
    let orders: [(Read, Count, Count); 2] = [
        (
            u16::from_le_bytes,
            utf8_len_from_utf16le,
            count_scalars_utf16le,
        ),
        (
            u16::from_be_bytes,
            utf8_len_from_utf16be,
            count_scalars_utf16be,
        ),
    ];
    for (read, len, scalars) in orders {
        let units: Vec<u16> = even.as_chunks().0.iter().map(|&pair| read(pair)).collect();
        let text = String::from_utf16_lossy(&units);
        assert_eq!(len(even), text.len());
        assert_eq!(scalars(even), text.chars().count());
    }
    let mut swapped = vec![0; native.len()];
    assert_eq!(swap_utf16(&native, &mut swapped), native.len());
    assert!(native.iter().map(|unit| unit.swap_bytes()).eq(swapped));

    let wide: Vec<u32> = units(bytes);
    let len = |limits: &[u32]| -> usize {
        let above = |unit: u32| limits.iter().filter(|&&limit| unit >= limit).count();
        wide.iter().map(|&unit| 1 + above(unit)).sum()
    };
    assert_eq!(utf8_len_from_utf32(&wide), len(&[0x80, 0x800, 0x1_0000]));
    assert_eq!(utf16_len_from_utf32(&wide), len(&[0x1_0000]));
}

type Read = fn([u8; 2]) -> u16;
type Count = fn(&[u8]) -> usize;
