//! Statements that name the encoding of the file that they are in, as TeX, Vim, hunspell, databases, servers of pages
//! and compilers of resources read them, and Emacs at the end of a file.
//!
//! Tested in `cli/tests/cli/undeclared.rs`.

use memchr::memmem;

use super::declarations::{labels_after, name_of, without_line_end};

/// What a line begins with that consists of this and the name of an encoding. Between them is white space or an opening
/// bracket, an equals sign or a quotation mark.
const STATEMENTS: [&[u8]; 12] = [
    // Vim
    b"scriptencoding",
    // hunspell and aspell
    b"SET",
    // dumps of PostgreSQL and MySQL
    b"SET client_encoding",
    b"SET NAMES",
    b"/*!40101 SET NAMES",
    // resources of Windows
    b"#pragma code_page",
    // Perl
    b"use encoding",
    // CSS, which has it in its first line
    b"@charset",
    // Texinfo
    b"@documentencoding",
    // LaTeX, and editors for it, after a percent sign
    b"\\inputencoding",
    b"!TEX encoding",
    b"!TeX encoding",
];

/// What is in a line that has a declaration, and the words before its name.
const DIRECTIVES: [(&[u8], &[&[u8]]); 3] = [
    // JSP and ASP
    (b"<%@", &[b"encoding", b"charset", b"codepage"]),
    // PHP
    (b"header(", &[b"charset"]),
    // the modelines of Vim
    (b" vim:", &[b"fenc", b"fileencoding"]),
];

/// The name that a statement gives, if all that do give the same.
pub(super) fn label(head: &[u8]) -> Option<&[u8]> {
    let lines = || head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let is_preamble = |line: &&[u8]| memmem::find(line, b"\\begin{").is_none();
    let stated = lines().filter_map(|line| of_line(line).or_else(|| of_directive(line)));
    let packages = lines().take_while(is_preamble).filter_map(of_package);
    let others = [of_xml(head), at_the_end(head), of_rtf(head)];
    let others = others.into_iter().flatten();
    let mut labels = stated.chain(packages).chain(others);
    let first = labels.next().or_else(|| first_line(head))?;
    labels
        .all(|label| label.eq_ignore_ascii_case(first))
        .then_some(first)
}

fn of_line(line: &[u8]) -> Option<&[u8]> {
    let comment = line.strip_prefix(b"%").map(<[u8]>::trim_ascii_start);
    let line = comment.filter(|it| it.starts_with(b"!")).unwrap_or(line);
    STATEMENTS.iter().find_map(|statement| {
        let rest = line.strip_prefix(*statement)?;
        let opens = |byte: &u8| matches!(byte, b' ' | b'\t' | b'=' | b'(' | b'{' | b'\'' | b'"');
        let (before, rest) = split_while(rest, opens);
        let label = name_of(rest);
        let closes =
            |byte: &u8| matches!(byte, b' ' | b'\'' | b'"' | b')' | b'}' | b';' | b'*' | b'/');
        let is_alone = rest[label.len()..].iter().all(closes);
        (is_alone && !before.is_empty() && !label.is_empty()).then_some(label)
    })
}

fn of_directive(line: &[u8]) -> Option<&[u8]> {
    let is_in = |(what, _): &&(&[u8], _)| memmem::find(line, what).is_some();
    let (_, words) = DIRECTIVES.iter().find(is_in)?;
    let mut labels = words.iter().flat_map(|word| labels_after(line, word));
    labels.next().map(|(_, label)| name_of(label))
}

/// XML after an empty line or a comment. Further below, it would be the text of a program that writes XML.
fn of_xml(head: &[u8]) -> Option<&[u8]> {
    let mut lines = head.split(|byte| *byte == b'\n').take(3);
    let line = lines.find(|line| line.trim_ascii_start().starts_with(b"<?xml "))?;
    let mut labels = labels_after(line, b"encoding");
    labels.next().map(|(_, label)| name_of(label))
}

/// Rich Text Format: `{\rtf1\ansi\ansicpg1250`.
fn of_rtf(head: &[u8]) -> Option<&[u8]> {
    const NUMBER: &[u8] = b"\\ansicpg";
    let start = head.strip_prefix(b"{\\rtf")?;
    let at = memmem::find(&start[..start.len().min(256)], NUMBER)?;
    Some(name_of(&start[at + NUMBER.len()..]))
}

/// LaTeX: `\usepackage[latin2]{inputenc}`, in the preamble of a document.
fn of_package(line: &[u8]) -> Option<&[u8]> {
    let end = memmem::find(line, b"]{inputenc}")?;
    let start = memmem::rfind(&line[..end], b"[")? + 1;
    let label = &line[start..end];
    (!line.starts_with(b"%") && name_of(label).len() == label.len()).then_some(label)
}

/// Emacs: a line with `coding:` after one with `Local Variables:`, with the same characters before it.
fn at_the_end(head: &[u8]) -> Option<&[u8]> {
    let at = memmem::rfind(head, b"Local Variables:")?;
    let start = memchr::memrchr(b'\n', &head[..at]).map_or(0, |line_end| line_end + 1);
    let before = &head[start..at];
    head[at..].split(|byte| *byte == b'\n').find_map(|line| {
        let variable = line.strip_prefix(before)?.trim_ascii_start();
        let value = variable.strip_prefix(b"coding:")?;
        Some(without_line_end(name_of(value.trim_ascii_start())))
    })
}

/// The patterns of hyphenation and the thesauri of LibreOffice have nothing but the name in their first line.
fn first_line(head: &[u8]) -> Option<&[u8]> {
    let line = head.split(|byte| *byte == b'\n').next()?.trim_ascii();
    let label = line.strip_prefix(b"microsoft-").unwrap_or(line);
    let begins = |start: &&[u8]| {
        label
            .get(..start.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(start))
    };
    let starts: [&[u8]; 4] = [b"iso8859-", b"iso-8859-", b"koi8-", b"cp125"];
    (starts.iter().any(begins) && name_of(label).len() == label.len()).then_some(label)
}

fn split_while(bytes: &[u8], is_in: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    bytes.split_at(bytes.iter().take_while(|byte| is_in(byte)).count())
}
