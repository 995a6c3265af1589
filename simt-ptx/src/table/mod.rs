//! The table of opcodes: one row for each form, from which parser, checker, lowering and the page of what is supported follow.
//!
//! A new opcode is a row in one of the files of `rows`. Modifiers may stand in any order in the text; the parser puts them in
//! the order of their row's slots, so that whatever comes behind it sees one spelling.
//!
//! # The table
#![doc = include_str!("page.md")]

mod form;
mod near;
mod page;
mod row;
mod rows;
mod sets;
mod special;

pub use form::{AtomicOp, Boolean, Comparison, Form, Order, Rounding, Scope};
pub use page::page;
pub use row::{Becomes, Binary, Carry, Of, Row, Shape, Slot, Ternary, Unary};
pub use special::{SPECIALS, Special, special};

use crate::syntax::{Name, Type};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The rows of each opcode, in the order of the table.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Row>>> = LazyLock::new(|| {
    let mut by_name: HashMap<&'static str, Vec<&'static Row>> = HashMap::new();
    for row in groups().flat_map(|(_, rows)| rows) {
        by_name.entry(row.name).or_default().push(row);
    }
    by_name
});

/// All rows by group.
pub fn groups() -> impl Iterator<Item = (&'static str, &'static [Row])> {
    rows::GROUPS.iter().copied()
}

/// The rows of an opcode, in the order of the table; none if the table does not have it.
#[must_use]
pub fn rows_of(opcode: &str) -> &'static [&'static Row] {
    BY_NAME.get(opcode).map_or(&[], |rows| &rows[..])
}

/// Why no row has an instruction's modifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// No row has the opcode; these are near.
    Opcode(Vec<&'static str>),
    /// The row that is nearest has no place for the modifier of this number.
    Modifier { at: usize, near: Vec<&'static str> },
    /// The row that is nearest needs one of these, too.
    Missing(Vec<&'static str>),
}

/// How far modifiers fill the slots of a row.
struct Fit {
    /// The slot of each modifier, up to the first that has none.
    slots: Vec<usize>,
    /// The slot that is still to be filled, if all modifiers have one.
    missing: Option<usize>,
}

impl Fit {
    fn of(row: &Row, modifiers: &[Name]) -> Fit {
        let mut filled = [false; 16];
        let mut slots = Vec::with_capacity(modifiers.len());
        for modifier in modifiers {
            let mut types = true;
            let slot = row.slots.iter().enumerate().take(filled.len()).position(|(at, slot)| match slot {
                _ if filled[at] => false,
                Slot::Is(words) | Slot::May(words) => words.contains(&modifier.text.as_str()),
                // Types are in the order of their slots.
                Slot::Type(list) => {
                    std::mem::take(&mut types) && Type::from_text(&modifier.text).is_some_and(|ty| list.contains(&ty))
                }
                Slot::Rest => true,
            });
            let Some(slot) = slot else { return Fit { slots, missing: None } };
            filled[slot] = row.slots[slot] != Slot::Rest;
            slots.push(slot);
        }
        let needed = |slot: &Slot| matches!(slot, Slot::Is(_) | Slot::Type(_));
        let missing =
            (0..row.slots.len()).find(|&at| needed(&row.slots[at]) && !filled.get(at).copied().unwrap_or(false));
        Fit { slots, missing }
    }

    fn fits(&self, modifiers: &[Name]) -> bool {
        self.slots.len() == modifiers.len() && self.missing.is_none()
    }
}

/// The rows that have an instruction's modifiers.
fn fitting<'a>(opcode: &str, modifiers: &'a [Name]) -> impl Iterator<Item = &'static Row> + 'a {
    rows_of(opcode).iter().copied().filter(|row| Fit::of(row, modifiers).fits(modifiers))
}

/// Puts modifiers in the order of their row.
pub(crate) fn arrange(opcode: &str, modifiers: &mut [Name]) -> Result<(), Mismatch> {
    let rows = rows_of(opcode);
    let fits = rows.iter().map(|row| (row, Fit::of(row, modifiers)));
    let mut best: Option<(&&Row, Fit)> = None;
    for (row, fit) in fits {
        if fit.fits(modifiers) {
            let mut order: Vec<(usize, Name)> = fit.slots.iter().copied().zip(modifiers.iter().cloned()).collect();
            if !fit.slots.is_sorted() {
                order.sort_by_key(|(slot, _)| *slot);
                modifiers.iter_mut().zip(order).for_each(|(place, (_, name))| *place = name);
            }
            return Ok(());
        }
        // A row that takes whatever there is says nothing of what is wrong.
        let near = !row.slots.contains(&Slot::Rest);
        if best.as_ref().is_none_or(|(_, other)| near && fit.slots.len() > other.slots.len()) {
            best = Some((row, if near { fit } else { Fit { slots: Vec::new(), missing: None } }));
        }
    }
    let Some((_, fit)) = best else { return Err(Mismatch::Opcode(near::opcodes(opcode, BY_NAME.keys().copied()))) };
    let at = fit.slots.len();
    if fit.missing.is_none() {
        let all = rows.iter().flat_map(|row| row.slots).flat_map(words);
        let near = near::words(modifiers.get(at).map_or("", |name| &name.text), all);
        return Err(Mismatch::Modifier { at, near });
    }
    // What any row lacks that has all of the modifiers; of those that are out of scope nothing is said.
    let inside = |row: &&&Row| !matches!(row.becomes, Becomes::Unsupported(_));
    let missing = rows.iter().filter(inside).filter_map(|row| {
        let fit = Fit::of(row, modifiers);
        fit.missing.filter(|_| fit.slots.len() == modifiers.len()).map(|slot| &row.slots[slot])
    });
    let mut missing: Vec<&'static str> = missing.flat_map(words).collect();
    let mut seen = std::collections::HashSet::new();
    missing.retain(|word| seen.insert(*word));
    Err(Mismatch::Missing(missing))
}

/// The modifiers that a slot takes.
fn words(slot: &'static Slot) -> Box<dyn Iterator<Item = &'static str>> {
    match slot {
        Slot::Is(words) | Slot::May(words) => Box::new(words.iter().copied()),
        Slot::Type(types) => Box::new(types.iter().map(|ty| ty.text())),
        Slot::Rest => Box::new(std::iter::empty()),
    }
}

#[cfg(test)]
mod tests;
