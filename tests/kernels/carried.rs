//! References as values: results of device functions, fields of structs, variables, options, and patterns of slices. The text
//! is compiled as plain Rust, too.

items_with_kernels! {
    {
        fn row<'a>(x: &'a [u32], i: usize, n: usize) -> &'a [u32] {
            &x[i * n..(i + 1) * n]
        }

        fn row_or_none(x: &[u32], i: usize, n: usize) -> &[u32] {
            if (i + 1) * n > x.len() {
                return &x[..0];
            }
            let found = row(x, i, n);
            found
        }

        fn halves(x: &[u32]) -> (&[u32], &[u32]) {
            let middle = x.len() / 2;
            (&x[..middle], &x[middle..])
        }

        fn largest(x: &[u32]) -> &u32 {
            let mut best = 0;
            for i in 1..x.len() {
                if x[i] > x[best] {
                    best = i;
                }
            }
            &x[best]
        }

        fn found(x: &[u32], n: u32) -> Option<&[u32]> {
            for i in 0..x.len() {
                if x[i] == n {
                    return Some(&x[i..]);
                }
            }
            None
        }

        fn pick_mut(x: &mut [u32], i: usize) -> &mut u32 {
            &mut x[i]
        }

        fn tail_mut(x: &mut [u32], i: usize) -> &mut [u32] {
            &mut x[i..]
        }

        fn seen(x: &mut [u32]) -> &[u32] {
            x
        }

        fn sum_of(x: &[u32]) -> u32 {
            let mut sum = 0;
            for v in x {
                sum = (sum * 3 + v) % 1009;
            }
            sum
        }

        // The base is known from the way out that does not recur.
        fn below<'a>(x: &'a [u32], n: u32) -> &'a [u32] {
            if x.len() < 2 || x[0] < n {
                return x;
            }
            below(&x[1..], n)
        }

        fn without_zeros(mut rest: &[u32]) -> &[u32] {
            while !rest.is_empty() && rest[0] == 0 {
                rest = &rest[1..];
            }
            rest
        }

        fn weighed((x, by): (&[u32], u32)) -> u32 {
            x.iter().sum::<u32>() * by
        }

        fn first_of<T: Copy>(x: &[T]) -> &T {
            &x[0]
        }

        fn size(x: &[u32]) -> u32 {
            match x {
                [] => 100,
                [one] => 200 + one,
                [first, .., last] if first == last => 300,
                [first, _, rest @ ..] => 400 + first + rest.len() as u32,
            }
        }
    }

    fn results(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mine = row(x, i / 5, 5);
        let (a, b) = halves(mine);
        let v = largest(mine);
        let mut sum = mine[1] + row(x, i % 9, 5)[2] * 3 + *v + *largest(b) * 7 + largest(a);
        for v in row(x, i % 4, 3) {
            sum = sum * 3 + v;
        }
        for (k, v) in row(x, i % 4, 3).iter().enumerate() {
            sum += k as u32 * *v;
        }
        sum += row(x, 1, 4).len() as u32 + row(x, 2, 3).iter().sum::<u32>() + sum_of(row_or_none(x, i, 4));
        sum += row_or_none(x, i, 4).len() as u32 + halves(b).1[0] + *first_of(b);
        out[i] = sum + sum_of(&row(x, 1, 6)[2..4]) + sum_of(below(x, 3)) + weighed((mine, 3)) + sum_of(without_zeros(x));
    }

    fn options(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i] + 3;
        out[i] = match found(x, n) {
            Some(rest) if rest.len() > 3 => rest[1] + rest.len() as u32,
            Some(rest) => rest[0] * 100,
            None => 7,
        };
        if let Some(part) = x.get(i / 2..i) {
            out[i] += sum_of(part);
        }
        if let Some(part) = x.get(40..i + 3) {
            out[i] += part.len() as u32 * 1000;
        }
        out[i] += x.get(..i).map_or(5, |part| part.len() as u32);
        let Some(rest) = found(x, x[i]) else { return };
        out[i] += rest.len() as u32;
    }

    fn written(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        *pick_mut(out, i) = x[i];
        *pick_mut(out, i) += 3;
        let v = pick_mut(out, i);
        *v *= 2;
        tail_mut(out, i)[0] += 1;
        if let Some(v) = out.get_mut(i) {
            *v += 10;
        }
        if let Some(v) = out.get_mut(i + 45) {
            *v += 1000;
        }
        if let Some(part) = out.get_mut(i..i + 1) {
            part[0] += 7;
            part.reverse();
        }
        if let Some((first, rest)) = tail_mut(out, i).split_first_mut() {
            *first += rest.len() as u32;
        }
        let (_, mine) = out.split_at_mut(i);
        mine[0] += seen(mine).len() as u32;
        let last = mine[..1].last_mut().unwrap();
        *last += 1;
    }

    fn variables(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut rest = &x[..i];
        let mut sum = 1;
        while !rest.is_empty() {
            sum = (sum * 3 + rest[0] * rest.len() as u32) % 1009;
            rest = &rest[1 + (rest[0] % 2) as usize * 0..];
        }
        // A copy keeps what it has.
        let mut rest = x;
        let all = rest;
        for v in rest {
            sum += *v;
            rest = &rest[1..];
        }
        sum += all.len() as u32 + rest.len() as u32;
        let part = if i % 2 == 0 { &x[..i + 1] } else { &x[i..] };
        sum = sum * 3 + sum_of(part) + part[0];
        let (mut a, mut b) = (&x[..i], &x[i..]);
        (a, b) = (b, a);
        sum += a.len() as u32 * 100 + b.len() as u32;
        let chosen = match i % 3 {
            0 => x,
            1 => &x[i..],
            _ => halves(x).1,
        };
        sum = sum * 3 + chosen[0] + chosen.len() as u32;
        let mut low = x;
        let mut steps = 0;
        while low.len() > 1 {
            let (p, q) = low.split_at(low.len() / 2);
            low = if x[i] % 2 == steps % 2 { p } else { q };
            steps += 1;
        }
        while let Some((first, others)) = rest.split_first() {
            sum += first;
            rest = others;
        }
        out[i] = sum + low[0] * 7 + steps;
    }

    fn of_arrays(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [x[i], 3, 5, x[i] * 2, 9, 1];
        let mut rest = &a[..];
        let mut sum = 0;
        while let [first, others @ ..] = rest {
            sum = sum * 3 + *first;
            rest = others;
        }
        sum += sum_of(row(&a, 1, 2)) + *largest(&a);
        *pick_mut(&mut a, 2) = 50;
        if let Some(v) = a.first_mut() {
            *v += 11;
        }
        let (p, q) = a.split_at_mut(3);
        p[0] += q[0];
        q[2] = p[2];
        out[i] = sum + sum_of(&a);
    }

    fn patterns(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = (x[i] % 4) as usize;
        let mut sum = size(&x[i..(i + n).min(x.len())]);
        if let [a, b] = x[..n] {
            sum += a * 1000 + b;
        }
        if let [2, .., last] | [_, last, _] = &x[i / 2..i] {
            sum += *last * 77;
        }
        let [first, .., last] = &x[..i] else {
            out[i] = sum;
            return;
        };
        sum += first + last * 3;
        let mut s = &x[..i];
        while let [first, .., last] = s {
            sum = (sum * 3 + first * last) % 1009;
            s = &s[1..s.len() - 1];
        }
        out[i] = sum + s.len() as u32;
    }

    fn by_ranges(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mine = i / 2..i + 1;
        let n = mine.len();
        let part = &x[mine.clone()];
        out[i] = sum_of(part) + sum_of(&x[mine]) * 3 + n as u32;
    }
}
same! { results options written variables of_arrays patterns by_ranges }
