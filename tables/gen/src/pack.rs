//! Packs decode tables, as `src/simd/two_byte/unpack.rs` describes, and unpacks them with that file, to compare.

#[path = "../../../src/simd/two_byte/unpack.rs"]
mod unpack;

use crate::problem::{Problem, Result};

/// Packs the code unit of each pointer, of which 0 means *unmapped*. `file` is named in the error.
pub(crate) fn pack(file: &str, units: &[u16]) -> Result<Vec<u8>> {
    let packed = codes(units);
    let mut unpacked = vec![0; units.len()];
    unpack::unpack(&packed, &mut unpacked);
    match unpacked.iter().zip(units).position(|(a, b)| a != b) {
        None => Ok(packed),
        Some(pointer) => Err(Problem::new(
            file,
            format!(
                "pointer {pointer} is U+{:04X}, but the library unpacks U+{:04X}",
                units[pointer], unpacked[pointer]
            ),
            "the library keeps ASCII and surrogates out of its tables; change it if the standard has them now",
        )),
    }
}

fn codes(units: &[u16]) -> Vec<u8> {
    let mut codes = Vec::new();
    let (mut ahead, mut before) = (units, 0);
    while let Some(&unit) = ahead.first() {
        let unmapped = ahead.iter().take(32).take_while(|&&unit| unit == 0).count();
        let run = ahead.iter().take(33).zip(1..);
        let run = run.take_while(|&(&unit, i)| i32::from(unit) == i32::from(before) + i);
        let (run, more) = (run.count(), i32::from(unit) - i32::from(before));
        let [high, low] = unit.to_be_bytes();
        let byte = |code: i32| u8::try_from(code).expect("the arms below are ranges of bytes");
        let len = match (unmapped, run, more) {
            (1.., ..) => {
                codes.push(0xDF + unmapped as u8);
                ahead = &ahead[unmapped..];
                continue;
            }
            (_, 2.., _) => {
                codes.push(0xBE + run as u8);
                run
            }
            (.., 0x01..=0x4D) => {
                codes.push(byte(more));
                1
            }
            (.., -0x20..=-0x01) => {
                codes.push(byte(0xC0 + more));
                1
            }
            _ if matches!(high, 0x4E..=0x9F) => {
                codes.extend([high, low]);
                1
            }
            _ => {
                codes.extend([0x00, high, low]);
                1
            }
        };
        before = ahead[len - 1];
        ahead = &ahead[len..];
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_code_is_chosen() {
        let packed = |units: &[u16]| pack("index-x.txt", units).expect("no ASCII, no surrogates");
        assert!(packed(&[]).is_empty());
        assert_eq!(packed(&[0x4E00]), [0x4E, 0x00]);
        assert_eq!(packed(&[0xAC00]), [0x00, 0xAC, 0x00]);
        assert_eq!(packed(&[0x5000, 0x504D, 0x502D]), [0x50, 0x00, 0x4D, 0xA0]);
        assert_eq!(
            packed(&[0x5000, 0x504E, 0x502D]),
            [0x50, 0x00, 0x50, 0x4E, 0x50, 0x2D]
        );
        assert_eq!(
            packed(&[0x5000, 0x5001, 0x5003, 0x5004, 0x5005]),
            [0x50, 0x00, 0x01, 0x02, 0xC0]
        );
        assert_eq!(
            packed(&[0, 0x5000, 0, 0, 0x5001, 0]),
            [0xE0, 0x50, 0x00, 0xE1, 0x01, 0xE0]
        );
        let run: Vec<u16> = (0x5000..0x5022).collect();
        assert_eq!(packed(&run), [0x50, 0x00, 0xDF]);
        assert_eq!(packed(&[0; 33]), [0xFF, 0xE0]);
    }

    #[test]
    fn what_is_packed_is_unpacked_whatever_follows_what() {
        // Steps that are not a multiple of each other meet most pairs of codes.
        for (steps, units) in [(7, 0x1234_u16), (77, 0x80), (613, 0xF000), (32_749, 0x4E00)] {
            let units: Vec<u16> = (0..20_000_u32)
                .map(|i| units.wrapping_add((i * (i % 5) * steps / 3) as u16))
                .map(|unit| {
                    if matches!(unit, 0..0x80 | 0xD800..=0xDFFF) {
                        0
                    } else {
                        unit
                    }
                })
                .collect();
            assert!(pack("index-x.txt", &units).is_ok());
        }
    }

    #[test]
    fn ascii_and_surrogates_are_refused() {
        for unit in [0x41, 0x7F, 0xD800, 0xDFFF] {
            let message = pack("index-x.txt", &[0x80, unit])
                .expect_err("no other unit")
                .to_string();
            assert!(message.contains("pointer 1 is U+"), "{message}");
        }
    }
}
