mod stmt_attribute {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        #[inline]
        let mut tile = 0;
        out[0] = tile;
    }
}

mod stmt_break_outside {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        if n > 3 {
            break;
        }
        out[0] = n;
    }
}

mod stmt_for_over_slice {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, x: &[u32], out: &mut [u32]) {
        for value in n {
            out[0] += value;
        }
        for (i, value) in x {
            out[i] += value;
        }
        for i in x.iter().skip(n) {
            out[0] += *i;
        }
        for value in x.iter_mut() {
            *value += 1;
        }
    }

    #[kernel]
    fn also_wrong(x: &[u32], out: &mut [u32]) {
        for value in x {
            *value = 1;
        }
        for value in out.iter_mut() {
            value += 1;
        }
        for (i, value) in x.iter().enumerate() {
            out[*i] = *value;
        }
        let table = [1.5, 2.5];
        for value in table {
            out[0] = value;
        }
    }

    #[kernel]
    fn iterator_as_value(x: &[u32], out: &mut [u32]) {
        let all = x.iter().map(|v| v + 1).collect();
        let both = x.iter().fold(0, |v| v);
        let some = x.iter().any(|v| { return v > 3.0; });
    }

    #[kernel]
    fn ends(x: &[f32], out: &mut [u32]) {
        let sum: u32 = x.iter().sum();
        let most = x.iter().copied().max();
        let some = x.iter().any(|v| *v);
    }
}

mod stmt_for_reversed {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [usize]) {
        for i in (0..4).rev().step_by(2).rev() {
            out[0] = i;
        }
    }
}

mod stmt_label {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        'rows: for row in 0..4 {
            for column in 0..4 {
                if row == column {
                    continue 'columns;
                }
                out[0] = 1;
            }
        }
    }
}

mod stmt_let_else {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let 1.. = n else {
            out[0] = 7;
        };
        let Some(k): Option<u32> = n.checked_sub(1) else { return };
        out[0] = k;
    }
}

mod stmt_let_without_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let m;
        out[0] = n;
    }
}

mod stmt_macro_hygiene {
    use simt::prelude::*;

    #[kernel]
    fn hidden(out: &mut [u32]) {
        macro_rules! declare {
            () => {
                let secret = 3;
            };
        }
        declare!();
        out[0] = secret;
    }
}

mod stmt_macro_rules {
    use simt::prelude::*;

    #[kernel]
    fn no_rule(out: &mut [u32]) {
        macro_rules! one {
            ($v:ident) => {
                $v
            };
        }
        out[0] = one!(3 + 4);
    }

    #[kernel]
    fn endless(out: &mut [u32]) {
        macro_rules! again {
            ($v:expr) => {
                again!($v + 1)
            };
        }
        out[0] = again!(1);
    }

    #[kernel]
    fn not_yet(out: &mut [u32]) {
        out[0] = later!(1);
        macro_rules! later {
            ($v:expr) => {
                $v
            };
        }
    }

    #[kernel]
    fn several(out: &mut [u32]) {
        macro_rules! sum {
            ($($v:expr),*) => {
                $v
            };
        }
        out[0] = sum!(1, 2);
    }

    #[kernel]
    fn wrong_type(out: &mut [u32]) {
        macro_rules! half {
            ($v:expr) => {
                $v * 0.5
            };
        }
        out[0] = half!(out[1]);
    }
}

mod stmt_return_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        if n > 3 {
            return n;
        }
        out[0] = n;
    }
}

mod stmt_static {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        static mut N: u32 = 3;
        out[0] = 1;
    }
}

mod stmt_value_unused {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) {
        n + 1
    }
}

fn main() {}
