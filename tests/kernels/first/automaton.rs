//! A regular expression by hand, as a match on states and bytes.

use simt::prelude::*;

/// The regex `a(b|c)*d+e?f`, by hand, as a match on (state, byte).
#[device]
fn step(state: u8, byte: u8) -> u8 {
    match (state, byte) {
        (0, b'a') => 1,
        (1, b'b' | b'c') => 1,
        (1, b'd') => 2,
        (2, b'd') => 2,
        (2, b'e') => 3,
        (2 | 3, b'f') => 4,
        (_, b'a') => 1,
        _ => 0,
    }
}

#[kernel]
fn matches(text: &[u8], starts: &[u32], out: &mut [bool]) {
    let i = global_id();
    let Some(end) = (i + 1).checked_sub(0) else {
        return;
    };
    if i + 1 >= starts.len() {
        return;
    }
    let mut state = 0u8;
    for p in starts[i]..starts[end] {
        state = step(state, text[p as usize]);
        if state == 4 {
            out[i] = true;
            return;
        }
    }
    out[i] = false;
}

const SIGMA: usize = 26;

/// Aho-Corasick: goto table with failure links, one thread per chunk with overlap.
#[kernel]
fn aho(text: &[u8], goto: &[i32], fail: &[u32], hits: &[u32], chunk: usize, overlap: usize, out: &mut [u32]) {
    let i = global_id();
    let begin = i * chunk;
    if begin >= text.len() {
        return;
    }
    let end = (begin + chunk).min(text.len());
    let warm = begin.saturating_sub(overlap);
    let mut state = 0;
    let mut count = 0;
    for p in warm..end {
        let c = match text[p] {
            c @ b'a'..=b'z' => (c - b'a') as usize,
            c @ b'A'..=b'Z' => (c - b'A') as usize,
            _ => {
                state = 0;
                continue;
            }
        };
        while state != 0 && goto[state * SIGMA + c] < 0 {
            state = fail[state] as usize;
        }
        state = goto[state * SIGMA + c].max(0) as usize;
        if p >= begin {
            count += hits[state];
        }
    }
    out[i] = count;
}

fn build(words: &[&str]) -> (Vec<i32>, Vec<u32>, Vec<u32>) {
    let (mut goto, mut hits) = (vec![[-1i32; SIGMA]], vec![0u32]);
    for w in words {
        let mut s = 0;
        for b in w.bytes() {
            let c = (b - b'a') as usize;
            if goto[s][c] < 0 {
                goto[s][c] = goto.len() as i32;
                goto.push([-1; SIGMA]);
                hits.push(0);
            }
            s = goto[s][c] as usize;
        }
        hits[s] += 1;
    }
    let mut fail = vec![0u32; goto.len()];
    let mut q: std::collections::VecDeque<usize> = goto[0].iter().filter(|g| **g > 0).map(|g| *g as usize).collect();
    while let Some(s) = q.pop_front() {
        for c in 0..SIGMA {
            let t = goto[s][c];
            if t < 0 {
                continue;
            }
            let t = t as usize;
            let mut f = fail[s] as usize;
            while f != 0 && goto[f][c] < 0 {
                f = fail[f] as usize;
            }
            fail[t] = goto[f][c].max(0) as u32;
            hits[t] += hits[fail[t] as usize];
            q.push_back(t);
        }
    }
    (goto.concat(), fail, hits)
}

#[test]
fn automata() {
    let lines = ["abcbcdddef", "ad", "adf", "aef", "xxabdfyy", "", "acccdeff", "abab"];
    let text: Vec<u8> = lines.concat().into_bytes();
    let mut starts = vec![0u32];
    for l in lines {
        starts.push(starts.last().unwrap() + l.len() as u32);
    }
    let want = [true, false, true, false, true, false, true, false];
    let words = ["he", "she", "his", "hers", "a"];
    let (goto, fail, hits) = build(&words);
    let story = "she said his hers was she and he ushers Hershe ".repeat(20);
    let lower = story.to_lowercase();
    let total: usize = words.iter().map(|w| (0..lower.len()).filter(|&i| lower[i..].starts_with(w)).count()).sum();
    for_each_policy!(P => {
        let mut out = [false; 8];
        Gpu::<P>::default().launch(Grid::covering(8, 32), matches(&text, &starts, &mut out)).unwrap();
        assert_eq!(out, want);
        let mut out = vec![0; story.len().div_ceil(10)];
        Gpu::<P>::default().launch(Grid::covering(out.len(), 64), aho(story.as_bytes(), &goto, &fail, &hits, 10, 4, &mut out)).unwrap();
        assert_eq!(out.iter().sum::<u32>() as usize, total);
    });
}
