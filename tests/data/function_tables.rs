//! Tables of device functions: an index chooses the function that is called.

use simt::prelude::*;

mod ops {
    use simt::prelude::*;

    #[device]
    pub(super) fn add(a: i32, b: i32) -> i32 {
        a + b
    }

    #[device]
    pub(super) fn longest<T: Num>(a: T, b: T) -> T {
        a.max(b)
    }
}

#[device]
fn sub(a: i32, b: i32) -> i32 {
    a - b
}

/// Takes as many steps as `b` is large.
#[device]
fn power(a: i32, b: i32) -> i32 {
    let mut product = 1;
    for _ in 0..b {
        product *= a;
    }
    product
}

/// The operations, by number.
#[device]
pub(crate) const OPS: [fn(i32, i32) -> i32; 4] = [ops::add, sub, power, ops::longest::<i32>];

#[kernel]
fn calculate(codes: &[u8], a: &[i32], b: &[i32], out: &mut [i32]) {
    let i = global_id();
    out[i] = OPS[codes[i] as usize](a[i], b[i]) + OPS[1](10, 3);
}

fn on_host(code: u8, a: i32, b: i32) -> i32 {
    let ops: [fn(i32, i32) -> i32; 4] = [|a, b| a + b, |a, b| a - b, |a, b| a.pow(b as u32), |a, b| a.max(b)];
    ops[code as usize](a, b) + 7
}

#[test]
fn an_index_chooses_the_function() {
    let codes: Vec<u8> = (0..40).map(|i| (i * 7 % 4) as u8).collect();
    let a: Vec<i32> = (0..40).map(|i| i % 6 - 2).collect();
    let b: Vec<i32> = (0..40).map(|i| i * 3 % 7).collect();
    let expected: Vec<i32> = (0..40).map(|i| on_host(codes[i], a[i], b[i])).collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 40];
        gpu.launch(Grid::new(2, 20), calculate(&codes, &a, &b, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[device]
fn fill(x: &mut [u32], i: usize, count: &mut u32) {
    x[i] = 100 + *count;
    *count += 1;
}

#[device]
fn clear(x: &mut [u32], i: usize, count: &mut u32) {
    x[i] = 0;
    *count += 10;
}

#[kernel]
fn in_place(x: &mut [u32], out: &mut [u32]) {
    const STEPS: &[fn(&mut [u32], usize, &mut u32)] = &[fill, clear];
    let (i, mut count) = (global_id(), 5);
    STEPS[i % 2](x, i, &mut count);
    STEPS[(i + 1) % 2](x, x.len() - 1 - i, &mut count);
    if count > 15 {
        STEPS[0](out, i, &mut count)
    }
}

#[test]
fn functions_without_a_result_and_with_memory() {
    everywhere!(|gpu| {
        let (mut x, mut out) = ([7; 6], [0; 6]);
        gpu.launch(Grid::new(1, 3), in_place(&mut x, &mut out)).unwrap();
        assert_eq!(x, [105, 0, 105, 0, 115, 0]);
        assert_eq!(out, [116, 116, 116, 0, 0, 0]);
    });
}

#[device]
fn even(n: u32) -> bool {
    n == 0 || PARITY[1](n - 1)
}

#[device]
fn odd(n: u32) -> bool {
    n != 0 && PARITY[0](n - 1)
}

#[device]
const PARITY: [fn(u32) -> bool; 2] = [even, odd];

#[kernel]
fn parities(out: &mut [bool]) {
    let i = global_id();
    out[i] = PARITY[i % 2](i as u32 / 2);
}

#[test]
fn functions_of_a_table_call_others_of_it() {
    everywhere!(|gpu| {
        let mut out = [false; 8];
        gpu.launch(Grid::new(1, 8), parities(&mut out)).unwrap();
        assert_eq!(out, [true, false, false, true, true, false, false, true]);
    });
}

#[test]
fn an_index_beyond_the_end_is_told() {
    for_each_policy!(P => {
        let error = Gpu::<P>::default().launch(Grid::new(1, 1), calculate(&[4], &[1], &[1], &mut [0])).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("error[simt::panic]: index 4 is out of bounds of `OPS`, whose length is 4"), "{text}");
        assert!(text.contains("pub(crate) const OPS: [fn(i32, i32) -> i32; 4] = [ops::add, sub, power,"), "{text}");
        assert!(text.contains("in `OPS`, called from kernel `calculate`"), "{text}");
    });
}

#[derive(Clone, Copy, KernelData)]
struct Machine {
    value: i32,
}

/// The host has `reset`, and not `step`.
#[device]
impl Machine {
    fn step(self, code: usize) -> Self {
        Self { value: OPS[code](self.value, 3) }
    }

    fn reset(self) -> Self {
        Self { value: self.value % 100 }
    }
}

#[kernel]
fn steps(machines: &mut [Machine]) {
    let i = global_id();
    machines[i] = machines[i].step(i).step(0);
    if i == 2 {
        machines[i] = machines[i].reset();
    }
}

#[test]
fn methods_use_tables() {
    let mut machines = [Machine { value: 5 }; 4];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 4), steps(&mut machines)).unwrap();
    assert_eq!(machines.map(|machine| machine.value), [11, 5, Machine { value: 128 }.reset().value, 8]);
}

/// The lanes of one function go together.
#[test]
fn the_call_is_an_indirect_branch() {
    let code = calculate::program().clone().validate().unwrap().code(Markers::Tokens).to_string();
    assert!(code.contains("brx "), "{code}");
}
