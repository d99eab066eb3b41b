//! Stores an encoding as its name, and reads it from any of its labels.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::Encoding;

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.inner.name())
    }
}

impl<'de> Deserialize<'de> for &'static Encoding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Label)
    }
}

struct Label;

impl Visitor<'_> for Label {
    type Value = &'static Encoding;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a valid encoding label")
    }

    fn visit_str<E: Error>(self, label: &str) -> Result<&'static Encoding, E> {
        Encoding::for_label(label.as_bytes())
            .ok_or_else(|| E::custom(format_args!("invalid encoding label: {label}")))
    }
}
