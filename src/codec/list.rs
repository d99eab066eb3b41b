//! The list of codecs: which machine decodes and which one encodes an encoding. Its rows are
//! generated from the list of encodings, `tables/gen/src/list.rs`.

use super::*;

/// Declares the codecs and the machines that `tables/codecs.rs` lists. The machine of the single-byte
/// encodings is not in the list, because it also has a table. `$d` is a dollar sign.
macro_rules! codecs {
    (
        ($d:tt)
        codecs { $($codec:ident,)* }
        decoders { $($($decoded:ident)|+ => $decoder:ident($decoder_type:ty),)* }
        encoders { $($($encoded:ident)|+ => $encoder:ident($encoder_type:ty),)* }
        no_encoder { $($not_encoded:ident,)* }
    ) => {
        /// The machines that an encoding runs on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Codec {
            /// The position of its index among those of the single-byte encodings.
            SingleByte(u8),
            $($codec,)*
        }

        /// The state of a decoder of any encoding.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum AnyDecoder {
            SingleByte(single_byte::SingleByte),
            $($decoder($decoder_type),)*
        }

        /// The state of an encoder of any encoding.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum AnyEncoder {
            SingleByte(single_byte::SingleByte),
            $($encoder($encoder_type),)*
        }

        impl AnyDecoder {
            /// Whether ASCII bytes are ASCII characters, whatever precedes them.
            #[inline(always)]
            pub(crate) fn is_ascii_compatible(&self) -> bool {
                match self {
                    AnyDecoder::SingleByte(_) => true,
                    $(AnyDecoder::$decoder(_) => <$decoder_type as Decode>::IS_ASCII_COMPATIBLE,)*
                }
            }
        }

        impl AnyEncoder {
            /// See [`Encode::KEEPS_ASCII`].
            #[inline(always)]
            pub(crate) fn keeps_ascii(&self) -> bool {
                match self {
                    AnyEncoder::SingleByte(_) => <single_byte::SingleByte as Encode>::KEEPS_ASCII,
                    $(AnyEncoder::$encoder(_) => <$encoder_type as Encode>::KEEPS_ASCII,)*
                }
            }
        }

        impl Codec {
            pub(crate) fn decoder(self) -> AnyDecoder {
                let decoder = match self {
                    Codec::SingleByte(index) => {
                        single_byte::SingleByte::new(index).map(AnyDecoder::SingleByte)
                    }
                    $($(Codec::$decoded)|+ => Initial::initial(self).map(AnyDecoder::$decoder),)*
                };
                // No encoding has a codec that is not compiled in.
                decoder.unwrap_or(AnyDecoder::Replacement(Default::default()))
            }

            /// `None` for replacement, which has no encoder.
            pub(crate) fn encoder(self) -> Option<AnyEncoder> {
                match self {
                    Codec::SingleByte(index) => {
                        single_byte::SingleByte::new(index).map(AnyEncoder::SingleByte)
                    }
                    $($(Codec::$encoded)|+ => Initial::initial(self).map(AnyEncoder::$encoder),)*
                    $(Codec::$not_encoded)|* => None,
                }
            }

            /// Where the decoder's input may be cut.
            #[cfg_attr(
                not(feature = "rayon"),
                allow(dead_code, reason = "streams are cut to be decoded on many cores")
            )]
            pub(crate) const fn cuts(self) -> Cuts {
                match self {
                    Codec::SingleByte(_) => <single_byte::SingleByte as Decode>::CUTS,
                    $($(Codec::$decoded)|+ => <$decoder_type as Decode>::CUTS,)*
                }
            }
        }

        /// The indexes of the encodings with characters of one and two bytes.
        #[cfg(test)]
        pub(crate) fn two_byte_indexes() -> impl Iterator<Item = &'static crate::simd::TwoByteIndex> {
            [$(<$decoder_type as Decode>::two_byte_index()),*].into_iter().flatten()
        }

        /// The tables of the encoders of the encodings with characters of one and two bytes.
        #[cfg(test)]
        pub(crate) fn two_byte_cells() -> impl Iterator<Item = &'static crate::simd::TwoByteCells> {
            [$(<$encoder_type as Encode>::TWO_BYTE_CELLS),*].into_iter().flatten()
        }

        /// Evaluates one generic expression for whichever machine an [`AnyDecoder`] or [`AnyEncoder`] holds.
        macro_rules! on_machine {
            (AnyDecoder, $d any:expr, $d machine:ident => $d body:expr) => {
                match $d any {
                    $crate::codec::AnyDecoder::SingleByte($d machine) => $d body,
                    $($crate::codec::AnyDecoder::$decoder($d machine) => $d body,)*
                }
            };
            (AnyEncoder, $d any:expr, $d machine:ident => $d body:expr) => {
                match $d any {
                    $crate::codec::AnyEncoder::SingleByte($d machine) => $d body,
                    $($crate::codec::AnyEncoder::$encoder($d machine) => $d body,)*
                }
            };
        }
        pub(crate) use on_machine;
    };
}

include!("../../tables/codecs.rs");
