//! Byte strings: the text is compiled as plain Rust, too.

const WORD: &[u8; 3] = b"abc";
const TAIL: &[u8] = b"cb";
const WEIGHTS: [u32; 4] = [1, 10, 100, 1000];

items_with_kernels! {
    {
        fn class(x: &[u8]) -> u32 {
            match x {
                b"abcb" => 1,
                b"ab" | b"x" => 2,
                [b'q', ..] => 3,
                b"" => 4,
                _ => 5,
            }
        }

        fn hash(x: &[u8]) -> u32 {
            let mut h = 7;
            for &b in x {
                h = h * 3 + b as u32;
            }
            h
        }

        fn third<const N: usize>(x: &[u8; N]) -> u32 {
            x[2] as u32 * N as u32
        }

        fn weighed<const N: usize>(x: &[u32; N], y: &[u32; N]) -> u32 {
            let mut sum = 0;
            for i in 0..N {
                sum += x[i] * y[i];
            }
            sum
        }
    }

    fn texts(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = (x[i] % 3) as usize;
        let text = [b'a' + (x[i] % 2) as u8, b'b', b'c', b'b'];
        let t = &text[..];
        let mut sum = t.starts_with(b"abc") as u32 + t.starts_with(WORD) as u32 * 2 + t.ends_with(TAIL) as u32 * 4;
        sum += (t == b"abcb") as u32 * 8 + (t[..2] == *b"bb") as u32 * 16 + (&text != b"abcb") as u32 * 32;
        sum += b"abc".iter().map(|b| *b as u32).sum::<u32>() + b"xyz"[n] as u32 + b"abc".len() as u32;
        sum += class(t) + class(&t[..n]) * 7 + class(b"qs") * 49 + class(b"x") * 343;
        sum += hash(b"abc") + hash(WORD) * 5 + hash(TAIL) + third(b"abc") + third(WORD) + third(&text);
        let array = *b"xyz";
        let mut copy = [0u8; 3];
        copy.copy_from_slice(b"abd");
        sum += array[n] as u32 + (copy == *b"abd") as u32 + b"abc".contains(&text[0]) as u32;
        sum += matches!(t, b"abcb") as u32 * 1000 + matches!(&t[1..3], b"bc" | b"") as u32 * 2000;
        sum += weighed(&WEIGHTS, &[1, 2, 3, x[i]]);
        if let b"bbcb" = t {
            sum += 5000;
        }
        out[i] = sum;
    }
}

same! { texts }
