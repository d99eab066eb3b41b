//! Decides which encoding a value is in.

use simdtext::detect::{Reason, detect};
use simdtext::sniff::{Evidence, resolve};
use simdtext::{Bom, Encoding};

use crate::labels::Choice;
use crate::options::DecodeOptions;
use crate::report::Known;

/// The encoding of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// `None` if its text is to be null.
    pub(crate) encoding: Option<&'static Encoding>,
    /// `None` if there is no label.
    pub(crate) known: Option<Known>,
    /// The length of the byte order mark that is to be removed.
    pub(crate) mark: usize,
}

/// Decides about a value, including its byte order mark.
pub(crate) fn decide(choice: Choice, bytes: &[u8], options: &DecodeOptions<'_>) -> Decision {
    let (encoding, known) = match choice {
        Choice::Null => (None, None),
        Choice::Labelled(encoding) => (Some(encoding), Some(Known::Label)),
        Choice::Fallback(encoding) => (Some(encoding), Some(Known::Fallback)),
        Choice::Auto => find_out(bytes, options),
    };
    let marked = match (encoding, options.bom) {
        (None, _) | (_, Bom::Keep) => None,
        (Some(_), Bom::Sniff) => Encoding::for_bom(bytes),
        (Some(encoding), _) => Encoding::for_bom(bytes).filter(|(found, _)| *found == encoding),
    };
    match marked {
        Some((found, mark)) => Decision {
            encoding: Some(found),
            known: if options.bom == Bom::Sniff {
                Some(Known::Bom)
            } else {
                known
            },
            mark,
        },
        None => Decision {
            encoding,
            known,
            mark: 0,
        },
    }
}

/// Uses what the value and the hints say, or else a guess.
fn find_out(
    bytes: &[u8],
    options: &DecodeOptions<'_>,
) -> (Option<&'static Encoding>, Option<Known>) {
    let decision = resolve(&options.hints, bytes, true);
    let known = match decision.evidence {
        Evidence::Bom => Known::Bom,
        Evidence::Override => Known::Label,
        Evidence::Transport => Known::Transport,
        Evidence::Prescan => Known::Prescan,
        Evidence::LateMeta => Known::LateMeta,
        Evidence::Environment => Known::Environment,
        Evidence::Utf8Valid => Known::Utf8,
        _ => return guess(bytes, options),
    };
    (Some(decision.encoding), Some(known))
}

fn guess(bytes: &[u8], options: &DecodeOptions<'_>) -> (Option<&'static Encoding>, Option<Known>) {
    let guess = detect(bytes, true, &options.detection);
    let known = match guess.reason {
        Reason::Ascii => Known::Ascii,
        Reason::Utf8 => Known::Utf8,
        Reason::Bom => Known::Bom,
        Reason::Binary(_) => Known::Binary,
        Reason::Utf32 { .. } => Known::Utf32,
        Reason::Implausible => Known::Implausible,
        _ => Known::Detected,
    };
    match (guess.encoding, options.hints.fallback) {
        (Some(encoding), _) => (Some(encoding), Some(known)),
        (None, Some(fallback)) => (Some(fallback), Some(Known::Fallback)),
        (None, None) => (None, Some(known)),
    }
}
