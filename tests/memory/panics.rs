//! A launch that a panic ends leaves the caller's memory as it was, as one that fails does.

use simt::core::LaneMask;
use simt::core::code::{Markers, Pc};
use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::observe::{Observer, WarpId};
use simt::policy::{Branch, WarpSplit, WarpStart};
use simt::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Star {
    mass: f32,
    place: [u16; 2],
}

/// Changes everything, several times, and lanes part.
#[kernel]
fn change(words: &mut [u32], flags: &mut [bool], sizes: &mut [usize], stars: &mut [Star], atomics: &[AtomicU32]) {
    let i = global_id();
    for k in 0..3 {
        words[i] += 1;
        flags[i] = !flags[i];
        if i % 2 == 0 {
            sizes[i] += k;
        } else {
            sizes[i] += 7;
        }
        stars[i].mass += 1.0;
        stars[i].place[1] += 1;
        atomics[i % 4].fetch_add(1, Relaxed);
    }
}

const THREADS: usize = 40;

/// The memory that the kernel changes.
#[derive(Debug)]
struct Data {
    words: [u32; THREADS],
    flags: [bool; THREADS],
    sizes: [usize; THREADS],
    stars: [Star; THREADS],
    atomics: [AtomicU32; 4],
}

impl Data {
    fn new() -> Self {
        Self {
            words: [5; THREADS],
            flags: [true; THREADS],
            sizes: [9; THREADS],
            stars: [Star { mass: 0.5, place: [1, 2] }; THREADS],
            atomics: [const { AtomicU32::new(3) }; 4],
        }
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>, observer: &mut impl Observer) -> Result<Report, LaunchError> {
        let Self { words, flags, sizes, stars, atomics } = self;
        gpu.launch_observed(Grid::new(2, THREADS / 2), change(words, flags, sizes, stars, atomics), observer)
    }

    /// A launch that panics leaves all as it was; the next one does what one does.
    #[track_caller]
    fn is_restored<P: Policy>(gpu: &Gpu<P>, observer: &mut impl Observer) {
        let mut data = Self::new();
        let panicked = catch_unwind(AssertUnwindSafe(|| data.launch(gpu, observer)));
        assert!(panicked.is_err(), "{}: it panics", P::name());
        assert_eq!(format!("{data:?}"), format!("{:?}", Self::new()), "{}", P::name());
        data.launch(&Gpu::<Ipdom>::default(), &mut ()).expect("a launch");
        assert_eq!((data.words, data.flags), ([8; THREADS], [false; THREADS]));
    }
}

/// Panics at an event.
struct Panics(u32);

impl Panics {
    fn count(&mut self) {
        self.0 = self.0.checked_sub(1).expect("the observer panics");
    }
}

impl Observer for Panics {
    fn launched(&mut self, _: &simt::core::code::Code) {
        self.count();
    }
    fn warp(&mut self, _: WarpId) {
        self.count();
    }
    fn issued(&mut self, _: Pc, _: u32, _: LaneMask) {
        self.count();
    }
}

#[test]
fn an_observer_that_panics_undoes_the_launch_under_every_policy() {
    for_each_policy!(P => for events in [0, 1, 2, 20, 40] {
        Data::is_restored(&Gpu::<P>::default().with_warp_width(8), &mut Panics(events));
    });
}

#[test]
fn also_on_a_machine_with_a_clock_or_another_memory() {
    for events in [0, 1, 20, 60] {
        Data::is_restored(&Gpu::<Ipdom>::new(GpuConfig::turing()), &mut Panics(events));
        Data::is_restored(&Gpu::<Dwf<Majority>>::new(GpuConfig::fung2009()), &mut Panics(events));
        let memory = MemoryModel::Environment(EnvironmentConfig::seeded(events.into()));
        Data::is_restored(&Gpu::<Ipdom>::default().with_memory(memory), &mut Panics(events));
    }
}

/// A policy that panics where lanes part.
#[derive(Clone, Debug, PartialEq)]
struct Broken(Vec<WarpSplit>);

impl WarpPolicy for Broken {
    const NAME: &'static str = "Broken";
    const MARKERS: Markers = Markers::None;
    fn start(start: WarpStart<'_>) -> Self {
        Self(vec![start.split])
    }
    fn current(&self) -> Option<WarpSplit> {
        self.0.last().copied()
    }
    fn advance(&mut self, next: Pc) {
        self.0.iter_mut().for_each(|split| split.pc = next);
    }
    fn branch(&mut self, branch: Branch) {
        let mask = self.0[0].mask;
        assert!(branch.taken.is_empty() || branch.taken == mask, "the policy panics");
        self.0[0].pc = if branch.taken.is_empty() { branch.next } else { branch.target };
    }
    fn exit(&mut self) {
        self.0.clear();
    }
    fn splits(&self) -> Vec<WarpSplit> {
        self.0.clone()
    }
}

#[test]
fn a_policy_that_panics_undoes_the_launch() {
    Data::is_restored(&Gpu::<Broken>::default(), &mut ());
    Data::is_restored(&Gpu::<Broken>::default().with_checks(Checks::none()), &mut ());
}
