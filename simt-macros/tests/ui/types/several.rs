mod type_accumulator {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[f32], out: &mut [f32]) {
        let mut sum = 0;
        for i in 0..x.len() {
            sum += x[i];
        }
        out[0] = sum;
    }
}

mod type_annotation {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [f32]) {
        let a: f32 = n;
        out[0] = a;
    }
}

mod type_annotation_arms {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [f32]) {
        let a: f32 = if n > 3 { 1.0 } else { n };
        out[0] = a;
    }
}

mod type_annotation_unknown {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let text: String = n;
        out[0] = n;
    }
}

mod type_arms {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, a: f32, out: &mut [u32]) {
        out[0] = if n > 3 { n } else { a };
    }
}

mod type_assigned {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [u32]) {
        let mut sum: u32 = 0;
        sum = a;
        out[0] = sum;
    }
}

mod type_bits {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [f32]) {
        out[0] = a & 1.0;
    }
}

mod type_cast {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [bool]) {
        out[0] = a as bool;
    }
}

mod type_cast_char {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let letter = n as char;
        out[0] = n;
    }
}

mod type_comparison {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, n: u32, out: &mut [u32]) {
        if a < n {
            out[0] = n;
        }
    }
}

mod type_compound {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [u32]) {
        let mut sum: u32 = 0;
        sum += a;
        out[0] += sum;
    }
}

mod type_condition {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        if n {
            out[0] = n;
        }
    }
}

mod type_constant {
    use simt::prelude::*;

    const NAME: &str = "name";

    #[kernel]
    fn wrong(out: &mut [u32]) {
        out[0] = NAME;
    }
}

mod type_element {
    use simt::prelude::*;

    #[kernel]
    fn wrong(text: &[String], out: &mut [usize]) {
        out[0] = text.len();
    }
}

mod type_index {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[n] = n;
    }
}

mod type_literal {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [f32]) {
        out[0] = 2 * a;
    }
}

mod type_literal_suffix {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n + 1u64;
    }
}

mod type_load_index {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, x: &[f32], out: &mut [f32]) {
        out[0] = x[n + 1];
    }
}

mod type_logic {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [bool]) {
        out[0] = out[1] && n;
    }
}

mod type_negated {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = -n;
    }
}

mod type_operand_nested {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, n: u32, out: &mut [f32]) {
        out[0] = a * (n + 1);
    }
}

mod type_operands {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, n: u32, out: &mut [f32]) {
        out[0] = a + n;
    }
}

mod type_param {
    use simt::prelude::*;

    #[kernel]
    fn wrong(text: String, out: &mut [u32]) {
        out[0] = 1;
    }
}

mod type_range {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [u32]) {
        for i in 0.0..a {
            out[0] = i;
        }
    }
}

mod type_range_bounds {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, x: &[u32], out: &mut [u32]) {
        for _ in n..x.len() {
            out[0] = n;
        }
    }
}

mod type_shift {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, a: f32, out: &mut [u32]) {
        out[0] = n << a;
    }
}

mod type_stored {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[f32], out: &mut [u32]) {
        let i = global_id();
        out[i] = x[i];
    }
}

mod type_unknown {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let p: Pont = x[i];
        out[i] = p;
    }
}

mod type_unknown_of_parameter {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[Particle], out: &mut [f32]) {
        let i = global_id();
        out[i] = x[i].mass;
    }
}

mod type_while_condition {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        while n - 1 {
            out[0] = n;
        }
    }
}

fn main() {}
