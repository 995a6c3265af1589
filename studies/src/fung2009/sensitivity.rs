//! Which assumption the numbers depend on: one at a time is changed.

use super::{MECHANISMS, names, printed, with_mean};
use crate::measured::Measured;
use crate::page::{Cell, Page, Table};
use crate::programs::Scale;
use crate::runner::{Needs, Results};
use crate::setup::{Change, Setup};

/// What is changed, in words.
pub(super) const CHANGES: [(&str, Change); 10] = [
    ("baseline", Change::None),
    ("12 cycles to a result, not 24", Change::ShortPipeline),
    ("an access for each thread at the cache", Change::AccessesPerThread),
    ("lines of 32 bytes, not 64", Change::ShortLines),
    ("lines of 128 bytes", Change::LongLines),
    ("a data cache of 128 KB, not 512", Change::SmallCache),
    ("memory as near as the cache", Change::NearMemory),
    ("short arms become selects", Change::IfConversion),
    ("no swizzling", Change::NoSwizzling),
    ("greedy, not in turns", Change::Greedy),
];

/// A machine with a change, on an eighth of the machine with small inputs.
fn changed(setup: Setup, change: Change, scale: Scale) -> Setup {
    Setup { small: scale == Scale::Full, ..setup.but(change) }
}

pub(super) fn needs(needs: &mut Needs, scale: Scale) {
    for (_, change) in CHANGES.iter().filter(|(_, change)| scale == Scale::Full || *change == Change::None) {
        MECHANISMS.iter().for_each(|(_, setup)| needs.all(changed(*setup, *change, scale)));
    }
}

pub(super) fn page(results: &Results, scale: Scale) -> Result<Page, String> {
    let mut order =
        Table::new("Harmonic means of the IPC over that of NREC [printed] ratio.", &["NREC", "PDOM", "DWF", "MIMD"], 2);
    let mut tables = Vec::new();
    for (words, change) in CHANGES.iter().filter(|(_, change)| scale == Scale::Full || *change == Change::None) {
        let mut table = Table::new(&format!("IPC: {words}."), &names(), 2);
        for (label, setup) in MECHANISMS {
            table.row(label, with_mean(results.ipcs(changed(setup, *change, scale))));
        }
        let means: Vec<f64> =
            MECHANISMS.iter().map(|(_, setup)| results.mean(changed(*setup, *change, scale))).collect();
        order
            .row(words, means.iter().zip(printed::ORDER).map(|(mean, printed)| Cell::beside(mean / means[0], printed)));
        tables.push(table);
    }
    if scale == Scale::Full {
        let title =
            "Miss rates of the data cache if each thread's access counts by itself, pending hits as misses (Table III)";
        tables.push(misses(results, title, &printed::MISSES, |measured| measured.misses));
        let title = "The same without pending hits (Table IV)";
        tables
            .push(misses(results, title, &printed::MISSES_WITHOUT_PENDING, |measured| measured.misses_without_pending));
    }
    let text = "The programs of the paper and their inputs are not public, and its machine has numbers that it does not name. \
                Each row changes one of ours, on two cores with one memory module and small inputs. `--quick` has the baseline alone."
        .into();
    tables.insert(0, order);
    Ok(Page { text, tables, ..Page::default() })
}

/// Miss rates with an access for each thread, beside a table of the paper.
fn misses(results: &Results, title: &str, printed: &[[f64; 7]; 3], value: fn(&Measured) -> f64) -> Table {
    let mut table = Table::new(&format!("{title}, in % [printed] ratio."), &names()[..7], 2);
    for ((label, setup), printed) in MECHANISMS[1..].iter().zip(printed) {
        let setup = changed(*setup, Change::AccessesPerThread, Scale::Full);
        let rate = |program| 100.0 * value(results.of(program, setup));
        table.row(label, (0..7).map(|program| Cell::beside(rate(program), printed[program])));
    }
    table
}
