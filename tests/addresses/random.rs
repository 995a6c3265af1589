//! Random programs with guards and addresses, under every policy, against an interpreter of one thread after the other.

use crate::machine::Machine;
use crate::{everywhere, kernel};
use simt::host::{Argument, DeviceMemory, call};
use simt::policy::{Dwf, Hanoi, Ipdom};
use simt::{Gpu, GpuConfig, Grid, RaceCheck};
use std::fmt::Write;

const REGISTERS: usize = 5;
const PREDICATES: usize = 3;
/// Words that a thread has in each space.
const WORDS: usize = 4;
const THREADS: usize = 20;

/// Numbers that look random (SplitMix64, Steele et al. 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

/// Where a word lies, and how its address is written.
#[derive(Clone, Copy)]
enum Space {
    Global,
    Shared,
    Local,
}

#[derive(Clone, Copy)]
enum Op {
    Add {
        dst: usize,
        a: usize,
        b: usize,
    },
    Mix {
        dst: usize,
        a: usize,
        by: u32,
    },
    Below {
        dst: usize,
        a: usize,
        limit: u32,
    },
    Odd {
        dst: usize,
        a: usize,
    },
    Load {
        dst: usize,
        space: Space,
        word: usize,
        generic: bool,
    },
    /// One byte, extended by its sign.
    LoadByte {
        dst: usize,
        space: Space,
        byte: usize,
    },
    Store {
        a: usize,
        space: Space,
        word: usize,
        generic: bool,
    },
    StoreHalf {
        a: usize,
        space: Space,
        half: usize,
        generic: bool,
    },
    Count {
        a: usize,
    },
    Branch {
        predicate: usize,
        when: bool,
        target: usize,
    },
    Exit {
        predicate: usize,
    },
}

struct Line {
    guard: Option<(usize, bool)>,
    op: Op,
}

fn program(numbers: &mut Numbers) -> Vec<Line> {
    let length = 8 + numbers.below(30);
    let line = |at: usize, numbers: &mut Numbers| {
        let (dst, a, b) = (numbers.below(REGISTERS), numbers.below(REGISTERS), numbers.below(REGISTERS));
        let predicate = numbers.below(PREDICATES);
        let space = [Space::Global, Space::Shared, Space::Local][numbers.below(3)];
        let (word, generic, when) = (numbers.below(WORDS), numbers.below(2) == 0, numbers.below(2) == 0);
        let op = match numbers.below(14) {
            0 | 1 => Op::Add { dst, a, b },
            2 => Op::Mix { dst, a, by: numbers.below(1000) as u32 },
            3 => Op::Below { dst: predicate, a, limit: 1 << numbers.below(32) },
            4 => Op::Odd { dst: predicate, a },
            5 | 6 => Op::Load { dst, space, word, generic },
            7 => Op::LoadByte { dst, space, byte: numbers.below(4 * WORDS) },
            8 | 9 => Op::Store { a, space, word, generic },
            10 => Op::StoreHalf { a, space, half: numbers.below(2 * WORDS), generic },
            11 => Op::Count { a },
            12 => Op::Branch { predicate, when, target: at + 1 + numbers.below(length - at) },
            _ if numbers.below(4) == 0 => Op::Exit { predicate },
            _ => Op::Odd { dst: predicate, a },
        };
        let guarded = !matches!(op, Op::Branch { .. } | Op::Exit { .. }) && numbers.below(2) == 0;
        Line { guard: guarded.then(|| (numbers.below(PREDICATES), numbers.below(2) == 0)), op }
    };
    (0..length).map(|at| line(at, numbers)).collect()
}

/// The registers that hold the addresses of a thread's words, with an offset.
fn address(space: Space, bytes: usize, generic: bool) -> (&'static str, String) {
    let (name, base) = match (space, generic) {
        (Space::Global, false) => ("global", "%global"),
        (Space::Global, true) => ("generic", "%global"),
        (Space::Shared, false) => ("shared", "%shared"),
        (Space::Shared, true) => ("generic", "%gshared"),
        (Space::Local, false) => ("local", "&own"),
        (Space::Local, true) => ("generic", "%glocal"),
    };
    (name, if bytes == 0 { format!("[{base}]") } else { format!("[{base}+{bytes}]") })
}

fn text(lines: &[Line]) -> String {
    let mut text = format!(
        "kernel random(cells: u64, total: u64)
        .shared tile: {} align 4
        .local own: {} align 4
        .reg u32 {}, %thread, %word, bool {}, %one, u64 %global, %gshared, %glocal, %at, u32 %shared
            cvt.u32.usize %thread, thread_idx().x
            cvt.u64.usize %at, global_id()
            mad.u64       %global, %at, {bytes}, cells
            mov.u32       %shared, &tile
            mad.u32       %shared, %thread, {bytes}, %shared
            cvt.u64.u32   %at, %thread
            mad.u64       %at, %at, {bytes}, &tile
            cvta.shared   %gshared, %at
            cvta.local    %glocal, &own\n",
        4 * WORDS * THREADS,
        4 * WORDS,
        list(REGISTERS, "r"),
        list(PREDICATES, "p"),
        bytes = 4 * WORDS,
    );
    for register in 0..REGISTERS {
        writeln!(text, "mad.u32 %r{register}, %thread, {}, {register}", register + 3).expect("a string");
    }
    for word in 0..WORDS {
        for (space, plus) in [("shared", 5), ("local", 9)] {
            let base = if space == "shared" { "%shared" } else { "&own" };
            writeln!(text, "add.u32 %word, %thread, {}\nst.{space}.u32 [{base}+{}], %word", word + plus, 4 * word)
                .expect("a string");
        }
    }
    (0..PREDICATES).for_each(|p| writeln!(text, "lt.u32 %p{p}, %thread, {}", 4 * p + 3).expect("a string"));
    for (at, Line { guard, op }) in lines.iter().enumerate() {
        let guard = guard.map_or(String::new(), |(p, when)| format!("@{}%p{p} ", if when { "" } else { "!" }));
        let of = |space, bytes, generic| address(space, bytes, generic);
        let line = match *op {
            Op::Add { dst, a, b } => format!("add.u32 %r{dst}, %r{a}, %r{b}"),
            Op::Mix { dst, a, by } => format!("mad.u32 %r{dst}, %r{a}, 40503, {by}"),
            Op::Below { dst, a, limit } => format!("lt.u32 %p{dst}, %r{a}, {limit}"),
            Op::Odd { dst, a } => {
                // The helper registers hold what they hold only for the lanes that execute.
                format!("and.u32 %word, %r{a}, 1\nODD{at}: {guard}eq.u32 %p{dst}, %word, 1")
            }
            Op::Load { dst, space, word, generic } => {
                let (space, at) = of(space, 4 * word, generic);
                format!("ld.{space}.u32 %r{dst}, {at}")
            }
            Op::LoadByte { dst, space, byte } => {
                let (space, at) = of(space, byte, true);
                format!("ld.{space}.i8.u32 %r{dst}, {at}")
            }
            Op::Store { a, space, word, generic } => {
                let (space, at) = of(space, 4 * word, generic);
                format!("st.{space}.u32 {at}, %r{a}")
            }
            Op::StoreHalf { a, space, half, generic } => {
                let (space, at) = of(space, 2 * half, generic);
                format!("st.{space}.u16.u32 {at}, %r{a}")
            }
            Op::Count { a } => format!("atom.global.u32.fetch_add.relaxed [total], %r{a}"),
            Op::Branch { predicate, when, target } => {
                format!("@{}%p{predicate} bra L{target}", if when { "" } else { "!" })
            }
            Op::Exit { predicate } => format!("@%p{predicate} exit"),
        };
        writeln!(text, "L{at}: {guard}{line}").expect("a string");
    }
    writeln!(text, "L{}:", lines.len()).expect("a string");
    for word in 0..WORDS {
        for space in ["shared", "local"] {
            let base = if space == "shared" { "%shared" } else { "&own" };
            writeln!(text, "ld.{space}.u32 %word, [{base}+{}]", 4 * word).expect("a string");
            writeln!(text, "add.u32 %r0, %r0, %word").expect("a string");
        }
    }
    text + "st.global.u32 [%global], %r0\nexit"
}

fn list(count: usize, name: &str) -> String {
    (0..count).map(|number| format!("%{name}{number}")).collect::<Vec<_>>().join(", ")
}

/// One thread: its words of global memory, and what it adds to the total.
fn interpret(lines: &[Line], thread: u32, cells: &mut [u8]) -> u32 {
    let mut r: Vec<u32> =
        (0..REGISTERS as u32).map(|number| thread.wrapping_mul(number + 3).wrapping_add(number)).collect();
    let mut p: Vec<bool> = (0..PREDICATES as u32).map(|number| thread < 4 * number + 3).collect();
    let bytes =
        |plus: u32| (0..WORDS as u32).flat_map(|word| (thread + word + plus).to_le_bytes()).collect::<Vec<u8>>();
    let (mut memory, mut total, mut at) = ([cells.to_vec(), bytes(5), bytes(9)], 0u32, 0);
    let word = |memory: &[u8], at: usize| u32::from_le_bytes(memory[at..at + 4].try_into().expect("four"));
    while let Some(Line { guard, op }) = lines.get(at) {
        at += 1;
        if guard.is_some_and(|(predicate, when)| p[predicate] != when) {
            continue;
        }
        match *op {
            Op::Add { dst, a, b } => r[dst] = r[a].wrapping_add(r[b]),
            Op::Mix { dst, a, by } => r[dst] = r[a].wrapping_mul(40503).wrapping_add(by),
            Op::Below { dst, a, limit } => p[dst] = r[a] < limit,
            Op::Odd { dst, a } => p[dst] = r[a] % 2 == 1,
            Op::Load { dst, space, word: number, .. } => r[dst] = word(&memory[space as usize], 4 * number),
            Op::LoadByte { dst, space, byte } => r[dst] = i32::from(memory[space as usize][byte] as i8) as u32,
            Op::Store { a, space, word, .. } => {
                memory[space as usize][4 * word..4 * word + 4].copy_from_slice(&r[a].to_le_bytes());
            }
            Op::StoreHalf { a, space, half, .. } => {
                memory[space as usize][2 * half..2 * half + 2].copy_from_slice(&(r[a] as u16).to_le_bytes());
            }
            Op::Count { a } => total = total.wrapping_add(r[a]),
            Op::Branch { predicate, when, target } if p[predicate] == when => at = target,
            Op::Exit { predicate } if p[predicate] => {
                cells.copy_from_slice(&memory[0]);
                return total;
            }
            Op::Branch { .. } | Op::Exit { .. } => {}
        }
    }
    for number in 0..WORDS {
        r[0] = r[0].wrapping_add(word(&memory[1], 4 * number)).wrapping_add(word(&memory[2], 4 * number));
    }
    cells.copy_from_slice(&memory[0]);
    cells[..4].copy_from_slice(&r[0].to_le_bytes());
    total
}

#[test]
fn random_programs_do_what_their_threads_would_one_by_one() {
    let mut numbers = Numbers(1);
    let mut guarded_off = 0;
    for _ in 0..60 {
        let lines = program(&mut numbers);
        let text = text(&lines);
        let kernel = kernel(&text);
        let start: Vec<u8> = (0..2 * THREADS * 4 * WORDS).map(|byte| (byte * 7 % 251) as u8).collect();
        let (mut expected, mut total) = (start.clone(), 0u32);
        for (thread, cells) in expected.chunks_mut(4 * WORDS).enumerate() {
            total = total.wrapping_add(interpret(&lines, (thread % THREADS) as u32, cells));
        }
        let mut check = |gpu: &dyn Machine| {
            let mut memory = DeviceMemory::new();
            let cells = memory.upload(&start).expect("room");
            let sum = memory.upload(&[0u32]).expect("room");
            let arguments = vec![Argument::scalar(cells), Argument::scalar(sum)];
            let launched = gpu.launch(Grid::new(2, THREADS), call(&kernel, arguments).with_memory(&mut memory));
            let report = launched.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(memory.read_bytes(cells, start.len()).expect("written"), expected, "{text}");
            assert_eq!(memory.read::<u32>(sum, 1).expect("written"), [total], "{text}");
            guarded_off += report.thread_instructions() - report.executed_thread_instructions();
        };
        everywhere(&mut check);
        // With a clock, blocks of which several are on a core.
        check(&Gpu::<Ipdom>::new(GpuConfig::fermi()));
        check(&Gpu::<Hanoi>::new(GpuConfig::turing()));
        check(&Gpu::<Dwf>::new(GpuConfig::fung2009()));
        check(&Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared));
    }
    assert!(guarded_off > 100_000, "{guarded_off}");
}
