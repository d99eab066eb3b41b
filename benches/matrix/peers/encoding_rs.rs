//! Builds of encoding_rs that are not the one that the matrix is linked with: shared libraries, built
//! from `benches/encoding_rs` when first needed, and loaded.
#![expect(unsafe_code, reason = "a library with a C interface")]

use std::process::Command;
use std::sync::OnceLock;

use libloading::Library;

use crate::corpus::root;

/// encoding_rs's `Encoding`, of that build.
#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

type Find = unsafe extern "C" fn(*const u8, usize) -> *const Handle;
type Convert<S, D> = unsafe extern "C" fn(*const Handle, *const S, usize, *mut D, usize) -> usize;

struct Functions {
    find: Find,
    decode_to_utf8: Convert<u8, u8>,
    decode_to_utf16: Convert<u8, u16>,
    encode_utf8: Convert<u8, u8>,
    encode_utf16: Convert<u16, u8>,
}

/// A way to build it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// Stable Rust and default features: the encoders for two-byte encodings search their tables.
    Default,
    /// Nightly Rust and `simd-accel`, with the fast encoders.
    Nightly,
}

impl Build {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Build::Default => "encoding_rs default",
            Build::Nightly => "encoding_rs nightly",
        }
    }

    fn functions(self) -> Option<&'static Functions> {
        static DEFAULT: OnceLock<Option<Functions>> = OnceLock::new();
        static NIGHTLY: OnceLock<Option<Functions>> = OnceLock::new();
        let functions = match self {
            Build::Default => &DEFAULT,
            Build::Nightly => &NIGHTLY,
        };
        let functions = functions.get_or_init(|| match self.load() {
            Ok(functions) => Some(functions),
            Err(error) => {
                eprintln!("    no {}: {error}", self.name());
                None
            }
        });
        functions.as_ref()
    }

    fn load(self) -> Result<Functions, String> {
        let folder = match self {
            Build::Default => "default",
            Build::Nightly => "nightly",
        };
        let target = root().join("target/encoding_rs").join(folder);
        let path = target.join("release/libencoding_rs_build.so");
        if !path.is_file() {
            eprintln!("    building {}", self.name());
            let mut command = match self {
                Build::Default => Command::new("cargo"),
                Build::Nightly => {
                    // Does not install a toolchain that is not there.
                    let mut command = Command::new("rustup");
                    command.args(["run", "nightly", "cargo"]);
                    command
                }
            };
            command
                .args([
                    "build",
                    "--release",
                    "--locked",
                    "--quiet",
                    "--manifest-path",
                ])
                .arg(root().join("benches/encoding_rs/Cargo.toml"))
                .arg("--target-dir")
                .arg(&target);
            if self == Build::Nightly {
                command.args(["--features", "simd-accel,fast-legacy-encode"]);
            }
            let status = command.status().map_err(|error| error.to_string())?;
            if !status.success() {
                return Err(format!("cargo: {status}"));
            }
        }
        // SAFETY: the library does nothing when it is loaded.
        let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
        let library: &'static Library = Box::leak(Box::new(library));
        macro_rules! symbol {
            ($name:literal) => {{
                // SAFETY: the type of the field is that of the function in `benches/encoding_rs`.
                *unsafe { library.get($name) }.map_err(|error| error.to_string())?
            }};
        }
        Ok(Functions {
            find: symbol!(b"peer_encoding"),
            decode_to_utf8: symbol!(b"peer_decode_to_utf8"),
            decode_to_utf16: symbol!(b"peer_decode_to_utf16"),
            encode_utf8: symbol!(b"peer_encode_utf8"),
            encode_utf16: symbol!(b"peer_encode_utf16"),
        })
    }
}

/// An encoding of another build.
#[derive(Clone, Copy)]
pub(crate) struct Encoding {
    handle: *const Handle,
    functions: &'static Functions,
}

impl Encoding {
    pub(crate) fn new(build: Build, name: &str) -> Option<Self> {
        let functions = build.functions()?;
        // SAFETY: a pointer and its length.
        let handle = unsafe { (functions.find)(name.as_ptr(), name.len()) };
        (!handle.is_null()).then_some(Encoding { handle, functions })
    }

    /// The bytes written.
    pub(crate) fn decode_to_utf8(self, src: &[u8], dst: &mut [u8]) -> usize {
        call(self.functions.decode_to_utf8, self.handle, src, dst)
    }

    /// The code units written.
    pub(crate) fn decode_to_utf16(self, src: &[u8], dst: &mut [u16]) -> usize {
        call(self.functions.decode_to_utf16, self.handle, src, dst)
    }

    /// The bytes written.
    pub(crate) fn encode_utf8(self, src: &str, dst: &mut [u8]) -> usize {
        call(self.functions.encode_utf8, self.handle, src.as_bytes(), dst)
    }

    /// The bytes written.
    pub(crate) fn encode_utf16(self, src: &[u16], dst: &mut [u8]) -> usize {
        call(self.functions.encode_utf16, self.handle, src, dst)
    }
}

#[inline(always)]
fn call<S, D>(function: Convert<S, D>, handle: *const Handle, src: &[S], dst: &mut [D]) -> usize {
    // SAFETY: the handle is one of the same build, and the lengths are those of the slices. What is
    // encoded from UTF-8 was a `str`.
    unsafe { function(handle, src.as_ptr(), src.len(), dst.as_mut_ptr(), dst.len()) }
}
