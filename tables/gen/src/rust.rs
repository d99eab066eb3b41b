//! The generated Rust: `encodings.rs`, the library's statics, and `codecs.rs`, its machines.
//!
//! Both have the layout that rustfmt makes.

use std::fmt::{Result, Write as _};

use crate::list::{Codec, Line, Machine, single_byte_indexes};
use crate::problem;
use crate::standard::{Encodings, Labelled};

/// The names of the files.
pub(crate) const ENCODINGS: &str = "encodings.rs";
pub(crate) const CODECS: &str = "codecs.rs";

/// rustfmt's `array_width`: longer lists are broken up.
const WIDTH: usize = 60;

/// `encodings.rs`: a static for each line of `list`, and the list of all labels.
pub(crate) fn encodings(standard: &Encodings, list: &[Line]) -> problem::Result<String> {
    let labelled = standard.labels_of(list)?;
    let labels = standard.rows()?;
    let mut rust = String::from(
        "// Written by `cargo run -p simdtext-tables -- generate`; do not edit.\n\
         // Sources: encodings.json of the WHATWG Encoding Standard (LICENSE-WHATWG), and\n\
         // tables/gen/src/list.rs.\n\n\
         use super::Encoding;\n\
         use crate::codec::Codec;\n",
    );
    (|| {
        let indexes = single_byte_indexes(list);
        for (row, encoding) in labelled.iter().enumerate() {
            write_static(&mut rust, row, encoding, &indexes)?;
        }
        write_all(&mut rust, list)?;
        writeln!(
            rust,
            "\n/// The number of all encodings, compiled in or not.\n\
             pub(crate) const ENCODINGS: usize = {};",
            list.len()
        )?;
        write_names(&mut rust, &labelled)?;
        writeln!(
            rust,
            "\n/// Every label, in byte order, with the row of its encoding.\n\
             pub(super) const LABELS: [(&str, u8); {}] = [",
            labels.len()
        )?;
        for (label, row) in &labels {
            writeln!(rust, "    ({label:?}, {row}),")?;
        }
        writeln!(rust, "];")
    })()
    .expect("a String takes everything");
    Ok(rust)
}

fn write_static(rust: &mut String, row: usize, encoding: &Labelled, indexes: &[&str]) -> Result {
    let line = encoding.line;
    let (name, section, constant) = (line.name, line.section, line.constant());
    writeln!(rust, "\n/// {name} (section {section} of the standard).")?;
    write_feature(rust, "", line)?;
    writeln!(rust, "pub static {constant}: &Encoding = &Encoding {{")?;
    writeln!(rust, "    row: {row},")?;
    match &line.machine {
        Machine::SingleByte(index) => {
            let table = indexes.iter().position(|other| other == index);
            let table = table.expect("the indexes are those of the same list");
            writeln!(rust, "    codec: Codec::SingleByte({table}),")?;
        }
        Machine::Own(codec) => writeln!(rust, "    codec: Codec::{},", codec.name)?,
    }
    writeln!(rust, "}};")
}

/// The attribute that leaves out an item if its family is left out.
fn write_feature(rust: &mut String, indent: &str, line: &Line) -> Result {
    match line.feature() {
        Some(feature) => writeln!(rust, "{indent}#[cfg(feature = {feature:?})]"),
        None => Ok(()),
    }
}

fn write_all(rust: &mut String, list: &[Line]) -> Result {
    writeln!(
        rust,
        "\n/// The encodings that are compiled in, in the order of the standard.\n\
         pub(super) static ALL: &[&Encoding] = &["
    )?;
    for line in list {
        write_feature(rust, "    ", line)?;
        writeln!(rust, "    {},", line.constant())?;
    }
    writeln!(rust, "];")
}

/// The names and the labels of all encodings, by rows.
fn write_names(rust: &mut String, labelled: &[Labelled]) -> Result {
    writeln!(
        rust,
        "\n/// The names of all encodings, by rows.\n\
         pub(super) static NAMES: [&str; ENCODINGS] = ["
    )?;
    for encoding in labelled {
        writeln!(rust, "    {:?},", encoding.line.name)?;
    }
    writeln!(
        rust,
        "];\n\n/// The labels of all encodings, by rows.\n\
         pub(super) static LABELS_OF: [&[&str]; ENCODINGS] = ["
    )?;
    for encoding in labelled {
        let quoted: Vec<String> = encoding.labels.iter().map(|l| format!("{l:?}")).collect();
        let on_one_line = quoted.join(", ");
        if on_one_line.len() <= WIDTH {
            writeln!(rust, "    &[{on_one_line}],")?;
        } else {
            writeln!(rust, "    &[")?;
            for label in quoted {
                writeln!(rust, "        {label},")?;
            }
            writeln!(rust, "    ],")?;
        }
    }
    writeln!(rust, "];")
}

/// `codecs.rs`: the machines, except that of the single-byte encodings.
pub(crate) fn codecs(list: &[Line]) -> String {
    let codecs = || {
        list.iter().filter_map(|line| match &line.machine {
            Machine::Own(codec) => Some(codec),
            Machine::SingleByte(_) => None,
        })
    };
    let mut rust = String::from(
        "// Written by `cargo run -p simdtext-tables -- generate`; do not edit.\n\
         // Source: tables/gen/src/list.rs.\n\n\
         codecs! {\n    ($)\n    codecs {\n",
    );
    (|| {
        for codec in codecs() {
            writeln!(rust, "        {},", codec.name)?;
        }
        writeln!(rust, "    }}\n    decoders {{")?;
        write_machines(
            &mut rust,
            codecs().map(|codec| (codec, Some(codec.decoder))),
        )?;
        writeln!(rust, "    }}\n    encoders {{")?;
        write_machines(&mut rust, codecs().map(|codec| (codec, codec.encoder)))?;
        writeln!(rust, "    }}\n    no_encoder {{")?;
        for codec in codecs().filter(|codec| codec.encoder.is_none()) {
            writeln!(rust, "        {},", codec.name)?;
        }
        writeln!(rust, "    }}\n}}")
    })()
    .expect("a String takes everything");
    rust
}

/// A line for each machine: the codecs that run on it, and its type.
fn write_machines<'a>(
    rust: &mut String,
    codecs: impl Iterator<Item = (&'a Codec, Option<&'a str>)>,
) -> Result {
    let mut machines: Vec<(&str, Vec<&str>)> = Vec::new();
    for (codec, machine) in codecs {
        let Some(machine) = machine else { continue };
        match machines.iter_mut().find(|(other, _)| *other == machine) {
            Some((_, sharing)) => sharing.push(codec.name),
            None => machines.push((machine, vec![codec.name])),
        }
    }
    for (machine, sharing) in machines {
        // A machine that several codecs share, as UTF-16BE and UTF-16LE do, is named after its type.
        let name = match sharing[..] {
            [codec] => codec,
            _ => {
                let (_, machine) = machine.rsplit_once("::").expect("a path");
                machine.trim_end_matches("Decoder")
            }
        };
        writeln!(
            rust,
            "        {} => {name}({machine}),",
            sharing.join(" | ")
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::LIST;

    /// UTF-8, IBM866 and ISO-8859-2, as in the standard's file.
    const SMALL: &str = r#"[{"heading": "All", "encodings": [
        {"name": "UTF-8", "labels": ["utf8", "unicode-1-1-utf-8"]},
        {"name": "IBM866", "labels": ["866"]},
        {"name": "ISO-8859-2", "labels": ["l2"]}]}]"#;

    #[test]
    fn each_line_becomes_a_static() {
        let standard = Encodings::parse(SMALL.as_bytes()).unwrap();
        let rust = encodings(&standard, &LIST[..3]).unwrap();
        let utf_8 = "\n/// UTF-8 (section 8.1 of the standard).\n\
            pub static UTF_8: &Encoding = &Encoding {\n    row: 0,\n    codec: Codec::Utf8,\n};\n";
        assert!(rust.contains(utf_8), "{rust}");
        let iso_8859_2 = "#[cfg(feature = \"legacy-single-byte\")]\n\
            pub static ISO_8859_2: &Encoding = &Encoding {\n    row: 2,\n    \
            codec: Codec::SingleByte(1),\n};\n";
        assert!(rust.contains(iso_8859_2), "{rust}");
        let all = "ALL: &[&Encoding] = &[\n    UTF_8,\n    \
            #[cfg(feature = \"legacy-single-byte\")]\n    IBM866,\n    \
            #[cfg(feature = \"legacy-single-byte\")]\n    ISO_8859_2,\n];\n";
        assert!(rust.contains(all), "{rust}");
        let number = "const ENCODINGS: usize = 3;\n";
        assert!(rust.contains(number), "{rust}");
        let names = "NAMES: [&str; ENCODINGS] = [\n    \"UTF-8\",\n    \"IBM866\",\n    \"ISO-8859-2\",\n];\n";
        assert!(rust.contains(names), "{rust}");
        let labels_of = "LABELS_OF: [&[&str]; ENCODINGS] = [\n    &[\"utf8\", \"unicode-1-1-utf-8\"],\n    \
            &[\"866\"],\n    &[\"l2\"],\n];\n";
        assert!(rust.contains(labels_of), "{rust}");
        let labels = "LABELS: [(&str, u8); 4] = [\n    (\"866\", 1),\n    (\"l2\", 2),\n    \
            (\"unicode-1-1-utf-8\", 0),\n    (\"utf8\", 0),\n];\n";
        assert!(rust.ends_with(labels), "{rust}");
    }

    #[test]
    fn codecs_may_share_a_machine_and_may_lack_an_encoder() {
        let rust = codecs(LIST);
        for line in [
            "        Gbk | Gb18030 => Gb18030(gb18030::Gb18030Decoder),\n",
            "        Utf16Be | Utf16Le => Utf16(utf16::Utf16),\n",
            "    no_encoder {\n        Replacement,\n    }\n",
        ] {
            assert!(rust.contains(line), "{rust}");
        }
        assert!(!rust.contains("SingleByte"), "{rust}");
    }
}
