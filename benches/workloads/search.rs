//! Binary search of many keys in a sorted table of 65,536; half of the keys are in it.

use super::{Workload, grid, hash};
use simt::prelude::*;

pub(crate) struct Search {
    table: Vec<u32>,
    keys: Vec<u32>,
    places: Vec<u32>,
}

const TABLE: u32 = 1 << 16;

/// The place of each key, present or not.
#[kernel]
fn search(table: &[u32], keys: &[u32], places: &mut [u32]) {
    let i = global_id();
    if i >= keys.len() {
        return;
    }
    let key = keys[i];
    let mut low = 0;
    let mut high = table.len();
    while low < high {
        let middle = (low + high) / 2;
        let value = table[middle];
        if value == key {
            low = middle;
            break;
        }
        if value < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    places[i] = low as u32;
}

#[inline(never)]
fn scalar(table: &[u32], keys: &[u32], places: &mut [u32]) {
    for (&key, place) in keys.iter().zip(places) {
        let (mut low, mut high) = (0, table.len());
        while low < high {
            let middle = (low + high) / 2;
            let value = table[middle];
            if value == key {
                low = middle;
                break;
            }
            if value < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        *place = low as u32;
    }
}

impl Workload for Search {
    const NAME: &'static str = "search";
    const FULL: usize = 1 << 20;

    fn new(items: usize) -> Self {
        let table: Vec<_> = (0..TABLE).map(|i| i * 65_521 + (hash(i) & 0x7fff)).collect();
        let key = |i| {
            let random = hash(i ^ 0x9e37_79b9);
            if i % 2 == 1 { table[(random % TABLE) as usize] } else { random }
        };
        let keys = (0..items as u32).map(key).collect();
        Self { table, keys, places: vec![0; items] }
    }

    fn reset(&mut self) {
        self.places.fill(u32::MAX);
    }

    fn scalar(&mut self) {
        scalar(&self.table, &self.keys, &mut self.places);
    }

    fn launch<P: Policy>(&mut self, gpu: &Gpu<P>) -> Result<Report, LaunchError> {
        gpu.launch(grid(self.keys.len()), search(&self.table, &self.keys, &mut self.places))
    }

    fn output(&self) -> Vec<u32> {
        self.places.clone()
    }
}
