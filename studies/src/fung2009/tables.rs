//! Tables II to V.

use super::{MECHANISMS, printed};
use crate::measured::Measured;
use crate::page::{Cell, Page, Table};
use crate::programs::{PROGRAMS, Scale};
use crate::runner::{Needs, Results};

pub(super) fn needs(needs: &mut Needs, _scale: Scale) {
    MECHANISMS[1..].iter().for_each(|(_, setup)| needs.all(*setup));
}

pub(super) fn no_needs(_needs: &mut Needs, _scale: Scale) {}

fn page(results: &Results, title: &str, printed: &[[f64; 7]; 3], value: fn(&Measured) -> f64) -> Page {
    let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
    let mut table = Table::new(title, &names, 2);
    for ((label, setup), printed) in MECHANISMS[1..].iter().zip(printed) {
        table.row(
            label,
            (0..7).map(|program| Cell::beside(100.0 * value(results.of(program, *setup)), printed[program])),
        );
    }
    Page { tables: vec![table], ..Page::default() }
}

pub(super) fn bandwidth(results: &Results, _scale: Scale) -> Result<Page, String> {
    let title = "Cycles in which data buses carried bytes, in % of all [printed] ratio.";
    Ok(page(results, title, &printed::BANDWIDTH, |measured| measured.bandwidth))
}

pub(super) fn misses(results: &Results, _scale: Scale) -> Result<Page, String> {
    let title = "Accesses that missed, those included that joined a request underway, in % [printed] ratio.";
    Ok(page(results, title, &printed::MISSES, |measured| measured.misses))
}

pub(super) fn misses_without_pending(results: &Results, _scale: Scale) -> Result<Page, String> {
    let title = "Accesses that missed and made a request, in % [printed] ratio.";
    Ok(page(results, title, &printed::MISSES_WITHOUT_PENDING, |measured| measured.misses_without_pending))
}

/// Bits of the structures, as the contents of their entries add up.
pub(super) fn bits() -> u64 {
    printed::AREA.iter().map(|(_, entries, bits, _, _)| entries * bits).sum()
}

/// Square millimetres of all cores: structures of the scheduler, and decoders of the banks of registers.
pub(super) fn area_of_chip() -> f64 {
    let scheduler: f64 = printed::AREA.iter().map(|(_, _, _, _, area)| area).sum();
    16.0 * (scheduler + 8.0 * 0.573 - 3.8628)
}

/// Table V.
pub(super) fn area(_results: &Results, _scale: Scale) -> Result<Page, String> {
    let mut table = Table::new(
        "Bits of each structure, from what is listed of its entries [printed] ratio.",
        &["entries", "bits of an entry", "bits"],
        0,
    );
    for (name, entries, bits, printed, _) in printed::AREA {
        table.row(
            name,
            [(entries as f64).into(), (bits as f64).into(), Cell::beside((entries * bits) as f64, printed as f64)],
        );
    }
    let total: u64 = printed::AREA.iter().map(|(_, _, _, printed, _)| printed).sum();
    let mut sum = Table::new("Bits of all structures [printed] ratio.", &["bits"], 0);
    sum.row("total", [Cell::beside(bits() as f64, total as f64)]);
    let mut area = Table::new(
        "Square millimetres of a chip of 16 cores, from the printed areas of the structures (CACTI's, which are not computed here).",
        &["area", "% of 470"],
        2,
    );
    area.row("all cores", [Cell::beside(area_of_chip(), 37.72), Cell::beside(100.0 * area_of_chip() / 470.0, 8.0)]);
    let text = "Two rows do not add up in the paper: an entry of the warp pool with 10 bits of scheduler data has 354 bits, and \
                the printed size is that of 351; an entry of the MHeap LUT has 31 bits, and the printed size is that of 39."
        .into();
    Ok(Page { text, tables: vec![table, sum, area], ..Page::default() })
}
