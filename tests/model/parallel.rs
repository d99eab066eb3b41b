//! `Parallel::convert_stream` with readers that are slow and fail. `tests/parallel` has the rest.

use std::io::{self, ErrorKind, Read};
use std::sync::OnceLock;

use simdtext::parallel::{FaultKind, OnMalformed, Parallel, Pool, StreamErrorKind, StreamOptions};
use simdtext::{Bom, Encoding, UTF_8, UTF_16BE};

use crate::peer;
use crate::random::{Random, Rough};

fn parallel(random: &mut Random) -> Parallel<'static> {
    static POOLS: [OnceLock<Pool>; 3] = [const { OnceLock::new() }; 3];
    let n = random.below(3);
    let pool = POOLS[n].get_or_init(|| Pool::new(n + 1).expect("threads can be started"));
    Parallel::new().pool(pool).piece_bytes(random.len(20_000))
}

/// A reader of nothing, which may fail.
struct Nothing(bool);

impl Read for Nothing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        let failure = self.0.then(|| ErrorKind::ConnectionReset.into());
        failure.map_or(Ok(0), Err)
    }
}

#[test]
fn any_stream() {
    crate::each_case(|random| {
        let (from, bom): (&Encoding, Bom) = (random.encoding(), random.bom());
        let (bytes, fails) = (random.bytes(from, 20_000), random.one_in(2));
        let reader = Rough::new(random, bytes.clone(), 0).chain(Nothing(fails));
        let mut writer = Rough::new(random, Vec::new(), 0);
        let (skips, to) = (random.one_in(2), random.pick(&[UTF_8, UTF_16BE]));
        let malformed = [OnMalformed::Replace, OnMalformed::Skip][usize::from(skips)];
        let options = StreamOptions::new(from, to).bom(bom).malformed(malformed);
        let mut told = Vec::new();
        let result = parallel(random).convert_stream(&options, reader, &mut writer, |fault| {
            told.push(fault.kind);
        });
        let instead = if skips { "" } else { "\u{FFFD}" };
        let expected = peer::decode(from, &bytes, bom, !fails, instead);
        let (written, _) = peer::encode(to, &expected.text, simdtext::Unmappable::Strict);
        assert!(writer.bytes == written, "{from}, {bom:?}, {options:?}");
        let kinds = (expected.malformed.iter()).map(|it| FaultKind::Malformed(it.1));
        assert_eq!(told, kinds.collect::<Vec<_>>());
        let mut held = 0;
        let summary = result.unwrap_or_else(|error| {
            assert!(fails && matches!(error.kind, StreamErrorKind::Read(_)));
            let mut decoder = from.decoder(bom);
            let _ = decoder.decode_to_utf8(&bytes, &mut vec![0; 3 * bytes.len() + 16], false);
            held = decoder.pending().len();
            error.summary
        });
        assert_eq!(summary.read, (bytes.len() - held) as u64);
        assert_eq!(summary.written, written.len() as u64);
        assert_eq!(summary.malformed, told.len() as u64);
        assert_eq!(summary.encoding, expected.encoding);
    });
}
