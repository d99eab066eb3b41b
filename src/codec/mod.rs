//! The state machines of the standard, one file each.

/// Which machine an encoding runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Utf8,
    Utf16Be,
    Utf16Le,
    /// The table's place among the 27.
    SingleByte(u8),
    Gbk,
    Gb18030,
    Big5,
    EucJp,
    Iso2022Jp,
    ShiftJis,
    EucKr,
    Replacement,
    XUserDefined,
}
