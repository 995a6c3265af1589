//! The rows, a file a group.

mod arithmetic;
mod compare;
mod control;
mod convert;
mod float;
mod logic;
mod memory;
mod outside;

use super::row::Row;

/// The groups, each with its name and its rows.
pub(super) const GROUPS: &[(&str, &[Row])] = &[
    ("integers", arithmetic::ROWS),
    ("floats", float::ROWS),
    ("bits and copies", logic::ROWS),
    ("comparisons", compare::ROWS),
    ("conversions", convert::ROWS),
    ("memory", memory::ROWS),
    ("control", control::ROWS),
    ("out of scope", outside::ROWS),
];
