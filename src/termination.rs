//! Which kernels end, and why: a kernel may hang under one policy and end under another.
//!
#![doc = include_str!("termination.md")]
