//! A kernel that does not ask for the coherence it needs, and how to find such a mistake: run it on the memory environment
//! of the CUDA report under many seeds.
//!
//! Block 0 sends a word to block 1: it stores the word, and then sets a flag. Block 1 has read the word before, so that its
//! multiprocessor has the line in its L1 cache, which no hardware keeps coherent.
//!
//! ```text
//! cargo run --example stale
//! ```

#![expect(clippy::print_stdout, reason = "an example that prints")]

use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::prelude::*;
use std::collections::BTreeMap;

/// Wrong twice: nothing keeps the two stores in order, and nothing keeps the last load from the L1 cache.
#[kernel]
fn careless(word: &mut [u32], flag: &mut [u32], seen: &mut [u32]) {
    if block_idx().x == 0 {
        word[0] = 42;
        flag.store_volatile(0, 1);
    } else {
        seen[0] = word[0];
        while flag.load_volatile(0) == 0 {}
        seen[1] = word[0];
    }
}

/// Wrong once: the stores are in order, and the last load may still find the old line.
#[kernel]
fn fenced(word: &mut [u32], flag: &mut [u32], seen: &mut [u32]) {
    if block_idx().x == 0 {
        word[0] = 42;
        fence_device();
        flag.store_volatile(0, 1);
    } else {
        seen[0] = word[0];
        while flag.load_volatile(0) == 0 {}
        seen[1] = word[0];
    }
}

/// Right: the stores are in order, and the load does not ask the L1 cache.
#[kernel]
fn right(word: &mut [u32], flag: &mut [u32], seen: &mut [u32]) {
    if block_idx().x == 0 {
        word[0] = 42;
        fence_device();
        flag.store_volatile(0, 1);
    } else {
        seen[0] = word[0];
        while flag.load_volatile(0) == 0 {}
        seen[1] = word.load_volatile(0);
    }
}

/// The type of the three kernels.
type Call = for<'a> fn(&'a mut [u32], &'a mut [u32], &'a mut [u32]) -> KernelCall<'a>;

/// How often block 1 has read each word behind the flag.
fn words(kernel: Call, memory: impl Fn(u64) -> MemoryModel, seeds: u64) -> Result<BTreeMap<u32, u64>, LaunchError> {
    let mut words = BTreeMap::new();
    for seed in 0..seeds {
        let (mut word, mut flag, mut seen) = ([7], [0], [0, 0]);
        let gpu = Gpu::<Ipdom>::default().with_memory(memory(seed));
        gpu.launch(Grid::new(2, 1), kernel(&mut word, &mut flag, &mut seen))?;
        *words.entry(seen[1]).or_default() += 1;
    }
    Ok(words)
}

fn environment(seed: u64) -> MemoryModel {
    MemoryModel::Environment(EnvironmentConfig { processors: 2, ..EnvironmentConfig::seeded(seed) })
}

fn kernels() -> [(&'static str, Call); 3] {
    [("careless", careless), ("fenced", fenced), ("right", right)]
}

fn main() -> Result<(), LaunchError> {
    const SEEDS: u64 = 1000;
    println!("Block 0 sends 42 to block 1, which had 7. What block 1 gets, in {SEEDS} launches:\n");
    println!("{:<10}{:>14}{:>26}", "", "ideal memory", "memory environment");
    println!("{:<10}{:>7}{:>7}{:>16}{:>10}", "kernel", 7, 42, 7, 42);
    for (name, kernel) in kernels() {
        let count = |words: &BTreeMap<u32, u64>, word| words.get(&word).copied().unwrap_or(0);
        let ideal = words(kernel, |_| MemoryModel::Ideal, 1)?;
        let modelled = words(kernel, environment, SEEDS)?;
        let ideal = [7, 42].map(|word| SEEDS * count(&ideal, word));
        let modelled = [7, 42].map(|word| count(&modelled, word));
        println!("{name:<10}{:>7}{:>7}{:>16}{:>10}", ideal[0], ideal[1], modelled[0], modelled[1]);
    }
    println!("\n`careless` and `fenced` work on ideal memory. Only `right` asks for the coherence that it needs.");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_kernel_never_gets_the_old_word() {
        for (name, kernel) in kernels() {
            assert_eq!(words(kernel, |_| MemoryModel::Ideal, 1).expect("it ends"), BTreeMap::from([(42, 1)]), "{name}");
            let seen = words(kernel, environment, 200).expect("it ends");
            assert!(seen.keys().all(|word| [7, 42].contains(word)), "{name}: {seen:?}");
            assert_eq!(seen.contains_key(&7), name != "right", "{name}: {seen:?}");
        }
    }
}
