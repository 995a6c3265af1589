//! HMMer (SPEC CPU2006 456.hmmer): the score of the best path of each protein through the profile of a family, a thread a
//! protein.
//!
//! The recurrences of `P7Viterbi` as S. R. Eddy publishes them (Plan 7: match, insert and delete states of each position, and
//! the states N, B, E, J and C around them). A launch is a row of the table of each protein: its next letter against all
//! positions. The last row of each kind of state is kept, in memory of the thread.
//!
//! The tool has an `if` for each maximum. Here those of a match after a gap and of the end are such, and the others are selects:
//! how many there are decides how soon lanes that never meet again are alone (`docs/fung2009.md`). Lanes whose protein has ended
//! do nothing any more: lengths of proteins are skewed, here log-normal.

use simt::prelude::*;

use super::{Machine, Random, Size};

/// Amino acids.
const LETTERS: usize = 20;
/// The score of what cannot be.
const NEVER: i32 = -987_654_321;
/// Positions of the profile, and entries of a row. **Fitted**: how much code a thread has in a launch is what NREC depends on
/// most, and the paper does not say it.
const POSITIONS: usize = 4;
const ROW: usize = POSITIONS + 1;
/// Words of a thread: two rows each of match, insert and delete states.
const STATE: usize = 6 * ROW;
/// The rows of transitions between states of neighbouring positions.
const MM: usize = 0;
const IM: usize = ROW;
const DM: usize = 2 * ROW;
const BM: usize = 3 * ROW;
const MI: usize = 4 * ROW;
const II: usize = 5 * ROW;
const MD: usize = 6 * ROW;
const DD: usize = 7 * ROW;
const ME: usize = 8 * ROW;
/// Kinds of transitions.
const TRANSITIONS: usize = 9;
/// The deviation of the logarithm of lengths.
const DEVIATION: f32 = 1.4;
/// The special states: loops and moves of N, E, C and J.
const N_LOOP: i32 = -4;
const N_MOVE: i32 = -600;
const E_LOOP: i32 = -1000;
const E_MOVE: i32 = -1000;
const C_LOOP: i32 = -4;
const C_MOVE: i32 = -600;

#[kernel]
#[allow(clippy::too_many_arguments, reason = "a slice for each table of the tool")]
pub(crate) fn row(
    number: u32,
    transition: &[i32],
    matched: &[i32],
    inserted: &[i32],
    first: &[u32],
    letters: &[u8],
    state: &mut [i32],
    special: &mut [i32],
) {
    let thread = global_id();
    if thread + 1 >= first.len() {
        return;
    }
    let letter = first[thread] + number;
    if letter >= first[thread + 1] {
        return;
    }
    let of_letter = letters[letter as usize] as usize * ROW;
    let old = thread * STATE + number as usize % 2 * 3 * ROW;
    let new = thread * STATE + (number as usize + 1) % 2 * 3 * ROW;
    let proteins = first.len() - 1;
    let xb = special[thread];
    let mut xj = special[proteins + thread];
    let mut xc = special[2 * proteins + thread];
    let mut xe = NEVER;
    state[new] = NEVER;
    state[new + ROW] = NEVER;
    state[new + 2 * ROW] = NEVER;
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
        m = (m.max(xb + transition[BM + k]) + matched[of_letter + k]).max(NEVER);
        state[new + k] = m;
        let from_d = state[new + 2 * ROW + k - 1] + transition[DD + k - 1];
        let from_m = state[new + k - 1] + transition[MD + k - 1];
        state[new + 2 * ROW + k] = from_m.max(from_d).max(NEVER);
        if k < POSITIONS {
            let opens = state[old + k] + transition[MI + k];
            let stays = state[old + ROW + k] + transition[II + k];
            state[new + ROW + k] = (opens.max(stays) + inserted[of_letter + k]).max(NEVER);
        }
        let ends = m + transition[ME + k];
        if ends > xe {
            xe = ends;
        }
    }
    xj += C_LOOP;
    if xe + E_LOOP > xj {
        xj = xe + E_LOOP;
    }
    if xj < NEVER {
        xj = NEVER;
    }
    let mut begin = (number as i32 + 1) * N_LOOP + N_MOVE;
    if xj + C_MOVE > begin {
        begin = xj + C_MOVE;
    }
    xc += C_LOOP;
    if xe + E_MOVE > xc {
        xc = xe + E_MOVE;
    }
    if xc < NEVER {
        xc = NEVER;
    }
    special[thread] = begin;
    special[proteins + thread] = xj;
    special[2 * proteins + thread] = xc;
}

/// A profile in scores of a thousandth of a bit, as the tool has them.
struct Profile {
    transition: Vec<i32>,
    matched: Vec<i32>,
    inserted: Vec<i32>,
}

impl Profile {
    fn new(random: &mut Random) -> Self {
        // Most positions go on to the next; gaps are rare, and long once they are open.
        let typical = [-30, -500, -700, -2500, -3500, -900, -3800, -800, -2600];
        let transition = (0..TRANSITIONS * ROW).map(|at| typical[at / ROW] - random.below(600) as i32).collect();
        let mut matched: Vec<i32> = (0..LETTERS * ROW).map(|_| random.below(1600) as i32 - 1200).collect();
        for k in 0..ROW {
            matched[random.below(LETTERS as u32) as usize * ROW + k] += 1200;
        }
        let inserted = (0..LETTERS * ROW).map(|_| -(random.below(300) as i32)).collect();
        Self { transition, matched, inserted }
    }

    /// The score by rows that are new for each letter.
    fn score(&self, protein: &[u8]) -> i32 {
        let t = |kind: usize, k: usize| self.transition[kind + k];
        let never = || vec![NEVER; ROW];
        let (mut m, mut i, mut d) = (never(), never(), never());
        let (mut xn, mut xb, mut xj, mut xc) = (0, N_MOVE, NEVER, NEVER);
        for &letter in protein {
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
            xj = (xj + C_LOOP).max(xe + E_LOOP).max(NEVER);
            xb = (xn + N_MOVE).max(xj + C_MOVE);
            xc = (xc + C_LOOP).max(xe + E_MOVE).max(NEVER);
            (m, i, d) = (next_m, next_i, next_d);
        }
        xc
    }
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let mut random = size.random(456);
    let (rounds, mean) = size.choose((1, 3.0), (1, 5.0), (3, 5.0));
    let count = size.choose(128, 768 * size.cores * rounds, 768 * size.cores * rounds);
    let profile = Profile::new(&mut random);
    let (mut first, mut letters) = (vec![0], Vec::new());
    let mut longest = 0;
    for _ in 0..count {
        // Log-normal, with so many letters on average.
        let length = (mean * (DEVIATION * random.normal() - DEVIATION * DEVIATION / 2.0).exp())
            .round()
            .clamp(1.0, 12.0 * mean) as u32;
        letters.extend((0..length).map(|_| random.below(LETTERS as u32) as u8));
        first.push(letters.len() as u32);
        longest = longest.max(length);
    }
    let mut state = vec![NEVER; count * STATE];
    let mut special = [vec![N_MOVE; count], vec![NEVER; 2 * count]].concat();
    let Profile { transition, matched, inserted } = &profile;
    for number in 0..longest {
        let call = row(number, transition, matched, inserted, &first, &letters, &mut state, &mut special);
        machine.launch(size.grid(count), call)?;
    }
    for (found, ends) in special[2 * count..].iter().zip(first.windows(2)) {
        assert_eq!(*found, profile.score(&letters[ends[0] as usize..ends[1] as usize]));
    }
    Ok(())
}
