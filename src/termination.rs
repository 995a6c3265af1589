//! Termination: why a kernel may hang under one policy and end under another, and how to see it.
//!
#![doc = include_str!("termination.md")]
