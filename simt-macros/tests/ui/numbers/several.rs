mod atomic_adds_usize {
    use simt::prelude::*;

    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    #[kernel]
    fn k(x: &[usize], hits: &[AtomicU32]) {
        let i = global_id();
        hits[0].fetch_add(x[i], Relaxed);
    }
}

mod bit_as_condition {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        if x[i] & 1 { out[i] = 1; }
    }
}

mod bool_added {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = out[i] + (x[i] > 3);
    }
}

mod cast_to_bool {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let flag = n as bool;
        if flag {
            out[0] = 1;
        }
    }
}

mod comparison_added {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[u32], out: &mut [u32]) {
        let mut count = 0;
        for v in x {
            count += *v > 3;
        }
        out[0] = count;
    }
}

mod f64_times_f32 {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], scale: f64, out: &mut [f32]) {
        let i = global_id();
        out[i] = x[i] * scale;
    }
}

mod float_times_integer {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        out[i] = x[i] * 2;
    }
}

mod index_as_i32 {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[f32], out: &mut [f32]) {
        let i = global_id() as i32 - 1;
        out[0] = x[i];
    }
}

mod index_as_u32 {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i: u32 = global_id();
        out[0] = x[0];
    }
}

mod index_compared_with_u32 {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32], n: u32) {
        let i = global_id();
        if i < n { out[i] = x[i]; }
    }
}

mod index_less_i32 {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32], shift: i32) {
        let i = global_id();
        out[i] = x[i - shift];
    }
}

mod integer_max_float {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[i32], out: &mut [i32]) {
        let i = global_id();
        out[i] = x[i].max(0.0);
    }
}

mod integer_sum_of_floats {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let mut sum = 0;
        for k in 0..x.len() { sum += x[k]; }
        out[i] = sum;
    }
}

mod integer_times_float {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = x[i] * 1.5;
    }
}

mod key_as_index {
    use simt::prelude::*;

    #[kernel]
    fn k(keys: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[keys[i]] += 1;
    }
}

mod number_as_bool {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[u32], out: &mut [bool]) {
        let i = global_id();
        out[i] = x[i] as bool;
    }
}

mod number_as_condition {
    use simt::prelude::*;

    #[kernel]
    fn k(x: f32, y: &[f32], n: &mut [u32]) {
        if y[0] {
            n[0] = 1;
        }
        while n[0] {
            n[0] -= 1;
        }
        let flag: bool = x;
        let other = x as bool;
        if x && flag {
            n[0] = 1;
        }
    }
}

mod numeric_arguments {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [f32]) {
        out[0] = a.clamp(0.0);
    }
}

mod numeric_from {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f64, out: &mut [f32]) {
        out[0] = f32::from(a);
    }
}

mod numeric_from_bits {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u64, out: &mut [f32]) {
        out[0] = f32::from_bits(n);
    }
}

mod numeric_function_arguments {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [f32]) {
        out[0] = f32::atan2(a);
    }
}

mod numeric_half {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: f32, out: &mut [f32]) {
        out[0] = x.to_f32();
    }
}

mod numeric_option {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n.checked_add(1);
    }
}

mod numeric_turbofish {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [f32]) {
        out[0] = a.max::<f32>(1.0);
    }
}

mod numeric_wrong_count {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u64, k: u64, out: &mut [u64]) {
        out[0] = n.rotate_left(k);
    }
}

mod numeric_wrong_operand {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, n: u32, out: &mut [f32]) {
        out[0] = a.min(n);
    }
}

mod numeric_wrong_result {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: i32, out: &mut [i32]) {
        out[0] = n.abs_diff(3);
    }
}

mod numeric_wrong_sign {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n.abs();
    }
}

mod numeric_wrong_type {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n.sqrt();
    }
}

mod numeric_wrong_type_of_float {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [f32]) {
        out[0] = a.pow(2);
    }
}

mod range_of_floats {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [f32]) {
        for x in 0.0..10.0 {
            out[0] += x;
        }
    }
}

mod range_of_u32_as_index {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32], n: u32) {
        let i = global_id();
        let mut sum = 0.0;
        for k in 0..n { sum += x[k]; }
        out[i] = sum;
    }
}

mod shift_by_float {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [u32]) {
        let i = global_id();
        out[i] = 1 << x[i];
    }
}

mod sum_of_other_type {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [u32]) {
        let i = global_id();
        out[i] = x.iter().sum();
    }
}

mod u32_as_index {
    use simt::prelude::*;

    #[kernel]
    fn scale(x: &mut [f32], n: u32) {
        let i = global_id() as u32;
        if i < n {
            x[i] *= 2.0;
        }
    }
}

fn main() {}
