//! The language of kernels: what can stand in a `#[kernel]` or `#[device]` function, and what becomes of it.
//!
#![doc = include_str!("language.md")]
