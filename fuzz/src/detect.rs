//! Detection, and text in several encodings, compared with simple definitions.

use simdtext::detect::{BinaryScan, Detector, Options, Reason, detect as guess};
use simdtext::sniff::{Evidence, FirstValid, Segments, undo_double_encoding};
use simdtext::{Bom, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};

/// The first two bytes are options, the rest is text.
pub fn detect(data: &[u8]) {
    let [flags, cut, bytes @ ..] = data else {
        return;
    };
    let label = std::str::from_utf8(&bytes[..bytes.len().min(2)]).ok();
    let tld = label.filter(|_| flags & 8 != 0);
    let options = Options::new()
        .tld(tld)
        .allow_utf8(flags & 1 != 0)
        .sample(usize::from(*cut) * 4);
    let found = guess(bytes, flags & 4 != 0, &options);
    match found.reason {
        Reason::Utf32 { .. } | Reason::Binary(_) | Reason::Implausible => {
            assert_eq!(found.encoding, None);
        }
        Reason::Bom => assert_eq!(
            Encoding::for_bom(bytes).map(|(encoding, _)| encoding),
            found.encoding
        ),
        _ => assert!(found.encoding.is_some() && Encoding::for_bom(bytes).is_none()),
    }
    let mut scan = BinaryScan::new();
    let (front, back) = bytes.split_at(usize::from(*cut).min(bytes.len()));
    let mut in_pieces = scan.clone();
    scan.feed(bytes);
    in_pieces.feed(front);
    in_pieces.feed(back);
    assert_eq!(scan.finish(), in_pieces.finish());
    let mut detector = Detector::new(&options);
    let _ = detector.feed(front) && detector.feed(back);
    let whole = if flags & 4 != 0 {
        detector.finish()
    } else {
        detector.guess()
    };
    assert_eq!(whole, found);
    if let Reason::Binary(binary) = found.reason {
        assert!((binary.offset as usize) < bytes.len() && binary.count > 0);
    }
    if found.evidence == Evidence::Utf8Valid {
        let error = std::str::from_utf8(bytes).err();
        assert!(error.is_none_or(|error| flags & 4 == 0 && error.error_len().is_none()));
    }
    if let (Some(first), Some(encoding)) = (found.candidates().next(), found.encoding) {
        let is_first = first.encoding == encoding;
        assert!(is_first || (first.encoding, encoding) == (GBK, GB18030));
    }
    assert!(
        found
            .candidates()
            .is_sorted_by_key(|candidate| candidate.cost)
    );

    let list = [ISO_2022_JP, SHIFT_JIS, GB18030];
    let cut = usize::from(*cut).min(bytes.len());
    let mut first = FirstValid::new(&list);
    first.feed(&bytes[..cut]);
    first.feed(&bytes[cut..]);
    let is_valid = |encoding: &'static Encoding| encoding.decode_strict(bytes, Bom::Strip).is_ok();
    let is_escaped = bytes.is_ascii() && bytes.contains(&0x1B) && is_valid(ISO_2022_JP);
    let expected = if is_escaped {
        Some(ISO_2022_JP)
    } else {
        [UTF_8].into_iter().chain(list).find(|it| is_valid(it))
    };
    assert_eq!(first.finish(), expected);

    let mut end = 0;
    for segment in Segments::new(bytes, &list, |_| WINDOWS_1252) {
        assert_eq!(segment.range.start, end);
        assert!(segment.range.end > end);
        end = segment.range.end;
    }
    assert_eq!(end, bytes.len());

    let text = String::from_utf8_lossy(bytes);
    if let Some(undone) = undo_double_encoding(&text, WINDOWS_1252) {
        let doubled = WINDOWS_1252.decode_with_bom(undone.as_bytes(), Bom::Keep).text;
        assert_eq!(doubled, text);
    }
}
