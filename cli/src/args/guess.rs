//! The flags about guesses.

#[derive(Debug, clap::Args)]
pub(crate) struct GuessArgs {
    /// When guessing, prefer the languages of this top-level domain, such as jp
    ///
    /// The last part of the host name that the files come from. It decides between
    /// encodings that are about equally plausible, and never overrules anything certain.
    #[arg(long, value_name = "TLD")]
    pub(crate) tld: Option<String>,
}
