//! The language to expect from the last label of a host name.

/// A label, given in any case, and its language; none if several languages are usual, or nothing is known.
pub(super) fn label_and_language(label: &str) -> Option<(&'static str, &'static str)> {
    // Labels that are also codes of languages.
    const SAME: [&str; 21] = [
        "bg", "de", "es", "fi", "fo", "fr", "hr", "hu", "is", "it", "lt", "lv", "mt", "nl", "pl",
        "pt", "ro", "ru", "sk", "th", "tr",
    ];
    const OTHERS: [(&str, &str); 34] = [
        ("ae", "ar"),
        ("al", "sq"),
        ("at", "de"),
        ("ba", "hr"),
        ("br", "pt"),
        ("by", "be"),
        ("cn", "zh"),
        ("cz", "cs"),
        ("dk", "da"),
        ("ee", "et"),
        ("eg", "ar"),
        ("gr", "el"),
        ("hk", "zh"),
        ("ie", "ga"),
        ("il", "he"),
        ("iq", "ar"),
        ("ir", "fa"),
        ("jo", "ar"),
        ("jp", "ja"),
        ("kr", "ko"),
        ("kw", "ar"),
        ("mk", "sr"),
        ("mx", "es"),
        ("no", "da"),
        ("rs", "sr"),
        ("sa", "ar"),
        ("se", "sv"),
        ("si", "hr"),
        ("su", "ru"),
        ("sy", "ar"),
        ("tw", "zh"),
        ("ua", "uk"),
        ("vn", "vi"),
        ("ye", "ar"),
    ];
    let same = SAME.iter().map(|both| (*both, *both));
    let mut all = OTHERS.into_iter().chain(same);
    all.find(|(name, _)| label.eq_ignore_ascii_case(name))
}
