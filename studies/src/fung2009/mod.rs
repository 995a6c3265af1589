//! W. W. L. Fung, I. Sham, G. Yuan and T. M. Aamodt, *Dynamic Warp Formation: Efficient MIMD Control Flow on SIMD Graphics
//! Hardware*, ACM TACO 6(2), article 7, 2009: its figures and tables, and what its text says of them.

mod behaviour;
mod claims;
mod inputs;
mod limits;
mod performance;
mod printed;
mod schedules;
mod sensitivity;
mod tables;

use crate::programs::PROGRAMS;
use crate::runner::harmonic;
use crate::setup::{Mechanism, Setup};
use crate::study::{Figure, Study};

pub(crate) const STUDY: Study =
    Study { name: "fung2009", title: "Dynamic Warp Formation, run again", figures: &FIGURES, claims: claims::claims };

/// All figures and tables, in the paper's order.
const FIGURES: [Figure; 18] = [
    Figure {
        name: "1",
        title: "Figure 1: performance loss due to branch divergence",
        needs: performance::order_needs,
        page: performance::order,
    },
    Figure {
        name: "5",
        title: "Figure 5: PDOM by the width of warps",
        needs: performance::utilisation_needs,
        page: performance::utilisation,
    },
    Figure { name: "7", title: "Figure 7: optimal reconvergence points", needs: limits::needs, page: limits::page },
    Figure {
        name: "13",
        title: "Figure 13: NREC, PDOM and DWF versus MIMD",
        needs: performance::order_needs,
        page: performance::programs,
    },
    Figure {
        name: "14",
        title: "Figure 14: scheduling policies, lane conflicts ignored",
        needs: schedules::ideal_needs,
        page: schedules::ideal,
    },
    Figure {
        name: "15",
        title: "Figure 15: active threads of issues",
        needs: schedules::ideal_needs,
        page: schedules::occupancy,
    },
    Figure {
        name: "16",
        title: "Figure 16: Black-Scholes over time",
        needs: behaviour::series_needs,
        page: behaviour::series,
    },
    Figure {
        name: "17",
        title: "Figure 17: lane aware scheduling and hardware",
        needs: schedules::lanes_needs,
        page: schedules::lanes,
    },
    Figure {
        name: "18",
        title: "Figure 18: cache bank conflicts",
        needs: performance::banks_needs,
        page: performance::banks,
    },
    Figure {
        name: "19",
        title: "Figure 19: width of warps",
        needs: performance::widths_needs,
        page: performance::widths,
    },
    Figure {
        name: "20",
        title: "Figure 20: threads of a core",
        needs: performance::threads_needs,
        page: performance::threads,
    },
    Figure { name: "21", title: "Figure 21: warp pool and heap", needs: behaviour::pool_needs, page: behaviour::pool },
    Figure {
        name: "table2",
        title: "Table II: memory bandwidth utilisation",
        needs: tables::needs,
        page: tables::bandwidth,
    },
    Figure {
        name: "table3",
        title: "Table III: cache miss rates, pending hits classified as misses",
        needs: tables::needs,
        page: tables::misses,
    },
    Figure {
        name: "table4",
        title: "Table IV: cache miss rates without pending hits",
        needs: tables::needs,
        page: tables::misses_without_pending,
    },
    Figure { name: "table5", title: "Table V: area", needs: tables::no_needs, page: tables::area },
    Figure {
        name: "sensitivity",
        title: "Sensitivity: one assumption at a time",
        needs: sensitivity::needs,
        page: sensitivity::page,
    },
    Figure { name: "inputs", title: "Spread: other inputs of the programs", needs: inputs::needs, page: inputs::page },
];

/// The mechanisms of Figure 13, from the slowest to the fastest.
const MECHANISMS: [(&str, Setup); 4] =
    [("NREC", Setup::NREC), ("PDOM", Setup::PDOM), ("DWF", Setup::DWF), ("MIMD", Setup::MIMD)];

/// The schedules of section 4.3.
const SCHEDULES: [(&str, Mechanism); 5] = [
    ("DMaj", Mechanism::Majority),
    ("DMin", Mechanism::Minority),
    ("DTime", Mechanism::TimeStamp),
    ("DPdPri", Mechanism::PdomPriority),
    ("DPC", Mechanism::LowestPc),
];

/// The programs' names, and `HM` for the harmonic mean.
fn names() -> Vec<&'static str> {
    PROGRAMS.iter().map(|program| program.name).chain(["HM"]).collect()
}

/// The instructions per cycle of each program, and their harmonic mean.
fn with_mean(mut ipcs: Vec<f64>) -> Vec<f64> {
    ipcs.push(harmonic(&ipcs));
    ipcs
}
