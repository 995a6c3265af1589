//! What your CUDA becomes.
//!
#![doc = include_str!("cuda.md")]
