//! Alignment of sequences of instructions: which issues threads share.
//!
//! Threads share an issue if they execute the same instruction, so an alignment of two sequences is a common supersequence
//! of both, and a best one is a shortest. Needleman and Wunsch's recurrence finds it: `common[i][j]`, the most matches of
//! the first *i* and the first *j*, is `common[i-1][j-1] + 1` where the instructions are the same, else the greater of
//! `common[i-1][j]` and `common[i][j-1]`.

use simt_core::LaneMask;
use simt_core::code::Pc;

/// One issue of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) pc: Pc,
    pub(super) mask: LaneMask,
}

/// Most entries of the recurrence's table, a byte each.
pub(super) const MOST_CELLS: usize = 1 << 26;

/// Two sequences have this many entries, more than [`MOST_CELLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong {
    pub(super) left: usize,
    pub(super) right: usize,
}

/// The number of sequences up to which they are aligned in all orders.
const EXHAUSTIVE: usize = 4;

/// The shortest alignment that pairwise alignments give: of up to four sequences in all orders, of more one after the
/// other.
pub(super) fn align(mut sequences: Vec<Vec<Column>>) -> Result<Vec<Column>, TooLong> {
    if sequences.len() > EXHAUSTIVE {
        let mut sequences = sequences.into_iter();
        let first = sequences.next().unwrap_or_default();
        return sequences.try_fold(first, |all, next| merge(&all, &next));
    }
    if sequences.len() < 2 {
        return Ok(sequences.pop().unwrap_or_default());
    }
    let mut best: Option<Vec<Column>> = None;
    for right in 1..sequences.len() {
        for left in 0..right {
            let mut rest = sequences.clone();
            rest.remove(right);
            rest[left] = merge(&sequences[left], &sequences[right])?;
            let found = align(rest)?;
            if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                best = Some(found);
            }
        }
    }
    Ok(best.unwrap_or_default())
}

/// A shortest alignment of two sequences of different threads.
pub(super) fn merge(left: &[Column], right: &[Column]) -> Result<Vec<Column>, TooLong> {
    let both = |(left, right): (&Column, &Column)| Column { mask: left.mask | right.mask, ..*left };
    // A common beginning and a common end are matched in some shortest alignment.
    let same = |(left, right): &(&Column, &Column)| left.pc == right.pc;
    let head = left.iter().zip(right).take_while(same).count();
    let tail = left[head..].iter().rev().zip(right[head..].iter().rev()).take_while(same).count();
    let (left_end, right_end) = (left.len() - tail, right.len() - tail);
    let mut merged: Vec<Column> = left.iter().zip(&right[..head]).map(both).collect();
    merged.extend(middle(&left[head..left_end], &right[head..right_end])?);
    merged.extend(left[left_end..].iter().zip(&right[right_end..]).map(both));
    Ok(merged)
}

/// The last step of the best alignment of two beginnings.
#[derive(Clone, Copy)]
enum Step {
    Both,
    Left,
    Right,
}

fn middle(left: &[Column], right: &[Column]) -> Result<Vec<Column>, TooLong> {
    let (rows, columns) = (left.len(), right.len());
    if rows.checked_mul(columns).is_none_or(|cells| cells > MOST_CELLS) {
        return Err(TooLong { left: rows, right: columns });
    }
    let mut steps = Vec::with_capacity(rows * columns);
    let mut above = vec![0u32; columns + 1];
    let mut row = above.clone();
    for from_left in left {
        for (j, from_right) in right.iter().enumerate() {
            let (common, step) = if from_left.pc == from_right.pc {
                (above[j] + 1, Step::Both)
            } else if above[j + 1] >= row[j] {
                (above[j + 1], Step::Left)
            } else {
                (row[j], Step::Right)
            };
            row[j + 1] = common;
            steps.push(step);
        }
        std::mem::swap(&mut above, &mut row);
    }
    let (mut i, mut j) = (rows, columns);
    let mut merged = Vec::with_capacity(rows + columns - above[columns] as usize);
    while i > 0 || j > 0 {
        let step = match (i, j) {
            (_, 0) => Step::Left,
            (0, _) => Step::Right,
            _ => steps[(i - 1) * columns + j - 1],
        };
        let mut mask = LaneMask::EMPTY;
        let mut pc = Pc(0);
        if matches!(step, Step::Both | Step::Left) {
            i -= 1;
            (pc, mask) = (left[i].pc, left[i].mask);
        }
        if matches!(step, Step::Both | Step::Right) {
            j -= 1;
            (pc, mask) = (right[j].pc, mask | right[j].mask);
        }
        merged.push(Column { pc, mask });
    }
    merged.reverse();
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(lane: usize, text: &str) -> Vec<Column> {
        text.bytes().map(|byte| Column { pc: Pc(byte.into()), mask: LaneMask::lane(lane) }).collect()
    }

    /// The instructions that a lane executes in an alignment.
    fn of_lane(columns: &[Column], lane: usize) -> String {
        let of_lane = columns.iter().filter(|column| column.mask.contains(lane));
        of_lane.map(|column| column.pc.0 as u8 as char).collect()
    }

    /// The shortest common supersequence's length, from the definition.
    fn shortest(texts: &[&str]) -> usize {
        let heads = texts.iter().filter_map(|text| text.chars().next());
        let after = |head| texts.iter().map(|text| text.strip_prefix(head).unwrap_or(text)).collect::<Vec<_>>();
        heads.map(|head| 1 + shortest(&after(head))).min().unwrap_or(0)
    }

    /// All texts over three letters of up to four.
    fn texts() -> Vec<String> {
        let mut all = vec![String::new()];
        for length in 0..4 {
            let longest: Vec<String> = all.iter().filter(|text| text.len() == length).cloned().collect();
            all.extend(longest.iter().flat_map(|text| ["a", "b", "c"].map(|letter| format!("{text}{letter}"))));
        }
        all
    }

    #[test]
    fn two_are_aligned_as_well_as_can_be() {
        for left in texts() {
            for right in texts() {
                let merged = merge(&sequence(0, &left), &sequence(1, &right)).unwrap();
                assert_eq!((of_lane(&merged, 0), of_lane(&merged, 1)), (left.clone(), right.clone()));
                assert_eq!(merged.len(), shortest(&[&left, &right]), "{left} {right}");
            }
        }
    }

    #[test]
    fn the_order_of_four_is_searched() {
        // One after the other, these need a column more: `ab` and `ba` first may become `aba` or `bab`.
        let lanes = ["ab", "bc", "ca", "ba"];
        let sequences: Vec<_> = lanes.iter().enumerate().map(|(lane, text)| sequence(lane, text)).collect();
        let aligned = align(sequences.clone()).unwrap();
        for (lane, text) in lanes.iter().enumerate() {
            assert_eq!(of_lane(&aligned, lane), *text);
        }
        assert_eq!(aligned.len(), shortest(&lanes));
        let in_order = sequences.into_iter().reduce(|all, next| merge(&all, &next).unwrap()).unwrap();
        assert!(aligned.len() <= in_order.len());
    }

    /// Valid, and as short as in that order; sometimes another order would have given a shorter one.
    #[test]
    fn more_than_four_are_aligned_one_after_the_other() {
        let words = ["ab", "bc", "ca", "ba"];
        let (mut best, mut longer) = (0, 0);
        for number in 0..words.len().pow(5) {
            let lanes = [0, 1, 2, 3, 4].map(|lane| words[number / words.len().pow(lane) % words.len()]);
            let sequences = lanes.iter().enumerate().map(|(lane, text)| sequence(lane, text)).collect();
            let aligned = align(sequences).unwrap();
            for (lane, text) in lanes.iter().enumerate() {
                assert_eq!(of_lane(&aligned, lane), *text);
            }
            let least = shortest(&lanes);
            assert!(aligned.len() >= least, "{lanes:?}");
            if aligned.len() == least { best += 1 } else { longer += 1 }
        }
        assert!(longer > 0 && best > longer, "{best} are as short as can be, {longer} are not");
    }

    #[test]
    fn what_is_too_long_is_refused_unless_it_is_the_same() {
        let long = |pc| vec![Column { pc: Pc(pc), mask: LaneMask::lane(0) }; 10_000];
        assert_eq!(merge(&long(1), &long(2)), Err(TooLong { left: 10_000, right: 10_000 }));
        assert_eq!(merge(&long(1), &long(1)).unwrap().len(), 10_000);
    }
}
