//! `const` and `static` arrays: the text is compiled as plain Rust, too.

const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
const EDGES: [[u8; 2]; 4] = [[0, 1], [1, 3], [3, 2], [2, 0]];
static WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];
const MOVES: &[(i32, i32)] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Case {
    from: [u8; 2],
    weight: f32,
}
const CASES: [Case; 2] = [Case { from: [3, 4], weight: 0.5 }, Case { from: [5, 6], weight: 1.5 }];

mod limits {
    pub(super) const OF: [u64; 2] = [u64::MAX, 1 << 40];
    pub(super) const NONE: [u32; 0] = [];
}

kernels_with_devices! {
    devices:

    fn smallest(x: u32) -> u32 {
        for &p in &super::PRIMES {
            if x % p == 0 {
                return p;
            }
        }
        1
    }

    fn sum_of(x: &[u32]) -> u32 {
        x.iter().sum()
    }

    kernels:

    fn looked_up(x: &[u32], out: &mut [u32]) {
        use super::{CASES, EDGES, MOVES, PRIMES, WEIGHTS, limits};
        const LOCAL: [i8; 3] = [-1, 0, 1];
        let i = global_id();
        let mut sum = PRIMES[i % PRIMES.len()] + smallest(x[i] + 1);
        sum += EDGES[i % 4][0] as u32 + EDGES[x[i] as usize % 4][1] as u32 * 10;
        let smooth: f32 = WEIGHTS.iter().zip(&x[..3]).map(|(w, v)| w * *v as f32).sum();
        for &(dx, dy) in MOVES {
            sum += (5 + 3 * dx + dy * LOCAL[i % 3] as i32) as u32;
        }
        for (k, case) in CASES.iter().enumerate() {
            sum += case.from[1] as u32 * k as u32 + (CASES[i % 2].weight * 2.0) as u32 + case.from[i % 2] as u32;
        }
        sum += sum_of(&PRIMES) + sum_of(&PRIMES[2..5]) + PRIMES.contains(&x[i]) as u32 + limits::NONE.len() as u32;
        sum += (limits::OF[i % 2] >> 38) as u32 % 1000;
        for &b in b"ab" {
            sum += b as u32;
        }
        let word = b"kernel";
        sum += word[i % word.len()] as u32 + b"xyz"[i % 3] as u32;
        out[i] = sum + smooth as u32;
    }
}

same! { looked_up }

#[test]
fn a_table_is_a_parameter_that_the_kernel_brings_along() {
    let program = kernel::looked_up::program();
    let text = program.to_string();
    assert!(text.contains("#[constant] PRIMES: &[u32] = [2, 3, 5, 7, 11, 13, 17, 19]"), "{text}");
    assert_eq!(text.matches("PRIMES: &[u32]").count(), 1, "each table once");
    let code = program.code(simt::core::code::Markers::None);
    match simt::core::code::Code::parse(&code.to_string()) {
        Ok(read) => {
            assert_eq!(read.params.last().map(|param| &param.table), code.params.last().map(|param| &param.table));
        }
        Err(error) => panic!("{error}"),
    }
}

/// Whatever a machine models, it has the kernel's tables.
#[test]
fn every_machine_has_the_tables() {
    use simt::environment::{EnvironmentConfig, MemoryModel};
    use simt::{RaceCheck, prelude::*};
    let x: Vec<u32> = (0..32).map(|i| i * 7 % 31).collect();
    let run = |gpu: Gpu<Ipdom>| {
        let mut out = vec![0; x.len()];
        gpu.launch(Grid::new(1, 32), kernel::looked_up(&x, &mut out)).unwrap();
        out
    };
    let expected = run(Gpu::default());
    assert_ne!(expected, vec![0; 32]);
    assert_eq!(run(Gpu::new(GpuConfig::turing())), expected);
    assert_eq!(run(Gpu::default().with_race_check(RaceCheck::Everywhere)), expected);
    assert_eq!(run(Gpu::default().with_memory(MemoryModel::Environment(EnvironmentConfig::seeded(1)))), expected);
    assert_eq!(run(Gpu::default().with_overflow(simt::Overflow::Fault)), expected);
}

/// Constants of one name and with the same bits are still two tables.
#[test]
fn tables_of_one_name_may_differ_in_type() {
    use simt::prelude::*;
    mod whole {
        pub(super) const OF: [u32; 2] = [1, 2];
    }
    mod signed {
        pub(super) const OF: [i32; 2] = [1, 2];
    }
    mod rows {
        pub(super) const OF: [[u32; 2]; 1] = [[1, 2]];
    }
    #[kernel]
    fn both(out: &mut [u32]) {
        let i = global_id();
        out[i] = whole::OF[i] + (signed::OF[i] - 2).unsigned_abs() * 10 + rows::OF[0][i] * 100;
    }
    let mut out = [0; 2];
    let launched = Gpu::<Ipdom>::default().launch(Grid::new(1, 2), both(&mut out));
    assert!(launched.is_ok(), "{launched:?}");
    assert_eq!(out, [111, 202]);
}
