//! Memory by address on the memory environment: it is the one that slices have.

use super::{config, gpu};
use simt::Code;
use simt::error::{AddressProblem, FaultKind};
use simt::host::{Argument, DeviceMemory, Kernel, call};
use simt::policy::RoundRobin;
use simt::prelude::*;
use simt_testing::Random as Numbers;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

#[track_caller]
fn kernel(text: &str) -> Kernel {
    Kernel::from_code(Code::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// A program twice: by the elements of slices and arrays, and by addresses. Both have as many instructions, so that the same
/// seed makes the same choices.
#[derive(Default)]
struct Twins {
    elements: String,
    addresses: String,
}

/// Memory of the program: how an element of a type is named by a constant, and by the number of the thread.
struct Place {
    ty: &'static str,
    elements: [String; 2],
    /// The space, and the places in it.
    space: &'static str,
    addresses: [String; 2],
}

impl Twins {
    fn both(&mut self, line: &str) {
        self.each(line, line);
    }

    fn each(&mut self, element: &str, address: &str) {
        writeln!(self.elements, "{element}").expect("a string");
        writeln!(self.addresses, "{address}").expect("a string");
    }

    /// What stands before the program; `full` if threads write all of shared memory first.
    fn begin(&mut self, full: bool) {
        self.each(
            "kernel twin(x: &mut [u32], b: &mut [u8], w: &mut [u64], c: &[AtomicU32], seen: &mut [u32])
             .shared tile: [u32 x 8]",
            "kernel twin(x: u64, b: u64, w: u64, c: u64, seen: u64)
             .shared tile: 32 align 4",
        );
        self.both(
            ".reg u32 %h, %v, usize %i, %t, %m, u8 %b, u64 %w, bool %p, u64 %ax, %ab, %aw, %as, %at, %n
             mov.usize %i, global_id()
             mov.usize %t, thread_idx().x
             mov.u32 %h, 0
             cvt.u64.usize %n, %i",
        );
        for (name, param, bytes) in [("ax", "x", 4), ("ab", "b", 1), ("aw", "w", 8), ("as", "seen", 4)] {
            self.each(&format!("mad.u64 %{name}, %n, {bytes}, 0"), &format!("mad.u64 %{name}, %n, {bytes}, {param}"));
        }
        self.both("cvt.u64.usize %n, %t");
        self.each("mad.u64 %at, %n, 4, 0", "mad.u64 %at, %n, 4, &tile");
        if full {
            self.both("cvt.u32.usize %v, %i");
            self.each("st.u32 tile[%t], %v", "st.shared.u32 [%at], %v");
        }
    }

    /// An operation of those lanes that a number picks.
    fn operation(&mut self, numbers: &mut Numbers) {
        let (mask, value) = ([0, 1, 3, 7][numbers.below(4)], numbers.below(8));
        self.both(&format!("and.usize %m, %i, {mask}\neq.usize %p, %m, {}", value & mask));
        let cell = numbers.below(8);
        let global = |ty, name: &str, bytes: usize, base: &str| Place {
            ty,
            elements: [format!("{name}[{cell}]"), format!("{name}[%i]")],
            space: if cell.is_multiple_of(2) { "global" } else { "generic" },
            addresses: [format!("[{name}+{}]", bytes * cell), format!("[{base}]")],
        };
        let place = match numbers.below(4) {
            0 => global("u32", "x", 4, "%ax"),
            1 => global("u8", "b", 1, "%ab"),
            2 => global("u64", "w", 8, "%aw"),
            _ => Place {
                ty: "u32",
                elements: [format!("tile[{cell}]"), "tile[%t]".into()],
                space: "shared",
                addresses: [format!("[&tile+{}]", 4 * cell), "[%at]".into()],
            },
        };
        let Place { ty, space, .. } = place;
        let own = numbers.below(2);
        let (element, address) = (&place.elements[own], &place.addresses[own]);
        let row = match ty {
            "u8" => "%b",
            "u64" => "%w",
            _ => "%v",
        };
        match numbers.below(12) {
            0..4 => {
                let access = ["", ".volatile", ".ca", ".cg", ".cs", ".cv"][numbers.below(6)];
                self.both(&format!("mov.{ty} {row}, 0"));
                self.each(
                    &format!("@%p ld.{ty}{access} {row}, {element}"),
                    &format!("@%p ld.{space}.{ty}{access} {row}, {address}"),
                );
                let cast = if ty == "u32" { "mov.u32".to_string() } else { format!("cvt.u32.{ty}") };
                self.both(&format!("{cast} %v, {row}\nmad.u32 %h, %h, 31, %v"));
            }
            4..8 => {
                let access = ["", ".volatile", ".wb", ".cg", ".cs", ".wt"][numbers.below(6)];
                self.both(&format!("mov.{ty} {row}, {}", 1 + numbers.below(200)));
                self.each(
                    &format!("@%p st.{ty}{access} {element}, {row}"),
                    &format!("@%p st.{space}.{ty}{access} {address}, {row}"),
                );
            }
            8 => {
                let order = ["relaxed", "acquire", "release", "acqrel", "seqcst"][numbers.below(5)];
                let at = cell % 2;
                let (dst, add) = (["", "%v, "][numbers.below(2)], 1 + numbers.below(9));
                self.both("mov.u32 %v, 0");
                self.each(
                    &format!("@%p atom.u32.fetch_add.{order} {dst}c[{at}], {add}"),
                    &format!("@%p atom.global.u32.fetch_add.{order} {dst}[c+{}], {add}", 4 * at),
                );
                self.both("mad.u32 %h, %h, 31, %v");
            }
            9 => self.both("fence_device"),
            10 => self.both("sync_warp"),
            _ => self.both("bar.sync"),
        }
    }

    fn end(&mut self) {
        self.each("st.u32 seen[%i], %h", "st.global.u32 [%as], %h");
        self.both("exit");
    }
}

const THREADS: usize = 16;

/// What is in memory after a launch; or where it failed, and whether because a store was on its way.
type Left = Result<Vec<u64>, (Option<u32>, Option<usize>, bool)>;

fn failed(error: &LaunchError) -> (Option<u32>, Option<usize>, bool) {
    let LaunchError::Fault(fault) = error else { panic!("{error}") };
    let in_flight = match &fault.kind {
        FaultKind::Unwritten { in_flight, .. } => *in_flight,
        FaultKind::Address(bad) => bad.problem == AddressProblem::InFlight,
        kind => panic!("{kind:?}"),
    };
    (error.line(), error.thread().map(|thread| thread.global_id), in_flight)
}

fn by_elements<P: Policy>(kernel: &Kernel, seed: u64) -> Left {
    let (mut x, mut b, mut w) = (vec![1u32; THREADS], vec![2u8; THREADS], vec![3u64; THREADS]);
    let (c, mut seen) = ([AtomicU32::new(4), AtomicU32::new(5)], vec![0u32; THREADS]);
    let arguments = vec![
        Argument::slice_mut(&mut x),
        Argument::slice_mut(&mut b),
        Argument::slice_mut(&mut w),
        Argument::atomic(&c),
        Argument::slice_mut(&mut seen),
    ];
    let launched = gpu::<P>(config(seed)).launch(Grid::new(2, THREADS / 2), call(kernel, arguments));
    launched.map_err(|error| failed(&error))?;
    let words = x.into_iter().chain(c.iter().map(|c| c.load(Relaxed))).chain(seen).map(u64::from);
    Ok(words.chain(b.into_iter().map(u64::from)).chain(w).collect())
}

fn by_addresses<P: Policy>(kernel: &Kernel, seed: u64) -> Left {
    let mut memory = DeviceMemory::new();
    let x = memory.upload(&[1u32; THREADS]).expect("room");
    let b = memory.upload(&[2u8; THREADS]).expect("room");
    let w = memory.upload(&[3u64; THREADS]).expect("room");
    let c = memory.upload(&[4u32, 5]).expect("room");
    let seen = memory.upload(&[0u32; THREADS]).expect("room");
    let before = memory.clone();
    let arguments = [x, b, w, c, seen].map(Argument::scalar).into();
    let call = call(kernel, arguments).with_memory(&mut memory);
    let launched = gpu::<P>(config(seed)).launch(Grid::new(2, THREADS / 2), call);
    let read = |memory: &DeviceMemory| {
        let words = [(x, THREADS), (c, 2), (seen, THREADS)];
        let words = words.iter().flat_map(|&(at, count)| memory.read::<u32>(at, count).expect("written"));
        let words: Vec<u64> = words.map(u64::from).collect();
        let bytes = memory.read::<u8>(b, THREADS).expect("written").into_iter().map(u64::from);
        words.into_iter().chain(bytes).chain(memory.read::<u64>(w, THREADS).expect("written")).collect()
    };
    let (was, is): (Vec<u64>, Vec<u64>) = (read(&before), read(&memory));
    match launched {
        Ok(_) => Ok(is),
        Err(error) => {
            assert_eq!(was, is, "a launch that fails leaves memory as it was");
            Err(failed(&error))
        }
    }
}

/// Whatever a program asks of memory, racing or not, the same seed gives the same, by elements and by address.
#[test]
fn addresses_and_elements_are_one_memory() {
    let (mut ended, mut lost, mut early, mut differ) = (0, 0, 0, 0);
    for number in 0..60 {
        let (mut numbers, mut twins) = (Numbers::new(number), Twins::default());
        twins.begin(number % 4 != 0);
        (0..8 + numbers.below(16)).for_each(|_| twins.operation(&mut numbers));
        twins.end();
        let (elements, addresses) = (kernel(&twins.elements), kernel(&twins.addresses));
        let mut check = |run: [fn(&Kernel, u64) -> Left; 2]| {
            let all = (0..6).map(|seed| {
                let left = run[0](&elements, seed);
                assert_eq!(run[1](&addresses, seed), left, "seed {seed}\n{}", twins.addresses);
                match &left {
                    Ok(_) => ended += 1,
                    Err((.., true)) => lost += 1,
                    Err(_) => early += 1,
                }
                left
            });
            differ += usize::from(all.collect::<BTreeSet<_>>().len() > 1);
        };
        check([by_elements::<Ipdom>, by_addresses::<Ipdom>]);
        check([by_elements::<TokenStack>, by_addresses::<TokenStack>]);
        check([by_elements::<StackLess<RoundRobin>>, by_addresses::<StackLess<RoundRobin>>]);
        check([by_elements::<Dwf<Majority>>, by_addresses::<Dwf<Majority>>]);
    }
    assert!(ended > 500 && lost > 5 && early > 100 && differ > 100, "{ended} {lost} {early} {differ}");
}

/// A word that the host has not written: the second block looks when the first has said that it has stored.
fn sent(fence: &str) -> Kernel {
    kernel(&format!(
        "kernel sent(data: u64, flag: u64, seen: u64)
        .reg usize %i, u32 %v, bool %p
            mov.usize %i, global_id()
            ne.usize %p, %i, 0
        @%p bra SECOND
            st.global.u32 [data], 7
            {fence}
            st.global.u32.volatile [flag], 1
            exit
        SECOND:
            ld.global.u32.volatile %v, [flag]
            eq.u32 %p, %v, 0
        @%p bra SECOND
            ld.global.u32.volatile %v, [data]
            st.global.u32 [seen], %v
            exit"
    ))
}

#[test]
fn what_is_read_before_a_store_has_come_is_no_value() {
    for (fence, is_late) in [("fence_device", false), ("mov.u32 %v, 0", true)] {
        let (kernel, mut late) = (sent(fence), 0);
        for seed in 0..200 {
            let mut memory = DeviceMemory::new();
            let data = memory.alloc(4).expect("room");
            let flag = memory.upload(&[0u32]).expect("room");
            let seen = memory.alloc(4).expect("room");
            let arguments = [data, flag, seen].map(Argument::scalar).into();
            let call = call(&kernel, arguments).with_memory(&mut memory);
            match gpu::<Ipdom>(config(seed)).launch(Grid::new(2, 1), call) {
                Ok(_) => assert_eq!(memory.read::<u32>(seen, 1).expect("written"), [7]),
                Err(error) => {
                    let text = error.to_string();
                    assert_eq!(failed(&error), (Some(14), Some(1), true), "{text}");
                    assert!(text.contains("what a thread has stored there has not come to memory yet"), "{text}");
                    assert!(text.contains("the allocation has 4 bytes") && text.contains("behind a fence"), "{text}");
                    assert!(memory.read::<u32>(data, 1).is_err(), "it is as it was");
                    late += 1;
                }
            }
        }
        assert_eq!(late > 0, is_late, "{fence}: {late}");
    }
}

/// Lanes of one access in all spaces at a time: by a store that some see late, and what each has for itself.
#[test]
fn lanes_of_one_access_are_in_several_spaces() {
    let kernel = kernel(
        "kernel mixed(x: u64, out: u64, p: bytes 4 align 4)
        .shared tile: 4 align 4
        .local own: 4 align 4
        .const table: 4 align 4 = \"09000000\"
        .reg u32 %i, %v, u64 %a, %o, bool %p
            cvt.u32.usize %i, lane_id()
            cvt.u64.usize %o, lane_id()
            mad.u64 %o, %o, 4, out
            mov.u64 %a, x
            eq.u32 %p, %i, 1
        @%p cvta.shared %a, &tile
            eq.u32 %p, %i, 2
        @%p cvta.local %a, &own
            add.u32 %v, %i, 20
            st.generic.u32 [%a], %v
            eq.u32 %p, %i, 3
        @%p cvta.const %a, &table
            eq.u32 %p, %i, 4
        @%p cvta.param %a, &p
            ne.u32 %p, %i, 0
            ld.generic.u32 %v, [%a]
            mad.u32 %v, %v, 1, 100
            st.global.u32 [%o], %v
            lt.u32 %p, %i, 3
        @%p atom.generic.u32.fetch_add.relaxed %v, [%a], 1
        @%p st.global.u32 [%o], %v
            exit",
    );
    let mut first = BTreeSet::new();
    for seed in 0..100 {
        let mut memory = DeviceMemory::new();
        let (x, out) = (memory.alloc(4).expect("room"), memory.alloc(20).expect("room"));
        let arguments = vec![Argument::scalar(x), Argument::scalar(out), Argument::bytes([5, 0, 0, 0])];
        let launched = gpu::<Ipdom>(config(seed))
            .with_warp_width(8)
            .launch(Grid::new(1, 5), call(&kernel, arguments).with_memory(&mut memory));
        launched.unwrap_or_else(|error| panic!("{error}"));
        let seen = memory.read::<u32>(out, 5).expect("written");
        assert_eq!(seen[1..], [21, 22, 109, 105], "{seed}");
        // Three lanes store to one word, of which one wins.
        assert_eq!(memory.read::<u32>(x, 1).expect("written"), [seen[0] + 1]);
        first.insert(seen[0]);
    }
    assert_eq!(first, BTreeSet::from([20, 23, 24]));
}
