// Written by `cargo run -p simdtext-tables -- generate`; do not edit.
// Source: tables/gen/src/list.rs.

codecs! {
    ($)
    codecs {
        Utf8,
        Gbk,
        Gb18030,
        Big5,
        EucJp,
        Iso2022Jp,
        ShiftJis,
        EucKr,
        Replacement,
        Utf16Be,
        Utf16Le,
        XUserDefined,
    }
    decoders {
        Utf8 => Utf8(utf8::Utf8),
        Gbk | Gb18030 => Gb18030(gb18030::Gb18030Decoder),
        Big5 => Big5(big5::Big5),
        EucJp => EucJp(euc_jp::EucJp),
        Iso2022Jp => Iso2022Jp(iso_2022_jp::Iso2022JpDecoder),
        ShiftJis => ShiftJis(shift_jis::ShiftJis),
        EucKr => EucKr(euc_kr::EucKr),
        Replacement => Replacement(replacement::Replacement),
        Utf16Be | Utf16Le => Utf16(utf16::Utf16),
        XUserDefined => XUserDefined(x_user_defined::XUserDefined),
    }
    encoders {
        Utf8 => Utf8(utf8::Utf8),
        Gbk => Gbk(gb18030::Gb18030Encoder<true>),
        Gb18030 => Gb18030(gb18030::Gb18030Encoder<false>),
        Big5 => Big5(big5::Big5),
        EucJp => EucJp(euc_jp::EucJp),
        Iso2022Jp => Iso2022Jp(iso_2022_jp::Iso2022JpEncoder),
        ShiftJis => ShiftJis(shift_jis::ShiftJis),
        EucKr => EucKr(euc_kr::EucKr),
        Utf16Be | Utf16Le => Utf16(utf16::Utf16),
        XUserDefined => XUserDefined(x_user_defined::XUserDefined),
    }
    no_encoder {
        Replacement,
    }
}
