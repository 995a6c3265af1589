//! Caches, DRAM and bandwidth, against what the machine could do at most.

use super::summary::shown;
use crate::Run;
use maud::{Markup, html};
use simt_runtime::figures::Unit;
use simt_runtime::hierarchy::{LevelConfig, LevelFigures};
use simt_runtime::{ClockConfig, ClockReport, MemoryTiming};

/// A figure against its limit.
struct Limit {
    name: String,
    value: f64,
    limit: f64,
    unit: &'static str,
    of: &'static str,
}

fn limits(clock: &ClockConfig, report: &ClockReport) -> Vec<Limit> {
    let lanes = (clock.cores * clock.ports * clock.simd_width) as f64;
    let mut limits = vec![Limit {
        name: "thread instructions per cycle".into(),
        value: report.ipc(),
        limit: lanes,
        unit: "a cycle",
        of: "all lanes of all pipelines",
    }];
    let places = report.warp_places() as f64;
    let held = report.stalls().total() - report.stalls().of(simt_runtime::Stall::NoBlock);
    let held = held as f64 / report.cycles().max(1) as f64;
    limits.push(Limit {
        name: "warps on cores".into(),
        value: held,
        limit: places,
        unit: "warps",
        of: "places for warps, given what a block needs",
    });
    if let (MemoryTiming::Hierarchy(config), Some(memory)) = (&clock.memory, report.memory())
        && let Some(dram) = memory.dram()
    {
        let modules = config.levels.iter().find_map(|level| match &level.level {
            LevelConfig::Crossbar(crossbar) => Some(crossbar.partitions),
            _ => None,
        });
        let module = config.levels.iter().find_map(|level| match &level.level {
            LevelConfig::Dram(dram) => Some(dram),
            _ => None,
        });
        if let (Some(modules), Some(module)) = (modules, module) {
            let peak =
                f64::from(modules) * f64::from(module.bus) * f64::from(module.clock) / f64::from(module.core_clock);
            let cycles = report.cycles().max(1) as f64;
            limits.push(Limit {
                name: "DRAM bandwidth".into(),
                value: dram.bytes as f64 / cycles,
                limit: peak,
                unit: "bytes a cycle",
                of: "the data buses of all memory modules",
            });
        }
    }
    limits
}

/// The limits of each run, and what its levels of memory have counted.
pub(super) fn section(runs: &[Run]) -> Markup {
    html! {
        @for run in runs {
            @if let (Some(config), Some(report)) = (&run.machine.clock, run.report().and_then(|report| report.clock())) {
                h3 { (run.name) }
                div.scroll tabindex="0" role="group" aria-label=(format!("Limits of {}", run.name)) {
                    table {
                        thead { tr { th.text scope="col" { "Figure" } th scope="col" { "Value" } th scope="col" { "Limit" } th.text scope="col" { "Used" } th.text scope="col" { "The limit is" } } }
                        tbody {
                            @for Limit { name, value, limit, unit, of } in limits(config, report) {
                                @let used = if limit > 0.0 { value / limit } else { 0.0 };
                                tr {
                                    th.text scope="row" { (name) }
                                    td { (format!("{value:.2} {unit}")) }
                                    td { (format!("{limit:.1}")) }
                                    td.text { meter min="0" max="1" value=(format!("{used:.4}")) aria-label=(format!("{name}: share of the limit")) { } " " (shown(Unit::Fraction, used)) }
                                    td.text.soft { (of) }
                                }
                            }
                            @for level in report.memory().map(|memory| &*memory.levels).unwrap_or_default() {
                                @if let LevelFigures::Cache(cache) = &level.figures {
                                    @if cache.accesses > cache.passed {
                                        @let hits = 1.0 - cache.miss_rate();
                                        tr {
                                            th.text scope="row" { (level.name.to_uppercase()) " hits" }
                                            td { (shown(Unit::Fraction, hits)) }
                                            td { "100 %" }
                                            td.text { meter min="0" max="1" value=(format!("{hits:.4}")) aria-label=(format!("{} hits", level.name)) { } " " (shown(Unit::Count, cache.accesses as f64)) " accesses" }
                                            td.text.soft { (shown(Unit::Count, cache.stall_cycles as f64)) " cycles of waiting for room" }
                                        }
                                    }
                                }
                                @if let LevelFigures::Dram(dram) = &level.figures {
                                    @if dram.bytes > 0 {
                                        tr {
                                            th.text scope="row" { (level.name.to_uppercase()) " rows open" }
                                            td { (shown(Unit::Fraction, dram.row_hit_rate())) }
                                            td { "100 %" }
                                            td.text { meter min="0" max="1" value=(format!("{:.4}", dram.row_hit_rate())) aria-label=(format!("{}: rows open", level.name)) { } " " (shown(Unit::Bytes, dram.bytes as f64)) }
                                            td.text.soft { (shown(Unit::Count, (dram.reads + dram.writes) as f64)) " reads and writes" }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
