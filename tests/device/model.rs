//! Devices against the executable rules of the CUDA report: random programs of streams and events, run here and there.
//!
//! What happens on the device must be moves that the rules allow, one by one, and lead to the same memory. `SIMT_CASES` sets
//! how many programs there are.

use crate::drive::{Ran, run};
use simt::device::DeviceStep;
use simt_semantics::device::{
    BlockState, Command, CudaReport, DeviceLimits, DeviceMove, DeviceRun, DeviceSystem, Fate, HostProgram, Outcome,
    Ticket,
};
use std::collections::{BTreeMap, BTreeSet};

/// The machine of the programs.
pub(crate) const LIMITS: DeviceLimits =
    DeviceLimits { processors: 2, resident_blocks: 4, concurrent_grids: 3, memory: 16 };

/// A run of the rules that follows a device.
struct Follows<'s> {
    system: &'s DeviceSystem<'s, CudaReport>,
    run: DeviceRun,
    tickets: &'s [Ticket],
    /// The next block of each grid.
    next: BTreeMap<usize, usize>,
}

impl Follows<'_> {
    fn go(&mut self, by: &DeviceMove) -> Result<(), String> {
        self.run = self.system.step(&self.run, by).ok_or_else(|| format!("the rules do not allow {by:?}"))?;
        Ok(())
    }

    /// The index of a grid that runs.
    fn index(&self, grid: usize) -> Result<u32, String> {
        let found = self.run.host.started.iter().find(|(_, ticket)| **ticket == self.tickets[grid]);
        found.map(|(&index, _)| index).ok_or_else(|| format!("grid {grid} does not run"))
    }

    /// The next block of a grid runs, alone, until it is completed or its grid has failed.
    fn block(&mut self, grid: usize, block: usize) -> Result<(), String> {
        let next = self.next.entry(grid).or_default();
        if *next != block {
            return Err(format!("block {block} of grid {grid} runs instead of {next}"));
        }
        *next += 1;
        let index = self.index(grid)?;
        // No line is stale on the device, whose memory has no caches: those of the rules may be evicted at any time.
        for processor in 0..LIMITS.processors {
            for at in self.run.device.memory.l1[processor].clone().into_keys() {
                self.go(&DeviceMove::Evict { processor, at })?;
            }
        }
        self.go(&DeviceMove::Issue { grid: index, block, processor: (grid + block) % LIMITS.processors })?;
        while let Some((context, place)) = self.run.device.find(index)
            && self.run.device.contexts[context].grids[place].blocks[block] != BlockState::Completed
        {
            self.go(&DeviceMove::Exec { grid: index, block })?;
            for store in self.run.device.memory.in_flight.clone() {
                self.go(&DeviceMove::Perform(store))?;
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &DeviceStep) -> Result<(), String> {
        match step {
            DeviceStep::Started(grid) => self.go(&DeviceMove::Start(self.tickets[*grid])),
            DeviceStep::Ran(grid, blocks) => blocks.clone().try_for_each(|block| self.block(*grid, block)),
            DeviceStep::Completed(grid) => {
                let index = self.index(*grid)?;
                self.go(&DeviceMove::Complete(index))
            }
            DeviceStep::Failed(grid) => {
                while self.index(*grid).is_ok() {
                    let next = self.next.get(grid).copied().unwrap_or(0);
                    self.block(*grid, next)?;
                }
                Ok(())
            }
            // With its context, or by the host.
            DeviceStep::Aborted(grid) => match self.run.host.fates.get(&self.tickets[*grid]) {
                Some(Fate::Aborted) => Ok(()),
                Some(fate) => Err(format!("grid {grid} is aborted, and was {fate:?}")),
                None => self.go(&DeviceMove::Abort(self.tickets[*grid])),
            },
            other => Err(format!("{other:?} is unknown")),
        }
    }
}

/// Follows a device by the rules.
fn follow(program: &HostProgram, steps: &[DeviceStep], tickets: &[Ticket]) -> Result<Outcome, String> {
    let system = DeviceSystem::new(LIMITS, program, &CudaReport);
    let mut follows = Follows { system: &system, run: system.initial(), tickets, next: BTreeMap::new() };
    steps.iter().try_for_each(|step| follows.step(step))?;
    Ok(system.outcome(&follows.run))
}

/// How many programs.
fn cases() -> u64 {
    std::env::var("SIMT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

#[test]
fn golden_cuda_device_random_schedules_follow_the_rules() {
    let mut seen = BTreeMap::new();
    for seed in 0..cases() {
        let program = HostProgram::random(seed, &LIMITS);
        let result = program.result(&LIMITS);
        for schedule in 0..4 {
            let Ran { steps, tickets, outcome } = run(&program, 4 * seed + schedule);
            let complain = |what: &dyn std::fmt::Debug| -> ! {
                panic!("seed {seed}, schedule {schedule}: {what:?}\n{steps:?}\n{tickets:?}\n{program:?}")
            };
            match follow(&program, &steps, &tickets) {
                Ok(expected) if expected == outcome => {}
                other => complain(&(other, &outcome)),
            }
            if result.as_ref().is_some_and(|result| *result != outcome) {
                complain(&("it has no race", &result, &outcome));
            }
            outcome.fates.values().for_each(|fate| *seen.entry(*fate).or_insert(0) += 1);
        }
        *seen.entry(Fate::Completed).or_insert(0) += 0;
    }
    assert!(cases() < 300 || seen.values().all(|&count| count > 50) && seen.len() == 3, "{seen:?}");
}

/// A random program that is small enough for all its runs.
fn small(seed: u64) -> HostProgram {
    let mut program = HostProgram::random(seed, &LIMITS);
    program.aborts.clear();
    program.streams.truncate(2);
    program.streams.iter_mut().for_each(|stream| stream.commands.truncate(3));
    let points: BTreeSet<usize> = program
        .streams
        .iter()
        .flat_map(|stream| &stream.commands)
        .filter_map(|command| match command {
            Command::Record(point) => Some(*point),
            _ => None,
        })
        .collect();
    for stream in &mut program.streams {
        stream.commands.retain(|command| !matches!(command, Command::Wait(point) if !points.contains(point)));
    }
    program.programs[0].entries.iter_mut().flatten().for_each(|block| block.truncate(2));
    program
}

/// Every result of a device is one that the rules have; without a race there is one.
#[test]
fn golden_cuda_device_results_are_among_those_of_the_rules() {
    // One multiprocessor: what the memory of the device has not, stale lines, is not among the results.
    let limits = DeviceLimits { processors: 1, ..LIMITS };
    let (mut tried, mut several) = (0, 0);
    for seed in 0..cases() / 3 {
        let program = small(seed);
        let Some(outcomes) = DeviceSystem::new(limits, &program, &CudaReport).explore(1000) else { continue };
        let found: BTreeSet<Outcome> = (0..8).map(|schedule| run(&program, schedule).outcome).collect();
        assert!(found.is_subset(&outcomes), "seed {seed}: {found:?}\n{outcomes:?}");
        assert!(outcomes.len() == 1 || program.has_race(), "seed {seed}: {outcomes:?}");
        tried += 1;
        several += usize::from(outcomes.len() > 1);
    }
    assert!(cases() < 300 || tried > 30 && several > 3, "{tried} {several}");
}

/// What a device with a planted bug would do: each is noticed.
#[test]
fn golden_cuda_device_schedules_with_a_bug_break_the_rules() {
    let (mut ignored, mut late, mut running, mut crowded) = (0, 0, 0, 0);
    for seed in 0..cases() {
        let program = HostProgram::random(seed, &LIMITS);
        let before = program.before();
        let Ran { steps, tickets, .. } = run(&program, seed);
        let noticed = |steps: &[DeviceStep]| follow(&program, steps, &tickets).is_err();
        // An event, or the order of a stream, is ignored: a grid starts first of all.
        let dependent = steps.iter().position(
            |step| matches!(step, DeviceStep::Started(grid) if !before[&tickets[*grid]].is_empty() && program.aborts.is_empty()),
        );
        if let Some(place) = dependent {
            let mut early = steps.clone();
            early[..=place].rotate_right(1);
            assert!(noticed(&early), "seed {seed}");
            ignored += 1;
        }
        // A grid that was aborted, or whose context is lost, goes on.
        for (place, step) in steps.iter().enumerate() {
            if let DeviceStep::Aborted(grid) | DeviceStep::Failed(grid) = *step {
                let started = steps[..place].contains(&DeviceStep::Started(grid));
                let done = steps.iter().filter_map(|step| match step {
                    DeviceStep::Ran(of, blocks) if *of == grid => Some(blocks.end),
                    _ => None,
                });
                let next = done.max().unwrap_or(0);
                let mut more = steps.clone();
                more.insert(place + 1, DeviceStep::Ran(grid, next..next + 1));
                assert!(noticed(&more), "seed {seed}");
                running += usize::from(started);
            }
        }
        // A grid is completed before its last blocks have run.
        let last = steps.iter().rposition(|step| matches!(step, DeviceStep::Ran(_, blocks) if !blocks.is_empty()));
        if let Some(place) = last {
            let mut without = steps.clone();
            without.remove(place);
            late += usize::from(noticed(&without));
        }
        // No grid ends before the last has started.
        let (starts, others): (Vec<_>, Vec<_>) =
            steps.iter().cloned().partition(|step| matches!(step, DeviceStep::Started(_)));
        if starts.len() > LIMITS.concurrent_grids {
            let free = tickets.iter().enumerate().filter(|(_, ticket)| before[*ticket].is_empty());
            let free: Vec<DeviceStep> =
                free.map(|(grid, _)| DeviceStep::Started(grid)).filter(|step| starts.contains(step)).collect();
            let crowd: Vec<DeviceStep> = starts.iter().filter(|step| free.contains(step)).cloned().collect();
            if crowd.len() > LIMITS.concurrent_grids && program.contexts == 1 {
                assert!(noticed(&[crowd, others].concat()), "seed {seed}");
                crowded += 1;
            }
        }
    }
    assert!(cases() < 300 || ignored > 50 && late > 50 && running > 5, "{ignored} {late} {running} {crowded}");
}
