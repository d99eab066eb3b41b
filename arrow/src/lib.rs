#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod batches;
mod blocks;
mod decide;
mod decode;
mod encode;
mod error;
mod labels;
mod options;
mod output;
mod report;
mod reuse;
mod rows;
#[cfg(test)]
mod tests;

/// The guide, `docs/arrow.md`; its examples run as tests.
#[doc = include_str!("../../docs/arrow.md")]
#[cfg(doctest)]
pub struct Guide;

pub use batches::{decode_batches, encode_batches};
pub use decode::{decode, decode_text};
pub use encode::encode;
pub use error::Error;
pub use labels::Labels;
pub use options::{
    Column, Columns, DecodeOptions, EncodeOptions, OnMalformed, OnUnmappable, WithoutEncoding,
};
pub use reuse::Reuse;
