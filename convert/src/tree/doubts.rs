//! Decides by the bytes of a file how it is handled: whether it is text, and in the encoding that it is said
//! to be in. `decide/judge.rs` has the rules.

use std::fs::File;
use std::io;

use simdtext::sniff::FirstValid;
use simdtext::{Encoding, UTF_8};

use super::file::{Worker, cannot_read};
use super::original::{Original, reading};
use super::resume::content_of;
use super::writing::Content;
use crate::binary::NotText;
use crate::charset::Charset;
use crate::decide::{
    Answer, Basis, Doubt, Judgement, Question, Watch, declared_in, judge, may_be_misnamed,
};
use crate::decode::Whole;
use crate::input::Source;
use crate::options::{Binary, Invalid, has_lines};
use crate::os;
use crate::report::{FileReport, Refusal, RefusalKind, State};
use crate::severity::Severity;

/// How many bytes are hardly ever the same by chance.
const TELLING: u64 = 32;

/// What to do after a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    Convert,
    /// Copy it as it is.
    Copy,
    /// Do nothing.
    Done,
}

impl Worker<'_, '_> {
    /// Examines a file that is said to be in an encoding other than UTF-8, as far as that may be wrong, and shows it to
    /// `watch`. `None` if all of it has to be examined, which is done while it is converted.
    pub(super) fn look(
        &mut self,
        original: &Original<'_>,
        answer: &Answer,
        watch: &mut Watch,
    ) -> Result<Option<Judgement>, Refusal> {
        if let Some(not_text) = answer.not_text {
            return Ok(Some(Judgement::Binary(not_text)));
        }
        let converted = match self.if_converted(original, answer)? {
            None => self.if_noted(original, answer)?,
            doubt => doubt,
        };
        if let Some(doubt) = converted {
            return Ok(Some(Judgement::Leave(doubt)));
        }
        if answer.is_final {
            return Ok(Some(Judgement::Convert));
        }
        if matches!(answer.basis, Basis::Undecodable(_)) {
            return Ok(Some(Judgement::Leave(Doubt::undecodable(answer))));
        }
        let options = self.run.options;
        let believes_labels = options.believes_labels();
        if let Some(doubt) = Doubt::undeclared(answer).filter(|_| !believes_labels) {
            return Ok(Some(Judgement::Leave(doubt)));
        }
        if !answer.basis.is_label() || believes_labels || self.converter.settings().from == UTF_8 {
            return Ok(None);
        }
        let mut source = original.again()?;
        let converts_binary = options.binary == Some(Binary::Convert);
        let mut len = 0;
        loop {
            let n = source.read(&mut self.block, 1).map_err(cannot_read)?;
            watch.feed(&self.block[..n]);
            len += n as u64;
            let is_at_end = n == 0 || source.size == Some(len);
            if is_at_end || watch.is_binary() && !converts_binary {
                return Ok(Some(self.judge(answer, watch)));
            }
            if watch.is_hopeless() {
                return Ok(None);
            }
        }
    }

    /// Looks whether the file is what an earlier run has noted that it wrote, in the encoding of the output or in
    /// another one than is said now.
    fn if_noted(&self, original: &Original<'_>, answer: &Answer) -> Result<Option<Doubt>, Refusal> {
        let options = self.run.options;
        if options.force {
            return Ok(None);
        }
        let Some((name, content)) = os::noted_encoding(&original.file) else {
            return Ok(None);
        };
        let (from, to) = (self.converter.settings().from, self.run.settings.to);
        let noted = Encoding::for_label(name.as_bytes());
        let is_read_as = |charset: Charset| noted.is_some_and(|noted| charset.is_read_as(noted));
        let is_done =
            options.in_place && name == to.name() && !answer.charset.is_some_and(is_read_as);
        let is_about_all = !options.per_line && !options.undo_double_encoding;
        // A few bytes may be the same by chance. Where the original stays, nothing is lost by believing what is said.
        let is_about_all = is_about_all && (options.in_place || original.metadata.len() >= TELLING);
        let is_other = is_about_all && answer.basis != Basis::Bom && !is_read_as(from);
        if !is_done && !is_other
            || content_of(reading(&original.file, original.stop, None)).map_err(cannot_read)?
                != content
        {
            return Ok(None);
        }
        Ok(Some(Doubt::noted(&name, from, is_done)))
    }

    /// Notes what a file is converted to that is about to be replaced, because its new bytes may not tell, as UTF-8
    /// and a byte order mark do. Returns whether something keeps a second run from converting it again.
    pub(super) fn note(
        &self,
        original: &Original<'_>,
        file: &File,
        content: &Content,
    ) -> io::Result<bool> {
        let options = self.run.options;
        if !self.run.notes() || !self.converter.settings().output_bom.is_empty() {
            return Ok(true);
        }
        let to = self.run.settings.to.name();
        let note = |hash| os::note_encoding(file, to, hash).is_ok();
        let is_known = content.hash.is_some_and(note) || options.resume.is_some() || options.force;
        Ok(is_known || !options.decompress && self.tells(original, file, &content.whole)?)
    }

    /// Whether the bytes of an output show that it is not in the encoding of the input any more.
    fn tells(&self, original: &Original<'_>, file: &File, whole: &Whole) -> io::Result<bool> {
        let options = self.run.options;
        let source = || Source::new(reading(file, original.stop, None));
        let from = whole.encoding.standard().filter(|from| *from != UTF_8);
        let list = from.as_slice();
        let mut first = FirstValid::new(list);
        let settings = self.converter.settings();
        let mut watch = Watch::new(whole.encoding, settings.bom);
        source().each_block(&mut [0; 8 * 1024], |bytes| {
            watch.feed(bytes);
            first.feed(bytes);
            true
        })?;
        let answer = Answer::named(whole.encoding);
        let judgement = self.judge(&answer, &mut watch);
        let is_malformed = first.finish().is_none() && settings.invalid == Invalid::Strict;
        if is_malformed || !matches!(judgement, Judgement::Convert | Judgement::Believe(_)) {
            return Ok(true);
        }
        let to = self.run.settings.to;
        Question::is_rather_in(to, whole.encoding, options, &mut source())
    }

    /// Looks whether a file that is to be replaced was converted already, from one legacy encoding to another. No
    /// journal says so, and the user did not say that it was not.
    fn if_converted(
        &self,
        original: &Original<'_>,
        answer: &Answer,
    ) -> Result<Option<Doubt>, Refusal> {
        let options = self.run.options;
        let to = self.run.settings.to;
        let from = if options.per_line {
            let all = options.from.all();
            // If lines may be in the encoding of the output, they may have been from the start.
            all.first().filter(|_| !all.contains(&to.into())).copied()
        } else {
            (answer.basis.is_stated()).then_some(self.converter.settings().from)
        };
        let may_tell = |from: &Charset| *from != UTF_8 && !from.is_read_as(to) && has_lines(*from);
        let Some(from) = from.filter(may_tell) else {
            return Ok(None);
        };
        if !options.in_place || options.force || options.resume.is_some() || to == UTF_8 {
            return Ok(None);
        }
        let mut source = original.again()?;
        let is_converted =
            Question::is_rather_in(to, from, options, &mut source).map_err(cannot_read)?;
        Ok(is_converted.then(|| Doubt::converted(from, to)))
    }

    /// Reports what speaks against the encoding that a file was read as, or refuses to replace it. `watch` has seen
    /// enough of it.
    pub(super) fn doubt(
        &mut self,
        answer: &Answer,
        watch: &mut Watch,
        outcome: &mut FileReport,
    ) -> Result<(), Refusal> {
        let options = self.run.options;
        let from = self.converter.settings().from;
        if let Some(rival) = answer.rival {
            if !options.accept_guess && !options.force {
                outcome.severity.worsen(Severity::Faults);
            }
            outcome.add_note(format!(
                "read as {from}, which is a guess, and {rival} is hardly less plausible; --from says what it is"
            ));
        }
        if let Some(doubt) = self.if_misnamed(answer, watch) {
            if options.in_place {
                return Err(Refusal::skip(doubt.message(true)));
            }
            outcome.severity.worsen(Severity::Faults);
            outcome.note = Some(format!("{}; read as {from}", doubt.what));
        } else if outcome.note.is_none()
            && let Some(declared) = self.still_declared(answer, watch)
        {
            let correct = if answer.basis == Basis::Comment {
                "correct that by hand"
            } else {
                "--fix-declarations corrects that"
            };
            outcome.note = Some(format!("it still declares {declared}; {correct}"));
        }
        if options.in_place && !options.accept_guess && self.converter.is_guessed() {
            return Err(Refusal::skip(
                "the encoding of some lines was guessed; left alone. --accept-guess converts it \
                 anyway, --from=auto:LIST says what they may be in",
            ));
        }
        Ok(())
    }

    /// Looks whether a file whose encoding is stated is in another, by all that its text shows.
    fn if_misnamed(&mut self, answer: &Answer, watch: &mut Watch) -> Option<Doubt> {
        let from = self.converter.settings().from;
        let rather = (self.misnamed).rather_in(from, self.run.options, watch.sample()?)?;
        Some(Doubt::misnamed(from, answer.basis.said(), rather))
    }

    /// The encoding that the output still declares, unless it is in that.
    fn still_declared(&self, answer: &Answer, watch: &Watch) -> Option<Charset> {
        let (options, to) = (self.run.options, self.run.settings.to);
        // UTF-16 is known by its byte order mark, and so is what had one.
        let is_corrected = options.fix_declarations && answer.basis != Basis::Comment;
        if is_corrected || Charset::from(to).is_utf16() {
            return None;
        }
        let declared = match answer.basis {
            Basis::Label | Basis::List => declared_in(watch.head()),
            basis if basis.is_declared() => answer.charset,
            _ => None,
        };
        declared.filter(|declared| *declared != to)
    }

    /// Decides about a file in which a fault was found, or of which only the beginning was read: all of its
    /// bytes show whether it is text.
    pub(super) fn if_text(
        &mut self,
        original: &Original<'_>,
        answer: &Answer,
        outcome: &mut FileReport,
    ) -> Result<Course, Refusal> {
        let mut watch = self.new_watch(answer);
        let mut source = original.again()?;
        let looked = source.each_block(&mut self.block, |bytes| {
            watch.feed(bytes);
            !watch.is_binary()
        });
        looked.map_err(cannot_read)?;
        match watch.finish().not_text {
            Some(not_text)
                if self.run.options.binary != Some(Binary::Convert)
                    || answer.stated().is_none() =>
            {
                self.obey(Judgement::Binary(not_text), answer, outcome)
            }
            _ => Ok(Course::Convert),
        }
    }

    /// What to do with the current file, of which `watch` has seen enough.
    pub(super) fn judge(&self, answer: &Answer, watch: &mut Watch) -> Judgement {
        let options = self.run.options;
        judge(answer, &watch.finish(), options, options.in_place)
    }

    /// What examines the current file.
    pub(super) fn new_watch(&self, answer: &Answer) -> Watch {
        let settings = self.converter.settings();
        let watch = Watch::new(settings.from, settings.bom);
        if may_be_misnamed(answer, settings.from, self.run.options) {
            watch.for_sample()
        } else {
            watch
        }
    }

    /// Follows a judgement, or refuses the file.
    pub(super) fn obey(
        &self,
        judgement: Judgement,
        answer: &Answer,
        outcome: &mut FileReport,
    ) -> Result<Course, Refusal> {
        let in_place = self.run.options.in_place;
        match judgement {
            Judgement::Convert => Ok(Course::Convert),
            Judgement::Believe(note) => {
                outcome.note = Some(note);
                Ok(Course::Convert)
            }
            Judgement::Leave(doubt) => Err(Refusal::skip(doubt.message(in_place))),
            Judgement::Already => {
                outcome.from = UTF_8.into();
                outcome.evidence = Basis::Utf8;
                outcome.state = State::Already;
                Ok(if in_place { Course::Done } else { Course::Copy })
            }
            Judgement::Binary(not_text) => {
                outcome.evidence = Answer::not_text(not_text).basis;
                outcome.state = State::Binary;
                match self.run.options.binary {
                    Some(Binary::Copy) if in_place => Ok(Course::Done),
                    Some(Binary::Copy) => Ok(Course::Copy),
                    Some(Binary::Convert) if answer.stated().is_some() => Ok(Course::Convert),
                    Some(Binary::Convert) => Err(RefusalKind::NotText.because(format!(
                        "{}, and nothing says which encoding to convert it from; name one with \
                         --from=LABEL",
                        not_text.in_words()
                    ))),
                    None => Err(RefusalKind::NotText.because(left(
                        not_text,
                        in_place,
                        self.run.options.decompress,
                    ))),
                }
            }
        }
    }
}

fn left(not_text: NotText, in_place: bool, unpacked: bool) -> String {
    let is = not_text.in_words();
    let unpack = not_text.advice(unpacked);
    if in_place {
        format!("{is}; left alone. {unpack}--binary=copy leaves such files alone silently")
    } else {
        format!(
            "{is}; nothing was written for it. {unpack}--binary=copy writes it as it is, --binary=convert with \
             --from=LABEL as text"
        )
    }
}
