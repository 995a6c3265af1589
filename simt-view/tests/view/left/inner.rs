//! Launches that leave pages. Without the variable that asks for them these tests do nothing.

use crate::collatz;
use simt::Code;
use simt::device::Device;
use simt::host::{Argument, DeviceMemory, Kernel, call};
use simt::observe::IssueTrace;
use simt::policy::Policy;
use simt::prelude::*;
use simt::ptx::Module;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Set where these tests are to do something.
pub(super) const ASKED: &str = "SIMT_VIEW_INNER_TESTS";

/// Whether they are. What `simt` does with the feature `pages` is done here.
fn asked() -> bool {
    let asked = std::env::var_os(ASKED).is_some();
    if asked {
        simt_view::leave_pages();
    }
    asked
}

#[kernel]
fn out_of_range(x: &mut [u32]) {
    x[global_id() + 1] = 1;
}

#[kernel]
fn spin(flag: &[AtomicU32]) {
    if global_id() == 0 {
        flag[0].store(1, Ordering::Release);
    } else {
        while flag[0].load(Ordering::Acquire) != 1 {}
    }
}

fn launch<P: Policy>() -> Vec<u32> {
    let (start, mut steps): (Vec<u32>, _) = ((1..=64).collect(), vec![0; 64]);
    Gpu::<P>::default().launch(Grid::new(1, 64), collatz(&start, &mut steps)).unwrap_or_else(|error| panic!("{error}"));
    steps
}

#[test]
fn ends() {
    if asked() {
        assert_eq!(launch::<Ipdom>()[26], 111);
        assert_eq!(launch::<Hanoi>()[26], 111);
    }
}

/// The caller's own observer sees what it sees without pages.
#[test]
fn ends_and_is_observed() {
    if asked() {
        let (start, mut steps): (Vec<u32>, _) = ((1..=64).collect(), vec![0; 64]);
        let mut trace = IssueTrace::default();
        let gpu = Gpu::<Ipdom>::new(GpuConfig::turing());
        let report = gpu.launch_observed(Grid::new(1, 64), collatz(&start, &mut steps), &mut trace).unwrap();
        assert!(trace.issues().len() as u64 > 0 && report.issues() > 0 && report.cycles() > Some(0));
    }
}

#[test]
fn faults() {
    if asked() {
        let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 4), out_of_range(&mut [0; 4])).unwrap_err();
        assert!(error.to_string().contains("out of bounds"), "{error}");
        // It is refused.
        assert!(Gpu::<Ipdom>::default().launch(Grid::new(1, 0), out_of_range(&mut [0; 4])).is_err());
    }
}

#[test]
fn spins() {
    if asked() {
        let flag = [AtomicU32::new(0)];
        let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 32), spin(&flag)).unwrap_err();
        assert!(error.to_string().contains("it ends under"), "{error}");
    }
}

#[test]
fn panics() {
    if asked() {
        assert_eq!(launch::<MinPc>()[26], 112);
    }
}

#[test]
fn launches_many() {
    if asked() {
        for number in 1..=60 {
            assert_eq!(launch::<Ipdom>()[26], if number == 60 { 0 } else { 111 });
        }
    }
}

#[test]
fn is_hostile() {
    if asked() {
        assert!(crate::hostile().outcome.is_ok());
        let text = "kernel \"<script>alert(1)</script>\"(x: &mut [u32])\n    exit";
        let kernel = Kernel::from_code(Code::parse(text).unwrap());
        Gpu::<Ipdom>::default().launch(Grid::new(1, 1), call(&kernel, vec![Argument::slice_mut(&mut [0u32])])).unwrap();
    }
}

/// A file of the tests of PTX.
pub(super) fn of_cuda(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ptx/cuda/lines").join(name).display().to_string()
}

/// A kernel of PTX by its own lines, by those of the CUDA that it was compiled from, and by those of a file that this includes;
/// and a launch that fails.
#[test]
fn of_ptx() {
    if asked() {
        let module = || Module::read(of_cuda("smooth.sm_75.ptx")).unwrap();
        let with = |source| module().with_source(of_cuda(source)).unwrap();
        for (module, length) in [(module(), 8u32), (with("smooth.cu"), 8), (with("ends.h"), 8), (with("smooth.cu"), 9)]
        {
            let kernel = module.kernel("smooth").unwrap();
            let mut memory = DeviceMemory::new();
            let (x, y) = (memory.upload(&[7; 8]).unwrap(), memory.upload(&[0; 8]).unwrap());
            let arguments =
                vec![Argument::scalar(length), Argument::scalar(2u32), Argument::scalar(x), Argument::scalar(y)];
            let gpu = Gpu::<Ipdom>::default();
            let outcome = gpu.launch(Grid::new(1, 32), call(&kernel, arguments).with_memory(&mut memory));
            assert_eq!(outcome.is_ok(), length == 8, "{outcome:?}");
        }
    }
}

/// A grid alone, and two whose blocks run in turns.
#[test]
fn on_a_device() {
    if asked() {
        let device = Device::new(Gpu::<Ipdom>::default());
        let context = device.context().unwrap();
        let start = context.upload(&(1..=64).collect::<Vec<u32>>()).unwrap();
        let steps: Vec<_> = (0..3).map(|_| context.zeroed::<u32>(64).unwrap()).collect();
        for grids in [&steps[..1], &steps[1..]] {
            for &steps in grids {
                let stream = context.stream().unwrap();
                stream
                    .launch(Grid::new(4, 16), move |memory| collatz(memory.slice(start), memory.slice_mut(steps)))
                    .unwrap();
            }
            device.synchronize().unwrap();
        }
        assert!(steps.iter().all(|&steps| context.read(steps).unwrap()[26] == 111));
    }
}
