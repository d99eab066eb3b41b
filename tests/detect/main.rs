//! `simdtext::detect`: what it must recognise whatever its model contains, and that it recognises the samples
//! of this repository.

mod binary;
mod detector;
mod samples;
mod unicode;

use std::collections::HashSet;

use proptest::prelude::*;
use simdtext::detect::{
    Guess, MAX_CANDIDATES, Options, Reason, candidates_in, detect, language_name,
};
use simdtext::sniff::{Confidence, Evidence};
use simdtext::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, ISO_8859_2, ISO_8859_5, ISO_8859_15,
    KOI8_R, MACINTOSH, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, Unmappable, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1257, X_MAC_CYRILLIC,
};

fn guess(bytes: &[u8]) -> Guess {
    detect(bytes, true, &Options::default())
}

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let encoded = encoding.encode(text, Unmappable::Strict);
    encoded.expect("a text of the encoding").bytes.into_owned()
}

const RUSSIAN: &str = "Все люди рождаются свободными и равными в своём достоинстве и правах.";

#[test]
fn one_bit_is_not_bits() {
    let by = |language, margin| Reason::Plausible { language, margin }.to_string();
    assert_eq!(by("ja", 1), "most plausible, as Japanese, by 1 bit");
    assert_eq!(by("ja", 2), "most plausible, as Japanese, by 2 bits");
    assert_eq!(by("xx", 2), "most plausible, as xx, by 2 bits");
    assert_eq!(by("", 1), "most plausible by 1 bit");
    assert_eq!(by("", 0), "most plausible by 0 bits");
}

#[test]
fn languages_have_names() {
    let all = Encoding::all().iter();
    for candidate in all.flat_map(|encoding| candidates_in(encoding)) {
        assert!(language_name(candidate.language).is_some(), "{candidate:?}");
    }
    for (language, name) in [("ar", "Arabic"), ("se", "Northern Sami"), ("zh", "Chinese")] {
        assert_eq!(language_name(language), Some(name));
    }
    assert_eq!(language_name("xx"), None);
}

#[test]
fn results_can_be_keys() {
    let guesses = HashSet::from([guess(b"\xFF\xFEa\0"), guess(b"a"), guess(b"a")]);
    assert_eq!(guesses.len(), 2);
    let options = HashSet::from([Options::new(), Options::default()]);
    assert_eq!(options.len(), 1);
}

#[test]
fn what_needs_no_guess() {
    let cases: [(&[u8], &'static Encoding, Evidence, Reason); 8] = [
        (b"", UTF_8, Evidence::Fallback, Reason::Ascii),
        (b"plain\0\x1A", UTF_8, Evidence::Fallback, Reason::Ascii),
        ("é".as_bytes(), UTF_8, Evidence::Utf8Valid, Reason::Utf8),
        (b"\xEF\xBB\xBFtext", UTF_8, Evidence::Bom, Reason::Bom),
        (b"\xFE\xFF\0a", UTF_16BE, Evidence::Bom, Reason::Bom),
        (b"\xFF\xFEa\0", UTF_16LE, Evidence::Bom, Reason::Bom),
        (
            b"a\x1B$BF|K\\\x1B(B",
            ISO_2022_JP,
            Evidence::Detected,
            Reason::Escapes,
        ),
        (b"\x1B[1mbold", UTF_8, Evidence::Fallback, Reason::Ascii),
    ];
    for (bytes, encoding, evidence, reason) in cases {
        let guess = guess(bytes);
        let told = (guess.encoding, guess.evidence, guess.reason);
        assert_eq!(told, (Some(encoding), evidence, reason), "{bytes:02X?}");
        assert_eq!(guess.candidates().count(), 0);
    }
}

/// A byte of it was lost or added, or the way back to ASCII.
#[test]
fn iso_2022_jp_that_is_damaged() {
    let text = "\x1B$B$3$l$OF|K\\8l$G$9!#\x1B(B ok\n".repeat(9);
    for (sound, damaged) in [
        ("K\\", "K"),
        ("K\\", "K\\!"),
        ("8l", " l"),
        ("\x1B(B ok\n", ""),
    ] {
        let damaged = text.replacen(sound, damaged, 3);
        let guess = guess(damaged.as_bytes());
        assert_eq!(
            (guess.encoding, guess.reason),
            (Some(ISO_2022_JP), Reason::Escapes),
            "{damaged}"
        );
    }
    // One line is left open in a text that is something else.
    let lost = "and then there are words of ASCII\n".repeat(20);
    let other = ["\x1B$B$3$l$O\n", &lost].concat();
    assert_eq!(guess(other.as_bytes()).reason, Reason::Ascii);
    assert_eq!(guess(b"\x1B$B \x1B(B").reason, Reason::Ascii);
}

#[test]
fn a_cut_at_the_end() {
    let bytes = &"日本日本".as_bytes()[..11];
    let options = Options::default();
    let more = detect(bytes, false, &options);
    assert_eq!(
        (more.encoding, more.confidence),
        (Some(UTF_8), Confidence::Tentative)
    );
    assert_eq!(more.evidence, Evidence::Utf8Valid);
    // The text is damaged, but no other encoding is as plausible.
    let damaged = detect(bytes, true, &options);
    assert_eq!(
        (damaged.encoding, damaged.evidence),
        (Some(UTF_8), Evidence::Detected)
    );

    // Within a character, before its second byte, and within the escape sequence after it.
    let shifted = b"a\x1B$BF|K\\\x1B(B";
    for cut in 5..=shifted.len() {
        for complete in [false, true] {
            let found = detect(&shifted[..cut], complete, &options);
            assert_eq!(found.encoding, Some(ISO_2022_JP), "{cut}");
        }
    }
    // Part of an escape sequence proves nothing, nor does one that terminals have, or one before what is malformed.
    for bytes in [
        &b"a\x1B"[..],
        b"a\x1B$",
        b"a\x1B(B",
        b"a\x1B$BF|K\x0E",
        b"\x1B$BF|K\n",
    ] {
        assert_eq!(guess(bytes).encoding, Some(UTF_8), "{bytes:02X?}");
    }
}

#[test]
fn utf8_may_be_forbidden() {
    let options = Options::new().allow_utf8(false);
    for bytes in [&b"ascii"[..], "Größe, Maß, für".as_bytes()] {
        assert_ne!(detect(bytes, true, &options).encoding, Some(UTF_8));
    }
    assert_eq!(
        detect(b"ascii", true, &options).encoding,
        Some(WINDOWS_1252)
    );
}

#[test]
fn utf16_without_a_mark() {
    let texts = [
        "Hello, world\n",
        RUSSIAN,
        "日本語の文章です。\r\n東京は日本の首都である。\r\n",
    ];
    for text in texts {
        for encoding in [UTF_16LE, UTF_16BE] {
            let guess = guess(&encoded(encoding, text));
            let told = (guess.encoding, guess.reason);
            assert_eq!(told, (Some(encoding), Reason::CodeUnits), "{text}");
        }
    }
    for text in [
        &b"Hello, world, again!"[..],
        "Größe".as_bytes(),
        b"\0\0\0\0\0\0",
        b"",
    ] {
        let found = guess(text).encoding;
        assert!(
            ![Some(UTF_16LE), Some(UTF_16BE)].contains(&found),
            "{text:?}"
        );
    }
}

#[test]
fn four_bytes_are_gb18030() {
    let chinese = "人人生而自由，在尊严和权利上一律平等。";
    assert_eq!(guess(&encoded(GBK, chinese)).encoding, Some(GBK));
    let rare = format!("{chinese}𠀀{chinese}");
    let found = guess(&encoded(GB18030, &rare));
    assert_eq!(
        (found.encoding, found.reason),
        (Some(GB18030), Reason::FourBytes)
    );
}

/// Letters that are rare in a declaration of rights, and common in other texts.
#[test]
fn letters_of_everyday_texts() {
    for (encoding, text) in [
        // "è" would be a word of Serbian in windows-1251.
        (
            WINDOWS_1252,
            "Questo modulo è obsoleto, e il driver è in uso solo se la scheda è vecchia.\n",
        ),
        (
            WINDOWS_1252,
            "Il file è aperto: si può leggere, ma è più lento perché è compresso.\n",
        ),
        (
            WINDOWS_1252,
            "De pakketten worden geïnstalleerd in een map.\n",
        ),
        (WINDOWS_1252, "Dit is geïmplementeerd door één persoon.\n"),
        (
            ISO_8859_15,
            "Le numéro du nœud est affiché, et le nœud est démonté à la main. Un inœud est désœuvré.\n",
        ),
        (
            WINDOWS_1250,
            "Megjelenítendő betű, és egy betű a tükörfúrógép végén. Ez a betű egyszerű.\n",
        ),
    ] {
        for text in [text.to_owned(), text.repeat(20)] {
            let guess = guess(&encoded(encoding, &text));
            let found = guess.encoding.expect("an encoding");
            assert_eq!(
                found.decode(&encoded(encoding, &text)).text,
                text,
                "{guess:?}"
            );
        }
    }
    // Names of programs between words of Cyrillic.
    let cyrillic = "Поддерживаются Linux и Windows, а также Mac и BSD. Чтение и запись файлов.";
    assert_eq!(
        guess(&encoded(WINDOWS_1251, cyrillic)).encoding,
        Some(WINDOWS_1251)
    );
}

/// The words near a letter tell which language it is, and there are no symbols within words.
#[test]
fn a_letter_or_two_amid_ascii() {
    for (encoding, text) in [
        (
            MACINTOSH,
            "Muestra las imágenes de un contenedor con sus etiquetas.",
        ),
        (
            MACINTOSH,
            "Controla el teclado y el ratón desde la ventana.",
        ),
        (MACINTOSH, "Esta es la versión actual de los módulos"),
        (WINDOWS_1250, "<item name=\"Pronađi označeno prethodno\"/>"),
        (
            WINDOWS_1257,
            "name=\"Numatytą mastelį\" key=\"Visada viršuje\"",
        ),
        (WINDOWS_1254, "Bir sunucuya belirli bir port ile bağlan"),
        // In GBK, this would be the first half of a character.
        (WINDOWS_1254, "Girilen isim veya adreste bulunan ç"),
    ] {
        let guess = guess(&encoded(encoding, text));
        assert_eq!(guess.encoding, Some(encoding), "{text}: {guess:?}");
    }
}

/// In macintosh, í is the byte of an apostrophe in windows-1252, which Spanish doesn't have within words.
#[test]
fn apostrophes_are_where_the_language_has_them() {
    for (encoding, text) in [
        (
            MACINTOSH,
            "Ajusta los permisos específicos y las políticas de un archivo.",
        ),
        (
            MACINTOSH,
            "Muestra las políticas específicas de la línea de comandos.",
        ),
        (
            MACINTOSH,
            "L’arborescence n’est pas vide, et l’archive aussi.",
        ),
        (
            WINDOWS_1252,
            "L’arborescence n’est pas vide, et l’archive aussi.",
        ),
        (WINDOWS_1252, "They don’t know that it’s here."),
        (WINDOWS_1252, "Het zo’n idee, foto’s en video’s."),
        (WINDOWS_1252, "Es heißt ‘Der Titel’ und ‘Das Buch’."),
        (
            WINDOWS_1250,
            "Powieść Joyce’a i wiersze Kennedy’ego są tutaj.",
        ),
        (
            WINDOWS_1254,
            "Türkiye’nin başkenti Ankara’da, İstanbul’dan gelen.",
        ),
    ] {
        let guess = guess(&encoded(encoding, text));
        assert_eq!(guess.encoding, Some(encoding), "{text}: {guess:?}");
    }
}

/// A letter or two of Polish, which are letters of windows-1252 as well.
#[test]
fn short_polish() {
    for (encoding, text) in [
        (WINDOWS_1250, "Usuń wybrane pliki z dysku"),
        (
            ISO_8859_2,
            "Konwertuj intencję na adres i zapisz wersję pakietu",
        ),
        (ISO_8859_2, "Pokaż wersję pakietu"),
    ] {
        let bytes = encoded(encoding, text);
        let guess = guess(&bytes);
        let found = guess.encoding.expect("an encoding");
        assert_eq!(found.decode(&bytes).text, text, "{guess:?}");
    }
}

/// Single letters, of which there are many here, are hardly plausible in any encoding. Words follow.
#[test]
fn a_list_before_words() {
    let greek = "const narrow = [\"Ι\", \"Φ\", \"Μ\", \"Α\", \"Μ\", \"Ι\", \"Ι\", \"Α\", \"Σ\", \"Ο\", \"Ν\", \"Δ\"];\n\
        const wide = [\"Ιανουάριος\", \"Φεβρουάριος\", \"Μάρτιος\", \"Απρίλιος\", \"Μάιος\", \"Ιούνιος\", \"Ιούλιος\", \
        \"Αύγουστος\", \"Σεπτέμβριος\", \"Οκτώβριος\", \"Νοέμβριος\", \"Δεκέμβριος\"];\n";
    let russian = "const narrow = [\"Я\", \"Ф\", \"М\", \"А\", \"М\", \"И\", \"И\", \"А\", \"С\", \"О\", \"Н\", \"Д\"];\n\
        const wide = [\"январь\", \"февраль\", \"март\", \"апрель\", \"май\", \"июнь\", \"июль\", \"август\", \
        \"сентябрь\", \"октябрь\", \"ноябрь\", \"декабрь\"];\n";
    for (encoding, text) in [
        (WINDOWS_1253, greek),
        (WINDOWS_1251, russian),
        (KOI8_R, russian),
        (ISO_8859_5, russian),
    ] {
        let guess = guess(&encoded(encoding, text));
        assert_eq!(guess.encoding, Some(encoding), "{guess:?}");
    }
}

/// Languages of few legacy texts are not taken for others with more letters of the same bytes.
#[test]
fn languages_of_few_texts() {
    let breton = "Ret eo skrivañ ha lenn bemdez, kanañ ha komzañ brezhoneg gant an holl. Goude labourañ e plij din \
        dañsal, prenañ levrioù kozh ha gwelout filmoù nevez. An dud a zo o chom er c'hêrioù a ra implij eus o \
        yezh evit deskiñ, kemennañ ha diskouez o soñjoù.";
    let kurdish = "Ez îro çûm bazarê û min sêv, hêk û penîr kirîn. Hewa xweş bû, zarokan li kolanê dilîstin û \
        dengbêjekî kilamên kevn digotin. Êvarê em li malê rûniştin, me çay vexwar û çîrok ji hev re gotin. Bavê min \
        got ku sibê ew ê biçe gund, ji ber ku birayê wî nexweş e.";
    for (encoding, text, language) in [(WINDOWS_1252, breton, "oc"), (WINDOWS_1254, kurdish, "ku")]
    {
        let guess = guess(&encoded(encoding, text));
        assert_eq!(guess.encoding, Some(encoding), "{guess:?}");
        assert_eq!(
            guess.candidates().next().map(|it| it.language),
            Some(language)
        );
    }
}

/// By the rows of these characters alone, some of these would be in another of the three encodings.
#[test]
fn a_few_common_characters_amid_ascii() {
    for (encoding, comments) in [
        (
            EUC_JP,
            &[
                "装備品の重量制限",
                "魔法耐性値",
                "設定項目一覧",
                "能力値上昇量計算",
                "終了処理",
            ][..],
        ),
        (
            GBK,
            &[
                "发送短信",
                "链表节点",
                "缓存大小",
                "责任链模式",
                "动态代理",
                "测试用例",
            ],
        ),
        (
            EUC_KR,
            &["설정 파일", "회원 가입", "글쓰기 권한", "댓글 삭제"],
        ),
        (
            SHIFT_JIS,
            &["装備品の重量制限", "魔法耐性値", "設定項目一覧"],
        ),
        (BIG5, &["傳送簡訊", "設定檔案", "測試用例", "初始化"]),
    ] {
        for comment in comments {
            let source = encoded(encoding, &format!("int x = 1; /* {comment} */\n"));
            assert_eq!(guess(&source).encoding, Some(encoding), "{comment}");
        }
    }
}

/// Identifiers of Russian have capital letters amid small ones, where x-mac-cyrillic has dashes and quotation marks.
#[test]
fn capital_letters_within_words_of_russian() {
    let source = "Процедура ПриПолученииСтроки(НомерСтроки, СтрокаТаблицы) Экспорт\n    \
        РезультатРасчета = РассчитатьСумму(СтрокаТаблицы.Количество, СтрокаТаблицы.Сумма);\nКонецПроцедуры\n";
    for encoding in [WINDOWS_1251, KOI8_R] {
        assert_eq!(guess(&encoded(encoding, source)).encoding, Some(encoding));
    }
    let prose = encoded(
        X_MAC_CYRILLIC,
        "«Пекарь» вынес первый хлеб — ржаной, «чёрный», с хрустящей коркой.",
    );
    assert_eq!(guess(&prose).encoding, Some(X_MAC_CYRILLIC));
}

#[test]
fn a_name_in_a_long_text_of_ascii() {
    let line = "int main(void) { return 0; } /* nothing to see here */\n";
    let name = encoded(WINDOWS_1252, "/* by Jos\u{E9} Mu\u{F1}oz */\n");
    for lines in [10, 300, 1000] {
        for at in 0..10 {
            let before = line.repeat(lines * at / 10);
            let after = line.repeat(lines - lines * at / 10);
            let bytes = [before.as_bytes(), &name, after.as_bytes()].concat();
            assert_eq!(guess(&bytes).encoding, Some(WINDOWS_1252), "{lines} {at}");
            // There is no space in the bytes before.
            let letters = "x".repeat(before.len());
            let bytes = [letters.as_bytes(), b"\xE9t\xE9 ", after.as_bytes()].concat();
            assert_ne!(guess(&bytes).encoding, Some(UTF_8), "{lines} {at}");
        }
    }
}

#[test]
fn candidates_are_ranked() {
    for encoding in [WINDOWS_1251, KOI8_R] {
        let guess = guess(&encoded(encoding, RUSSIAN));
        assert_eq!(
            (guess.encoding, guess.evidence),
            (Some(encoding), Evidence::Detected)
        );
        let candidates: Vec<_> = guess.candidates().collect();
        assert_eq!(candidates.len(), MAX_CANDIDATES);
        assert_eq!(
            (candidates[0].encoding, candidates[0].language),
            (encoding, "ru")
        );
        assert!(candidates.is_sorted_by_key(|candidate| candidate.cost));
        assert!(
            guess
                .reason
                .to_string()
                .starts_with("most plausible, as Russian, by ")
        );
    }
}

#[test]
fn the_sample_of_a_long_text_is_enough() {
    let mut long = b"<p>markup</p>\n".repeat(10_000);
    long.extend(encoded(
        SHIFT_JIS,
        &"これは日本語の文章です。カタカナもある。".repeat(50),
    ));
    long.extend(b"<p>markup</p>\n".repeat(10_000));
    assert_eq!(guess(&long).encoding, Some(SHIFT_JIS));
}

#[test]
fn a_host_name_tips_the_scales() {
    let with = |tld| Options::new().tld(tld);
    let cost = |tld| {
        let guess = detect(&encoded(WINDOWS_1251, RUSSIAN), true, &with(tld));
        guess.candidates().next().expect("candidates").cost
    };
    assert!(cost(Some("RU")) < cost(None));
    assert_eq!(cost(Some("")), cost(None));
    assert_eq!(cost(Some("рф")), cost(None));
}

proptest! {
    /// Any bytes, any options: no panic, a reason that fits, and the same answer in a second call.
    #[test]
    fn anything_goes(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        tld in prop::option::of(".{0,3}"),
        allow_utf8: bool,
        complete: bool,
        sample in 0_usize..700,
    ) {
        let options = Options::new().tld(tld.as_deref()).allow_utf8(allow_utf8).sample(sample);
        let guess = detect(&bytes, complete, &options);
        prop_assert_eq!(guess, detect(&bytes, complete, &options));
        if guess.evidence == Evidence::Utf8Valid {
            prop_assert!(!complete || std::str::from_utf8(&bytes).is_ok());
        }
        if let (Some(first), Some(encoding)) = (guess.candidates().next(), guess.encoding) {
            prop_assert!(first.encoding == encoding || encoding == GB18030);
        }
    }
}
