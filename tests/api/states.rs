//! What decoders and encoders hold from one call to the next, and outputs that are not slices of bytes.

use simdtext::{Bom, Encoding, ISO_2022_JP, REPLACEMENT, Status, UTF_8, UTF_16LE, Unmappable};

#[test]
fn the_index_of_an_encoding_is_its_place_among_all() {
    for (i, encoding) in Encoding::all().iter().enumerate() {
        assert_eq!(encoding.index(), i);
    }
}

#[test]
fn what_is_pending_is_what_was_read_and_not_decoded() {
    let mut decoder = simdtext::GB18030.decoder(Bom::Keep);
    let mut dst = [0; 16];
    for (byte, pending) in [
        (0x81, &b"\x81"[..]),
        (0x30, b"\x81\x30"),
        (0x81, b"\x81\x30\x81"),
        (0x30, b""),
    ] {
        assert!(decoder.decode_to_utf8(&[byte], &mut dst, false).status == Status::InputEmpty);
        assert_eq!(decoder.pending(), pending);
        assert_eq!(decoder.is_in_initial_state(), pending.is_empty());
    }
}

#[test]
fn a_byte_order_mark_may_come_until_it_is_decided() {
    let mut dst = [0; 16];
    let mut decoder = UTF_16LE.decoder(Bom::Sniff);
    assert!(decoder.is_at_bom() && !decoder.is_in_initial_state());
    let _ = decoder.decode_to_utf8(b"\xEF\xBB", &mut dst, false);
    assert!(decoder.is_at_bom());
    assert_eq!(decoder.pending(), b"\xEF\xBB");
    let _ = decoder.decode_to_utf8(b"\xBF", &mut dst, false);
    assert!(!decoder.is_at_bom() && decoder.is_in_initial_state());
    assert_eq!(decoder.encoding(), UTF_8);
    assert!(!UTF_8.decoder(Bom::Keep).is_at_bom());
}

#[test]
fn states_that_no_pending_byte_shows() {
    let mut dst = [0; 16];
    let mut decoder = ISO_2022_JP.decoder(Bom::Keep);
    for (piece, is_initial) in [(&b"\x1B$B"[..], false), (b"\x1B(B", false), (b"a", true)] {
        let _ = decoder.decode_to_utf8(piece, &mut dst, false);
        assert_eq!(decoder.is_in_initial_state(), is_initial);
    }
    let mut decoder = REPLACEMENT.decoder(Bom::Keep);
    assert!(decoder.is_in_initial_state());
    let _ = decoder.decode_to_utf8(b"a", &mut dst, false);
    assert!(!decoder.is_in_initial_state());
}

#[test]
fn an_encoder_says_whether_the_end_writes_anything() {
    let mut dst = [0; 16];
    let mut encoder = UTF_8.encoder().unwrap();
    let _ = encoder.encode_from_utf16(&[0xD800], &mut dst, false, Unmappable::Strict);
    assert!(encoder.has_pending_output());
    let mut encoder = ISO_2022_JP.encoder().unwrap();
    for (text, has_output) in [("a", false), ("日", true), ("a", false), ("\u{A5}", true)] {
        let _ = encoder.encode_from_utf8(text, &mut dst, false, Unmappable::Strict);
        assert_eq!(encoder.has_pending_output(), has_output, "{text}");
    }
}

#[test]
fn a_str_stays_a_str_whatever_is_written_over_it() {
    let inputs: [&[u8]; 4] = [
        b"a\xFFb",
        b"\xE4\xBD\xA0 \xF0\x9F\x92\xA9\x80",
        b"abc",
        b"\x93\xFA",
    ];
    for encoding in Encoding::all() {
        for room in 0..200_usize {
            for filler in ["x", "é", "日", "💩"] {
                let text: String = filler.repeat(room.div_ceil(filler.len()));
                let len = text.len();
                for input in inputs {
                    let mut bytes = vec![0; len];
                    let expected = encoding
                        .decoder(Bom::Sniff)
                        .decode_to_utf8(input, &mut bytes, true);
                    let mut text = text.clone();
                    let progress = encoding
                        .decoder(Bom::Sniff)
                        .decode_to_str(input, &mut text, true);
                    assert_eq!(progress, expected, "{encoding}, {room}");
                    assert_eq!(
                        &text.as_bytes()[..progress.written],
                        &bytes[..progress.written]
                    );
                    assert!(
                        std::str::from_utf8(text.as_bytes()).is_ok(),
                        "{encoding}, {room}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_lies_far_behind_the_text_in_a_str_stays() {
    let mut text = "é".repeat(1000);
    let progress = UTF_8
        .decoder(Bom::Keep)
        .decode_to_str_strict(b"ab\xFF", &mut text, true);
    assert_eq!((progress.written, progress.errors), (2, 1));
    assert!(text.starts_with("ab\0"));
    assert!(text[200..].chars().all(|ch| ch == 'é'));
}

#[test]
fn a_vector_is_filled_and_never_grows() {
    let mut bytes = Vec::with_capacity(16);
    bytes.extend(b"ab");
    let room = bytes.capacity();
    let mut encoder = simdtext::SHIFT_JIS.encoder().unwrap();
    let text = "日本".repeat(100);
    let progress = encoder.encode_to_vec(&text, &mut bytes, true, Unmappable::Strict);
    assert_eq!(progress.status, Status::OutputFull);
    assert_eq!(
        (bytes.capacity(), bytes.len()),
        (room, 2 + progress.written)
    );
    assert!(bytes.starts_with(b"ab\x93\xFA\x96{"));
}

#[test]
fn a_text_may_have_more_bytes_than_there_is_room_for_units_and_fit() {
    let mut dst = [0; 128];
    for text in ["あ", "я", "a", "aя", "aあ", "aaaaaaaaあ", "\u{1F600}"] {
        for (room, count) in
            (1..=dst.len()).flat_map(|room| (1..=room).map(move |count| (room, count)))
        {
            // ASCII first takes another way.
            let text = ["a".repeat(count % 32), text.repeat(count)].concat();
            let mut decoder = UTF_8.decoder(Bom::Keep);
            let progress = decoder.decode_to_utf16(text.as_bytes(), &mut dst[..room], true);
            let units: Vec<u16> = text.encode_utf16().collect();
            if units.len() <= room {
                assert_eq!(
                    (progress.status, progress.read),
                    (Status::InputEmpty, text.len())
                );
            }
            assert!(units.starts_with(&dst[..progress.written]));
        }
    }
}

#[test]
fn the_length_of_utf8_counts_a_surrogate_that_is_held() {
    for encoding in [UTF_8, UTF_16LE, simdtext::GB18030] {
        let mut encoder = encoding.encoder().unwrap();
        let mut dst = [0; 16];
        let _ = encoder.encode_from_utf16(&[0xD800], &mut dst, false, Unmappable::Strict);
        let room = encoder.max_len_from_utf8(1).unwrap();
        let progress = encoder.encode_from_utf8("a", &mut dst[..room], true, Unmappable::Strict);
        assert_eq!(progress.status, Status::InputEmpty, "{encoding}");
        let whole = encoding.encode("\u{FFFD}a", Unmappable::Strict).unwrap();
        assert_eq!(dst[..progress.written], *whole.bytes);
    }
}
