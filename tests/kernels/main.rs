//! Kernels do what the same Rust does, under every policy and at every warp width.
//!
//! They raise no warning, either, wherever they stand and also if macros write them, as they do most of these.

#![deny(warnings)]

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

/// Runs kernel and plain function on the same input, everywhere; what they write is compared.
macro_rules! same {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let x: Vec<u32> = (0..45).map(|i| i * 7 % 31).collect();
            let grid = simt::Grid::new(3, 15);
            let mut expected = vec![5; x.len()];
            crate::support::host::run(grid, || plain::$name(&x, &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![5; x.len()];
                let launched = gpu.launch(grid, kernel::$name(&x, &mut out));
                assert!(launched.is_ok(), "{launched:?}");
                assert_eq!(out, expected);
            });
            assert_ne!(expected, vec![5; x.len()], "the kernel does something");
        }
    )*};
}

/// Compiles functions twice, as `kernels!` does: as kernels with their device functions, and as plain Rust.
macro_rules! kernels_with_devices {
    (
        devices: $(fn $device:ident($($taken:tt)*) $(-> $result:ty)? $device_body:block)*
        kernels: $(fn $name:ident($($params:tt)*) $body:block)*
    ) => {
        mod kernel {
            use simt::prelude::*;
            $(#[device] fn $device($($taken)*) $(-> $result)? $device_body)*
            $(#[kernel] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, unused, reason = "the text is written for the device")]
            use crate::support::host::*;
            $(fn $device($($taken)*) $(-> $result)? $device_body)*
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}

/// Compiles functions twice, as `kernels_with_devices!` does, of which the device functions may be generic.
macro_rules! items_with_kernels {
    (
        { $($device:item)* }
        $(fn $name:ident($($params:tt)*) $body:block)*
    ) => {
        mod kernel {
            #[allow(unused_imports, reason = "there may be nothing around, or all of it")]
            use {super::*, simt::prelude::*};
            $(#[device] $device)*
            $(#[kernel] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, clippy::pedantic, unused, reason = "the text is written for the device")]
            use super::*;
            use crate::support::host::*;
            $($device)*
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}

/// Compiles types, their functions and kernels twice, so that plain Rust has its own of each.
macro_rules! programs {
    (
        types { $($ty:item)* }
        device { $($device:item)* }
        $(fn $name:ident($($params:tt)*) $body:block)*
    ) => {
        mod kernel {
            use simt::prelude::*;
            $(#[derive(Clone, Copy, KernelData)] $ty)*
            $(#[device] $device)*
            $(#[kernel] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            #![allow(clippy::all, clippy::pedantic, unused, reason = "the text is written for the device")]
            use crate::support::host::*;
            $(#[derive(Clone, Copy)] $ty)*
            $($device)*
            $(pub(super) fn $name($($params)*) $body)*
        }
        same!($($name)*);
    };
}

/// Compiles kernels, and the same as plain Rust: with the types and device functions around, which the host has, too.
macro_rules! alike {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        $(#[kernel] fn $name($($params)*) $body)*
        mod plain {
            #![allow(clippy::all, clippy::pedantic, unused_imports, reason = "the text is written for the device")]
            use super::*;
            use crate::support::host::*;
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}

mod absent;
mod adaptive;
mod algorithms;
mod array_conversions;
mod array_fields;
mod array_parameters;
mod array_patterns;
mod array_values;
mod arrays;
mod asked_comparisons;
mod assembly;
mod assigned_later;
mod associated_defaults;
mod associated_types;
mod atomic_loops;
mod atomic_references;
mod atomic_rows;
mod atomics;
mod atomics_in_structs;
mod atomics_passed;
mod attributes;
mod barriers;
mod behind_fields;
mod block_operands;
mod by_reference;
mod byte_strings;
mod bytes;
mod calls;
mod carried;
mod casts;
mod chains;
mod changed_copies;
mod checked;
mod chosen_parts;
mod closure_parameters;
mod closures;
mod closures_passed;
mod closures_that_give;
mod collectives;
mod comparisons;
mod conflicts;
mod consumed_iterators;
mod container_names;
mod containers;
mod control;
mod conversions;
mod cuts;
mod departed;
mod dependences;
mod dijkstra;
mod dimensions;
mod dynamic;
mod effects;
mod elements;
mod enums;
mod equal_slices;
mod everyday;
mod exchanges;
mod first;
mod fixed_point;
mod float_atomics;
mod floats;
mod found_elements;
mod function_tables;
mod functions;
mod functions_by_path;
mod generic_enums;
mod generics;
mod given_atomics;
mod given_iterators;
mod given_references;
mod given_slices;
mod gotos;
mod grid_barriers;
mod grids;
mod hidden_items;
mod hidden_variants;
mod homes;
mod host_copies;
mod host_macros;
mod idioms;
mod imported;
mod in_parts;
mod indices;
mod inferred_lengths;
mod inner_items;
mod inner_macros;
mod integers;
mod item_methods;
mod item_values;
mod iterator_sources;
mod iterators;
mod kernel_data;
mod kernels_of_types;
mod language;
mod launch_bounds;
mod lazy_iterators;
mod left_early;
mod lent_constants;
mod lent_fields;
mod lent_iterators;
mod lent_to_fields;
mod livelocks;
mod long;
mod marks;
mod matches;
mod memory;
mod methods;
mod mirrors;
mod mixed;
mod mixed_signs;
mod moves;
mod named_parts;
mod nested;
mod numbers;
mod one_value;
mod operator_bounds;
mod operators;
mod optional;
mod optional_places;
mod options;
mod ordered;
mod orderings;
mod overflow;
mod own_bounds;
mod own_closures;
mod own_comparisons;
mod own_indices;
mod own_iterators;
mod own_names;
mod own_option_names;
mod own_std_names;
mod parameter_names;
mod passed_by_name;
mod places_matched;
mod programs;
mod ranges;
mod reached_otherwise;
mod reference_structs;
mod references;
mod references_in_guards;
mod referring;
#[allow(clippy::print_stdout, reason = "a user's test prints the report")]
#[rustfmt::skip]
mod readme;
mod reports;
mod reversed_keys;
mod rings;
mod row_elements;
mod rows_with_names;
mod second;
mod selects;
mod shapes;
mod shared_values;
mod shown;
mod shuffles;
mod slice_matches;
mod slice_methods;
mod slices_in_patterns;
mod small_generics;
mod small_programs;
mod speaking;
mod std_paths;
mod std_traits;
mod subslices;
mod switches;
mod tables;
mod temporaries;
mod tiles;
mod together;
mod told_later;

mod totals;
mod trait_parameters;
mod traits;
mod tuple_items;
mod tuple_places;
mod tuples;
mod types_of_macros;
mod unit_patterns;
mod units;
mod unnamed_types;
mod unset_arrays;
mod unshared;
mod values_behind_results;
mod variants_by_name;
mod waiting;
mod written_items;
mod written_parts;
mod zipped_iterators;
