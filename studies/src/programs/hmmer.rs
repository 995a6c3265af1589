//! HMMer (SPEC CPU2006 456.hmmer): the score of the best path through a profile of a family of proteins, a thread a sequence.
//!
//! The recurrences of `P7Viterbi` as S. R. Eddy publishes them (Plan 7: match, insert and delete states of each position, and
//! the states N, B, E, J and C around them), with an `if` for each maximum. Two rows of each kind are kept, in memory of the
//! thread. Lanes part at each maximum, and where sequences end: lengths of proteins are skewed, here log-normal.

use simt::prelude::*;

use super::{Machine, Random, Size};

/// Positions of the profile.
pub(crate) const POSITIONS: usize = 30;
/// Entries of a row.
const ROW: usize = POSITIONS + 1;
/// Words of a thread: two rows each of match, insert and delete states.
const STATE: usize = 6 * ROW;
/// Amino acids.
const LETTERS: usize = 20;
/// The score of what cannot be.
const NEVER: i32 = -987_654_321;
/// Numbers of a transition between states of neighbouring positions, each a row of the transitions.
const MM: usize = 0;
const IM: usize = ROW;
const DM: usize = 2 * ROW;
const BM: usize = 3 * ROW;
const MI: usize = 4 * ROW;
const II: usize = 5 * ROW;
const MD: usize = 6 * ROW;
const DD: usize = 7 * ROW;
const ME: usize = 8 * ROW;
const TRANSITIONS: usize = 9 * ROW;
/// The special states: loops and moves of N, E, C and J.
const N_LOOP: i32 = -4;
const N_MOVE: i32 = -600;
const E_LOOP: i32 = -1000;
const E_MOVE: i32 = -1000;
const C_LOOP: i32 = -4;
const C_MOVE: i32 = -600;

#[kernel]
pub(crate) fn viterbi(
    threads: usize,
    transition: &[i32],
    matched: &[i32],
    inserted: &[i32],
    first: &[u32],
    letters: &[u8],
    state: &mut [i32],
    score: &mut [i32],
) {
    let thread = global_id();
    let mut sequence = thread;
    while sequence < score.len() {
        let mut old = thread * STATE;
        let mut new = old + 3 * ROW;
        for k in 0..3 * ROW {
            state[old + k] = NEVER;
        }
        let (mut xn, mut xb, mut xj, mut xc) = (0, N_MOVE, NEVER, NEVER);
        let mut letter = first[sequence];
        let end = first[sequence + 1];
        while letter < end {
            let of_letter = letters[letter as usize] as usize * ROW;
            state[new] = NEVER;
            state[new + ROW] = NEVER;
            state[new + 2 * ROW] = NEVER;
            let mut xe = NEVER;
            for k in 1..=POSITIONS {
                let mut m = state[old + k - 1] + transition[MM + k - 1];
                let from_i = state[old + ROW + k - 1] + transition[IM + k - 1];
                if from_i > m {
                    m = from_i;
                }
                let from_d = state[old + 2 * ROW + k - 1] + transition[DM + k - 1];
                if from_d > m {
                    m = from_d;
                }
                let from_b = xb + transition[BM + k];
                if from_b > m {
                    m = from_b;
                }
                m += matched[of_letter + k];
                if m < NEVER {
                    m = NEVER;
                }
                state[new + k] = m;
                let mut d = state[new + 2 * ROW + k - 1] + transition[DD + k - 1];
                let from_m = state[new + k - 1] + transition[MD + k - 1];
                if from_m > d {
                    d = from_m;
                }
                if d < NEVER {
                    d = NEVER;
                }
                state[new + 2 * ROW + k] = d;
                if k < POSITIONS {
                    let mut i = state[old + k] + transition[MI + k];
                    let stays = state[old + ROW + k] + transition[II + k];
                    if stays > i {
                        i = stays;
                    }
                    i += inserted[of_letter + k];
                    if i < NEVER {
                        i = NEVER;
                    }
                    state[new + ROW + k] = i;
                }
                let ends = m + transition[ME + k];
                if ends > xe {
                    xe = ends;
                }
            }
            xn += N_LOOP;
            xj += C_LOOP;
            if xe + E_LOOP > xj {
                xj = xe + E_LOOP;
            }
            xb = xn + N_MOVE;
            if xj + C_MOVE > xb {
                xb = xj + C_MOVE;
            }
            xc += C_LOOP;
            if xe + E_MOVE > xc {
                xc = xe + E_MOVE;
            }
            if xj < NEVER {
                xj = NEVER;
            }
            if xc < NEVER {
                xc = NEVER;
            }
            let rows = old;
            old = new;
            new = rows;
            letter += 1;
        }
        score[sequence] = xc + C_MOVE;
        sequence += threads;
    }
}

/// A profile in scores of a thousandth of a bit, as the tool has them.
struct Profile {
    transition: Vec<i32>,
    matched: Vec<i32>,
    inserted: Vec<i32>,
}

impl Profile {
    fn new(random: &mut Random) -> Self {
        let mut transition = vec![0; TRANSITIONS];
        // Most positions go on to the next; gaps are rare, and long once they are open.
        let typical = [-30, -500, -700, -2500, -3500, -900, -3800, -800, -2600];
        for (kind, &typical) in typical.iter().enumerate() {
            for score in &mut transition[kind * ROW..(kind + 1) * ROW] {
                *score = typical - random.below(600) as i32;
            }
        }
        let mut matched = vec![0; LETTERS * ROW];
        for k in 0..ROW {
            let liked = random.below(LETTERS as u32) as usize;
            for letter in 0..LETTERS {
                let worth = if letter == liked { 2500 } else { -1200 };
                matched[letter * ROW + k] = worth + random.below(1600) as i32;
            }
        }
        let inserted = (0..LETTERS * ROW).map(|_| -(random.below(300) as i32)).collect();
        Self { transition, matched, inserted }
    }

    /// The score by rows that are new for each letter.
    fn score(&self, sequence: &[u8]) -> i32 {
        let t = |kind: usize, k: usize| self.transition[kind + k];
        let never = || vec![NEVER; ROW];
        let (mut m, mut i, mut d) = (never(), never(), never());
        let (mut xn, mut xb, mut xj, mut xc) = (0, N_MOVE, NEVER, NEVER);
        for &letter in sequence {
            let of_letter = usize::from(letter) * ROW;
            let (mut next_m, mut next_i, mut next_d) = (never(), never(), never());
            for k in 1..=POSITIONS {
                let best = (m[k - 1] + t(MM, k - 1)).max(i[k - 1] + t(IM, k - 1)).max(d[k - 1] + t(DM, k - 1));
                next_m[k] = (best.max(xb + t(BM, k)) + self.matched[of_letter + k]).max(NEVER);
                next_d[k] = (next_d[k - 1] + t(DD, k - 1)).max(next_m[k - 1] + t(MD, k - 1)).max(NEVER);
                if k < POSITIONS {
                    next_i[k] = ((m[k] + t(MI, k)).max(i[k] + t(II, k)) + self.inserted[of_letter + k]).max(NEVER);
                }
            }
            let xe = (1..=POSITIONS).map(|k| next_m[k] + t(ME, k)).fold(NEVER, i32::max);
            xn += N_LOOP;
            xj = (xj + C_LOOP).max(xe + E_LOOP);
            xb = (xn + N_MOVE).max(xj + C_MOVE);
            xc = (xc + C_LOOP).max(xe + E_MOVE).max(NEVER);
            xj = xj.max(NEVER);
            (m, i, d) = (next_m, next_i, next_d);
        }
        xc + C_MOVE
    }
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let mut random = Random::new(456);
    let profile = Profile::new(&mut random);
    let threads = size.resident();
    let (count, mean) = (threads * size.choose(1, 1, 3), size.choose(4.0, 3.0, 6.0));
    let (mut first, mut letters) = (vec![0], Vec::new());
    for _ in 0..count {
        // Lengths of proteins are log-normal with a deviation of about 0.7 in the logarithm.
        let length = (mean * (0.7 * random.normal() - 0.245).exp()).round().clamp(1.0, 8.0 * mean);
        letters.extend((0..length as usize).map(|_| random.below(LETTERS as u32) as u8));
        first.push(letters.len() as u32);
    }
    let mut state = vec![0; threads * STATE];
    let mut score = vec![0; count];
    let Profile { transition, matched, inserted } = &profile;
    let call = viterbi(threads, transition, matched, inserted, &first, &letters, &mut state, &mut score);
    machine.launch(size.grid(threads), call)?;
    for (found, ends) in score.iter().zip(first.windows(2)) {
        assert_eq!(*found, profile.score(&letters[ends[0] as usize..ends[1] as usize]));
    }
    Ok(())
}
