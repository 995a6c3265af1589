//! The evidence: what is checked against what.
//!
#![doc = include_str!("evidence.md")]
