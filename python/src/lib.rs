//! The engine of the Python package `simdtext`: the library, with Python's objects, buffers and error handlers.
//!
//! Only the code that reads buffers and writes objects is unsafe. Tested in `tests/`, from Python.

#[cfg(feature = "arrow")]
mod arrow;
mod buffer;
#[cfg(feature = "corpus")]
mod corpus;
mod decode;
mod detect;
mod detector;
mod encode;
mod files;
mod incremental;
mod malformed;
mod mixed;
mod offsets;
mod percent;
mod state;
mod text;
mod unmappable;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _engine {
    use pyo3::prelude::*;

    #[cfg(feature = "arrow")]
    #[pymodule_export]
    use crate::arrow::{
        Array, ChunkedArray, arrow_decode, arrow_encode, arrow_idle_memory, arrow_release_memory,
    };
    #[cfg(feature = "corpus")]
    #[pymodule_export]
    use crate::corpus::{
        CorpusBatches, corpus_command, corpus_no_rows, corpus_read, corpus_read_file,
        corpus_read_split, corpus_splits,
    };
    #[pymodule_export]
    use crate::decode::{UnknownLabelError, decode};
    #[pymodule_export]
    use crate::detect::{Candidate, Decision, Guess, detect, sniff, undo_double_encoding};
    #[pymodule_export]
    use crate::detector::Detector;
    #[pymodule_export]
    use crate::encode::encode;
    #[pymodule_export]
    use crate::files::{Conversion, ConversionReport, ConversionSummary, command};
    #[pymodule_export]
    use crate::incremental::{Decoder, Encoder};
    #[pymodule_export]
    use crate::mixed::{FirstValid, Segment, first_valid, segments};
    #[pymodule_export]
    use crate::offsets::OffsetMap;
    #[pymodule_export]
    use crate::percent::percent_encode_after_encoding;
    #[pymodule_export]
    use crate::{encodings, lookup};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Each error has its own.
        let error = module.py().get_type::<UnknownLabelError>();
        error.setattr("suggestions", ())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// The name of the encoding that a label means; raises `UnknownLabelError` if it means none.
#[pyfunction]
fn lookup(label: &Bound<'_, pyo3::types::PyString>) -> PyResult<&'static str> {
    decode::encoding_of(label).map(simdtext::Encoding::name)
}

/// The names of all encodings, each with its labels.
#[pyfunction]
fn encodings() -> Vec<(&'static str, Vec<&'static str>)> {
    let all = simdtext::Encoding::all().iter();
    all.map(|encoding| (encoding.name(), encoding.labels().to_vec()))
        .collect()
}
