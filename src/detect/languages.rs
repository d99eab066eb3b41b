//! The names of the languages, for messages.

/// The English name of a language of a [`Candidate`](super::Candidate) or a [`Reason`](super::Reason), given as two
/// letters of ISO 639-1. `None` for any other language.
///
/// ```
/// use simdtext::detect::language_name;
///
/// assert_eq!(language_name("ru"), Some("Russian"));
/// assert_eq!(language_name(""), None);
/// ```
#[must_use]
pub fn language_name(language: &str) -> Option<&'static str> {
    let mut all = NAMES.lines().filter_map(|line| line.split_once(' '));
    all.find_map(|(code, name)| (code == language).then_some(name))
}

/// A line for each language. One string is smaller in a program than a table of strings.
const NAMES: &str = "\
ar Arabic
be Belarusian
bg Bulgarian
ca Catalan
cs Czech
cy Welsh
da Danish
de German
el Greek
en English
eo Esperanto
es Spanish
et Estonian
fa Persian
fi Finnish
fo Faroese
fr French
ga Irish
he Hebrew
hr Croatian
hu Hungarian
is Icelandic
it Italian
ja Japanese
ko Korean
ku Kurdish
lt Lithuanian
lv Latvian
mt Maltese
nl Dutch
oc Occitan
pl Polish
pt Portuguese
ro Romanian
ru Russian
se Northern Sami
sk Slovak
sq Albanian
sr Serbian
sv Swedish
th Thai
tr Turkish
uk Ukrainian
vi Vietnamese
zh Chinese
";
