//! The oracle: the algorithms of the Encoding Standard, transcribed literally, step by step.
//!
//! It is slow and simple, and shares no code and no data with the library. It is checked as well: against
//! encoding_rs, and against the standard's index files if they are on the machine
//! (`tests/exhaustive/oracle.rs`). It follows the current text: I/O queues, GB18030-2022, html mode straight
//! to the output, and the ISO-2022-JP encoder's escape before an error.

pub(crate) mod big5;
pub(crate) mod euc_jp;
pub(crate) mod euc_kr;
pub(crate) mod events;
pub(crate) mod gb18030;
pub(crate) mod hooks;
pub(crate) mod index_files;
pub(crate) mod indexes;
pub(crate) mod instances;
pub(crate) mod iso_2022_jp;
pub(crate) mod labels;
pub(crate) mod peer_indexes;
pub(crate) mod process;
pub(crate) mod queue;
pub(crate) mod shift_jis;
pub(crate) mod single_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
