//! The flags that say what may be guessed.

use simdtext::detect::Options;

#[derive(Debug, clap::Args)]
pub(crate) struct GuessArgs {
    /// With --from=auto, look for UTF-16 without a byte order mark too
    #[arg(long = "guess-utf16")]
    pub(crate) utf16: bool,

    /// With --from=auto, the top-level domain that the files come from, such as jp
    ///
    /// It tips the scales towards the languages of that country.
    #[arg(long, value_name = "TLD")]
    pub(crate) tld: Option<String>,
}

impl GuessArgs {
    /// What the library is to be told.
    pub(crate) fn options(&self) -> Options<'_> {
        let tld = self.tld.as_deref().map(|tld| tld.trim_start_matches('.'));
        Options {
            tld: tld.map(str::as_bytes),
            guess_utf_16: self.utf16,
            ..Options::default()
        }
    }
}
