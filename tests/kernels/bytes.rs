//! Bytes: the text is compiled as plain Rust, too.

kernels_with_devices! {
    devices:

    fn classes(b: u8) -> u32 {
        b.is_ascii() as u32
            + b.is_ascii_digit() as u32 * 2
            + b.is_ascii_uppercase() as u32 * 4
            + b.is_ascii_lowercase() as u32 * 8
            + b.is_ascii_alphabetic() as u32 * 16
            + b.is_ascii_alphanumeric() as u32 * 32
            + b.is_ascii_hexdigit() as u32 * 64
            + b.is_ascii_punctuation() as u32 * 128
            + b.is_ascii_graphic() as u32 * 256
            + b.is_ascii_whitespace() as u32 * 512
            + b.is_ascii_control() as u32 * 1024
    }

    fn digit(b: u8) -> Option<u32> {
        b.is_ascii_digit().then_some((b - b'0') as u32)
    }

    fn word(bytes: &[u8]) -> Option<u32> {
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    }

    fn louder(b: &mut u8) {
        b.make_ascii_uppercase();
    }

    kernels:

    fn of_ascii(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        // Of the bytes, each thread has those that have its rest.
        for k in 0..6 {
            let n = i + 45 * k;
            if n < 256 {
                let b = n as u8;
                sum = sum * 31 + classes(b) + b.to_ascii_uppercase() as u32 * 3 + b.to_ascii_lowercase() as u32;
                sum %= 100003;
            }
        }
        let (mut letter, mut pair) = (b'k' + (i % 3) as u8 * 40, [b'z', b'A' + (i % 40) as u8]);
        letter.make_ascii_uppercase();
        pair[i % 2].make_ascii_lowercase();
        louder(&mut pair[1 - i % 2]);
        sum += letter as u32 + pair[0] as u32 * 3 + pair[1] as u32 * 5;
        let word = b"a7 Z";
        for b in word {
            if b.is_ascii_digit() || !b.is_ascii_alphanumeric() && b.is_ascii_whitespace() {
                sum += *b as u32;
            }
        }
        out[i] = sum + digit(b'0' + (x[i] % 10) as u8).unwrap_or(99) + (x[i] > 9).then_some(5).is_some() as u32;
    }

    fn of_numbers(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let b = x[i] as u8;
        let quad = [b, b + 1, 255, 7];
        let float = f32::from_le_bytes([b, 1, 200, 66]) + f64::from_bits(x[i] as u64 * 3 << 50).to_be_bytes()[1] as f32;
        let float = float.to_le_bytes().iter().map(|&b| b as u32).sum::<u32>();
        let big = u32::from_be_bytes(quad) ^ u32::from_be_bytes([1, b, quad[0], 9]);
        let little = u32::from_le_bytes(quad) as u64 + u64::from_le_bytes([b, 1, 2, 3, 4, 5, 6, 200]) % 1000003;
        let short = i16::from_be_bytes([255, b]) as i32 as u32 % 1000 + u8::from_le_bytes([b]) as u32;
        out[i] = big % 1000003 + (little % 1000033) as u32 + short + float;
    }

    fn of_slices(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let b = x[i] as u8;
        let text = [b, 1, 2, 3, b + 4, 5, 6, 7, 8, 9];
        let at = i % 5;
        let mut s = word(&text[at..at + 4]).unwrap_or(77) + word(&text[at..]).unwrap_or(88) % 1009;
        s ^= u32::from_le_bytes(text[at..at + 4].try_into().unwrap());
        let four: [u8; 4] = text[at..at + 4].try_into().unwrap();
        s ^= u32::from_be_bytes(four) + four[1] as u32;
        let two = <[u8; 2]>::try_from(&text[at..at + 2]).unwrap();
        s ^= u16::from_ne_bytes(two) as u32 + two.iter().map(|&b| b as u32).sum::<u32>();
        for (k, c) in text.chunks_exact(4).enumerate() {
            s = s.wrapping_mul(31) ^ u32::from_be_bytes(c.try_into().unwrap()) + k as u32;
        }
        for w in x[..9].windows(3) {
            let [a, b, c]: [u32; 3] = w.try_into().unwrap();
            s ^= a * 5 + b * 3 + c;
        }
        let fits: Result<[u8; 3], _> = text[at..].try_into();
        s ^= fits.is_ok() as u32 + fits.is_err() as u32 * 2;
        let small: u8 = (x[i] + 3).try_into().unwrap();
        s ^= small as u32 + i16::try_from(x[i]).unwrap_or(5) as u32;
        if let Ok([a, _, c]) = <[u8; 3]>::try_from(&text[at..at + 3 + i % 2]) {
            s ^= a as u32 * 256 + c as u32;
        }
        out[i] = s;
    }
}

same! { of_ascii of_numbers of_slices }
