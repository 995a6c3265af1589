//! A Bloom filter over any key that hashes itself.
use simt::host::HostData;
use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

#[device]
trait Key {
    const SEED: u32;

    fn words(&self) -> [u32; 2];

    fn hash(&self, salt: u32) -> u32 {
        let mut h = Self::SEED ^ salt.wrapping_mul(0x9e37_79b9);
        for w in self.words() {
            h = (h ^ w).wrapping_mul(0x0100_0193).rotate_left(13);
        }
        h ^ h >> 16
    }
}

#[device]
impl Key for u32 {
    const SEED: u32 = 0x811c_9dc5;

    fn words(&self) -> [u32; 2] {
        [*self, !*self]
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Address {
    host: [u8; 4],
    port: u16,
}

#[device]
impl Key for Address {
    const SEED: u32 = 77;

    fn words(&self) -> [u32; 2] {
        [u32::from_be_bytes(self.host), self.port.into()]
    }
}

#[derive(Clone, Copy, KernelData)]
struct Bloom<'a, const K: u32> {
    words: &'a [AtomicU32],
}

#[device]
impl<const K: u32> Bloom<'_, K> {
    fn locate<T: Key>(&self, key: &T, k: u32) -> (usize, u32) {
        let bit = key.hash(k) as usize % (32 * self.words.len());
        (bit / 32, 1 << (bit % 32))
    }

    fn insert<T: Key>(&self, key: &T) {
        for k in 0..K {
            let (word, mask) = self.locate(key, k);
            self.words[word].fetch_or(mask, Ordering::Relaxed);
        }
    }

    fn contains<T: Key>(&self, key: &T) -> bool {
        (0..K).map(|k| self.locate(key, k)).all(|(word, mask)| self.words[word].load(Ordering::Relaxed) & mask != 0)
    }
}

#[kernel]
fn insert_all<T: Key, const K: u32>(keys: &[T], words: &[AtomicU32]) {
    let filter: Bloom<'_, K> = Bloom { words };
    if let Some(key) = keys.get(global_id()) {
        filter.insert(key);
    }
}

#[kernel]
fn query_all<T: Key, const K: u32>(keys: &[T], words: &[AtomicU32], present: &mut [bool]) {
    let i = global_id();
    if i < keys.len() {
        present[i] = Bloom::<K> { words }.contains(&keys[i]);
    }
}

fn check<T: Key + HostData + Copy>(inside: &[T], outside: &[T], host_bits: &[u32; 16]) -> Result<(), LaunchError> {
    let words: [AtomicU32; 16] = Default::default();
    let gpu = Gpu::<Ipdom>::default();
    gpu.launch(Grid::covering(inside.len(), 32), insert_all::<T, 3>(inside, &words))?;
    let got: Vec<u32> = words.iter().map(|w| w.load(Ordering::Relaxed)).collect();
    assert_eq!(got, host_bits);
    let mut present = vec![false; inside.len()];
    gpu.launch(Grid::covering(inside.len(), 32), query_all::<T, 3>(inside, &words, &mut present))?;
    assert!(present.iter().all(|&p| p));
    let mut present = vec![true; outside.len()];
    gpu.launch(Grid::covering(outside.len(), 32), query_all::<T, 3>(outside, &words, &mut present))?;
    assert!(present.iter().filter(|&&p| p).count() < outside.len() / 2);
    Ok(())
}

fn host_bits(seed: u32, keys: impl Iterator<Item = [u32; 2]>) -> [u32; 16] {
    let mut bits = [0; 16];
    for key in keys {
        for k in 0..3u32 {
            let mut h = seed ^ k.wrapping_mul(0x9e37_79b9);
            for w in key {
                h = (h ^ w).wrapping_mul(0x0100_0193).rotate_left(13);
            }
            h ^= h >> 16;
            let bit = h as usize % 512;
            bits[bit / 32] |= 1 << (bit % 32);
        }
    }
    bits
}

#[test]
fn filters() -> Result<(), LaunchError> {
    let inside: Vec<u32> = (0..50).map(|i| i * i).collect();
    let outside: Vec<u32> = (0..200).map(|i| 100_000 + i).collect();
    check(&inside, &outside, &host_bits(0x811c_9dc5, inside.iter().map(|&k| [k, !k])))?;
    let address = |i: u32| Address { host: (0x0a00_0000 | i * 77).to_be_bytes(), port: 80 + i as u16 };
    let inside: Vec<Address> = (0..40).map(address).collect();
    let outside: Vec<Address> = (1000..1200).map(address).collect();
    check(&inside, &outside, &host_bits(77, inside.iter().map(|a| [u32::from_be_bytes(a.host), a.port as u32])))
}
