//! Content codings: gzip, deflate, brotli, zstd.

use std::cell::RefCell;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use zstd::zstd_safe::DCtx;

use crate::inflate;
use crate::limits::{Limits, Unpacked};
use crate::rejected::{Reason, Rejection};

/// A coding that a response names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// The largest window of zstd that browsers accept: 8 MiB (RFC 9659).
const ZSTD_WINDOW: u32 = 23;

thread_local! {
    /// To make one takes longer than to decompress a small page.
    static ZSTD_CONTEXT: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

impl Coding {
    /// By its name in lower case. `None` for `identity` and what nobody knows.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// What the body was before, or the body itself where it does not look like this coding.
    pub(super) fn undo(self, body: Vec<u8>, limits: &Limits) -> Result<Unpacked, Rejection> {
        let packed = body.len() as u64;
        let unpacked = match self {
            Self::Gzip if body.starts_with(&[0x1F, 0x8B]) => {
                in_one_step(inflate::gzip_members(&body), limits)
                    .unwrap_or_else(|| limits.unpack(MultiGzDecoder::new(&body[..]), packed))
            }
            Self::Deflate | Self::Brotli => {
                let is_text = is_text(&body);
                let mut rest = &body[..];
                let unpacked = self.undo_without_mark(&mut rest, is_text, limits);
                match unpacked {
                    // Few texts are valid from their start to their end; more begin like something valid.
                    Ok(Unpacked { bytes, truncated })
                        if is_text && (truncated || bytes.is_empty() || !rest.is_empty()) =>
                    {
                        return Ok(as_it_is(body));
                    }
                    Err(error) if is_text && error.reason == Reason::Damaged => {
                        return Ok(as_it_is(body));
                    }
                    unpacked => unpacked,
                }
            }
            Self::Zstd if body.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) => ZSTD_CONTEXT
                .with_borrow_mut(|context| {
                    let mut decoder = zstd::stream::read::Decoder::with_context(&body[..], context);
                    match decoder.window_log_max(ZSTD_WINDOW) {
                        Ok(()) => limits.unpack(decoder, packed),
                        Err(error) => Err(Rejection::new(Reason::Damaged, error.to_string())),
                    }
                }),
            Self::Gzip | Self::Zstd => return Ok(as_it_is(body)),
        };
        match unpacked {
            Err(error) if error.reason == Reason::Damaged => Err(Rejection {
                detail: format!("its {} coding: {}", self.name(), error.detail),
                ..error
            }),
            unpacked => unpacked,
        }
    }

    /// What the body was before, by a coding that has no mark at its front. What was not read is left in `rest`, exactly so
    /// if the body may be text.
    fn undo_without_mark(
        self,
        rest: &mut &[u8],
        is_text: bool,
        limits: &Limits,
    ) -> Result<Unpacked, Rejection> {
        let body = *rest;
        let packed = body.len() as u64;
        if self == Self::Brotli {
            let buffer = if is_text { 1 } else { 4096 };
            return limits.unpack(brotli_decompressor::Decompressor::new(rest, buffer), packed);
        }
        // As zlib, which is what the name means, or without its header, as some servers send it.
        let is_zlib = is_zlib(body);
        let bytes = if is_zlib {
            inflate::zlib(body)
        } else {
            inflate::deflate(body)
        };
        if let Some(unpacked) = in_one_step(bytes, limits) {
            *rest = &[];
            return unpacked;
        }
        if is_zlib {
            limits.unpack(ZlibDecoder::new(rest), packed)
        } else {
            limits.unpack(DeflateDecoder::new(rest), packed)
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }
}

/// What was decompressed, unless it must be streamed to find out what is wrong with it.
fn in_one_step(bytes: Option<Vec<u8>>, limits: &Limits) -> Option<Result<Unpacked, Rejection>> {
    let bytes = bytes.filter(|it| it.len() as u64 <= limits.max_record)?;
    Some(Ok(as_it_is(bytes)))
}

fn as_it_is(bytes: Vec<u8>) -> Unpacked {
    Unpacked {
        bytes,
        truncated: false,
    }
}

fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [method, flags, ..]
        if method & 0x0F == 8 && u16::from_be_bytes([*method, *flags]) % 31 == 0)
}

fn is_text(body: &[u8]) -> bool {
    !body
        .iter()
        .take(512)
        .any(|byte| simdtext::detect::is_binary_control(*byte))
}
