//! The options of a conversion.

mod walk;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use simdtext::{Bom, Encoding, ISO_2022_JP, UTF_8, Unmappable};

use crate::charset::Charset;
pub use walk::WalkOptions;

/// The encoding of the inputs, or how to find it out.
///
/// ```
/// use simdtext::{BIG5, GBK};
/// use simdtext_convert::{Options, SourceEncoding};
///
/// let either = SourceEncoding::FirstValid(vec![GBK, BIG5]);
/// assert_eq!(either.to_string(), "auto:GBK,Big5");
/// let options = [Options::new().from(GBK), Options::new().from(either)];
/// # assert_eq!(options.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceEncoding {
    /// This encoding, unless a byte order mark says otherwise.
    Encoding(Charset),
    /// It is found out for each input: by a byte order mark, a declaration in the input, UTF-8 if it is
    /// valid, or a guess.
    #[default]
    Auto,
    /// UTF-8 if it is valid, or else the first of these in which nothing is malformed.
    FirstValid(Vec<&'static Encoding>),
}

impl SourceEncoding {
    /// The encoding, if one is named.
    pub(crate) fn named(&self) -> Option<Charset> {
        match self {
            Self::Encoding(charset) => Some(*charset),
            Self::Auto | Self::FirstValid(_) => None,
        }
    }

    /// All encodings that are named.
    pub(crate) fn all(&self) -> Vec<Charset> {
        match self {
            Self::Encoding(charset) => vec![*charset],
            Self::Auto => Vec::new(),
            Self::FirstValid(list) => list.iter().copied().map(Charset::from).collect(),
        }
    }
}

/// Spelled as for `--from`: `Shift_JIS`, `auto`, `auto:GBK,Big5`.
impl fmt::Display for SourceEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding(charset) => charset.fmt(f),
            Self::Auto => f.write_str("auto"),
            Self::FirstValid(list) => {
                let names: Vec<&str> = list.iter().map(|encoding| encoding.name()).collect();
                write!(f, "auto:{}", names.join(","))
            }
        }
    }
}

impl From<&'static Encoding> for SourceEncoding {
    fn from(encoding: &'static Encoding) -> Self {
        Self::Encoding(encoding.into())
    }
}

impl From<Charset> for SourceEncoding {
    fn from(charset: Charset) -> Self {
        Self::Encoding(charset)
    }
}

/// How malformed input is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Invalid {
    /// Stop at the first malformed sequence, and write nothing for the file.
    Strict,
    /// Write U+FFFD for each malformed sequence.
    Replace,
    /// Leave out malformed sequences.
    Skip,
}

/// How files that are not text are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Binary {
    /// Copy them as they are.
    Copy,
    /// Convert them as if they were text.
    Convert,
}

/// How outputs are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// As zstd; `.zst` is added to the names.
    Zstd,
    /// As gzip; `.gz` is added to the names.
    Gzip,
}

/// The options of a conversion: what to convert from and to, how strictly, where to write, and how safely.
///
/// ```
/// use simdtext_convert::{Options, SourceEncoding};
///
/// let options = Options::new()
///     .from(SourceEncoding::Auto)
///     .out_dir("converted")
///     .jobs(2)
///     .verify(true);
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) from: SourceEncoding,
    pub(crate) to: &'static Encoding,
    pub(crate) invalid: Option<Invalid>,
    pub(crate) unmappable: Unmappable,
    pub(crate) bom: Bom,
    pub(crate) per_line: bool,
    pub(crate) undo_double_encoding: bool,
    pub(crate) tld: Option<String>,
    pub(crate) binary: Option<Binary>,
    pub(crate) output_bom: bool,
    pub(crate) decompress: bool,
    pub(crate) spool_limit: u64,
    pub(crate) out_dir: Option<PathBuf>,
    pub(crate) in_place: bool,
    pub(crate) backup: Option<String>,
    pub(crate) break_hard_links: bool,
    pub(crate) no_clobber: bool,
    pub(crate) update: bool,
    pub(crate) jobs: Option<NonZeroUsize>,
    pub(crate) dry_run: bool,
    pub(crate) fail_fast: bool,
    pub(crate) accept_guess: bool,
    pub(crate) force: bool,
    pub(crate) preserve: bool,
    pub(crate) no_fsync: bool,
    pub(crate) verify: bool,
    pub(crate) remove_orphans: bool,
    pub(crate) resume: Option<PathBuf>,
    pub(crate) compress: Option<Compression>,
    pub(crate) fix_declarations: bool,
    pub(crate) from_list: Option<PathBuf>,
    pub(crate) walk: WalkOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            from: SourceEncoding::Auto,
            to: UTF_8,
            invalid: None,
            unmappable: Unmappable::Strict,
            bom: Bom::Sniff,
            per_line: false,
            undo_double_encoding: false,
            tld: None,
            binary: None,
            output_bom: false,
            decompress: false,
            spool_limit: 1 << 30,
            out_dir: None,
            in_place: false,
            backup: None,
            break_hard_links: false,
            no_clobber: false,
            update: false,
            jobs: None,
            dry_run: false,
            fail_fast: false,
            accept_guess: false,
            force: false,
            preserve: false,
            no_fsync: false,
            verify: false,
            remove_orphans: false,
            resume: None,
            compress: None,
            fix_declarations: false,
            from_list: None,
            walk: WalkOptions::default(),
        }
    }
}

// Setters are written out, here and in other options: a macro would save few lines, and hide their signatures.
impl Options {
    /// Converts from any encoding, found out for each input, to UTF-8. [`out_dir`](Self::out_dir) or
    /// [`in_place`](Self::in_place) still has to say where to.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether an input is taken for what it is said to be, whatever speaks against that. If lines are decided one by
    /// one, the label says nothing about each.
    pub(crate) fn believes_labels(&self) -> bool {
        self.force || self.per_line
    }

    /// Whether lines are decided one by one, and none of them may be in ISO-2022-JP.
    pub(crate) fn misses_jis(&self) -> bool {
        let all = self.from.all();
        self.per_line && !self.force && !all.is_empty() && !all.contains(&ISO_2022_JP.into())
    }

    /// The encoding of the inputs. By default it is found out for each input.
    #[must_use]
    pub fn from(mut self, from: impl Into<SourceEncoding>) -> Self {
        self.from = from.into();
        self
    }

    /// The encoding of the outputs. By default UTF-8.
    #[must_use]
    pub fn to(mut self, to: &'static Encoding) -> Self {
        self.to = to;
        self
    }

    /// How malformed input is handled. By default U+FFFD is written for it; with [`in_place`](Self::in_place)
    /// the file is left alone.
    #[must_use]
    pub fn invalid(mut self, invalid: Option<Invalid>) -> Self {
        self.invalid = invalid;
        self
    }

    /// How characters are handled that the encoding of the output does not have. By default the file is left
    /// alone.
    #[must_use]
    pub fn unmappable(mut self, unmappable: Unmappable) -> Self {
        self.unmappable = unmappable;
        self
    }

    /// How a byte order mark at the start of an input is handled.
    #[must_use]
    pub fn bom(mut self, bom: Bom) -> Self {
        self.bom = bom;
        self
    }

    /// Whether each line may be in an encoding of its own.
    #[must_use]
    pub fn per_line(mut self, per_line: bool) -> Self {
        self.per_line = per_line;
        self
    }

    /// Whether UTF-8 that was encoded twice is decoded twice.
    #[must_use]
    pub fn undo_double_encoding(mut self, undo: bool) -> Self {
        self.undo_double_encoding = undo;
        self
    }

    /// The top-level domain that the inputs come from, as a hint for guesses: for example `jp` or `ru`.
    #[must_use]
    pub fn tld(mut self, tld: Option<&str>) -> Self {
        self.tld = tld.map(String::from);
        self
    }

    /// How files that are not text are handled. By default they are left alone and reported.
    #[must_use]
    pub fn binary(mut self, binary: Option<Binary>) -> Self {
        self.binary = binary;
        self
    }

    /// Whether outputs begin with a byte order mark.
    #[must_use]
    pub fn output_bom(mut self, output_bom: bool) -> Self {
        self.output_bom = output_bom;
        self
    }

    /// Whether inputs compressed with gzip, zstd, xz or bzip2 are decompressed.
    #[must_use]
    pub fn decompress(mut self, decompress: bool) -> Self {
        self.decompress = decompress;
        self
    }

    /// How many bytes may go to a temporary file for an input that has to be read twice but can be read only
    /// once. By default 1 GiB.
    #[must_use]
    pub fn spool_limit(mut self, bytes: u64) -> Self {
        self.spool_limit = bytes;
        self
    }

    /// Converts each file into a file of its own, below this folder.
    #[must_use]
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// Replaces each file by its converted text.
    #[must_use]
    pub fn in_place(mut self, in_place: bool) -> Self {
        self.in_place = in_place;
        self
    }

    /// With [`in_place`](Self::in_place), keeps each original under its name with this suffix, which must
    /// not be empty. Files whose names end with it are not converted.
    #[must_use]
    pub fn backup(mut self, suffix: Option<&str>) -> Self {
        self.backup = suffix.map(String::from);
        self
    }

    /// Whether files with several hard links are replaced, too. Their other names keep the old content.
    #[must_use]
    pub fn break_hard_links(mut self, break_them: bool) -> Self {
        self.break_hard_links = break_them;
        self
    }

    /// Whether outputs that exist are left alone.
    #[must_use]
    pub fn no_clobber(mut self, no_clobber: bool) -> Self {
        self.no_clobber = no_clobber;
        self
    }

    /// Whether outputs that exist are replaced only if their inputs are newer.
    #[must_use]
    pub fn update(mut self, update: bool) -> Self {
        self.update = update;
        self
    }

    /// How many threads convert. By default, or with 0, as many as there are cores.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = NonZeroUsize::new(jobs);
        self
    }

    /// Whether nothing is written, and the report says what would be written.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Whether the first file that can't be converted ends the run. Files that were begun are finished.
    #[must_use]
    pub fn fail_fast(mut self, fail_fast: bool) -> Self {
        self.fail_fast = fail_fast;
        self
    }

    /// Whether [`in_place`](Self::in_place) replaces files whose encoding was guessed.
    #[must_use]
    pub fn accept_guess(mut self, accept: bool) -> Self {
        self.accept_guess = accept;
        self
    }

    /// Whether files are converted that are valid UTF-8 already, look converted already, or are plainly in another
    /// encoding than the one that they are said to be in, and files that declare an encoding which is not in the
    /// standard.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// Whether outputs get the times of their originals.
    #[must_use]
    pub fn preserve(mut self, preserve: bool) -> Self {
        self.preserve = preserve;
        self
    }

    /// Whether outputs are synced to the disk before they take their places, and folders at the end. They are
    /// by default; without it, a crash of the system may leave files that are empty or cut short.
    #[must_use]
    pub fn fsync(mut self, fsync: bool) -> Self {
        self.no_fsync = !fsync;
        self
    }

    /// Whether each output is converted back and compared with its original before it takes its place.
    #[must_use]
    pub fn verify(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Whether temporary files left by runs that were killed are removed. By default they are reported.
    #[must_use]
    pub fn remove_orphans(mut self, remove: bool) -> Self {
        self.remove_orphans = remove;
        self
    }

    /// Keeps a journal in this file. If the file exists, the run continues where the run that wrote it has
    /// stopped.
    #[must_use]
    pub fn resume(mut self, journal: Option<&Path>) -> Self {
        self.resume = journal.map(Path::to_path_buf);
        self
    }

    /// How outputs are compressed. By default they are not.
    #[must_use]
    pub fn compress(mut self, compression: Option<Compression>) -> Self {
        self.compress = compression;
        self
    }

    /// Whether declarations in HTML, XML and CSS are corrected to the encoding of the output.
    #[must_use]
    pub fn fix_declarations(mut self, fix: bool) -> Self {
        self.fix_declarations = fix;
        self
    }

    /// Converts the files that a file lists, each from its own encoding. Each line of the list is a path, a
    /// tab and a label.
    #[must_use]
    pub fn from_list(mut self, list: Option<&Path>) -> Self {
        self.from_list = list.map(Path::to_path_buf);
        self
    }

    /// Which files of folders are converted.
    #[must_use]
    pub fn walk(mut self, walk: WalkOptions) -> Self {
        self.walk = walk;
        self
    }

    /// The top-level domain without a dot before it.
    pub(crate) fn tld_label(&self) -> Option<&str> {
        (self.tld.as_deref()).map(|tld| tld.trim_start_matches('.'))
    }

    /// How malformed input is handled, taking the default into account.
    pub(crate) fn invalid_or_default(&self) -> Invalid {
        let default = if self.in_place {
            Invalid::Strict
        } else {
            Invalid::Replace
        };
        self.invalid.unwrap_or(default)
    }
}

/// Whether lines can be told apart before the text is decoded. In every encoding of the standard but UTF-16,
/// CR and LF are the same bytes as in ASCII, and no other character contains them.
pub(crate) fn has_lines(charset: Charset) -> bool {
    charset.standard().is_some() && !charset.is_utf16()
}
