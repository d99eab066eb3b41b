//! Properties of the parsers, on inputs from a generator: pieces of well-formed ones, put together and changed.

mod properties;

#[path = "../examples/make_corpus/records.rs"]
#[expect(dead_code, reason = "also makes whole corpora")]
mod records;
#[path = "../examples/make_corpus/texts.rs"]
mod texts;

use std::path::Path;

use records::{Maker, gzip};
use texts::{Random, Texts};

const PIECES: [&[u8]; 24] = [
    b"WARC/1.0\r\n",
    b"WARC-Type: response\r\n",
    b"WARC-Type: warcinfo\r\n",
    b"Content-Length: 10\r\n",
    b"Content-Length: 99999999999\r\n",
    b"\r\n",
    b"\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n",
    b"5\r\nhello\r\n",
    b"0\r\n\r\n",
    b"ffffffffffffffff\r\n",
    b"From a b\n",
    b"Content-Type: multipart/mixed; boundary=x\n\n",
    b"--x\n",
    b"--x--\n",
    b"{\"content\":\"",
    b"\"}\n",
    b"\x1F\x8B\x08\0\0\0\0\0\0\x03",
    b"\x28\xB5\x2F\xFD\x04\x58\x09\0\0a",
    b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"caf\xE9",
    &[0; 512],
];

fn tar(random: &mut Random) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::new(*random.pick(b"0Lx5gKS")));
    header.set_size(*random.pick(&[0, 5, 511, 512, 1 << 20, u64::MAX]));
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(&[b'a'; 512]);
    bytes
}

fn input(random: &mut Random, maker: &mut Maker<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..1 + random.below(8) {
        match random.below(8) {
            0 => bytes.extend(maker.next().bytes),
            1 => bytes.extend(gzip(&maker.next().bytes)),
            2 => bytes.extend(tar(random)),
            3 => {
                let n = random.below(40);
                bytes.extend(random.bytes(n));
            }
            _ => bytes.extend_from_slice(PIECES[random.below(PIECES.len())]),
        }
    }
    for _ in 0..random.below(3) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte = random.next().to_le_bytes()[0];
        }
    }
    if random.below(3) == 0 {
        bytes.truncate(random.below(bytes.len()));
    }
    if random.below(4) == 0 {
        bytes = gzip(&bytes);
    }
    bytes
}

#[test]
fn nothing_makes_a_parser_fail() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/utf-8");
    let texts = Texts::read(&[&samples], 200).expect("the samples can be read");
    let mut maker = Maker::new(&texts, 5);
    let mut random = Random::new(9);
    for _ in 0..500 {
        let bytes = input(&mut random, &mut maker);
        properties::warc_header(&bytes);
        properties::chunked(bytes.get(..2000).unwrap_or(&bytes));
        for container in 0..6 {
            properties::records(&[&[container], &bytes[..]].concat());
        }
    }
}
