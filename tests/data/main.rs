//! Kernels compute with data as the same Rust does, under every policy and at every warp width: arrays, slices and what is
//! borrowed of them, structs, enums, options, tuples, iterators, and the traits of these.
//!
//! They raise no warning, either.

#![deny(warnings)]

#[macro_use]
#[path = "../support/mod.rs"]
mod support;
#[macro_use]
#[path = "../support/twice.rs"]
mod twice;

mod array_conversions;
mod array_fields;
mod array_parameters;
mod array_patterns;
mod array_values;
mod arrays;
mod associated_defaults;
mod associated_types;
mod atomics_in_structs;
mod behind_fields;
mod by_reference;
mod chosen_parts;
mod consumed_iterators;
mod container_names;
mod containers;
mod elements;
mod enums;
mod equal_slices;
mod found_elements;
mod function_tables;
mod generic_enums;
mod generics;
mod given_iterators;
mod given_references;
mod given_slices;
mod hidden_variants;
mod homes;
mod host_copies;
mod in_parts;
mod inferred_lengths;
mod item_methods;
mod item_values;
mod iterator_sources;
mod iterators;
mod kernel_data;
mod kernels_of_types;
mod lazy_iterators;
mod lent_constants;
mod lent_fields;
mod lent_iterators;
mod lent_to_fields;
mod methods;
mod mirrors;
mod moves;
mod named_parts;
mod operator_bounds;
mod optional;
mod optional_places;
mod options;
mod ordered;
mod orderings;
mod own_bounds;
mod own_comparisons;
mod own_indices;
mod own_iterators;
mod own_option_names;
mod places_matched;
mod reached_otherwise;
mod reference_structs;
mod references;
mod references_in_guards;
mod referring;
mod reversed_keys;
mod row_elements;
mod rows_with_names;
mod shapes;
mod shared_values;
mod slice_matches;
mod slice_methods;
mod slices_in_patterns;
mod small_generics;
mod std_traits;
mod subslices;
mod trait_parameters;
mod traits;
mod tuple_items;
mod tuple_places;
mod tuples;
mod types_of_macros;
mod unit_patterns;
mod unnamed_types;
mod unset_arrays;
mod values_behind_results;
mod variants_by_name;
mod written_items;
mod written_parts;
mod zipped_iterators;
