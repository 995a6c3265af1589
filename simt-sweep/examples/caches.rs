//! How much of a cache each policy needs, on two machines: a study of some hundred points.
//!
//! `cargo run --release -p simt-sweep --example caches -- run`, then `-- merge > caches.csv`, and
//! `-- plot --x clock.memory.l1.bytes --y ipc --by policy --where machine=fermi --where threads=512 --output caches.svg`.

use simt::prelude::*;
use simt_sweep::{Figures, Point, Sweep, all};
use std::error::Error;
use std::process::ExitCode;

/// Words of the table: 64 KB of it, more than the smallest caches have.
const WORDS: usize = 1 << 14;

/// Each thread follows a chain of its own length through a table.
#[kernel]
fn chase(next: &[u32], length: &[u32], last: &mut [u32]) {
    let i = global_id();
    let mut at = i as u32;
    let mut left = length[i];
    while left > 0 {
        at = next[at as usize];
        left -= 1;
    }
    last[i] = at;
}

fn measure(point: &Point) -> Result<Figures, Box<dyn Error>> {
    let threads: usize = point.input("threads")?;
    let next: Vec<u32> = (0..WORDS as u32).map(|at| (at * 1025 + 77) % WORDS as u32).collect();
    let length: Vec<u32> = (0..threads as u32).map(|thread| thread % 13).collect();
    let mut last = vec![0; threads];
    let report = point.launch(Grid::covering(threads, 128), chase(&next, &length, &mut last))?;
    let expected = (0..threads).map(|thread| (0..length[thread]).fold(thread as u32, |at, _| next[at as usize]));
    if !last.iter().copied().eq(expected) {
        return Err("the chains end elsewhere than in plain Rust".into());
    }
    Ok(Figures::of(&report))
}

fn main() -> ExitCode {
    Sweep::new("caches")
        .version(chase::program())
        .kernel("chase", measure)
        .policies(all())
        .machines(["fung2009", "fermi"])
        .field("clock.memory.l1.bytes", [8 << 10, 16 << 10, 32 << 10, 64 << 10])
        .inputs("threads", [128, 256, 384, 512])
        .main()
}
