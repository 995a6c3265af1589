mod match_alternatives {
    use simt::prelude::*;

    #[kernel]
    fn missing(n: u32, out: &mut [u32]) {
        match (n, 3) {
            (0, k) | (_, 0) => out[0] = k,
            _ => out[0] = 2,
        }
    }

    #[kernel]
    fn types(n: u32, x: f32, out: &mut [u32]) {
        match (n, x) {
            (0, k) | (k, _) => out[0] = k,
        }
    }
}

mod match_arm_types {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = match n {
            0 => 1,
            1 => n > 3,
            _ => 2,
        };
    }
}

mod match_arm_without_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = match n {
            0 => 1,
            _ => {
                out[1] = 2;
            }
        };
    }
}

mod match_constant {
    use simt::prelude::*;

    #[allow(non_upper_case_globals)]
    const limit: u32 = 3;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        match n {
            limit => out[0] = 1,
            _ => out[0] = 2,
        }
    }
}

mod match_constant_type {
    use simt::prelude::*;

    const LIMIT: u64 = 3;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        match n {
            LIMIT => out[0] = 1,
            _ => out[0] = 2,
        }
    }
}

mod match_guard_type {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        match n {
            k if k => out[0] = 1,
            _ => out[0] = 2,
        }
    }
}

mod match_pattern_type {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        match n {
            true => out[0] = 1,
            _ => out[0] = 2,
        }
    }
}

mod match_reference {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        match n {
            &0 => out[0] = 1,
            _ => out[0] = 2,
        }
    }
}

mod match_tuple_arity {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        match (n, n > 3) {
            (0, true, _) => out[0] = 1,
            _ => out[0] = 2,
        }
    }
}

mod match_value_unused {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        match n {
            0 => 1,
            _ => out[0] = 2,
        }
    }
}

mod matches_macro {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        if matches!(n, true) {
            out[0] = n;
        }
        if matches!(n, 1 if n) {
            out[0] = n;
        }
        if let Some(m) = n.checked_sub(1) && m > 2 {
            out[1] = 1;
        } else {
            out[1] = m;
        }
    }
}

mod place_reached_otherwise {
    use simt::prelude::*;

    #[derive(Clone, Copy, KernelData)]
    enum E {
        Both(Option<u32>, u32),
        Idle,
    }

    #[kernel]
    fn wrong(x: &mut [E]) {
        match &mut x[0] {
            E::Both(o, k) => {
                *k += 1;
                if let Some(w) = o {
                    *w += 10;
                }
                if *k == 3 {
                    x[0] = E::Idle;
                }
            }
            E::Idle => {}
        }
    }
}

fn main() {}
