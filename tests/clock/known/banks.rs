//! Conflicts of banks: a stride sweep over shared memory.
//!
//! Lane *i* of 32 touches word *i s*. Of *B* banks those whose number is a multiple of *gcd(s, B)* are touched, so that each
//! gives *32 gcd(s, B) / B* words, one after the other; the same word goes to all lanes at once.

use crate::machine::{changed, clock, difference, kernel, one_core, quick, timed};
use simt::clock::InFlight;
use simt::host::{Argument, Kernel};
use simt::{GpuConfig, Grid};

const LANES: u32 = 32;

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Each lane loads the element `stride` times its number, so often; if `chained`, each load needs the one before.
fn sweep(ty: &str, stride: u32, loads: usize, chained: bool) -> Kernel {
    // Each load that no other needs has a register of its own: it waits for no other.
    let dst = |load| if chained { "%at".to_string() } else { format!("%v{load}") };
    let load: String = (0..loads).map(|load| format!("ld.{ty} {}, tile[%at]\n", dst(load))).collect();
    let registers: String = (0..loads).map(|load| format!(", %v{load}")).collect();
    let length = (LANES - 1) * stride + 1;
    // An element says where it is, so that a chain stays there.
    let value = if ty == "usize" { "%at" } else { "0" };
    kernel(&format!(
        "kernel sweep(x: &mut [usize])\n.shared tile: [{ty} x {length}]\n.reg usize %at, {ty} %v{registers}\n\
         mul.usize %at, lane_id(), {stride}\nst.{ty} tile[%at], {value}\n{load}st.usize x[global_id()], %at\nexit"
    ))
}

/// One core with shared memory of so many banks, where nothing else takes long.
fn machine(banks: usize) -> GpuConfig {
    changed(one_core(GpuConfig::turing()), |clock| {
        quick(clock);
        clock.shared_banks = banks;
        clock.in_flight = InFlight::Scoreboard;
        clock.simd_width = 32;
    })
}

/// The histogram of passes of the loads: those of the longer kernel less those of the shorter.
fn passes(config: &GpuConfig, kernels: [&Kernel; 2]) -> Vec<(usize, u64)> {
    let [short, long] = kernels.map(|kernel| {
        let mut x = [0; LANES as usize];
        timed(config, Grid::new(1, LANES as usize), kernel, vec![Argument::slice_mut(&mut x)]).bank_conflicts().to_vec()
    });
    let more = |(passes, &count): (usize, &u64)| (passes, count - short.get(passes).copied().unwrap_or(0));
    long.iter().enumerate().map(more).filter(|&(_, count)| count > 0).collect()
}

fn expected(banks: u32, stride: u32) -> u32 {
    (LANES * gcd(stride, banks) / banks).max(1)
}

#[test]
fn each_degree_of_conflict_has_its_passes_and_its_cycles() {
    let (few, many) = (8, 24);
    let mut degrees = Vec::new();
    for banks in [16, 32] {
        let config = machine(banks as usize);
        for stride in 1..=LANES {
            let degree = expected(banks, stride);
            let kernels = [few, many].map(|loads| sweep("usize", stride, loads, false));
            let kernels = [&kernels[0], &kernels[1]];
            assert_eq!(passes(&config, kernels), [(degree as usize, 16)], "stride {stride} over {banks} banks");
            // Nothing depends on a load: the next begins when the passes of the last are over.
            let cycles = difference(&config, Grid::new(1, LANES as usize), kernels, &mut [0; LANES as usize]);
            assert_eq!(cycles, u64::from(16 * degree), "stride {stride} over {banks} banks");
            degrees.push(degree);
        }
    }
    degrees.sort_unstable();
    degrees.dedup();
    assert_eq!(degrees, [1, 2, 4, 8, 16, 32]);
}

/// The result of an access of *p* passes is there *p - 1* cycles later than that of one.
#[test]
fn a_chain_of_loads_waits_for_all_passes() {
    for stride in [1, 2, 3, 4, 6, 8, 16, 32] {
        let config = machine(32);
        let kernels = [8, 24].map(|loads| sweep("usize", stride, loads, true));
        let cycles =
            difference(&config, Grid::new(1, LANES as usize), [&kernels[0], &kernels[1]], &mut [0; LANES as usize]);
        let latency = clock(&config).shared_latency + expected(32, stride) - 1;
        assert_eq!(cycles, u64::from(16 * latency), "stride {stride}");
    }
}

#[test]
fn one_word_for_all_lanes_is_one_pass() {
    let kernels = [8, 24].map(|loads| sweep("usize", 0, loads, false));
    assert_eq!(passes(&machine(32), [&kernels[0], &kernels[1]]), [(1, 16)]);
}

/// Elements of 8 bytes are two words side by side: half a warp fills 32 banks, so that a warp takes two passes, and a stride
/// of *s* elements is one of *2 s* words.
#[test]
fn elements_of_eight_bytes_take_twice_as_long() {
    for stride in 1..=16 {
        let kernels = [8, 24].map(|loads| sweep("u64", stride, loads, false));
        let degree = gcd(2 * stride, 32).max(2);
        assert_eq!(passes(&machine(32), [&kernels[0], &kernels[1]]), [(degree as usize, 16)], "stride {stride}");
    }
}
