mod assignment_as_condition {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let mut i = 0;
        while i = n {
            i += 1;
        }
        out[0] = i;
    }
}

mod block_value_types {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = 'part: {
            if n == 3 {
                break 'part true;
            }
            n
        };
    }
}

mod expr_array {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        let (a, b) = ([0; 16], 1);
        let _ = [1, 2];
        out[0] = b;
    }
}

mod expr_block_without_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = {
            let m = n;
            m + 1;
        };
    }
}

mod expr_if_let {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        if let 1.5 = n {
            out[0] = n;
        }
    }
}

mod expr_if_without_else {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = if n > 3 { n };
    }
}

mod expr_loop_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = loop {
            if n > 3 {
                break;
            }
            break n;
        };
    }
}

mod expr_option {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, x: &mut [u32]) {
        let best = None;
        let found = if n > 3 { Some(n) } else { None };
        x[0] = 1;
    }
}

mod expr_question_mark {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n?;
    }
}

mod expr_slicing {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[u32], out: &mut [u32]) {
        out[0] = x[1..3];
    }
}

mod expr_string {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        out[0] = "one";
    }
}

mod expr_tuple {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let pair = (n, n);
        out[0] = pair;
    }
}

mod if_let_chain {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        if n > 3 || let 4..=9 = n {
            out[0] = n;
        }
    }
}

fn main() {}
