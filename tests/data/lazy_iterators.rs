//! Iterators as values: they have names, give items one by one, and are made of each other. The text is compiled as plain Rust, too.

items_with_kernels! {
    {
        fn double(x: &u32) -> u32 {
            *x * 2
        }
        fn first_above<T: Copy + PartialOrd>(x: &[T], least: T) -> Option<T> {
            let mut it = x.iter();
            loop {
                let v = it.next()?;
                if *v > least {
                    return Some(*v);
                }
            }
        }
        fn run(x: &[u32], from: usize) -> u32 {
            let mut rest = x.iter().skip(from).peekable();
            let mut sum = 0;
            while let Some(v) = rest.next() {
                for w in rest.by_ref().take_while(|w| **w > *v) {
                    if *w > 27 {
                        return sum;
                    }
                    sum += *w;
                }
            }
            sum + 1
        }
    }

    fn named(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let part = &x[i % 5..][..i % 9];
        let evens = part.iter().filter(|v| **v % 2 == 0);
        let n = evens.clone().count();
        let mut sum = 0;
        for v in evens.clone() {
            sum += *v;
        }
        for &v in evens {
            if v % 3 == 0 {
                continue;
            }
            if v > 20 {
                break;
            }
            sum += v * 3;
        }
        let by = i as u32 + 1;
        let scaled = part.iter().map(|v| v * by);
        let most = scaled.clone().max().unwrap_or(0);
        let all: u32 = scaled.sum();
        let mut doubled = part.iter().map(double).rev();
        let last = doubled.next().unwrap_or(7);
        out[i] = n as u32 + sum * 3 + most * 5 + all * 7 + last * 11 + doubled.len() as u32 * 13;
    }

    fn asked(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let part = &x[i % 5..][..i % 9];
        let mut it = part.iter();
        let mut sum = 0;
        while let Some(v) = it.next() {
            sum = sum * 3 + *v;
            if *v % 4 == 1 {
                if let Some(next) = it.next() {
                    sum += next * 2;
                } else {
                    sum += 1000;
                    break;
                }
            }
        }
        let mut it = part.iter().enumerate();
        let (k, first) = it.next().map(|(k, v)| (k, *v)).unwrap_or((9, 4));
        sum += k as u32 + first;
        for (k, v) in it.by_ref().take(2) {
            sum += k as u32 * *v;
        }
        sum += it.len() as u32 * 5;
        let value = if let Some((k, v)) = it.next() { k as u32 + v } else { 3 };
        let third = part.iter().nth(2).copied().unwrap_or(8);
        let mut back = part.iter().copied();
        while let (Some(a), Some(b)) = (back.next(), back.next_back()) {
            sum += a * 2 + b;
        }
        let Some(first) = part.iter().next() else {
            out[i] = sum + value;
            return;
        };
        out[i] = sum + value * 7 + third + first;
    }

    fn places(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [0u32; 10];
        let mut places = a.iter_mut();
        for v in x.iter().skip(i) {
            let Some(place) = places.next() else { break };
            *place = *v;
        }
        let mut chunks = a.chunks_mut(4);
        while let Some(chunk) = chunks.next() {
            chunk[0] += chunk.len() as u32;
        }
        if let Some(v) = a.iter_mut().rev().next() {
            *v += 5;
        }
        let mut windows = a.windows(2);
        let mut sum = 0;
        while let Some(pair) = windows.next() {
            sum = sum * 3 % 1009 + pair[0] * pair[1];
        }
        for (k, (place, v)) in a.iter_mut().zip(x).enumerate() {
            *place += *v * k as u32;
        }
        out[i] = sum + a.iter().map(|v| v % 7).fold(0, |s, v| s * 3 + v);
    }

    fn peeked(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let part = &x[i % 5..][..i % 9];
        let mut it = part.iter().peekable();
        let (mut runs, mut longest) = (0, 0);
        while let Some(first) = it.next() {
            let mut length = 1;
            let mut last = *first;
            while let Some(&&next) = it.peek() {
                if next < last {
                    break;
                }
                last = next;
                length += 1;
                it.next();
            }
            runs += 1;
            longest = longest.max(length);
        }
        let mut numbers = (0..i).map(|k| x[k % x.len()]).peekable();
        let mut small = 0;
        while let Some(v) = numbers.next_if(|v| *v < 25) {
            small += v;
        }
        let rest = numbers.peek().copied().unwrap_or(77);
        let left = numbers.count() as u32;
        out[i] = runs * 3 + longest * 5 + small * 7 + rest + left * 11;
    }

    fn adapted(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let part = &x[i % 5..][..i % 9];
        let pairs: usize = (0..i % 6).flat_map(|a| (0..a).map(move |b| a * 10 + b)).sum();
        let joined: u32 = part.iter().chain(x[..3].iter()).map(|v| v + 1).fold(0, |s, v| s * 3 % 997 + v);
        let running = part.iter().scan(1, |state, v| { *state = *state * 2 + *v; Some(*state) }).max();
        let stopped: u32 = part.iter().scan(0, |sum, v| { *sum += v; if *sum > 60 { None } else { Some(*sum) } }).sum();
        let mut seen = 0;
        let few = part.iter().inspect(|v| seen += **v).take(3).count();
        let later: u32 = part.iter().skip_while(|v| **v < 20).sum();
        let cycled: u32 = x[..3].iter().cycle().take(i % 8).fold(0, |s, v| s * 2 + v);
        let backwards = part.iter().map(|v| v * 3).rev().fold(0, |s, v| s * 7 % 1013 + v);
        let zipped: u32 = part.iter().map(|v| v + 1).zip(x.iter().map(|v| v * 2)).map(|(a, b)| a * b).sum();
        let stepped: u32 = part.iter().filter(|v| **v > 3).step_by(2).sum();
        let flat: u32 = part.chunks(3).flatten().zip(1..).map(|(v, k)| v * k).sum();
        let options: u32 = part.iter().map(|v| v.checked_sub(9)).flatten().sum();
        let three: u32 = part.iter().zip(x).zip(1..).map(|((a, b), c)| a * b + c).sum();
        let numbered = part.iter().rev().enumerate().map(|(k, v)| k as u32 * v).sum::<u32>();
        out[i] = pairs as u32 + joined * 3 + running.unwrap_or(5) + stopped * 5 + seen + few as u32 * 7 + later * 11
            + cycled * 13 + backwards * 17 + zipped + stepped * 19 + flat + options * 23 + three + numbered;
    }

    fn made(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let same: u32 = std::iter::repeat(x[i]).take(i % 4).sum();
        let powers = std::iter::successors(Some(1u32), |&v| if v < 500 { Some(v * 3) } else { None });
        let all: u32 = powers.clone().sum();
        let mut state = x[i] + 1;
        let collatz = std::iter::from_fn(|| {
            if state == 1 { return None; }
            state = if state % 2 == 0 { state / 2 } else { state * 3 + 1 };
            Some(state)
        });
        let steps = collatz.take(40).count();
        let with_one = (0..i as u32).chain(std::iter::once(100)).map(|v| v % 9).sum::<u32>();
        let last = powers.take_while(|v| *v < 100).last().unwrap_or(0);
        out[i] = same + all * 3 + steps as u32 * 5 + with_one * 7 + last * 11;
    }

    fn jumps(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        'rows: for a in x.iter().skip(i % 5).filter(|v| **v % 2 == 1) {
            for b in (0..4).flat_map(|k| (0..k).map(move |m| k * 3 + m)) {
                if b == *a % 7 {
                    continue 'rows;
                }
                for c in x[..3].iter().chain(&x[5..7]) {
                    if *c + b == 21 {
                        break 'rows;
                    }
                    if *c == 7 {
                        continue;
                    }
                    if *c > 25 {
                        break;
                    }
                    sum += c * 3;
                }
                sum += b;
            }
        }
        let mut it = x.iter().zip(0..);
        let above = 'found: {
            while let Some((v, k)) = it.next() {
                if *v > i as u32 && k % 3 == 2 {
                    break 'found *v;
                }
            }
            50
        };
        let mut log = 0;
        let mut note = |v: usize| { log = log * 5 + v; v };
        let few: u32 = x[note(1)..].iter().map(|v| v + 1).skip(note(2)).take(note(3)).chain([note(4) as u32, 9].into_iter()).sum();
        let mut numbers = x.iter();
        let mut ask = || numbers.next().map_or(0, |v| *v + 1);
        let asked = ask() * 3 + ask();
        let x1 = x.iter().map(|v| v * 2);
        let x1 = x1.filter(|v| *v > 9);
        let (lo, hi) = x1.clone().fold((99, 0), |(lo, hi), v| (v.min(lo), v.max(hi)));
        out[i] = sum + above * 3 + few * 5 + log as u32 + asked + lo + hi + run(x, i % 11) * 7 + first_above(x, i as u32).unwrap_or(1);
    }

    fn again(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        let mut wheel = x[..4].iter().copied().cycle();
        for round in 0..i % 4 {
            let mut part = x.iter().skip(round).scan(0, |s, v| { *s += v; Some(*s) });
            sum += part.next().unwrap_or(1) + wheel.next().unwrap_or(0) * 3;
            let later = part.clone();
            sum = sum * 3 % 5003 + part.take(2).sum::<u32>() + later.take(i % 3).last().unwrap_or(4);
            wheel.next();
        }
        let mut pieces = x.chunks(7).flatten().copied();
        let mut taken = 0;
        while let Some(v) = pieces.next() {
            taken += v;
            if taken > 10 * i as u32 {
                break;
            }
        }
        let mut both = (0..4u32).chain(10..13);
        let ends = both.next().unwrap() * 3 + both.next_back().unwrap();
        let back = both.rev().fold(0, |s, v| s * 3 % 1009 + v);
        let mut fused = x.iter().map_while(|v| v.checked_sub(1)).fuse();
        let none = fused.by_ref().count() as u32 + fused.next().is_none() as u32;
        let mut peeked = x.iter().zip(1..).peekable();
        peeked.next();
        let copy = peeked.clone();
        let same = peeked.peek().is_some_and(|(v, k)| **v + *k > 3) as u32;
        out[i] = sum + taken + ends * 5 + back + none * 7 + same + copy.take(2).map(|(v, k)| v * k).sum::<u32>();
    }
}

same! { jumps again named asked places peeked adapted made }
