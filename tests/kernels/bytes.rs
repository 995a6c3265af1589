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
        let big = u32::from_be_bytes(quad) ^ u32::from_be_bytes([1, b, quad[0], 9]);
        let little = u32::from_le_bytes(quad) as u64 + u64::from_le_bytes([b, 1, 2, 3, 4, 5, 6, 200]) % 1000003;
        let short = i16::from_be_bytes([255, b]) as i32 as u32 % 1000 + u8::from_le_bytes([b]) as u32;
        out[i] = big % 1000003 + (little % 1000033) as u32 + short;
    }
}

same! { of_ascii of_numbers }
