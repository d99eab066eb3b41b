//! Stands in for the machines of a family of encodings that is not compiled in: a type without values, for
//! which no code is generated.

use super::{Codec, Decode, Emit, Encode, Growth, Initial, Item};
use crate::output::Sink;
use crate::simd::{Kernels, Transcoded};

/// A machine that is not compiled in. The constant makes machines that would have the same type distinct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absent<const KIND: bool = false> {}

impl<const KIND: bool> Initial for Absent<KIND> {
    fn initial(_: Codec) -> Option<Self> {
        None
    }
}

impl<const KIND: bool> Decode for Absent<KIND> {
    fn step(self, _: &[u8], _: bool) -> (Item, Self) {
        match self {}
    }

    fn kernel<S: Sink>(&mut self, _: &Kernels, _: &[u8], _: bool, _: &mut S) -> Transcoded {
        match *self {}
    }
}

impl<const KIND: bool> Encode for Absent<KIND> {
    const GROWTH: Growth = Growth {
        utf8: 0,
        utf16: 0,
        extra: 0,
    };

    fn step(self, _: char) -> (Emit, Self) {
        match self {}
    }
}

/// The machine of the single-byte encodings, without the feature `legacy-single-byte`.
#[cfg(not(feature = "legacy-single-byte"))]
pub(crate) mod single_byte {
    pub(crate) type SingleByte = super::Absent;

    impl SingleByte {
        pub(crate) fn new(_index: u8) -> Option<Self> {
            None
        }

        pub(crate) fn is_full(self) -> bool {
            match self {}
        }

        pub(crate) fn max_utf8(self) -> usize {
            match self {}
        }
    }
}

/// The machines of the encodings of East Asia, without the feature `legacy-cjk`.
#[cfg(not(feature = "legacy-cjk"))]
pub(crate) mod cjk {
    pub(crate) mod big5 {
        pub(crate) type Big5 = super::super::Absent;
    }

    pub(crate) mod euc_jp {
        pub(crate) type EucJp = super::super::Absent;
    }

    pub(crate) mod euc_kr {
        pub(crate) type EucKr = super::super::Absent;
    }

    pub(crate) mod gb18030 {
        pub(crate) type Gb18030Decoder = super::super::Absent;
        pub(crate) use super::super::Absent as Gb18030Encoder;
    }

    pub(crate) mod shift_jis {
        pub(crate) type ShiftJis = super::super::Absent;
    }

    pub(crate) mod iso_2022_jp {
        pub(crate) type Iso2022JpDecoder = super::super::Absent;
        pub(crate) type Iso2022JpEncoder = super::super::Absent;

        impl Iso2022JpDecoder {
            pub(crate) fn to_bytes(self) -> [u8; 2] {
                match self {}
            }

            pub(crate) fn from_bytes(_: [u8; 2]) -> Option<Self> {
                None
            }

            pub(crate) fn is_lead(self, _: u8) -> bool {
                match self {}
            }

            pub(crate) fn is_initial(self) -> bool {
                match self {}
            }
        }
    }
}
