mod assign_counter {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [usize]) {
        for i in 0..4 {
            i += 1;
            out[0] = i;
        }
    }
}

mod assign_immutable {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let sum = n;
        sum += 1;
        out[0] = sum;
    }
}

mod assign_parameter {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        n = 3;
        out[0] = n;
    }
}

mod assigned_in_a_loop {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let m;
        for k in 0..n {
            m = k;
            out[0] += m;
        }
    }
}

mod assigned_twice {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let m;
        if n > 1 {
            m = 1;
        } else {
            m = n;
        }
        out[0] = m;
        m = 3;
        out[1] = m;
    }
}

mod static_mut_written {
    use simt::prelude::*;

    static mut COUNT: u32 = 0;
    #[kernel]
    fn k(out: &mut [u32]) {
        let i = global_id();
        COUNT += 1;
        out[i] = COUNT;
    }
}

mod sum_without_mut {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let sum = 0.0;
        for k in 0..x.len() { sum += x[k]; }
        out[i] = sum;
    }
}

mod used_before_assigned {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let m;
        if n > 1 {
            m = 1;
        }
        out[0] = m;
    }

    #[kernel]
    fn in_a_loop(n: u32, out: &mut [u32]) {
        let m;
        while out[0] < n {
            m = out[0];
            break;
        }
        out[0] = m;
    }

    #[kernel]
    fn in_an_arm(n: u32, out: &mut [u32]) {
        let mut m: u32;
        match n {
            0 => m = 1,
            1 => {}
            _ => m = 2,
        }
        m += 1;
        out[0] = m;
    }
}

mod variable_misspelled {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let index = global_id();
        if index < x.len() { out[index] = x[indx] * 2.0; }
    }
}

fn main() {}
