//! The tags of a document according to html5gum.
//!
//! Its tokenizer is generic, and optimising it takes longer than the tests that compare with it: a package of its own is
//! compiled without optimisation.

use html5gum::{DefaultEmitter, Token, Tokenizer};

/// A tag `meta`.
#[derive(Debug)]
pub struct Meta(html5gum::StartTag<()>);

impl Meta {
    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &[u8]) -> Option<&[u8]> {
        self.0.attributes.get(name).map(|value| value.as_slice())
    }
}

/// The `meta` tags of a document, in order.
#[must_use]
pub fn metas(document: &[u8]) -> Vec<Meta> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(document, emitter)
        .filter_map(|token| match token {
            Ok(Token::StartTag(tag)) if **tag.name == *b"meta" => Some(Meta(tag)),
            _ => None,
        })
        .collect()
}
