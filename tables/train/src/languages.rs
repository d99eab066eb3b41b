//! The languages of single-byte encodings, and the texts from which they are learnt.

/// A language, and the texts from which it is learnt.
pub(crate) struct Language {
    pub(crate) code: &'static str,
    /// Declarations, which also say which letters it has.
    pub(crate) texts: &'static [&'static str],
    /// Treebanks.
    pub(crate) sentences: &'static [&'static str],
    pub(crate) latin: bool,
    /// The encodings it is written in, if not all that have its letters.
    pub(crate) encodings: &'static [&'static str],
}

const fn latin(
    code: &'static str,
    texts: &'static [&'static str],
    sentences: &'static [&'static str],
) -> Language {
    Language {
        code,
        texts,
        sentences,
        latin: true,
        encodings: &[],
    }
}

const fn other(
    code: &'static str,
    texts: &'static [&'static str],
    sentences: &'static [&'static str],
) -> Language {
    Language {
        code,
        texts,
        sentences,
        latin: false,
        encodings: &[],
    }
}

pub(crate) const LANGUAGES: [Language; 42] = [
    // A line for each language.
    latin("en", &["eng"], &["en_pud-ud-test"]),
    latin("fr", &["fra"], &["fr_pud-ud-test"]),
    latin("de", &["deu_1996", "deu_1901"], &["de_pud-ud-test"]),
    latin("es", &["spa"], &["es_pud-ud-test"]),
    latin("pt", &["por_PT", "por_BR"], &["pt_pud-ud-test"]),
    latin("it", &["ita"], &["it_pud-ud-test"]),
    latin("nl", &["nld"], &["nl_lassysmall-ud-test"]),
    latin("sv", &["swe"], &["sv_pud-ud-test"]),
    latin(
        "da",
        &["dan", "nob", "nno"],
        &["da_ddt-ud-test", "no_bokmaal-ud-test"],
    ),
    latin("fi", &["fin"], &["fi_pud-ud-test"]),
    latin("is", &["isl"], &["is_pud-ud-test"]),
    latin("fo", &["fao"], &["fo_oft-ud-test"]),
    latin("ca", &["cat"], &[]),
    latin("sq", &["als"], &[]),
    latin("ga", &["gle"], &["ga_idt-ud-test"]),
    latin("cy", &["cym"], &["cy_ccg-ud-test"]),
    latin("cs", &["ces"], &["cs_pud-ud-test"]),
    latin("sk", &["slk"], &["sk_snk-ud-test"]),
    latin("pl", &["pol"], &["pl_pud-ud-test"]),
    latin("hu", &["hun"], &[]),
    latin("ro", &["ron_2006", "ron_1993"], &["ro_rrt-ud-test"]),
    latin(
        "hr",
        &["hrv", "bos_latn", "srp_latn", "slv"],
        &["hr_set-ud-test", "sl_ssj-ud-test"],
    ),
    latin("et", &["est"], &[]),
    latin("lv", &["lav"], &["lv_lvtb-ud-dev"]),
    latin("lt", &["lit"], &["lt_alksnis-ud-test"]),
    latin("tr", &["tur"], &["tr_pud-ud-test"]),
    latin("mt", &["mlt"], &["mt_mudt-ud-test"]),
    latin("eo", &["epo"], &[]),
    latin("vi", &["vie"], &[]),
    latin("se", &["sme"], &[]),
    // The library takes these two to be rare (`RARE_LANGUAGES`): Kurdish, and western languages of few legacy texts together.
    latin("ku", &["kmr"], &[]),
    Language {
        code: "oc",
        texts: &[
            "oci_1",
            "oci_2",
            "oci_3",
            "oci_4",
            "bre",
            "fur",
            "src",
            "roh",
            "fri",
            "ltz",
            "glg",
            "eus",
            "cos",
            "wln",
            "ast",
            "lld",
            "lij",
            "afr",
            "quz",
            "ayr",
            "wol",
            "hat_kreyol",
        ],
        sentences: &[],
        latin: true,
        encodings: &["windows-1252", "macintosh"],
    },
    other("ru", &["rus"], &["ru_pud-ud-test"]),
    other("uk", &["ukr"], &["uk_parlamint-ud-test"]),
    other("be", &["bel"], &["be_hse-ud-test"]),
    other("bg", &["bul"], &[]),
    other("sr", &["srp_cyrl", "mkd"], &[]),
    other("el", &["ell_monotonic"], &["el_gud-ud-test"]),
    other("he", &["heb"], &["he_iahltwiki-ud-test"]),
    other("ar", &["arb"], &["ar_pud-ud-test"]),
    other("fa", &["pes_1"], &[]),
    other("th", &["tha"], &["th_pud-ud-test"]),
];

/// Prose with letters that the declaration lacks, or has much less often than other texts: in Italian, "è" is hardly ever
/// in a law. Nothing that follows is among the texts with which detection is measured.
pub(crate) fn more(code: &str) -> &'static str {
    match code {
        "cy" => WELSH,
        "fr" => FRENCH,
        "it" => ITALIAN,
        "nl" => DUTCH,
        _ => "",
    }
}

const FRENCH: &str = " L'œuvre du chœur lui tient à cœur. Ma sœur a mangé des œufs et du bœuf. Le nœud de la corde, \
    ses vœux et ses mœurs : un œil neuf sur la manœuvre. ";

const ITALIAN: &str = " Il mare è calmo e il cielo è grigio. Non è tardi, ma è già buio: perché non vieni? Questo è il libro che cercavo \
    da più di un anno. È vero che la casa è piccola, però è comoda e costa di meno. Oggi è lunedì, cioè un giorno come gli \
    altri. Dov'è la chiave? C'è ancora un po' di pane, e il vino è finito. Se è così, va bene. Lui è più alto di me, ma io sono \
    più veloce. La risposta è semplice: non si può fare tutto. La strada è lunga e non è facile. Chi è là? Non c'è nessuno né \
    qui né lì. Ciò che conta è la qualità. Sì, è possibile, purché sia presto. Il prezzo è alto poiché la città è grande. Andrò \
    a piedi, e tu verrai domani mattina. Il caffè è pronto. ";

const DUTCH: &str = " Het programma is geïnstalleerd en het idee wordt geïmplementeerd. De ideeën van één persoon zijn er vóór alles, \
    en wel ergens in België of Italië. Zij is financiële directeur, coördineert de reünie en is heel efficiënt. De \
    patiënten zijn beïnvloed en geïnteresseerd in poëzie. Één café, twee cafés, drie categorieën. Zo'n ruïne wordt \
    geïsoleerd, geïllustreerd en gefinancierd. Hoe reëel is de coöperatie na de vacature, de scène en de crème? Het \
    geïntegreerde systeem gebruikt geüploade bestanden, variëteiten, kopieën en geëxporteerde tabellen. Dat is beëindigd en \
    gecreëerd met hèt oog op de knieën van de zeeën. Vóór het weekend wordt er één coëfficiënt toegevoegd. ";

/// Words with those letters of Welsh that the printed declaration lacks.
const WELSH: &str = " dŵr tŷ gŵr cŵn sŵn gŵyl hŷn ŷd tŷ dŵr llŷn gŵyr ffŵl ŷch tŷ dŵr Ŵyl Ŷd gŵydd cŵyn stŵr tŷ gŵyn ŵyn ŵy \
    cŷn tŷ dŵr brŵd môr tân cân bêl tŷ dŵr pŵer tŵr glanhau'r dŵr o'r tŷ ";
