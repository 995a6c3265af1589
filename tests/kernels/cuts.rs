//! Subslices that there are not: where std's methods panic, so do kernels, with std's words.

use simt::prelude::*;

#[kernel]
fn cut(x: &[u32], how: u32, n: usize, out: &mut [u32]) {
    if how == 0 {
        let (a, b) = x.split_at(n);
        out[0] = a.len() as u32 * 10 + b.len() as u32;
    } else if how == 1 {
        out[0] = x[n..].len() as u32;
    } else if how == 2 {
        out[0] = x[..=n].len() as u32;
    } else if how == 3 {
        out[0] = x.windows(n).count() as u32;
    } else {
        let mut a = [0; 3];
        a[..2].copy_from_slice(&x[..n]);
        out[0] = a[1];
    }
}

#[test]
fn a_slice_is_not_cut_where_it_has_no_elements() {
    let x = [1, 2, 3, 4, 5];
    let run = |how, n| {
        let mut out = [7];
        let done = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), cut(&x, how, n, &mut out));
        done.map(|_| out[0]).map_err(|error| error.to_string())
    };
    let right = [(0, 2, 23), (0, 5, 50), (1, 5, 0), (2, 4, 5), (3, 5, 1), (3, 6, 0), (4, 2, 2)];
    for (how, n, expected) in right {
        assert_eq!(run(how, n), Ok(expected), "{how} {n}");
    }
    let wrong = [
        (0, 6, "mid > len"),
        (1, 6, "range start index 6 out of range for slice of length 5"),
        (2, 5, "range end index 6 out of range for slice of length 5"),
        (2, u32::MAX as usize, "out of range for slice of length 5"),
        (3, 0, "window size must be non-zero"),
        (4, 3, "copy_from_slice: source slice length (3) does not match destination slice length (2)"),
    ];
    for (how, n, message) in wrong {
        let error = run(how, n).unwrap_err();
        assert!(error.contains(message), "{how} {n}: {error}");
    }
}

macro_rules! with_remainder {
    ($message:ident, $out:ident: $body:block) => {
        #[kernel]
        fn kernel_of_rest($message: &[u8], $out: &mut [u32]) $body

        fn host_of_rest($message: &[u8], $out: &mut [u32]) $body
    };
}
with_remainder! {
    message, out: {
        let mut chunks = message.chunks_exact(4);
        for chunk in chunks.by_ref() {
            out[0] += chunk[0] as u32 + chunk[3] as u32;
        }
        let rest = chunks.remainder();
        let mut last = [0_u8; 4];
        last[..rest.len()].copy_from_slice(rest);
        out[1] = last.iter().map(|&b| b as u32).sum::<u32>();
        out[2] = message.chunks_exact(3).remainder().len() as u32;
        let untouched = message.chunks_exact(5);
        out[3] = untouched.remainder().iter().map(|&b| b as u32).sum::<u32>();
    }
}

#[test]
fn what_is_left_of_exact_chunks() -> Result<(), LaunchError> {
    let message: Vec<u8> = (1..=12).collect();
    for length in [0, 3, 4, 11, 12] {
        let (mut out, mut expected) = ([0; 4], [0; 4]);
        Gpu::<Ipdom>::default().launch(Grid::new(1, 1), kernel_of_rest(&message[..length], &mut out))?;
        host_of_rest(&message[..length], &mut expected);
        assert_eq!(out, expected, "{length}");
    }
    Ok(())
}
