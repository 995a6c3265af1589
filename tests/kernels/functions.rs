//! Device functions: the text is compiled as plain Rust, too.

use simt::prelude::*;

kernels_with_devices! {
    devices:

    fn double(n: u32) -> u32 {
        2 * n
    }

    fn early(mut n: u32, x: &[u32]) -> u32 {
        for k in 0..x.len() {
            n += 1;
            if x[k] == n {
                return k as u32 + 1000;
            }
            loop {
                if n % 3 == 0 { break; }
                n += 1;
                if n > 60 { return n; }
            }
        }
        n
    }

    fn factorial(n: u32) -> u32 {
        if n == 0 { 1 } else { n * factorial(n - 1) }
    }

    fn fibonacci(n: u32) -> u32 {
        if n < 2 {
            return n;
        }
        fibonacci(n - 1) + fibonacci(n - 2)
    }

    fn is_even(n: u32) -> bool {
        n == 0 || is_odd(n - 1)
    }

    fn is_odd(n: u32) -> bool {
        n != 0 && is_even(n - 1)
    }

    fn division(a: u32, b: u32) -> (u32, u32) {
        if b == 0 {
            return (0, a);
        }
        (a / b, a % b)
    }

    fn many(a: u32) -> (u32, f32, (bool, u32), f32) {
        let half = a as f32 * 0.5;
        match a % 3 {
            0 => (a, half, (true, a + 1), 0.25),
            1 => return (a + 2, 1.5, (half > 3.0, 9), half),
            _ => {
                let (q, r) = division(a, 4);
                (q, r as f32, (q > r, q), half)
            }
        }
    }

    fn weighted(mut p: (u32, (u32, bool)), by: u32) -> u32 {
        p.0 += 1;
        if p.1.1 { p.0 * by + p.1.0 } else { by }
    }

    fn bump(x: &mut [u32], i: usize) {
        if x[i] > 1000 {
            return;
        }
        x[i] += 1;
    }

    fn sort(x: &mut [u32], from: usize, to: usize) {
        for i in from..to {
            for j in (from + 1..to).rev() {
                if x[j - 1] > x[j] {
                    swap(x, j - 1, j);
                }
            }
            bump(x, i);
        }
    }

    fn swap(x: &mut [u32], i: usize, j: usize) {
        (x[i], x[j]) = (x[j], x[i]);
    }

    fn ackermann(m: u32, n: u32) -> u32 {
        match (m, n) {
            (0, _) => n + 1,
            (_, 0) => ackermann(m - 1, 1),
            _ => ackermann(m - 1, ackermann(m, n - 1)),
        }
    }

    fn total(x: &[u32], n: u32) -> u32 {
        if n == 0 { return 0; }
        x[n as usize - 1] + total(x, n - 1)
    }

    kernels:

    fn calls(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = double(x[i]) + double(double(3) + x[i]) * 2;
    }

    fn order(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let r = n + double({ n += 1; n }) * n + double(n);
        out[i] += r;
        bump(out, i);
        out[i] = out[i] + { bump(out, i); out[i] } * 2;
        if out[i] > 3 && double(n) > 20 || is_even(n) {
            bump(out, i);
        }
        out[{ bump(out, i); i }] += double(out[i]);
    }

    fn early_returns(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        if x[i] % 4 == 0 {
            out[i] = early(x[i], x);
        } else {
            out[i] = early(x[i] + 20, &x);
        }
    }

    fn recursion(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        out[i] = factorial(n % 9) % 100_000 + fibonacci(n % 11) * 1000 + is_even(n) as u32;
        if n > 10 {
            out[i] += if is_odd(n) { fibonacci(5) } else { total(x, n % 7) };
        }
    }

    fn tuples(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (q, r) = division(x[i], i as u32 % 5);
        let (a, b, (mut c, d), _) = many(x[i] + 1);
        c = c || b > 2.0;
        let whole = many(division(x[i], 3).0);
        out[i] = q * 1000 + r + a + (b * 4.0) as u32 + c as u32 + d + whole.0 + whole.2.1 + (whole.3 * 8.0) as u32;
        let pair = (x[i], (3, c));
        out[i] += weighted(pair, a) + weighted((b as u32, (q, true)), r);
    }

    fn nested_calls(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = ackermann(x[i] % 3, i as u32 % 4) * 100 + double(early(factorial(3), x));
    }

    fn sorts(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            out[i] = x[i];
        }
        sort(out, 0, x.len());
    }
}
same! { calls order early_returns recursion tuples nested_calls }

#[test]
fn a_function_writes_through_its_slices() {
    let x: Vec<u32> = (0..45).map(|i| i * 7 % 31).collect();
    let mut expected = vec![0; 45];
    plain::sorts(&x, &mut expected);
    everywhere!(|gpu| {
        let mut out = vec![0; 45];
        let launched = gpu.launch(Grid::new(1, 1), kernel::sorts(&x, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}

/// A function for each set of slices, and one only.
#[test]
fn a_function_is_built_once_for_the_same_slices() {
    let program = kernel::early_returns::program();
    assert_eq!(program.functions.len(), 1);
    let names: Vec<&str> = kernel::recursion::program().functions.iter().map(|f| &*f.name).collect();
    assert_eq!(names, ["factorial", "fibonacci", "is_even", "is_odd", "total"]);
}

#[device]
fn first(x: &[u32]) -> u32 {
    x[0]
}

#[kernel]
fn two_slices(x: &[u32], y: &[u32], out: &mut [u32]) {
    out[0] = first(x) + 10 * first(y) + 100 * first(out);
}

#[test]
fn slices_are_resolved_where_they_are_passed() {
    let program = two_slices::program();
    let names: Vec<&str> = program.functions.iter().map(|f| &*f.name).collect();
    assert_eq!(names, ["first", "first_2", "first_3"]);
    let mut out = [3];
    assert!(Gpu::<Ipdom>::default().launch(Grid::new(1, 1), two_slices(&[1], &[2], &mut out)).is_ok());
    assert_eq!(out, [321]);
}

mod elsewhere {
    pub(super) mod deeper {
        use simt::prelude::*;

        /// Docs are kept.
        #[device]
        pub(in crate::functions) fn triple(n: u32) -> u32 {
            super::thrice(n)
        }
    }

    #[simt::device]
    pub(super) fn thrice(n: u32) -> u32 {
        3 * n
    }
}

#[kernel]
fn paths(out: &mut [u32]) {
    use elsewhere::deeper::triple;
    #[device]
    fn inner(n: u32) -> u32 {
        n + 1
    }
    out[0] = elsewhere::thrice(1) + triple(2) * triple(inner(0));
}

#[test]
fn functions_are_found_by_their_paths() {
    let mut out = [0];
    assert!(Gpu::<Ipdom>::default().launch(Grid::new(1, 1), paths(&mut out)).is_ok());
    assert_eq!(out, [21]);
}

#[device]
fn fill(a: &mut [u32], n: u32) -> u32 {
    for i in 0..a.len() {
        a[i] = n * i as u32;
    }
    sum(a)
}

#[device]
fn sum(a: &[u32]) -> u32 {
    let mut sum = 0;
    for i in 0..a.len() {
        sum += a[i];
    }
    sum
}

#[device]
fn own_array(n: u32) -> u32 {
    let mut a = [n; 4];
    if n > 0 {
        a[1] = own_array(n - 1);
        bump_first(&mut a);
    }
    sum(&a)
}

#[device]
fn bump_first(a: &mut [u32]) {
    a[0] += 1;
}

#[kernel]
fn arrays(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let mut a = [0; 4];
    let filled = fill(&mut a, x[i]);
    out[i] = filled + a[3] * 100 + own_array(x[i] % 4) * 10_000;
}

#[test]
fn arrays_are_passed() {
    fn own_array(n: u32) -> u32 {
        if n == 0 { 0 } else { 3 * n + 1 + own_array(n - 1) }
    }
    let x: Vec<u32> = (0..45).map(|i| i * 7 % 31).collect();
    let expected: Vec<u32> = x.iter().map(|&n| 6 * n + 300 * n + own_array(n % 4) * 10_000).collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 45];
        let launched = gpu.launch(Grid::new(3, 15), arrays(&x, &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, expected);
    });
}

#[device]
fn endless(a: &mut [u32]) {
    let mut b = [0; 2];
    endless(&mut b);
    a[0] = b[0];
}

#[kernel]
fn calls_endless(out: &mut [u32]) {
    endless(out);
}

#[test]
fn a_function_that_passes_its_own_array_to_itself_is_refused() {
    let mut out = [0];
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), calls_endless(&mut out)).expect_err("no end");
    assert!(
        error
            .to_string()
            .contains("endless_1000 -> endless is one more: calls that lead back to it pass an array of their own"),
        "{error}"
    );
}
