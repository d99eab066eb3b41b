//! Documents that declare an encoding which is not in the standard.

use crate::harness::{Folder, run, run_with};

/// German in code page 850, which is plausible in other encodings, too.
const TEXT: &[u8] =
    b"Gr\x81\xE1e aus K\x94ln, M\x81nchen und Z\x81rich. \x84rgerlich, sch\x94n, gr\x94\xE1er.\n";

fn documents() -> Vec<(&'static str, Vec<u8>)> {
    let with = |before: &str, after: &str| [before.as_bytes(), TEXT, after.as_bytes()].concat();
    let late = format!("<style>{}</style>", "p { margin: 0 }\n".repeat(100));
    vec![
        (
            "ibm850",
            with("<!DOCTYPE html><meta charset=ibm850><p>", ""),
        ),
        ("IBM850", with("<html><META CHARSET='IBM850'><p>", "")),
        (
            "cp850",
            with(
                "<meta http-equiv=Content-Type content=\"text/html; charset = cp850\">",
                "",
            ),
        ),
        ("ibm850", with(&late, "<meta charset=ibm850>")),
        (
            "EBCDIC-US",
            with(
                "<?xml version=\"1.0\" encoding=\"EBCDIC-US\"?>\n<a>",
                "</a>",
            ),
        ),
        ("cp850", with("@charset \"cp850\";\n/* ", " */")),
        ("cp437", with("# -*- coding: cp437 -*-\n# ", "")),
        ("cp850", with("#!/usr/bin/python\n# coding=cp850\n# ", "")),
        (
            "cp850",
            with("/* -*- mode: c; coding: cp850-dos -*- */\n// ", ""),
        ),
    ]
}

#[test]
fn a_document_is_not_guessed() {
    for (label, document) in documents() {
        let folder = Folder::new();
        let (tree, out) = (folder.folder("t"), folder.name("out"));
        let file = folder.file("t/a", &document);
        let declares = format!("it declares {label}, which is not an encoding of the standard");
        let declares = &*declares;
        for more in [&[][..], &["--accept-guess"]] {
            run(["convert", "--in-place", &tree].iter().chain(more))
                .gives(1, "")
                .says([
                    declares,
                    "left alone. --from=LABEL names its encoding, --force",
                ]);
            assert_eq!(folder.read("t/a"), document);
        }
        let to_out = ["convert", "--out-dir", &*out, &tree];
        run(to_out)
            .gives(1, "")
            .says([declares, "nothing was written for it. --from=LABEL"]);
        assert!(!folder.path("out/a").exists(), "{label}");
        run(["convert", &file])
            .gives(1, "")
            .says([declares, "not converted"]);
        run_with(["convert"], &document)
            .gives(1, "")
            .says([declares]);
        let single = folder.name("single");
        run(["convert", "-o", &*single, &file])
            .gives(1, "")
            .says([declares]);
        assert!(!folder.path("single").exists(), "{label}");
        let detected = run(["detect", &*file]).ends(0);
        assert!(
            String::from_utf8_lossy(&detected.stdout).contains(declares),
            "{label}"
        );

        run(to_out.iter().chain(&["--force"])).gives(0, "");
        assert!(folder.path("out/a").exists(), "{label}");
        run(["convert", "--force", &file]).ends(0);
        run(["convert", "-f", "ibm866", &file]).never_says(["declares"]);
        run(["convert", "--in-place", "--force", "-n", &tree])
            .ends(1)
            .says(["which is a guess"]);
        run(["convert", "--in-place", "--force", "--accept-guess", &tree]).ends(0);
    }
}

/// Polish, in which a few words tell nothing: these bytes are well-formed EUC-KR, too.
fn polish(before: &str) -> Vec<u8> {
    [before.as_bytes(), b"m\xB1\xBF, \xBF\xF3\xB3\xE6\n"].concat()
}

const PO: &str = "# Polish\nmsgid \"\"\nmsgstr \"\"\n\"MIME-Version: 1.0\\n\"\n\
                  \"Content-Type: text/plain; charset=ISO-8859-2\\n\"\n\nmsgid \"x\"\nmsgstr \"";

/// Programs declare an encoding in a comment or in a header, which browsers don't know.
#[test]
fn a_declaration_of_a_program_is_no_guess() {
    for before in [
        "# -*- coding: iso-8859-2 -*-\n# ",
        "#!/usr/bin/python\n# vim: set fileencoding=latin2 :\n# ",
        ";; -*- mode: lisp; coding: iso-8859-2-unix -*-\n;; ",
        "# coding: iso8859_2\n",
        PO,
        "From: x@example.org\nContent-Type: text/plain; charset=\"iso-8859-2\"\n\n",
        "Received: by x\r\n\tfor y\r\ncontent-type: text/plain;\r\n\tcharset=ISO-8859-2\r\nX: y\r\n\r\n",
    ] {
        let (folder, document) = (Folder::new(), polish(before));
        let tree = folder.folder("t");
        let file = folder.file("t/a", &document);
        let converted = format!("{before}mąż, żółć\n");
        let out = folder.name("out");
        run(["convert", "--out-dir", &*out, &tree])
            .gives(0, "")
            .says(["t/a: it still declares ISO-8859-2; correct that by hand"]);
        assert_eq!(folder.read("out/a"), converted.as_bytes());
        run(["convert", &file]).gives(0, converted.as_bytes());
        run_with(["convert"], &document).gives(0, converted.as_bytes());
        run(["detect", &*file]).gives(
            0,
            format!("{file}: ISO-8859-2, tentative, comment: declared in a comment, a header or a statement\n"),
        );
        run(["convert", "--in-place", &tree]).gives(0, "");
        assert_eq!(folder.read("t/a"), converted.as_bytes());
        run(["convert", "--in-place", &tree]).gives(0, "");
        assert_eq!(folder.read("t/a"), converted.as_bytes());
    }
}

/// The formats of some programs have a statement for it.
#[test]
fn a_statement_is_no_guess() {
    for (before, after) in [
        ("\" Menu\nscriptencoding latin2\n", ""),
        ("# affix file\nSET ISO8859-2\nTRY ", ""),
        ("SET client_encoding = 'LATIN2';\r\nSELECT ", ""),
        ("/*!40101 SET NAMES latin2 */;\n-- ", ""),
        ("LANGUAGE 21, 1\n#pragma code_page(28592)\n// ", ""),
        ("use encoding \"iso-8859-2\";\n# ", ""),
        (
            "% !TeX encoding = ISO-8859-2\n\\documentclass{article}\n% ",
            "",
        ),
        (
            "\\documentclass{article}\n  \\usepackage[latin2]{inputenc}\n\\begin{document}\n",
            "",
        ),
        ("\\inputencoding{latin2}\n", ""),
        ("ISO8859-2\n", ""),
        ("/* x */\n@charset \"iso-8859-2\";\n/* ", ""),
        ("\\input texinfo\n@documentencoding ISO-8859-2\n", ""),
        (
            "\n<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?>\n<a>",
            "</a>",
        ),
        (
            "<%@ page contentType=\"text/html; charset=iso-8859-2\" %>\n",
            "",
        ),
        ("<%@ Page CodePage=\"28592\" %>\n", ""),
        (
            "<?php header('Content-Type: text/html; charset=ISO-8859-2'); ?>\n",
            "",
        ),
        ("{\\rtf1\\ansi\\ansicpg28592\\deff0 ", "}"),
        ("# ", "\" vim: set fenc=latin2 :\n"),
        (
            "\\message{x}\n% ",
            "\n%% Local Variables:\n%% mode: tex\n%% coding: iso-latin-2-unix\n%% End:\n",
        ),
    ] {
        let folder = Folder::new();
        let document = [&*polish(before), after.as_bytes()].concat();
        let file = folder.file("a", &document);
        let converted = format!("{before}mąż, żółć\n{after}");
        run(["convert", &file]).gives(0, converted.as_bytes());
        run(["convert", "--in-place", &file])
            .gives(0, "")
            .says(["a: it still declares ISO-8859-2; correct that by hand"]);
        assert_eq!(folder.read("a"), converted.as_bytes());
    }
}

/// XML that a program writes may be in another encoding than the program.
#[test]
fn the_declaration_of_xml_within_a_program_is_its_text() {
    let folder = Folder::new();
    let russian = crate::auto::sample("ru.koi8-r.txt");
    let xml = "puts(\n\n\n\n\"\\\n<?xml version='1.0' encoding='windows-1251'?>\n\");\n// ";
    let file = folder.file("a.c", [xml.as_bytes(), &*russian].concat());
    let detected = run(["detect", &file]).ends(0);
    let wanted = format!("{file}: KOI8-R, tentative, detected: ");
    assert!(detected.stdout.starts_with(wanted.as_bytes()));
}

/// A statement for an encoding that is not in the standard.
#[test]
fn a_statement_that_names_another_encoding() {
    for (before, label) in [
        (
            "\\documentclass{a}\n\\usepackage[cp852]{inputenc}\n",
            "cp852",
        ),
        (";; -*- coding: utf-8-emacs -*-\n;; ", "utf-8-emacs"),
        ("#pragma code_page(850)\n// ", "850"),
    ] {
        let folder = Folder::new();
        let file = folder.file("a", polish(before));
        run(["convert", "--in-place", "--accept-guess", &file])
            .gives(1, "")
            .says([&*format!(
                "it declares {label}, which is not an encoding of the standard"
            )]);
        assert_eq!(folder.read("a"), polish(before));
    }
}

/// What is not declared for all of it, or not in an encoding that it may be in.
#[test]
fn other_text_about_encodings_declares_nothing() {
    for before in [
        "From x@example.org Mon\nContent-Type: text/plain; charset=iso-8859-2\n\n",
        "Subject: x\nContent-Type: multipart/mixed; boundary=y\n\n--y\n\
         Content-Type: text/plain; charset=iso-8859-2\n\n",
        "Subject: x\nContent-Type: text/plain; charset=us-ascii\n\n",
        "Subject: x\nContent-Type: text/plain; charset=utf-8\n\n",
        "Content-Type is what it is: charset=iso-8859-2\n",
        "coding: iso-8859-2\n",
        "# -*- coding: utf-8 -*-\n",
        "# -*- coding: klingon -*-\n",
        "#\n#\n# coding: iso-8859-2\n",
        // Different statements, and those that are quoted or about something else.
        "#pragma code_page(28592)\n#pragma code_page(1252)\n",
        "\\documentclass{a}\n\\begin{document}\n\\usepackage[latin2]{inputenc}\n",
        "%\\usepackage[latin2]{inputenc}\n%\\inputencoding{latin2}\n",
        "SET latin2 as the encoding\n",
        "ISO8859-2 is an encoding\n",
        "scriptencoding\nlatin2\n",
        "[Output]\nEncoding=ISO-8859-2\n",
        "\nLocal Variables:\n# coding: iso-8859-2\n",
    ] {
        let folder = Folder::new();
        let file = folder.file("a", polish(before));
        let detected = run(["detect", &*file]).ends(0);
        let detected = String::from_utf8_lossy(&detected.stdout).into_owned();
        assert!(detected.contains("tentative, detected"), "{detected}");
    }
}

/// What declares nothing, and what is not a guess.
#[test]
fn other_documents_are_converted() {
    let utf8 = "Grüße aus Köln, München und Zürich.";
    let latin1: Vec<u8> = utf8.chars().map(|ch| u32::from(ch) as u8).collect();
    let with = |before: &str| [before.as_bytes(), &latin1].concat();
    for document in [
        format!("<meta charset=ibm850>{utf8}").into_bytes(),
        format!("# coding: cp437\n# {utf8}").into_bytes(),
        b"<meta charset=ibm850>ASCII".to_vec(),
        with("<meta charset=ibm850><meta charset=latin1>"),
        with("<!-- <meta charset=ibm850> -->"),
        with("<script>x = '<meta charset=${charset}>'</script>"),
        with("<p>charset=ibm850, encoding=\"ibm850\""),
        with("<meta charset=\"<?php echo $charset ?>\">"),
        with("# -*- coding: latin-1 -*-\n"),
        with("# -*- coding: iso8859_15 -*-\n"),
        with("coding: cp437\n"),
        with("encoding = cp437\n"),
        with("\n\n# coding: cp437\n"),
    ] {
        run_with(["convert"], &document)
            .ends(0)
            .never_says(["declares"]);
    }
}
