//! Labels in strings: parsing, and with the feature `serde` serialization.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::encoding::Encoding;

/// A string is not a label of any encoding.
///
/// ```
/// use simdtext::{Encoding, UTF_8};
///
/// assert_eq!("utf8".parse::<&Encoding>(), Ok(UTF_8));
/// assert!("klingon".parse::<&Encoding>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownLabel(());

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a label of any encoding in the WHATWG Encoding Standard")
    }
}

impl Error for UnknownLabel {}

/// Parses a label, as [`Encoding::for_label`] does.
///
/// ```
/// use simdtext::{Encoding, SHIFT_JIS};
///
/// let encoding: &'static Encoding = "Windows-31J".parse()?;
/// assert_eq!(encoding, SHIFT_JIS);
/// assert!("latin-1".parse::<&Encoding>().is_err());
/// # Ok::<(), simdtext::UnknownLabel>(())
/// ```
impl FromStr for &'static Encoding {
    type Err = UnknownLabel;

    fn from_str(label: &str) -> Result<Self, UnknownLabel> {
        Encoding::for_label(label.as_bytes()).ok_or(UnknownLabel(()))
    }
}

/// Finds the encoding that a label means, as [`Encoding::for_label`] does.
///
/// ```
/// use simdtext::{Encoding, KOI8_R};
///
/// assert_eq!(<&Encoding>::try_from("koi8"), Ok(KOI8_R));
/// ```
impl TryFrom<&str> for &'static Encoding {
    type Error = UnknownLabel;

    fn try_from(label: &str) -> Result<Self, UnknownLabel> {
        label.parse()
    }
}

#[cfg(feature = "serde")]
mod with_serde {
    use core::fmt;

    use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
    use serde::ser::{Serialize, Serializer};

    use crate::encoding::Encoding;

    /// Serializes an encoding as its name, such as `"Shift_JIS"`.
    impl Serialize for Encoding {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.name())
        }
    }

    /// Deserializes an encoding from any of its labels, of which its name is one.
    impl<'de> Deserialize<'de> for &'static Encoding {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_str(LabelVisitor)
        }
    }

    struct LabelVisitor;

    impl Visitor<'_> for LabelVisitor {
        type Value = &'static Encoding;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a label of an encoding in the WHATWG Encoding Standard")
        }

        fn visit_str<E: Error>(self, label: &str) -> Result<&'static Encoding, E> {
            label
                .parse()
                .map_err(|_| E::invalid_value(Unexpected::Str(label), &self))
        }
    }
}
