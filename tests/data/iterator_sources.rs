//! What iterators begin with, and what they end in: structs that are iterators, values without names, fields; sorts with closures.

use simt::prelude::{KernelData, device};
use std::iter::{once, successors};

#[derive(Clone, Copy, KernelData)]
struct Collatz {
    now: u32,
    left: u32,
}

#[device]
impl Iterator for Collatz {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.left == 0 || self.now == 1 {
            return None;
        }
        self.left -= 1;
        self.now = if self.now & 1 == 0 { self.now / 2 } else { self.now * 3 + 1 };
        Some(self.now)
    }
}

#[derive(Clone, Copy, KernelData, PartialEq, Eq, PartialOrd, Ord)]
struct Card {
    rank: u32,
    suit: u32,
}

#[derive(Clone, Copy, KernelData)]
struct Hand {
    cards: [u32; 5],
    count: u32,
}

items_with_kernels! {
    {
        fn powers(n: u32) -> [u32; 4] {
            [1, n, n * n, n * n * n]
        }
        fn total(x: &[u32]) -> u32 {
            x.iter().sum()
        }
        fn ends(x: &[u32; 4]) -> u32 {
            x[0] * 3 + x[3]
        }
    }

    fn own(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let start = Collatz { now: x[i] + 1, left: 20 };
        let mut sum = 0;
        for v in start {
            if v > 90 {
                break;
            }
            sum += v;
        }
        let mut c = start;
        while let Some(v) = c.next() {
            sum = sum * 3 % 1009 + v;
            if v % 3 == 1 {
                break;
            }
        }
        for v in c.by_ref().take(2) {
            sum += v * 5;
        }
        let most = c.by_ref().max().unwrap_or(3);
        sum += start.fold(1, |s, v| s * 3 % 1009 + v) + start.clone().position(|v| v % 5 == 0).unwrap_or(60) as u32;
        let few: u32 = start.take(3).map(|v| v * 2).sum();
        let evens = Collatz { now: 27, left: i as u32 }.filter(|v| v % 2 == 0).count();
        let mut peeked = start.peekable();
        let first = peeked.peek().copied().unwrap_or(9);
        let zipped: u32 = peeked.zip(x.iter()).map(|(a, b)| a * b % 7).sum();
        out[i] = sum + most * 3 + few * 5 + evens as u32 * 7 + first * 11 + zipped * 13;
    }

    fn values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut bytes = 0;
        for b in x[i].to_le_bytes() {
            bytes = bytes * 3 + b as u32;
        }
        for b in (x[i] * 77_777).to_be_bytes().iter().rev() {
            bytes = bytes * 5 % 10_007 + *b as u32;
        }
        let of_call: u32 = powers(x[i] % 9).iter().map(|v| v + 1).sum();
        for v in powers(3) {
            bytes += v;
        }
        for v in &powers(2)[1..] {
            bytes += *v * 2;
        }
        let passed = total(&powers(x[i] % 5)) + total(&[x[i], 2, 3]) + total(&powers(4)[1..3]) + ends(&powers(2)) + ends(&[1, 2, 3, x[i]]);
        let mut copy = [0u8; 4];
        copy.copy_from_slice(&x[i].to_be_bytes());
        let three = [x[i] as f32, 1.5, 2.0].iter().sum::<f32>();
        let more = [x[i], 20].into_iter().max().unwrap();
        let at = [3, 1, 4, 1, 5][i % 5] + powers(2)[i % 4];
        let length = powers(1).len() + if i > 3 { powers(2) } else { powers(3) }.iter().filter(|v| **v > 3).count();
        out[i] = bytes + of_call + passed * 3 + copy[3] as u32 * 7 + three as u32 + more * 5 + at * 11 + length as u32;
    }

    fn fields(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut hand = Hand { cards: [1, 2, 3, 4, 5], count: 0 };
        for (k, v) in hand.cards.iter_mut().enumerate() {
            if k == i % 7 {
                break;
            }
            *v += x[(i + k) % x.len()];
        }
        for v in &mut hand.cards {
            *v = *v * 3 % 17;
            hand.count += 1;
        }
        hand.cards.iter_mut().zip(x).for_each(|(v, w)| *v += *w);
        for pair in hand.cards.chunks_mut(2) {
            pair[0] += 1;
        }
        let mut m = [[1u32; 3]; 2];
        for (y, row) in m.iter_mut().enumerate() {
            for v in row.iter_mut() {
                *v += y as u32 + x[i];
            }
        }
        let all: u32 = m.iter().flatten().sum();
        out[i] = hand.cards.iter().fold(hand.count, |s, v| s * 5 % 10_007 + v) + all;
    }

    fn sorted(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut cards = [Card { rank: 0, suit: 0 }; 6];
        for (card, v) in cards.iter_mut().zip(x.iter().skip(i)) {
            *card = Card { rank: v % 5, suit: v % 3 };
        }
        cards.sort_by_key(|c| c.rank);
        let mut sum = cards.iter().fold(0, |s, c| s * 3 % 1009 + c.rank * 5 + c.suit);
        cards.sort_by(|a, b| b.suit.cmp(&a.suit).then_with(|| a.rank.cmp(&b.rank)));
        sum += cards.iter().fold(0, |s, c| s * 7 % 1013 + c.rank * 5 + c.suit);
        cards.sort();
        sum += cards.iter().fold(0, |s, c| s * 5 % 1019 + c.rank * 7 + c.suit);
        let best = cards.iter().copied().max().unwrap();
        let worst = cards.iter().min_by_key(|c| (c.suit, c.rank)).unwrap();
        let pair = (0..4u32).map(|k| (x[(i + k as usize) % x.len()] % 4, k)).max().unwrap();
        let mut keys = [(3, 2.5f32), (1, 0.5), (2, x[i] as f32)];
        keys.sort_unstable_by(|a, b| a.1.partial_cmp(&b.1).unwrap());
        let found = cards.binary_search_by_key(&(x[i] % 5), |c| c.rank).unwrap_or_else(|at| at + 100);
        let other = cards.binary_search_by(|c| c.rank.cmp(&2)).is_ok();
        let order = best.cmp(worst) as i32 + (x[i], 3).cmp(&(9, 4)) as i32 * 2 + 5;
        out[i] = sum + best.rank * 3 + best.suit + worst.rank * 11 + pair.0 * 13 + pair.1 + keys[0].0 * 17 + keys[2].0
            + found as u32 * 19 + other as u32 * 23 + order as u32 * 29;
    }

    fn tried(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let part = &x[i % 5..][..i % 9];
        let sum = part.iter().try_fold(0u32, |s, v| if *v == 7 { None } else { s.checked_add(*v) });
        let error = part.iter().try_for_each(|v| if *v > 25 { Err(*v) } else { Ok(()) });
        let same = part.iter().eq(x.iter().take(i % 9));
        let order = part.iter().map(|v| v % 4).cmp(x.iter().map(|v| v % 4)) as i32;
        let half = |v: u32| -> Option<u32> { let w = v.checked_sub(5)?; Some(w / 2) };
        let early = part.iter().map(|v| { if *v > 9 { return 1; } v * 2 }).sum::<u32>();
        let mut by = 2;
        let scaled = part.iter().map(move |v| v * by);
        by += 1;
        let mut count = 0;
        let mut next = move || { count += by; count };
        let counted = next() * 10 + next() + count;
        out[i] = sum.unwrap_or(100) + error.err().unwrap_or(3) * 5 + same as u32 * 7 + (order + 1) as u32 * 11
            + half(x[i]).unwrap_or(50) * 13 + early * 17 + scaled.sum::<u32>() * 19 + counted * 23;
    }

    // Functions of `std::iter` that a `use` has brought in.
    fn brought_in(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let doubled: u32 = successors(Some(x[i] + 1), |&v| if v < 100 { Some(v * 2) } else { None }).sum();
        for v in once(x[i]).chain(3..5) {
            out[i] = out[i] * 3 + v;
        }
        out[i] += doubled;
    }
}

same! { own values fields sorted tried brought_in }
