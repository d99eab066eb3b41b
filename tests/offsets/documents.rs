//! Documents of 2 to 64 KiB in mixed encodings, as an indexer meets them: some come with a Content-Type that
//! states the encoding, some do not.
//!
//! Each consists of whole lines of a longer text.

use simdtext::{Encoding, Unmappable};

/// The encodings of texts in a language. UTF-8 is listed several times, because it is frequent.
const ENCODINGS: [(&str, &[&str]); 15] = [
    ("ar", &["windows-1256", "utf-8"]),
    ("cs", &["iso-8859-2", "windows-1250", "utf-8"]),
    ("de", &["windows-1252", "utf-8"]),
    ("el", &["windows-1253", "iso-8859-7"]),
    ("en", &["windows-1252", "utf-8"]),
    ("fr", &["windows-1252", "utf-8"]),
    ("he", &["windows-1255"]),
    ("ja", &["shift_jis", "euc-jp", "iso-2022-jp", "utf-8"]),
    ("ko", &["euc-kr", "utf-8"]),
    ("ru", &["windows-1251", "koi8-r", "utf-8"]),
    ("th", &["windows-874"]),
    ("tr", &["windows-1254"]),
    ("vi", &["utf-8"]),
    ("zh-hans", &["gbk", "gb18030", "utf-8"]),
    ("zh-hant", &["big5"]),
];

const SHORTEST: usize = 2 * 1024;
const LONGEST: usize = 64 * 1024;

/// A text in one encoding.
#[derive(Debug)]
struct Encoded {
    encoding: &'static Encoding,
    content_type: String,
    bytes: Vec<u8>,
    /// The start of each line.
    lines: Vec<usize>,
}

/// All texts, in all their encodings.
#[derive(Debug)]
pub(crate) struct Library(Vec<Encoded>);

/// A document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document<'a> {
    pub(crate) bytes: &'a [u8],
    /// The encoding.
    pub(crate) encoding: &'static Encoding,
    /// The Content-Type that it comes with. Every other document has none.
    pub(crate) content_type: Option<&'a str>,
}

impl Library {
    /// `text` returns the text of a language.
    pub(crate) fn new(text: impl Fn(&str) -> String) -> Self {
        let mut all = Vec::new();
        for (language, labels) in ENCODINGS {
            let mut text = text(language);
            if !text.ends_with('\n') {
                text.push('\n');
            }
            let text = text.repeat(1 + 2 * LONGEST / text.len());
            for label in labels {
                let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
                let (mut bytes, mut lines) = (Vec::new(), Vec::new());
                // Line by line, so that in ISO-2022-JP each begins and ends in ASCII.
                for line in text.split_inclusive('\n') {
                    if bytes.len() > 4 * LONGEST {
                        break;
                    }
                    let encoded = encoding.encode(line, Unmappable::Ncr);
                    lines.push(bytes.len());
                    bytes.extend_from_slice(&encoded.expect("it has an encoder").bytes);
                }
                all.push(Encoded {
                    encoding,
                    content_type: format!("text/plain; charset={label}"),
                    bytes,
                    lines,
                });
            }
        }
        Library(all)
    }

    /// This number of documents, always the same ones. Their lengths are spread evenly over the powers of
    /// two.
    pub(crate) fn documents(&self, count: usize) -> Vec<Document<'_>> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 33).unwrap_or(0) % limit.max(1)
        };
        let doublings = (LONGEST / SHORTEST).ilog2() as usize;
        let document = |i: usize| {
            let text = &self.0[below(self.0.len())];
            let len = SHORTEST << below(doublings);
            let len = len + below(len);
            let start = text.lines[below(text.lines.len() / 2)];
            let end = text.lines.partition_point(|line| *line <= start + len);
            let end = text.lines.get(end).map_or(text.bytes.len(), |end| *end);
            Document {
                bytes: &text.bytes[start..end.min(start + LONGEST)],
                encoding: text.encoding,
                content_type: i.is_multiple_of(2).then_some(&*text.content_type),
            }
        };
        (0..count).map(document).collect()
    }
}
