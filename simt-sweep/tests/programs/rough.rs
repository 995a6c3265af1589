//! A sweep whose points do what points should not.

use simt::prelude::*;
use simt_sweep::{Figures, Point, Sweep};
use std::error::Error;
use std::io::Write;
use std::process::{self, ExitCode};
use std::{hint, io, thread, time::Duration};

/// Writes behind the end of its slice.
#[kernel]
fn outside(x: &mut [u32]) {
    x[global_id() + 1] = 1;
}

fn measure(point: &Point) -> Result<Figures, Box<dyn Error>> {
    let what: String = point.input("what")?;
    match what.as_str() {
        "error" => return Err("it would not".into()),
        "panic" => panic!("it would not"),
        "abort" => process::abort(),
        // As a system does that has no memory left.
        "kill" => drop(process::Command::new("kill").args(["-9", &process::id().to_string()]).status()),
        "exit" => process::exit(0),
        "overflow" => return Ok(Figures::default().with("depth", deeper(1))),
        "hang" => loop {
            thread::sleep(Duration::from_millis(1));
        },
        "fault" => return Ok(Figures::of(&point.launch(Grid::new(1, 4), outside(&mut [0; 4]))?)),
        "input" => return Ok(Figures::default().with("m", point.input::<u32>("wath")?)),
        "column" => return Ok(Figures::default().with("policy", 1)),
        "print" => write!(io::stdout(), "printed, and no end of line")?,
        _ => {}
    }
    Ok(Figures::default().with("length", what.len()))
}

/// Calls itself until there is no stack.
fn deeper(depth: u64) -> u64 {
    let here = hint::black_box([depth; 64]);
    if depth == 0 { 0 } else { deeper(depth + 1) + here[63] }
}

fn main() -> ExitCode {
    let what = [
        "fine", "error", "panic", "abort", "exit", "overflow", "hang", "fault", "input", "column", "kill", "print",
        "last",
    ];
    Sweep::new("rough").kernel("rough", measure).inputs("what", what).main()
}
