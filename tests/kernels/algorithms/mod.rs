//! Algorithms of the benchmark suites that GPUs are measured with (Rodinia, Parboil, SHOC, the CUDA samples), from their
//! published descriptions, written as one writes Rust: with structs, enums, options and methods. The host runs the same text.

mod geometry;
mod grids;
mod machines;
mod sequences;
