//! Text that alternates between markup and prose, as real pages do: kernels have to choose a path for each.

use simdtext::Encoding;

use super::legacy::{encodings, fitter, strict};
use super::units::Unit;
use super::{Case, List, Outcome};
use crate::timing::{Contest, Pieces, Role};
use simdtext_bench::corpus::{Kind, Random, boundary};

pub(super) fn list(list: &mut List) {
    list.about("Pages with much text: stretches of 1 to 4 KiB of markup and of prose, in turn.")
        .usual("legacy-mixed-to-utf8", decode::<u8>);
    list.about("Pages with much text, to UTF-16.")
        .usual("legacy-mixed-to-utf16", decode::<u16>);
}

/// The encodings whose kernels have a path for each.
pub(super) const TEXTS: [(&str, &str); 6] = [
    ("GBK", "zh"),
    ("gb18030", "zh"),
    ("Big5", "zh-tw"),
    ("EUC-JP", "ja"),
    ("Shift_JIS", "ja"),
    ("EUC-KR", "ko"),
];

/// The name under which simdtext is also measured with the same stretches sorted: first all of the page, then
/// all prose.
const APART: &str = "simdtext, apart";

/// The shortest stretch, in bytes of UTF-8. The longest is four times as long.
const STRETCH: u32 = 1024;

/// The mixed text and its parts in order, in the encoding, one after another, because the contents of one
/// buffer move to other positions together. Returned with the ends of the text, of the page and of the prose.
fn mixed(
    page: &str,
    prose: &str,
    encoding: &'static Encoding,
) -> Result<(Vec<u8>, usize, usize), String> {
    let mut fitted = fitter(encoding);
    let (page, prose) = (fitted(page), fitted(prose));
    let mut random = Random(0x5EED);
    let mut text = String::new();
    // As long as both texts last.
    let (mut in_page, mut in_prose) = (0, 0);
    loop {
        let mut stretch = |of: &str, from: usize| {
            let len = STRETCH + random.below(3 * STRETCH + 1);
            boundary(of, from + usize::try_from(len).unwrap_or_default())
        };
        let (page_end, prose_end) = (stretch(&page, in_page), stretch(&prose, in_prose));
        if page_end == page.len() || prose_end == prose.len() {
            break;
        }
        text.push_str(&page[in_page..page_end]);
        text.push_str(&prose[in_prose..prose_end]);
        (in_page, in_prose) = (page_end, prose_end);
    }
    let mut bytes = strict(encoding, &text)?;
    let text = bytes.len();
    bytes.extend(strict(encoding, &page[..in_page])?);
    let page = bytes.len();
    bytes.extend(strict(encoding, &prose[..in_prose])?);
    Ok((bytes, text, page))
}

fn decode<D: Unit>(case: &Case<'_>) -> Outcome {
    let (encoding, peer) = encodings(case)?;
    let Some(prose) = case.corpus.legacy_text(case.subject.language, Kind::Dense) else {
        return Ok(None);
    };
    let (bytes, text, page) = mixed(case.text, &prose, encoding)?;
    Contest::<u8, D>::converting(Pieces::new([bytes]).counting(text), D::GROWTH)
        .ours(move |src, dst| D::decode(encoding, &src[..text], dst))
        .peer("encoding_rs", move |src, dst| {
            D::peer_decode(peer, &src[..text], dst)
        })
        .enter(Role::Limit, APART, move |src, dst| {
            let written = D::decode(encoding, &src[text..page], dst);
            written + D::decode(encoding, &src[page..], &mut dst[written..])
        })
        .run(case.effort)
}
