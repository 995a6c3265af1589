//! Kernels do what the same Rust does, under every policy and at every warp width: statements, numbers, calls, memory, what
//! threads do together. What they compute with, other than numbers, is in `tests/data`: two programs are compiled side by side.
//!
//! They raise no warning, either, wherever they stand and also if macros write them, as they do most of these.

#![deny(warnings)]

#[macro_use]
#[path = "../support/mod.rs"]
mod support;
#[macro_use]
#[path = "../support/twice.rs"]
mod twice;

mod absent;
mod adaptive;
mod algorithms;
mod arrays_by_value;
mod asked_comparisons;
mod assembly;
mod assigned_later;
mod assigned_patterns;
mod atomic_loops;
mod atomic_references;
mod atomic_rows;
mod atomics;
mod atomics_passed;
mod attributes;
mod barriers;
mod block_operands;
mod byte_strings;
mod bytes;
mod calls;
mod carried;
mod casts;
mod chains;
mod changed_copies;
mod checked;
mod closure_parameters;
mod closures;
mod closures_passed;
mod closures_that_give;
mod collectives;
mod comparisons;
mod conflicts;
mod control;
mod conversions;
mod cuts;
mod departed;
mod dependences;
mod dijkstra;
mod dimensions;
mod dynamic;
mod effects;
mod everyday;
mod exchanges;
mod first;
mod fixed_point;
mod float_atomics;
mod floats;
mod functions;
mod functions_by_path;
mod given_atomics;
mod gotos;
mod grid_barriers;
mod grids;
mod hidden_items;
mod host_macros;
mod idioms;
mod imported;
mod indices;
mod inner_items;
mod inner_macros;
mod integers;
mod language;
mod launch_bounds;
mod left_early;
mod livelocks;
mod long;
mod marks;
mod matches;
mod memory;
mod mixed;
mod mixed_signs;
mod named_lanes;
mod nested;
mod numbers;
mod one_value;
mod operators;
mod overflow;
mod own_closures;
mod own_names;
mod own_std_names;
mod parameter_names;
mod passed_by_name;
mod programs;
mod ranges;
#[allow(clippy::print_stdout, reason = "a user's test prints the report")]
#[rustfmt::skip]
mod readme;
mod reports;
mod rings;
mod second;
mod selects;
mod shown;
mod shuffles;
mod small_programs;
mod speaking;
mod std_paths;
mod switches;
mod tables;
mod temporaries;
mod tiles;
mod together;
mod told_later;
mod totals;
mod units;
mod unshared;
mod waiting;
