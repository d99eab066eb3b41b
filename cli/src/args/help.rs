//! The help after the flags: examples, guarantees and exit statuses.

pub(super) const ROOT_AFTER_HELP: &str = "\
Examples:
  simdtext convert -o new.txt old.txt                to UTF-8, encoding detected
  simdtext convert -f shift_jis -o new.txt old.txt   Shift_JIS to UTF-8
  simdtext convert --out-dir new old                 all files of a folder
  simdtext detect *.txt                              which encodings are these in, and why?
  simdtext check *.txt                               where is this not UTF-8?
  simdtext list                                      the encodings and their labels

Exit status:
  0  all is well (a closed pipe, as in `simdtext convert big.txt | head`, is not an error)
  1  the data has errors: something was malformed, unmappable, replaced or left out
  2  a usage error, or something could not be read or written, also because a standard stream is
     closed (`>&-`)
  129, 130, 143, 153  `convert` was stopped by SIGHUP, SIGINT, SIGTERM or SIGXFSZ
A file that fails does not stop the others; the worst status wins.

SIMDTEXT_ISA=none|scalar|sse4|avx2|avx512|avx512_vbmi2|neon in the environment forces a lower set of \
kernels, for comparing and for bug reports; `simdtext --version` names the set in use.";

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  simdtext convert notes.txt > notes.utf8.txt            to UTF-8, encoding detected
  simdtext convert -f windows-1251 notes.txt > notes.utf8.txt
  simdtext convert -f gbk -o new.txt old.txt
  simdtext convert -f big5 --invalid=strict -o new.txt old.txt   all or nothing
  simdtext convert -t windows-1252 --unmappable=ncr page.html
  simdtext convert -t utf-16le --output-bom < in.txt > out.txt
  simdtext convert -f euc-jp part1 part2 -o whole.txt
  simdtext convert -f auto:shift_jis,euc-jp mail.txt     one of these, if it is not UTF-8
  simdtext convert --per-line -f auto:gbk,windows-1252 server.log
  simdtext convert -f shift_jis --out-dir new old        a tree, into another
  simdtext convert --in-place -e html --dry-run .        what would be done
  simdtext convert -f gbk --in-place -e txt --resume ~/state .";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  simdtext check *.txt
  simdtext check -f shift_jis --errors-max=5 old.txt
  simdtext check --json notes.txt | jq .offset

A line of the report:
  notes.txt:12: malformed bytes E4 BD at offset 318 (UTF-8)";

pub(super) const DETECT_EXAMPLES: &str = "\
Examples:
  simdtext detect *.txt
  simdtext detect --json old-site | jq -r 'select(.confidence == \"tentative\").path'
  simdtext detect --html --content-type 'text/html; charset=gbk' page

A line of the report:
  old.txt: Shift_JIS, tentative, detected: most plausible, as Japanese, by 212 bits
\"by 212 bits\" is the distance from the next candidate; a lead of a few bits means almost nothing.";

pub(super) fn detect_after_help() -> String {
    format!(
        "{DETECT_EXAMPLES}

\"certain\" is based on a byte order mark, a declaration, or all bytes of the file; \"tentative\" may be
wrong. The kinds of evidence, strongest first:
  bom        a byte order mark
  transport  the charset of --content-type
  prescan    a declaration in HTML, XML or CSS; tentative in HTML, as in browsers
  late-meta  a meta element after the first 1,024 bytes of HTML; tentative
  escapes    ISO-2022-KR, ISO-2022-CN or HZ, which look like ASCII and are not decoded; tentative
  ascii      all of it is ASCII, which is the same in nearly all encodings
  utf-8      all of it is valid UTF-8, and not only ASCII
  comment    a comment in the first two lines, as Python and Emacs read it, the header of a mail or of
             a .po file, or a statement as in TeX, Vim or SQL; tentative
  detected   a guess by how plausible the text would be. The less text, the less reliable
  binary     not text, judged by its first bytes or by bytes that text doesn't have
  implausible  not plausible as text in any encoding
\"encoded twice\" means UTF-8 that was read as windows-1252 and written as UTF-8 again, if undoing
that loses nothing: `simdtext convert --undo-double-encoding` does it.

Exit status: 0 all files were read; 1 a folder contains something that is not a file (a named pipe, \
a loop of links); 2 usage error, or a file could not be read."
    )
}

pub(super) fn convert_after_help() -> String {
    format!(
        "{CONVERT_EXAMPLES}

One output:
Several files are decoded one by one, each with its own byte order mark, and written as one text. If \
strict stops a file, what came before the error has been written to standard output, and the next \
file follows. The first few errors of each file are reported on standard error with line and offset, \
the rest as a total; `simdtext check` lists all malformed bytes.

A file that is being read is never written: this is refused before anything is touched, through \
links too. (A shell that redirects with `>` empties the file before simdtext starts; -o does not.) \
With -o, a FILE that is a symbolic link stays one and the file it points to is replaced; other hard \
links to that file keep the old content. --no-clobber leaves a FILE that exists. FILE is brought to \
the disk (fsync) before it takes its place, unless --no-fsync is given. SIGINT, SIGTERM and SIGHUP \
leave FILE as it was, unless it was just replaced: then the run ends as usual. `kill -9` may leave a \
temporary file named .simdtext-... in the folder.

Many files:
With --out-dir and --in-place, each output goes to a temporary file in the folder it belongs to, is \
synced to the disk, and takes its place by renaming. At every instant either the old file \
is there, whole, or the new one. Refused before anything is touched: two inputs for one output, an \
output folder inside a folder that is walked, an existing output that is not a regular file, a path \
that leads out of the output folder.

Left alone and counted: files whose bytes would not change, and, if --from names an encoding other \
than UTF-8 or a file declares one, files that are valid UTF-8 already. (Declarations in HTML, XML \
and CSS are not changed without --fix-declarations.) Left alone and reported (status 1): binary \
files (see --binary), files that are UTF-8 except for a few damaged bytes or lines in ISO-2022-JP, \
pages and other documents that declare an encoding which can't be decoded here, files that change \
or vanish while they are read, named pipes, sockets and devices in a folder, loops of links; with \
--in-place also files with errors, files whose encoding was guessed (unless --accept-guess is given) \
and files with several hard links. With --out-dir a guess that is hardly better than another is \
converted and reported (status 1 without --force). Hidden files, files that .gitignore and so on exclude, and symbolic links in a folder \
are left out and not counted; see -H, -I and -L. Files named as PATH or with --files-from are always \
taken.

Folders that are converted, those of listed files, and the output folder are locked: a second run \
there, or in a folder above or below, is refused and names the process that holds the lock.

After SIGINT (Ctrl-C), SIGTERM or SIGHUP (unless ignored, as under nohup), files being converted are finished, \
the others are left alone, and the summary is printed; a second signal abandons those being \
converted. After kill -9 or a power failure, every file is the old or the new one, whole; a \
temporary file named .simdtext-... may be left, which later runs report and --remove-orphans \
removes. With --in-place and another --to than UTF-8, an extended attribute notes what a file was \
converted to; on file systems without them only the journal of --resume tells new files from old \
ones.

Exit status: 0 all is well; 1 the data has errors, even if they were replaced or left out, or files \
were left alone and reported; 2 usage error, or something could not be read or written; 130, 143, \
129 or 153 after SIGINT, SIGTERM, SIGHUP or SIGXFSZ."
    )
}

pub(super) fn check_after_help() -> String {
    format!(
        "{CHECK_EXAMPLES}

Exit status: 0 every file is clean; 1 some bytes are malformed, or a file is binary or in another \
encoding; 2 usage error, or a file could not be read."
    )
}
