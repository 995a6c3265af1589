//! What is checked against what.
//!
#![doc = include_str!("evidence.md")]
