//! The evaluations of papers on SIMT control flow, run again: every figure beside what was printed.
//!
//! `cargo run --release -p studies -- fung2009` runs that of W. W. L. Fung, I. Sham, G. Yuan and T. M. Aamodt, *Dynamic Warp
//! Formation* (TACO 2009), and writes a folder with its figures and tables, ours beside theirs, and a verdict on each claim.

mod measured;
mod occupied;
mod programs;
mod runner;
mod setup;

use std::process::ExitCode;

use programs::{PROGRAMS, Scale};
use runner::{Needs, Store, harmonic};
use setup::{Change, Formation, Mechanism, Setup};

fn main() -> ExitCode {
    match explore() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[allow(clippy::print_stdout)]
fn explore() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let scale = if args.iter().any(|a| a == "--full") { Scale::Full } else { Scale::Quick };
    let only: Vec<&String> = args.iter().filter(|a| !a.starts_with("--")).collect();
    let setups = [
        ("NREC", Setup::NREC), ("PDOM", Setup::PDOM), ("DWF", Setup::DWF), ("MIMD", Setup::MIMD),
        ("DPdP", Setup::new(Mechanism::PdomPriority)), ("iMaj", Setup::ideal(Mechanism::Majority)),
        ("unb", Setup::DWF.of_formation(Formation::Unbounded)),
    ];
    let _ = Change::None;
    let store = Store::new(std::path::Path::new("/work/w/t-stud/points"))?;
    let programs: Vec<usize> = (0..7).filter(|&p| only.is_empty() || only.iter().any(|o| PROGRAMS[p].name.eq_ignore_ascii_case(o))).collect();
    let mut all = vec![vec![]; setups.len()];
    for &p in &programs {
        print!("{:8}", PROGRAMS[p].name);
        let mut base = 0.0;
        for (i, (name, s)) in setups.iter().enumerate() {
            let mut needs = Needs::default();
            needs.one(p, *s);
            let began = std::time::Instant::now();
            let r = runner::run(&needs, scale, 1, &store)?;
            let m = r.of(p, *s);
            if *name == "PDOM" { base = m.ipc; }
            all[i].push(m.ipc);
            print!(" | {name} {:6.2} bw{:3.0} ms{:4.1}/{:4.1} ef{:3.0} wi{:.1e} {:.1}s", m.ipc, 100.*m.bandwidth, 100.*m.misses, 100.*m.misses_without_pending, 100.*m.efficiency, m.issues as f64, began.elapsed().as_secs_f64());
            if base > 0. && *name != "PDOM" { print!(" x{:.2}", m.ipc/base); }
        }
        println!();
    }
    for (i, (name, _)) in setups.iter().enumerate() { print!("{name} {:.2} ({:.2}) ", harmonic(&all[i]), harmonic(&all[i])/harmonic(&all[0])); }
    println!();
    Ok(())
}
