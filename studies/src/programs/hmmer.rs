//! HMMer (SPEC CPU2006 456.hmmer): the score of the best path of a protein through the profile of a family, a thread a pair.
//!
//! The recurrences of `P7Viterbi` as S. R. Eddy publishes them (Plan 7: match, insert and delete states of each position, and
//! the states N, B, E, J and C around them), with an `if` for each maximum. Two rows of each kind are kept, in memory of the
//! thread, and each thread has a profile of its own, as in a search for the families of proteins. Lanes part at each maximum, and
//! where profiles and proteins end: their lengths are skewed, here log-normal.

use simt::prelude::*;

use super::{Machine, Random, Size};

/// Amino acids.
const LETTERS: usize = 20;
/// The score of what cannot be.
const NEVER: i32 = -987_654_321;
/// Scores of a position: of nine transitions, and of each letter where the position matches and where one is inserted.
const SCORES: usize = TRANSITIONS + 2 * LETTERS;
const TRANSITIONS: usize = 9;
/// The rows of a profile, as multiples of their length.
const MM: usize = 0;
const IM: usize = 1;
const DM: usize = 2;
const BM: usize = 3;
const MI: usize = 4;
const II: usize = 5;
const MD: usize = 6;
const DD: usize = 7;
const ME: usize = 8;
/// Rows of a thread's state: two each of match, insert and delete states.
const ROWS: usize = 6;
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
    stride: usize,
    profile: &[u32],
    scores: &[i32],
    protein: &[u32],
    letters: &[u8],
    state: &mut [i32],
    score: &mut [i32],
) {
    let thread = global_id();
    let mut pair = thread;
    while pair < score.len() {
        let family = pair % (profile.len() - 1);
        let start = profile[family] as usize;
        let row = profile[family + 1] as usize - start;
        let t = start * SCORES;
        let matched = t + TRANSITIONS * row;
        let inserted = matched + LETTERS * row;
        let mut old = thread * stride;
        let mut new = old + 3 * row;
        for k in 0..3 * row {
            state[old + k] = NEVER;
        }
        let (mut xn, mut xb, mut xj, mut xc) = (0, N_MOVE, NEVER, NEVER);
        let mut letter = protein[pair];
        let end = protein[pair + 1];
        while letter < end {
            let of_letter = letters[letter as usize] as usize * row;
            state[new] = NEVER;
            state[new + row] = NEVER;
            state[new + 2 * row] = NEVER;
            let mut xe = NEVER;
            for k in 1..row {
                let mut m = state[old + k - 1] + scores[t + MM * row + k - 1];
                let from_i = state[old + row + k - 1] + scores[t + IM * row + k - 1];
                if from_i > m {
                    m = from_i;
                }
                let from_d = state[old + 2 * row + k - 1] + scores[t + DM * row + k - 1];
                if from_d > m {
                    m = from_d;
                }
                let from_b = xb + scores[t + BM * row + k];
                if from_b > m {
                    m = from_b;
                }
                m += scores[matched + of_letter + k];
                if m < NEVER {
                    m = NEVER;
                }
                state[new + k] = m;
                let mut d = state[new + 2 * row + k - 1] + scores[t + DD * row + k - 1];
                let from_m = state[new + k - 1] + scores[t + MD * row + k - 1];
                if from_m > d {
                    d = from_m;
                }
                if d < NEVER {
                    d = NEVER;
                }
                state[new + 2 * row + k] = d;
                if k + 1 < row {
                    let mut i = state[old + k] + scores[t + MI * row + k];
                    let stays = state[old + row + k] + scores[t + II * row + k];
                    if stays > i {
                        i = stays;
                    }
                    i += scores[inserted + of_letter + k];
                    if i < NEVER {
                        i = NEVER;
                    }
                    state[new + row + k] = i;
                }
                let ends = m + scores[t + ME * row + k];
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
        score[pair] = xc + C_MOVE;
        pair += threads;
    }
}

/// Adds a profile with rows of so many scores, which are thousandths of a bit as the tool has them.
fn add_profile(row: usize, scores: &mut Vec<i32>, random: &mut Random) {
    // Most positions go on to the next; gaps are rare, and long once they are open.
    let typical = [-30, -500, -700, -2500, -3500, -900, -3800, -800, -2600];
    scores.extend((0..TRANSITIONS * row).map(|at| typical[at / row] - random.below(600) as i32));
    let matched = scores.len();
    scores.extend((0..LETTERS * row).map(|_| random.below(1600) as i32 - 1200));
    for k in 0..row {
        scores[matched + random.below(LETTERS as u32) as usize * row + k] += 3700;
    }
    scores.extend((0..LETTERS * row).map(|_| -(random.below(300) as i32)));
}

/// The score by rows that are new for each letter.
fn host(row: usize, scores: &[i32], protein: &[u8]) -> i32 {
    let t = |kind: usize, k: usize| scores[kind * row + k];
    let never = || vec![NEVER; row];
    let (mut m, mut i, mut d) = (never(), never(), never());
    let (mut xn, mut xb, mut xj, mut xc) = (0, N_MOVE, NEVER, NEVER);
    for &letter in protein {
        let (matched, inserted) = (TRANSITIONS + usize::from(letter), TRANSITIONS + LETTERS + usize::from(letter));
        let (mut next_m, mut next_i, mut next_d) = (never(), never(), never());
        for k in 1..row {
            let best = (m[k - 1] + t(MM, k - 1)).max(i[k - 1] + t(IM, k - 1)).max(d[k - 1] + t(DM, k - 1));
            next_m[k] = (best.max(xb + t(BM, k)) + t(matched, k)).max(NEVER);
            next_d[k] = (next_d[k - 1] + t(DD, k - 1)).max(next_m[k - 1] + t(MD, k - 1)).max(NEVER);
            if k + 1 < row {
                next_i[k] = ((m[k] + t(MI, k)).max(i[k] + t(II, k)) + t(inserted, k)).max(NEVER);
            }
        }
        let xe = (1..row).map(|k| next_m[k] + t(ME, k)).fold(NEVER, i32::max);
        xn += N_LOOP;
        xj = (xj + C_LOOP).max(xe + E_LOOP);
        xb = (xn + N_MOVE).max(xj + C_MOVE);
        xc = (xc + C_LOOP).max(xe + E_MOVE).max(NEVER);
        xj = xj.max(NEVER);
        (m, i, d) = (next_m, next_i, next_d);
    }
    xc + C_MOVE
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let mut random = Random::new(456);
    let par: Vec<f32> =
        std::env::var("HM").unwrap_or("64 24 0.4 0.5 3 3".into()).split(' ').map(|x| x.parse().unwrap()).collect();
    let threads = size.choose(128, size.resident(), size.resident());
    let count = threads * par[4] as usize;
    // Log-normal, with so many letters or positions on average.
    let length = |random: &mut Random, mean: f32, deviation: f32| {
        let exponent = deviation * random.normal() - deviation * deviation / 2.0;
        (mean * exponent.exp()).round().clamp(1.0, 20.0 * mean) as usize
    };
    let (mut profile, mut scores) = (vec![0], Vec::new());
    let (mut protein, mut letters) = (vec![0], Vec::new());
    let (mut positions, mut longest) = (0, 0);
    for _ in 0..par[0] as usize {
        let row = 1 + length(&mut random, par[1], par[2]);
        add_profile(row, &mut scores, &mut random);
        positions += row;
        longest = longest.max(row);
        profile.push(positions as u32);
    }
    for _ in 0..count {
        let length = length(&mut random, par[5], par[3]);
        letters.extend((0..length).map(|_| random.below(LETTERS as u32) as u8));
        protein.push(letters.len() as u32);
    }
    let stride = longest * ROWS;
    let mut state = vec![0; threads * stride];
    let mut score = vec![0; count];
    let call = viterbi(threads, stride, &profile, &scores, &protein, &letters, &mut state, &mut score);
    machine.launch(size.grid(threads), call)?;
    for (pair, found) in score.iter().enumerate() {
        let family = pair % (profile.len() - 1);
        let (from, to) = (profile[family] as usize, profile[family + 1] as usize);
        let letters = &letters[protein[pair] as usize..protein[pair + 1] as usize];
        assert_eq!(*found, host(to - from, &scores[from * SCORES..to * SCORES], letters));
    }
    Ok(())
}
