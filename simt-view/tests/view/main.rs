//! What users of simt-view see: recordings, pages, traces and pictures.

mod benches;
mod left;
mod pages;
mod pictures;
mod recordings;
mod sizes;
mod traces;

use simt::host::{Argument, Kernel, call};
use simt::policy::Policy;
use simt::prelude::*;
use simt_view::{Recorder, Run};

#[kernel]
fn collatz(start: &[u32], steps: &mut [u32]) {
    let i = global_id();
    if i >= start.len() {
        return;
    }
    let mut n = start[i];
    let mut count = 0;
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        count += 1;
    }
    sync_threads();
    steps[i] = count;
}

/// Fails if there are more threads than elements.
#[kernel]
fn beyond(x: &mut [u32]) {
    let i = global_id();
    x[i] = 1;
}

/// Leaves a page where the tests in a browser look for it: see `simt-view/tests/browser`.
fn leave(name: &str, html: &str) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("view");
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(name), html));
    written.unwrap_or_else(|error| panic!("{name} in {}: {error}", folder.display()));
}

/// Collatz of 1 to 100, on a machine.
fn run<P: Policy>(machine: GpuConfig) -> Run {
    run_recorded::<P>(machine, Recorder::new())
}

fn run_recorded<P: Policy>(machine: GpuConfig, recorder: Recorder) -> Run {
    let start: Vec<u32> = (1..=100).collect();
    let mut steps = vec![0; 100];
    let run = Run::launch(&Gpu::<P>::new(machine), Grid::new(2, 64), collatz(&start, &mut steps), recorder);
    assert_eq!(steps[26], 111, "{:?}", run.outcome);
    run
}

/// A kernel whose name, file and lines are meant to break out of a page.
fn hostile() -> Run {
    let text = "kernel \"<script>alert(1)</script>\"(x: &mut [u32])\n.reg u32 %t\n    mov.u32 %t, 7 ; </script><script>alert(2)</script>\n    st.u32 x[global_id()], %t ; \"'><img src=x onerror=alert(3)>\n    exit";
    let code = Code::parse_named("<b>&\"'</b>.simt", text).unwrap_or_else(|error| panic!("{error}"));
    let kernel = Kernel::from_code(code);
    let mut x = [0u32; 4];
    let gpu = Gpu::<Ipdom>::default().with_warp_width(4);
    let call = call(&kernel, vec![Argument::slice_mut(&mut x)]);
    Run::launch(&gpu, Grid::new(1, 4), call, Recorder::new()).named("<script>alert(4)</script>")
}

use simt::Code;
