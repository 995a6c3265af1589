//! The hardware that forms warps (TACO'09, section 4): what it holds up, worked out.
//!
//! A warp issues for 4 cycles, which is a scheduler's cycle, and its threads are back after 24: what comes to the scheduler
//! together has one scheduler's cycle for nothing. A heap of *s* swaps in a scheduler's cycle takes 4 / 2*s* cycles for an
//! update and 4 / *s* for a swap.

use crate::machine::{changed, kernel, one_core, quick};
use simt::clock::{ClockConfig, MemoryTiming, Stall};
use simt::core::code::Pc;
use simt::host::{Argument, Kernel};
use simt::policy::{
    Dwf, DwfConfig, DwfHeap, DwfTable, Figure, FormedWarp, HomeLanes, Majority, PolicyConfig, TimeStamp, WarpPool,
    WarpSchedule,
};
use simt::{Gpu, GpuConfig, Grid, Report, kernel};

/// A core that forms warps without limits, but for these.
fn machine(dwf: DwfConfig) -> GpuConfig {
    GpuConfig { dwf, ..one_core(GpuConfig::fung2009()) }
}

fn heap(swaps: usize, queue: usize) -> DwfConfig {
    DwfConfig { heap: Some(DwfHeap { entries: 64, swaps, queue }), ..DwfConfig::default() }
}

fn table(ports: usize) -> DwfConfig {
    DwfConfig { table: Some(DwfTable { entries: 64, ways: 4, ports }), ..DwfConfig::default() }
}

#[track_caller]
fn launch<S: WarpSchedule>(config: &GpuConfig, warps: usize, kernel: &Kernel) -> Report {
    let mut x = [0usize];
    let call = simt::host::call(kernel, vec![Argument::slice_mut(&mut x)]);
    let report = Gpu::<Dwf<S>>::new(config.clone()).launch(Grid::new(1, 32 * warps), call);
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    crate::accounts::check(&report, config, &|| format!("{:?}", config.dwf));
    report
}

/// The machine as it is.
fn same(_clock: &mut ClockConfig) {}

/// Cycles, those in which warps were held up, and those that the heap says it took.
#[track_caller]
fn figures<S: WarpSchedule>(
    change: impl FnOnce(&mut ClockConfig),
    dwf: DwfConfig,
    warps: usize,
    kernel: &Kernel,
) -> (u64, u64, u64) {
    let report = launch::<S>(&changed(machine(dwf), change), warps, kernel);
    let clock = report.clock().expect("the machine has a clock");
    let stalls = report.policy_figures().iter().find(|figure| figure.name == "heap stalls, cycles");
    (clock.cycles(), clock.stalls().of(Stall::Formation), stalls.map_or(0, |figure| figure.value))
}

/// By how many cycles a kernel takes longer than without limits, all of which the heap must have counted.
#[track_caller]
fn longer_by(change: fn(&mut ClockConfig), dwf: DwfConfig, warps: usize, kernel: &Kernel) -> u64 {
    let ideal = figures::<Majority>(change, DwfConfig::default(), warps, kernel);
    assert_eq!((ideal.1, ideal.2), (0, 0), "what has no limit takes no time");
    let (cycles, held_up, stalls) = figures::<Majority>(change, dwf, warps, kernel);
    assert_eq!(cycles - ideal.0, stalls);
    assert_eq!(held_up, stalls * warps as u64, "all warps wait for the heap");
    stalls
}

/// So many threads of each warp go to the side that is named first.
fn sides(threads: usize, length: usize) -> Kernel {
    let side = format!("{}exit", "add.usize %a, %a, 1\n".repeat(length - 1));
    kernel(&format!(
        "kernel sides(x: &mut [usize])\n.reg usize %a, bool %c\nmov.usize %a, 0\nlt.usize %c, lane_id(), {threads}\n\
         @%c bra TAKEN\n{side}\nTAKEN: {side}"
    ))
}

#[test]
fn a_swap_holds_up_the_next_majority() {
    for swaps in [1, 2, 3, 4, 64] {
        // Of the sides of the branch, that of 8 threads comes to the heap first. The other is put on top by a swap.
        let work = (4 + 4usize).div_ceil(swaps) as u64;
        assert_eq!(longer_by(same, heap(swaps, 4), 1, &sides(8, 5)), work.saturating_sub(4), "{swaps} swaps");
        // The larger comes first: two updates, no swap.
        assert_eq!(longer_by(same, heap(swaps, 4), 1, &sides(24, 5)), 0, "{swaps} swaps");
    }
}

/// When the last warp of the majority has issued there is one update to be made, for the threads that came before have been
/// in the heap for long. At the beginning all warps come at once, and there is no majority yet.
#[test]
fn warps_of_the_majority_go_on_meanwhile() {
    let straight = kernel(&format!(
        "kernel straight(x: &mut [usize])\n.reg usize %a\nmov.usize %a, 0\n{}exit",
        "add.usize %a, %a, 1\n".repeat(20)
    ));
    for warps in [1, 7, 16] {
        let begin = (2 * warps as u64).saturating_sub(4);
        assert_eq!(longer_by(same, heap(1, 1), warps, &straight), begin, "{warps} warps");
    }
}

/// Each warp that leaves the barrier is an update of one entry. Results are there when the warp has issued, so that all warps
/// are back when the last one has come to the barrier; at the beginning, too, all come at once.
#[test]
fn all_updates_are_made_before_a_majority_is_chosen() {
    let barrier =
        kernel("kernel barrier(x: &mut [usize])\n.reg usize %a\nmov.usize %a, 0\nbar.sync\nadd.usize %a, %a, 1\nexit");
    for (swaps, warps) in [(1, 7), (2, 7), (4, 7), (1, 24), (2, 24), (4, 24)] {
        let updates = (2 * warps as u64).div_ceil(swaps as u64);
        let longer = longer_by(quick, heap(swaps, 64), warps, &barrier);
        assert_eq!(longer, 2 * updates.saturating_sub(4), "{swaps} swaps, {warps} warps");
        // The hardware of the paper takes a few of them, chooses, and the others join the majority.
        assert_eq!(longer_by(quick, DwfConfig::fung2009(), warps, &barrier), 0, "{warps} warps");
    }
}

/// Of each of 16 warps two threads come to the barrier. If all of them meet, they are one warp; in a scheduler's cycle 4
/// times as many come to the pool as the table has ports, and threads that come later have missed them.
#[test]
fn threads_that_come_late_meet_none() {
    let sparse = kernel(&format!(
        "kernel sparse(x: &mut [usize])\n.reg usize %a, bool %c\nshr.usize %a, lane_id(), 1\nne.usize %c, %a, warp_id()\n\
         @%c exit\nbar.sync\n{}exit",
        "add.usize %a, %a, 1\n".repeat(6)
    ));
    let ideal = figures::<Majority>(same, DwfConfig::default(), 16, &sparse);
    for ports in [1, 2, 3, 4, 8] {
        let (cycles, ..) = figures::<Majority>(same, table(ports), 16, &sparse);
        let warps = 16usize.div_ceil(4 * ports) as u64;
        assert_eq!(cycles - ideal.0, 4 * (warps - 1), "{ports} ports");
        // No warp waits: a warp of the pool issues while others come.
    }
}

/// The pool has room for one of the two sides of a branch, so each of their instructions is begun by a way to memory and back.
#[test]
fn a_spilled_warp_comes_from_memory() {
    let pool = |room| DwfConfig { pool: Some(room), ..DwfConfig::default() };
    for (latency, length) in [(40, 1), (40, 3), (60, 3), (100, 7)] {
        let memory = move |clock: &mut ClockConfig| clock.memory = MemoryTiming::Ideal { latency };
        let cycles = |dwf| figures::<TimeStamp>(memory, dwf, 1, &sides(8, length)).0;
        let longer = cycles(pool(1)) - cycles(pool(2));
        // Without it the second side follows the first after 4 cycles.
        assert_eq!(longer, u64::from(latency) * length as u64 - 4, "latency {latency}, length {length}");
        assert_eq!(cycles(pool(2)), cycles(DwfConfig::default()));
    }
}

/// Half of each warp's threads come to the barrier, and of those of one home lane two make a warp: it issues twice as long.
#[test]
fn registers_of_one_home_lane_are_read_one_after_the_other() {
    let halves = |length| {
        kernel(&format!(
            "kernel halves(x: &mut [usize])\n.reg usize %a, bool %c\nge.usize %c, lane_id(), 16\n@%c exit\nbar.sync\n\
             mov.usize %a, 0\n{}exit",
            "add.usize %a, %a, 1\n".repeat(length)
        ))
    };
    let of = |lanes| {
        let dwf = DwfConfig { lanes, ..DwfConfig::default() };
        let [short, long] = [2, 12].map(|length| figures::<TimeStamp>(quick, dwf.clone(), 16, &halves(length)).0);
        long - short
    };
    assert_eq!(of(HomeLanes::Free), 10 * 8 * 4);
    assert_eq!(of(HomeLanes::Conflicts), 10 * 8 * 8);
    assert_eq!(of(HomeLanes::Aware), 10 * 16 * 4);
}

/// A mechanism that needs some cycles for each choice.
#[derive(Clone, Debug, Default, PartialEq)]
struct Slow {
    since: Option<u64>,
}

const CHOICE: u64 = 10;

impl WarpSchedule for Slow {
    const NAME: &'static str = "Dwf<Slow>";

    fn start(_config: &PolicyConfig) -> Self {
        Self::default()
    }
    fn ready(&mut self, _pool: &WarpPool, now: u64) -> u64 {
        *self.since.get_or_insert(now) + CHOICE
    }
    fn pick(&mut self, pool: &WarpPool) -> Option<usize> {
        self.since = None;
        pool.warps().enumerate().map(|(place, _): (usize, FormedWarp)| place).next()
    }
}

/// One warp alone: besides its results, it waits only for the choice.
#[test]
fn a_schedule_can_take_time() {
    let config = machine(DwfConfig::default());
    let of = |length: usize| {
        let straight = format!(
            "kernel straight(x: &mut [usize])\n.reg usize %a\nmov.usize %a, 0\n{}exit",
            "add.usize %a, %a, 1\n".repeat(length)
        );
        let report = launch::<Slow>(&config, 1, &kernel(&straight));
        let clock = report.clock().expect("the machine has a clock").clone();
        [
            clock.cycles(),
            clock.stalls().of(Stall::Formation),
            clock.stalls().of(Stall::Reconvergence),
            clock.occupancy().stall,
        ]
    };
    let [short, long] = [of(5), of(15)];
    let more: Vec<u64> = long.iter().zip(short).map(|(long, short)| long - short).collect();
    assert_eq!(more, [10 * (24 + CHOICE), 10 * CHOICE, 0, 10 * CHOICE]);
}

/// The majority first, by a schedule that is not one of the library's: what it does is checked.
#[derive(Clone, Debug, PartialEq)]
struct Delegated(Majority);

impl WarpSchedule for Delegated {
    const NAME: &'static str = Majority::NAME;

    fn start(config: &PolicyConfig) -> Self {
        Self(Majority::start(config))
    }
    fn ready(&mut self, pool: &WarpPool, now: u64) -> u64 {
        self.0.ready(pool, now)
    }
    fn pick(&mut self, pool: &WarpPool) -> Option<usize> {
        self.0.pick(pool)
    }
    fn arrived(&mut self, pc: Pc, threads: usize) {
        self.0.arrived(pc, threads);
    }
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        self.0.figures(tell);
    }
}

/// A step of a bitonic sort: some threads read what is far away, some of those write.
#[test]
fn a_users_schedule_is_timed_as_the_librarys() {
    #[kernel]
    fn step(run: usize, distance: usize, keys: &mut [u32]) {
        let i = global_id();
        if i >= keys.len() {
            return;
        }
        let other = i ^ distance;
        if other > i {
            let (mine, its) = (keys[i], keys[other]);
            if i & run == 0 {
                if mine > its {
                    keys[i] = its;
                    keys[other] = mine;
                }
            } else if mine < its {
                keys[i] = its;
                keys[other] = mine;
            }
        }
    }

    let of_schedule = |config: &GpuConfig, run: usize, ours: bool| {
        let mut keys: Vec<u32> = (0..8192).map(|i| (i * 40_503) % 65_521).collect();
        let call = step(run, run / 2, &mut keys);
        let grid = Grid::covering(8192, 768);
        let report = match ours {
            true => Gpu::<Dwf<Majority>>::new(config.clone()).launch(grid, call),
            false => Gpu::<Dwf<Delegated>>::new(config.clone()).launch(grid, call),
        };
        let report = report.unwrap_or_else(|error| panic!("{error}"));
        (report.to_string(), keys)
    };
    for dwf in [
        DwfConfig::UNLIMITED,
        DwfConfig { lanes: HomeLanes::Aware, swizzle: true, ..DwfConfig::UNLIMITED },
        DwfConfig::fung2009(),
    ] {
        let config = changed(GpuConfig { dwf, ..GpuConfig::fung2009() }, |clock| {
            clock.cores = 2;
        });
        for run in [2, 4, 8, 16, 64, 256, 512] {
            assert_eq!(of_schedule(&config, run, true), of_schedule(&config, run, false), "{:?}", config.dwf);
        }
    }
}
