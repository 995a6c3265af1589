//! String search: the first place where a pattern occurs in each of many texts, by trying all places.
//!
//! Threads leave a place at the first letter that differs, with `continue` out of two loops, and the search with `break` at
//! a find. Both happen at other times in other lanes.

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

/// The place if the pattern does not occur.
const NOWHERE: u32 = u32::MAX;

#[kernel]
pub(crate) fn search(pattern: &[u8], first: &[u32], letters: &[u8], found: &mut [u32]) {
    let text = global_id();
    if text >= found.len() {
        return;
    }
    let (start, end) = (first[text] as usize, first[text + 1] as usize);
    let mut place = NOWHERE;
    'places: for from in start..(end + 1).saturating_sub(pattern.len()) {
        for i in 0..pattern.len() {
            if letters[from + i] != pattern[i] {
                continue 'places;
            }
        }
        place = (from - start) as u32;
        break;
    }
    found[text] = place;
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let pattern = b"abbab";
    let mut random = Random::new(15);
    let (mut first, mut letters) = (vec![0], Vec::new());
    for _ in 0..200 {
        let length = random.below(60) as usize;
        letters.extend(random.numbers(length, 2).into_iter().map(|letter| b'a' + letter as u8));
        first.push(letters.len() as u32);
    }
    let mut found = vec![0; 200];
    let report = gpu.launch(Grid::covering(200, 64), search(pattern, &first, &letters, &mut found))?;

    let texts = first.windows(2).map(|ends| &letters[ends[0] as usize..ends[1] as usize]);
    let place = |text: &[u8]| text.windows(pattern.len()).position(|window| window == pattern);
    let expected: Vec<u32> = texts.map(|text| place(text).map_or(NOWHERE, |place| place as u32)).collect();
    assert!(expected.contains(&NOWHERE) && expected.iter().any(|&place| place != NOWHERE));
    assert_eq!(found, expected);
    Ok(report)
}
