//! The examples of three papers, step by step: writes a page for each into `target/stepper`, and an index of them.
//!
//! ```text
//! cargo run -p simt-view --example stepper
//! ```
//!
//! ESOP'12 is *On the Correctness of the SIMT Execution Model of GPUs*, TACO'09 *Dynamic Warp Formation*, Hanoi *Control Flow
//! Management in Modern GPUs*.
#![allow(clippy::print_stdout, reason = "it says where the pages are")]

use simt::Code;
use simt::host::{Argument, Kernel, call};
use simt::policy::{Policy, SmallerFirst};
use simt::prelude::*;
use simt_view::{Recorder, Run, stepper_with};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicU32;

type Failed = Box<dyn Error>;

/// A page: the name of its file, its title, what to look at, and its runs.
struct Example {
    file: &'static str,
    title: &'static str,
    text: &'static str,
    runs: Vec<Run>,
}

/// Runs a program by warps of four lanes.
fn run<P: Policy>(name: &str, text: &str, threads: usize, arguments: Vec<Argument<'_>>) -> Result<Run, Failed> {
    let kernel = Kernel::from_code(Code::parse(text)?);
    let gpu = Gpu::<P>::default().with_warp_width(4).with_step_limit(10_000);
    Ok(Run::launch(&gpu, Grid::new(1, threads), call(&kernel, arguments), Recorder::new()).named(name))
}

macro_rules! program {
    ($name:literal) => {
        include_str!(concat!("../../simt-runtime/tests/golden/programs/", $name, ".simt"))
    };
}

fn esop12() -> Result<Example, Failed> {
    let text = program!("esop12_table_1");
    let (a, b) = ([0, 1, 1, 1], [0, 1, 1, 3]);
    let arguments = |b| vec![Argument::slice(&a), Argument::slice_mut(b)];
    let (mut left, mut right) = (b, b);
    Ok(Example {
        file: "esop12-table-1",
        title: "ESOP’12, Table 1",
        text: "Program 1 of ESOP’12, under its tokens and under the stack of simulators. On the left, the stack of tokens and \
               the disable states are those of Table 1, row by row: α is the lanes that are on, δ what is listed as disabled.",
        runs: vec![
            run::<TokenStack>("Tokens", text, 4, arguments(&mut left))?,
            run::<Ipdom>("Immediate post-dominators", text, 4, arguments(&mut right))?,
        ],
    })
}

fn figure_4() -> Result<Example, Failed> {
    let text = program!("taco09_figure_4");
    let (mut left, mut right) = ([0u32; 4], [0u32; 4]);
    Ok(Example {
        file: "taco09-figure-4",
        title: "TACO’09, Figure 4",
        text: "A nested branch in a loop. On the left the stack of Figure 4, whose entries are where lanes go on and where they \
               meet; on the right the same with the path of fewer lanes first.",
        runs: vec![
            run::<Ipdom>("The taken path first", text, 4, vec![Argument::slice_mut(&mut left)])?,
            run::<Ipdom<SmallerFirst>>("The smaller path first", text, 4, vec![Argument::slice_mut(&mut right)])?,
        ],
    })
}

fn figure_8() -> Result<Example, Failed> {
    let text = program!("taco09_figure_8");
    let to_f = [false, false, false, true, true, true, false, false];
    let to_c = [true, false, false, false, false, false, true, false];
    let arguments = |x| vec![Argument::slice(&to_f), Argument::slice(&to_c), Argument::slice_mut(x)];
    let (mut left, mut right) = ([0u32; 8], [0u32; 8]);
    Ok(Example {
        file: "taco09-figure-8",
        title: "TACO’09, Figure 8",
        text: "Two warps of four threads, x and y in the paper. On the left each keeps its threads, as in Figure 8b; on the \
               right dynamic warp formation lets threads of both issue together, as in Figure 8c, which takes fewer issues.",
        runs: vec![
            run::<Ipdom>("A stack for each warp", text, 8, arguments(&mut left))?,
            run::<Dwf<LowestPc>>("Dynamic warp formation", text, 8, arguments(&mut right))?,
        ],
    })
}

fn figure_5() -> Result<Example, Failed> {
    let text = program!("hanoi_figure_5");
    let (mut left, mut right) = ([0u32; 4], [0u32; 4]);
    Ok(Example {
        file: "hanoi-figure-5",
        title: "Hanoi, Figure 5",
        text: "Nested branches with one barrier register: `bmov` keeps the outer participants in an ordinary register while \
               the inner branch uses B0. The paper writes lane 0 on the right; here it is on the left.",
        runs: vec![
            run::<Hanoi>("Hanoi", text, 4, vec![Argument::slice_mut(&mut left)])?,
            run::<Ipdom>("Immediate post-dominators", text, 4, vec![Argument::slice_mut(&mut right)])?,
        ],
    })
}

fn figure_6() -> Result<Example, Failed> {
    let text = program!("hanoi_figure_6");
    let without = text.replace("C_break: break %d, B0", "");
    let (mut left, mut right) = ([0u32; 4], [0u32; 4]);
    Ok(Example {
        file: "hanoi-figure-6",
        title: "Hanoi, Figure 6",
        text: "Lane 0 leaves for D, past the barrier B0. On the left `break` takes it out of B0, so that lanes 1 to 3 meet \
               without it. On the right there is no `break`: go to the last step, and see lanes 1 to 3 wait at B0 for lane \
               0, and lane 0 at B1 for them. None can ever go on.",
        runs: vec![
            run::<Hanoi>("With the break", text, 4, vec![Argument::slice_mut(&mut left)])?,
            run::<Hanoi>("Without the break", &without, 4, vec![Argument::slice_mut(&mut right)])?,
        ],
    })
}

fn figure_7() -> Result<Example, Failed> {
    let text = program!("hanoi_figure_7");
    let without = text.replace("yield", "fence_block");
    let mutexes = [[AtomicU32::new(0)], [AtomicU32::new(0)]];
    let (mut orders, mut counts) = ([[9u32; 4]; 2], [[0u32]; 2]);
    let [left_order, right_order] = &mut orders;
    let [left_count, right_count] = &mut counts;
    let arguments = |mutex, order, count| {
        vec![Argument::atomic(mutex), Argument::slice_mut::<u32>(order), Argument::slice_mut::<u32>(count)]
    };
    Ok(Example {
        file: "hanoi-figure-7",
        title: "Hanoi, Figures 3 and 7",
        text: "A spin lock. The lane that has the lock must run for the others to get it. On the left `yield`, at the head of \
               the loop, lets the other path run; on the right there is none, and those that spin, which are more, keep the \
               lane with the lock from ever giving it back.",
        runs: vec![
            run::<Hanoi>("With yield", text, 4, arguments(&mutexes[0], left_order, left_count))?,
            run::<Hanoi>("Without yield", &without, 4, arguments(&mutexes[1], right_order, right_count))?,
        ],
    })
}

fn main() -> Result<(), Failed> {
    let folder = Path::new("target/stepper");
    fs::create_dir_all(folder)?;
    let examples = [esop12()?, figure_4()?, figure_8()?, figure_5()?, figure_6()?, figure_7()?];
    let mut pages = Vec::new();
    for Example { file, title, text, runs } in examples {
        fs::write(folder.join(format!("{file}.html")), stepper_with(title, text, &runs))?;
        pages.push((format!("{file}.html"), title.to_string(), text.to_string()));
    }
    let index = folder.join("index.html");
    fs::write(&index, simt_view::index("Papers’ examples, step by step", &pages))?;
    println!("open {}", index.display());
    Ok(())
}
