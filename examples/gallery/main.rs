//! The kernels of CUDA books and benchmark suites, written in the kernel language.
//!
//! `cargo run --release --example gallery` runs each under every reconvergence policy, checks its results against plain
//! Rust, and prints the SIMD efficiency: the share of a warp's lanes that work, averaged over all issues. Locks do not end under every policy: the table says how.
//!
//! A kernel is one file in `kernels/` and one row of `with_kernels!`.

mod kernels;

use std::io::{self, Write};

use simt::prelude::*;

use kernels::machine::Machine;

/// A kernel's SIMD efficiency under each policy, or how it does not end.
struct Row {
    kernel: &'static str,
    efficiencies: Vec<Result<f64, &'static str>>,
}

/// Runs every kernel under every policy.
macro_rules! rows {
    ($($kernel:ident)*) => {
        vec![$(row(stringify!($kernel), kernels::$kernel::run)?),*]
    };
}

/// Runs a kernel under every policy.
fn row(kernel: &'static str, run: fn(&dyn Machine) -> Result<Report, LaunchError>) -> Result<Row, LaunchError> {
    let mut efficiencies = Vec::new();
    for_each_policy!(P => {
        // Examples are built with the feature `testing`, which would check every step.
        let gpu = Gpu::<P>::default().with_checks(Checks::none()).with_step_limit(kernels::step_limit::<P>());
        efficiencies.push(match run(&gpu) {
            Ok(report) => Ok(report.simd_efficiency()),
            Err(error) => Err(kernels::unending(&error).ok_or(error)?),
        });
    });
    Ok(Row { kernel, efficiencies })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = kernels::with_kernels!(rows);
    match write_table(&mut io::stdout().lock(), &rows) {
        // The reader of the output has closed it, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Characters of the longest entry, `step limit`.
const WIDEST: usize = 10;

/// A line for each kernel, a column for each policy.
fn write_table(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let mut policies = Vec::new();
    for_each_policy!(P => policies.push(P::name()));
    let width = rows.iter().map(|row| row.kernel.len()).max().unwrap_or(0);
    write!(out, "{:width$}", "")?;
    for policy in &policies {
        write!(out, "  {policy:>WIDEST$}")?;
    }
    writeln!(out)?;
    for Row { kernel, efficiencies } in rows {
        write!(out, "{kernel:width$}")?;
        for (policy, efficiency) in policies.iter().zip(efficiencies) {
            let text = match efficiency {
                Ok(efficiency) => format!("{:.1} %", 100.0 * efficiency),
                Err(how) => how.to_string(),
            };
            write!(out, "  {text:>0$}", policy.len().max(WIDEST))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\nSIMD efficiency in warps of 32. All results are those of plain Rust.")?;
    let unending = |row: &Row| row.efficiencies.iter().any(Result::is_err);
    match rows.iter().any(unending) {
        true => writeln!(
            out,
            "A livelock is proved to go on for ever; the step limit is {} issues a warp.",
            kernels::step_limit::<Ipdom>()
        ),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt::RaceCheck;

    /// Which kernels do not end under which policies: `Dwf<Majority>` and `StackLess<MostLanes>` run the largest group of
    /// threads, which are those that spin; `StackLess<Oldest>` those that were there first; under the others a thread that
    /// left the loop of `warp_lock` waits for the threads of other warps that are still in it.
    const UNENDING: [(&str, &str); 10] = [
        ("spin_lock", "StackLess<Oldest>"),
        ("ticket_lock", "StackLess<Oldest>"),
        ("spin_lock", "StackLess<MostLanes>"),
        ("ticket_lock", "StackLess<MostLanes>"),
        ("spin_lock", "Dwf<Majority>"),
        ("ticket_lock", "Dwf<Majority>"),
        ("warp_lock", "Dwf<Majority>"),
        ("warp_lock", "Dwf<LowestPc>"),
        ("warp_lock", "Dwf<PdomPriority>"),
        ("warp_lock", "BlockCompaction"),
    ];

    /// A kernel at every width of 4 to 64, under every policy; `run` compares with plain Rust.
    fn check(kernel: &str, run: fn(&dyn Machine) -> Result<Report, LaunchError>) -> Result<(), LaunchError> {
        for lanes in [4, 8, 32, 64] {
            for_each_policy!(P => {
                let gpu = Gpu::<P>::default().with_warp_width(lanes).with_step_limit(kernels::step_limit::<P>());
                // Every step is checked at two of the widths, which takes as long as all the rest.
                let gpu = gpu.with_checks(if matches!(lanes, 8 | 32) { Checks::all() } else { Checks::none() });
                // With as many lanes as threads there is no thread to wait for.
                let alone = kernel == "warp_lock" && lanes == 64;
                if UNENDING.contains(&(kernel, P::name())) && !alone {
                    let gpu = gpu.with_checks(Checks::none()).with_step_limit(kernels::step_limit::<P>() / 8);
                    let error = run(&gpu).unwrap_err();
                    assert!(kernels::unending(&error).is_some(), "{error}");
                } else {
                    assert!(run(&gpu)?.thread_instructions() > 0);
                }
            });
        }
        Ok(())
    }

    /// A test for each kernel.
    macro_rules! tests {
        ($($kernel:ident)*) => {$(
            #[test]
            fn $kernel() -> Result<(), LaunchError> {
                check(stringify!($kernel), kernels::$kernel::run)
            }
        )*};
    }
    kernels::with_kernels!(tests);

    /// None has a race, within a block or between blocks, and none relies on the lanes of a warp running in step.
    macro_rules! race_free {
        ($($kernel:ident)*) => {$({
            fn check<P: Policy>(lanes: usize) -> Result<(), LaunchError> {
                let gpu = Gpu::<P>::default().with_checks(Checks::none()).with_race_check(RaceCheck::Grid);
                kernels::$kernel::run(&gpu.with_warp_width(lanes)).map(|_| ())
            }
            check::<Ipdom>(32)?;
            check::<Mimd>(8)?;
            check::<Dwf<TimeStamp>>(8)?;
        })*};
    }

    #[test]
    fn no_kernel_races() -> Result<(), LaunchError> {
        kernels::with_kernels!(race_free);
        Ok(())
    }

    #[test]
    fn the_table_has_a_column_for_each_policy() {
        let mut policies = Vec::new();
        for_each_policy!(P => policies.push(P::name()));
        let row = |entry| Row { kernel: "a_kernel", efficiencies: vec![entry; policies.len()] };
        let mut text = Vec::new();
        write_table(&mut text, &[row(Ok(0.25)), row(Err("livelock"))]).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next().unwrap().split_whitespace().collect::<Vec<_>>(), policies);
        assert_eq!(lines.next().unwrap().matches(" 25.0 %").count(), policies.len());
        assert_eq!(lines.next().unwrap().matches(" livelock").count(), policies.len());
    }

    /// All kernels but the locks are certified to end under every schedule (ESOP'12, Lemma 6).
    #[test]
    fn only_locks_depend_on_the_schedule() {
        use kernels::*;
        macro_rules! dependences {
            ($($module:ident::$kernel:ident $(::<$ty:ty>)?)*) => {
                [$((stringify!($kernel), $module::$kernel::program$(::<$ty>)?().schedule_dependences())),*]
            };
        }
        let all = dependences! {
            bfs::expand bitonic_sort::sort_tiles::<u32> black_scholes::black_scholes fft::fft histogram::histogram
            interpreter::interpret lattice_boltzmann::step lu::decompose matrix_product::matrix_product
            n_queens::by_recursion n_queens::by_stack ray_tracer::render reduction::reduce saxpy::saxpy scan::scan_tiles
            scan::add_sums smith_waterman::align spin_lock::careful spin_lock::naive spmv::multiply
            string_search::search ticket_lock::enter ticket_lock::enter_naively warp_lock::a_lane_a_warp
        };
        let dependent = all.iter().filter(|(_, found)| !found.is_empty());
        let locks = ["careful", "naive", "enter", "enter_naively", "a_lane_a_warp"];
        assert!(dependent.map(|(name, _)| name).eq(&locks), "{all:?}");
        assert!(all.iter().flat_map(|(_, found)| found).all(|dependence| dependence.value == "lock"));
    }
}
