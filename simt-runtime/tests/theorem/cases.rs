//! Random programs for one warp, with data races.

use super::control::{SHARED, Sizes, control_program};
use simt_core::program::{ArraySpace, Block, Expr, ExprId, Memory, Program, StmtKind, Validated};
use simt_core::{Constant, ScalarType};
use simt_runtime::Grid;
use simt_semantics::{Place, Setting};
use simt_testing::{Arrays, Construct, Faults, Random, random_program_with, shared_memory};

/// How many random programs the theorem is checked on; other tests use a part of them.
pub(crate) fn cases() -> u64 {
    std::env::var("SIMT_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000)
}

/// Whether there are enough of them to ask what occurred among them.
pub(crate) fn many_cases() -> bool {
    cases() >= 5_000
}

/// A program, the threads that run it, and its arguments.
pub(crate) struct Case {
    pub(crate) program: Validated<Program>,
    pub(crate) place: Place,
    /// The grid of its launch.
    pub(crate) grid: Grid,
    pub(crate) arguments: Vec<Vec<u64>>,
    pub(crate) arrays: Arrays,
}

impl Case {
    /// A program without races, for as many threads as are asked for.
    pub(crate) fn race_free(seed: u64, faults: Faults, constructs: &[Construct]) -> Self {
        Self::of(seed, faults, constructs, |_, _, _| {})
    }

    /// A program in which threads read and write each other's elements.
    pub(crate) fn racy(seed: u64, constructs: &[Construct]) -> Self {
        let faults = if seed.is_multiple_of(5) { Faults::Sometimes } else { Faults::Never };
        Self::of(seed, faults, constructs, add_races)
    }

    fn of(
        seed: u64,
        faults: Faults,
        constructs: &[Construct],
        change: impl FnOnce(&mut Program, &mut Random, usize),
    ) -> Self {
        let mut random = Random::new(seed ^ 0xe50b_2012);
        // A warp of 1 to 8 threads, and at times a part of one.
        let width = 1 + random.below(8) as u32;
        let threads = if random.once_in(4) { 1 + random.below(width as usize) as u32 } else { width };
        let place = Place { warp_width: width, ..Place::alone(threads) };
        let (elements, inputs) = (threads as usize + 1 - random.below(2), 1 + random.below(9));
        let mut program = random_program_with(seed, faults, constructs);
        change(&mut program, &mut random, elements);
        let arrays = Arrays::random(&mut random, elements, inputs);
        let bytes = shared_memory(&program, threads as usize, &mut random, faults);
        let (program, grid) = (program.with_shared_memory(bytes), Grid::new(1, threads).with_shared_memory(bytes));
        let program = program.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        Self { program, place, grid, arguments: arrays.to_bits(), arrays }
    }

    /// A program that is all control flow, over a few elements.
    pub(crate) fn control(seed: u64) -> Self {
        Self::of_sizes(seed, 1..=8, (40, 12))
    }

    /// One so small that all its interleavings can be tried.
    pub(crate) fn tiny(seed: u64) -> Self {
        Self::of_sizes(seed, 2..=3, (5, 2))
    }

    fn of_sizes(seed: u64, widths: std::ops::RangeInclusive<usize>, sizes: Sizes) -> Self {
        let mut random = Random::new(seed ^ 0xe50b_2012);
        let width = (widths.start() + random.below(1 + widths.end() - widths.start())) as u32;
        let program = control_program(seed, sizes);
        let program = program.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let mut values = || (0..SHARED).map(|_| random.below(4) as u64).collect();
        let arguments = vec![values(), values()];
        let (place, grid) = (Place::alone(width), Grid::new(1, width));
        Self { program, place, grid, arguments, arrays: Arrays::random(&mut random, 0, 0) }
    }

    /// A program of every second kind.
    pub(crate) fn mixed(seed: u64) -> Self {
        if seed.is_multiple_of(2) { Self::control(seed) } else { Self::racy(seed, &[]) }
    }

    pub(crate) fn setting(&self) -> Setting<'_> {
        Setting::new(&self.program, self.place).unwrap_or_else(|error| panic!("{error}\n{}", *self.program))
    }
}

/// Lets half of the stores, atomics and loads of what can be written go to one of the first elements, whose thread ever it
/// may be.
fn add_races(program: &mut Program, random: &mut Random, elements: usize) {
    let is_shared = |program: &Program, slice: Memory| match slice {
        Memory::Param(param) => {
            matches!(program.param(param).kind, simt_core::program::ParamKind::Slice { writable: true, .. })
        }
        Memory::Array(array) => program.array(array).space == ArraySpace::Shared,
    };
    let mut indices: Vec<ExprId> = Vec::new();
    let mut pending: Vec<&Block> = program.bodies().map(|(_, body)| body).collect();
    while let Some(block) = pending.pop() {
        for stmt in block {
            pending.extend(stmt.kind.blocks());
            match stmt.kind {
                StmtKind::Store { slice, index, .. } | StmtKind::Atomic { target: slice, index, .. }
                    if is_shared(program, slice) =>
                {
                    indices.push(index);
                }
                _ => {}
            }
        }
    }
    indices.extend(program.exprs.iter().filter_map(|node| match node.expr {
        Expr::Load { slice, index, .. } if is_shared(program, slice) => Some(index),
        _ => None,
    }));
    for index in indices {
        if random.once_in(2) {
            let bits = random.below(elements.min(3)) as u64;
            program.exprs[index.0 as usize].expr = Expr::Const(Constant { ty: ScalarType::Usize, bits });
        }
    }
}
