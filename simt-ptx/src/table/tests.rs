//! The table itself: what it has, and how instructions find their rows.

use super::*;
use crate::span::Span;

fn names(words: &[&str]) -> Vec<Name> {
    words.iter().map(|word| Name::new(*word, Span::default())).collect()
}

fn arranged(text: &str) -> Result<String, Mismatch> {
    let (opcode, modifiers) = text.split_once('.').unwrap_or((text, ""));
    let mut modifiers = names(&modifiers.split('.').filter(|word| !word.is_empty()).collect::<Vec<_>>());
    arrange(opcode, &mut modifiers)?;
    let words: Vec<&str> = std::iter::once(opcode).chain(modifiers.iter().map(|name| name.text.as_str())).collect();
    Ok(words.join("."))
}

#[test]
fn modifiers_come_in_any_order() {
    for (text, expected) in [
        ("atom.add.release.gpu.u32", "atom.release.gpu.add.u32"),
        ("atom.or.acq_rel.cta.b32", "atom.acq_rel.cta.or.b32"),
        ("atom.relaxed.gpu.global.add.u32", "atom.relaxed.gpu.global.add.u32"),
        ("atom.global.sys.cas.b32", "atom.sys.global.cas.b32"),
        ("vote.ballot.sync.b32", "vote.sync.ballot.b32"),
        ("ld.v2.global.nc.u32", "ld.global.nc.v2.u32"),
        ("add.f32.ftz.rn", "add.rn.ftz.f32"),
        // Types stay in their order.
        ("cvt.f64.f32", "cvt.f64.f32"),
        ("cvt.f32.rn.f64", "cvt.rn.f32.f64"),
    ] {
        assert_eq!(arranged(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_does_not_fit_says_what_would() {
    // One letter put in, or replaced; the first three in the order of the alphabet.
    assert_eq!(arranged("ad.u32"), Err(Mismatch::Opcode(vec!["add", "and", "ld"])));
    assert_eq!(arranged("div.approx"), Err(Mismatch::Missing(vec!["f32"])));
    // What any of the rows lacks.
    assert_eq!(arranged("mad24.u32"), Err(Mismatch::Missing(vec!["lo", "hi"])));
    assert_eq!(arranged("add.f32.rx"), Err(Mismatch::Modifier { at: 1, near: vec!["rm", "rn", "rp"] }));
    // A narrower float needs a rounding, a wider one has none.
    assert!(arranged("cvt.f32.f64").is_err() && arranged("cvt.rn.f64.f32").is_err());
    assert_eq!(arranged("frobnicate.u32"), Err(Mismatch::Opcode(Vec::new())));
}

/// A row behind one that takes all that it takes would never be found.
#[test]
fn every_row_is_reached() {
    let mut hidden = Vec::new();
    for rows in BY_NAME.values() {
        for (at, row) in rows.iter().enumerate() {
            let first = |slot: &'static Slot| words(slot).next();
            let needed = row.slots.iter().filter(|slot| matches!(slot, Slot::Is(_) | Slot::Type(_)));
            let modifiers = names(&needed.filter_map(first).collect::<Vec<_>>());
            let before = rows[..at].iter().filter(|before| before.operands.len() == row.operands.len());
            let all = |before: &Row| {
                row.slots
                    .iter()
                    .flat_map(words)
                    .all(|word| before.slots.iter().flat_map(words).any(|other| other == word))
            };
            hidden.extend(
                before
                    .filter(|before| Fit::of(before, &modifiers).fits(&modifiers) && all(before))
                    .map(|_| format!("{row:?}")),
            );
        }
    }
    assert!(hidden.is_empty(), "{hidden:#?}");
}

/// A slot beyond the sixteenth would never be filled.
#[test]
fn rows_are_well_formed() {
    for (_, rows) in groups() {
        for row in rows {
            assert!(row.slots.len() <= 16, "{row:?}");
            let rest = row.slots.iter().position(|slot| *slot == Slot::Rest);
            assert!(rest.is_none_or(|at| at + 1 == row.slots.len()), "{row:?}");
            let types = row.slots.iter().filter(|slot| matches!(slot, Slot::Type(_))).count();
            for shape in row.operands {
                if let Shape::To(Of::Type(at)) | Shape::From(Of::Type(at)) | Shape::FromWider(Of::Type(at)) = shape {
                    assert!(*at < types, "{row:?}");
                }
            }
        }
    }
}
