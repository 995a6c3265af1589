mod call_of_an_element {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &mut [u32]) {
        x[0] = x[1](2);
    }
}

mod closure_returned {
    use simt::prelude::*;

    #[device]
    fn adder(n: u32) -> impl Fn(u32) -> u32 {
        move |x| x + n
    }

    #[kernel]
    fn add(out: &mut [u32]) {
        let add = adder(1);
        out[global_id()] += 1;
    }
}

mod device_arguments_few {
    use simt::prelude::*;

    #[device]
    fn scaled(n: u32, by: f32, x: &[u32], y: &mut [u32]) -> u32 {
        y[0] = n;
        x[n as usize] * by as u32
    }

    #[kernel]
    fn wrong(n: u32, x: &[u32], out: &mut [u32]) {
        out[0] = scaled(n, 1.5, x);
    }
}

mod device_generic_arguments {
    use simt::prelude::*;

    #[device]
    fn part<T: Int, const N: usize>(x: T) -> T {
        x / N as T
    }

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = part::<u32>(n);
    }
}

mod device_kernel_called {
    use simt::prelude::*;

    #[kernel]
    fn other(out: &mut [u32]) {
        out[0] = 1;
    }

    #[kernel]
    fn wrong(out: &mut [u32]) {
        other(out);
    }
}

mod device_misspelled {
    use simt::prelude::*;

    #[device]
    fn square(x: f32) -> f32 { x * x }
    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        out[i] = sqare(x[i]);
    }
}

mod device_result_type {
    use simt::prelude::*;

    #[device]
    fn scaled(n: u32, by: f32, x: &[u32], y: &mut [u32]) -> u32 {
        y[0] = n;
        x[n as usize] * by as u32
    }

    #[kernel]
    fn wrong(n: u32, x: &[u32], out: &mut [u32]) {
        let result: f32 = scaled(n, 1.5, x, out);
        out[0] = result as u32;
    }
}

mod device_result_unused {
    use simt::prelude::*;

    #[device]
    fn scaled(n: u32, by: f32, x: &[u32], y: &mut [u32]) -> u32 {
        y[0] = n;
        x[n as usize] * by as u32
    }

    #[kernel]
    fn wrong(n: u32, x: &[u32], out: &mut [u32]) {
        if n > 3 {
            scaled(n, 1.5, x, out)
        }
    }
}

mod device_return_without_value {
    use simt::prelude::*;

    #[device]
    fn wrong(n: u32) -> u32 {
        if n > 3 {
            return;
        }
        n
    }
}

mod device_returned_type {
    use simt::prelude::*;

    #[device]
    fn wrong(n: u32) -> u32 {
        if n > 3 {
            return 1.5;
        }
        n
    }
}

mod device_sum_of_other_type {
    use simt::prelude::*;

    #[device]
    fn count(x: &[f32]) -> u32 {
        let mut sum = 0.0;
        for k in 0..x.len() { sum += x[k]; }
        sum
    }
    #[kernel]
    fn k(x: &[f32], out: &mut [u32]) { out[global_id()] = count(x); }
}

mod device_tuple_type {
    use simt::prelude::*;

    #[device]
    fn wrong(n: u32) -> (u32, f32) {
        (n, n)
    }
}

mod device_unknown {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = doubled(n);
    }
}

mod device_value_type {
    use simt::prelude::*;

    #[device]
    fn wrong(n: u32) -> u32 {
        n > 3
    }
}

mod device_without_arrow {
    use simt::prelude::*;

    #[device]
    fn total(x: &[f32]) {
        let mut sum = 0.0;
        for k in 0..x.len() { sum += x[k]; }
        sum
    }
    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) { out[global_id()] = total(x); }
}

mod device_without_value {
    use simt::prelude::*;

    #[device]
    fn wrong(n: u32) -> u32 {
        let m = n;
    }
}

mod iterator_changes {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    struct Stack {
        items: [u32; 4],
        len: usize,
    }

    #[device]
    impl Stack {
        fn drain(&mut self) -> impl Iterator<Item = u32> {
            let len = self.len;
            self.len = 0;
            (0..len).map(|i| self.items[i])
        }
    }

    #[kernel]
    fn drained(out: &mut [u32]) {
        let mut stack = Stack { items: [1; 4], len: 2 };
        for v in stack.drain() {
            out[0] += v;
        }
    }
}

mod iterator_result {
    use simt::prelude::*;

    #[device]
    fn counted(n: u32) -> impl Iterator {
        0..n
    }

    #[device]
    fn summed(items: impl Iterator<Item = u32>) -> u32 {
        items.sum()
    }
}

mod iterator_returned {
    use simt::prelude::*;

    #[device]
    fn counted(n: u32) -> impl Iterator<Item = u32> {
        if n > 7 {
            return 0..7;
        }
        0..n
    }

    #[kernel]
    fn sums(out: &mut [u32]) {
        out[0] = counted(out[1]).sum();
    }
}

mod iterator_value {
    use simt::prelude::*;

    #[device]
    fn counted(n: u32) -> impl Iterator<Item = u32> {
        0..n
    }

    #[kernel]
    fn sums(out: &mut [u32]) {
        out[0] = counted(out[1]);
    }
}

mod result_type_forgotten {
    use simt::prelude::*;

    #[device]
    fn square(x: f32) {
        x * x
    }

    #[kernel]
    fn wrong(x: &[f32], out: &mut [f32]) {
        out[0] = square(x[0]);
    }
}

mod table_in_a_kernel {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let fs: [fn(f32) -> f32; 2] = [f32::sin, f32::cos];
        out[i] = fs[i % 2](x[i]);
    }
}

mod table_of_closures {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &mut [u32]) {
        const OPS: [fn(u32) -> u32; 2] = [|x| x + 1, |x| x - 1];
        x[0] = OPS[1](x[0]);
    }
}

mod table_of_other_length {
    use simt::prelude::*;

    #[device]
    fn twice(x: u32) -> u32 {
        2 * x
    }

    #[device]
    const OPS: [fn(u32) -> u32; 3] = [twice, twice];

    #[kernel]
    fn k(x: &mut [u32]) {
        x[0] = OPS[1](x[0]);
    }
}

fn main() {}
