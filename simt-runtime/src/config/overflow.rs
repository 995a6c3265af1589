//! The names of [`Overflow`] in TOML: the crate that has the type knows nothing of formats.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use simt_core::ops::Overflow;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Overflow", rename_all = "lowercase")]
enum Name {
    Wrap,
    Fault,
}

pub(super) fn serialize<S: Serializer>(overflow: &Overflow, to: S) -> Result<S::Ok, S::Error> {
    Name::serialize(overflow, to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Overflow, D::Error> {
    Name::deserialize(from)
}
