mod break_in_block {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        for i in 0..n {
            'part: {
                if i == 3 {
                    break;
                }
                break 'part;
            }
        }
        out[0] = n;
    }
}

mod break_value_in_for {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        for i in 0..n {
            if i == 3 {
                break i;
            }
        }
        out[0] = n;
    }
}

mod break_value_types {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = loop {
            if n > 3 {
                break 1;
            }
            break 2.5;
        };
    }
}

mod break_value_unused {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        loop {
            break n;
        }
        out[0] = n;
    }
}

mod contains_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, x: &mut [u32]) {
        if (0..4).contains(n) {
            x[0] = 1;
        }
        if (0..4).contains(&1.5) {
            x[0] = 2;
        }
    }
}

mod continue_of_block {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        'part: {
            if n == 3 {
                continue 'part;
            }
        }
        out[0] = n;
    }
}

mod over_a_number {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        for i in n {
            out[0] += i;
        }
    }
}

mod range_step_type {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        for i in (0..8).step_by(n) {
            out[0] = i;
        }
    }
}

mod range_step_zero {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        for i in (0..n).step_by(0) {
            out[0] = i;
        }
    }
}

mod while_let_type {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        while let (0, k) = n {
            out[0] = k;
        }
    }
}

fn main() {}
