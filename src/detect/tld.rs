//! The language to expect from the last label of a host name.

/// The language for a label in any case; none if several languages are usual, or nothing is known.
pub(super) fn language(label: &[u8]) -> Option<&'static str> {
    // Labels that are also codes of languages.
    const SAME: [&str; 21] = [
        "bg", "de", "es", "fi", "fo", "fr", "hr", "hu", "is", "it", "lt", "lv", "mt", "nl", "pl",
        "pt", "ro", "ru", "sk", "th", "tr",
    ];
    const OTHERS: [(&[u8], &str); 34] = [
        (b"ae", "ar"),
        (b"al", "sq"),
        (b"at", "de"),
        (b"ba", "hr"),
        (b"br", "pt"),
        (b"by", "be"),
        (b"cn", "zh"),
        (b"cz", "cs"),
        (b"dk", "da"),
        (b"ee", "et"),
        (b"eg", "ar"),
        (b"gr", "el"),
        (b"hk", "zh"),
        (b"ie", "ga"),
        (b"il", "he"),
        (b"iq", "ar"),
        (b"ir", "fa"),
        (b"jo", "ar"),
        (b"jp", "ja"),
        (b"kr", "ko"),
        (b"kw", "ar"),
        (b"mk", "sr"),
        (b"mx", "es"),
        (b"no", "da"),
        (b"rs", "sr"),
        (b"sa", "ar"),
        (b"se", "sv"),
        (b"si", "hr"),
        (b"su", "ru"),
        (b"sy", "ar"),
        (b"tw", "zh"),
        (b"ua", "uk"),
        (b"vn", "vi"),
        (b"ye", "ar"),
    ];
    let other = OTHERS
        .iter()
        .find(|(name, _)| label.eq_ignore_ascii_case(name));
    let same = || {
        SAME.iter()
            .find(|name| label.eq_ignore_ascii_case(name.as_bytes()))
    };
    other
        .map(|(_, language)| *language)
        .or_else(|| same().copied())
}
