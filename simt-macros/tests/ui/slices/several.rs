mod cached_store_to_input {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[u32]) {
        x.store_cg(0, 1);
    }
}

mod compound_to_input {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[u32]) {
        x[0] += 1;
    }
}

mod index_of_two {
    use simt::prelude::*;

    #[kernel]
    fn transposed(x: &[f32], width: usize, out: &mut [f32]) {
        let (column, row) = global_id_2d();
        out[column * width + row] = x[(row, column)];
    }
}

mod length_without_parentheses {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        if i < x.len {
            out[i] = x[i];
        }
    }
}

mod pattern_without_else {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[u32], out: &mut [u32]) {
        let [a, b] = x;
        out[0] = a + b;
    }
}

mod row_of_a_slice {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[f32], out: &mut [f32]) {
        let (c, r) = global_id_2d();
        out[r] = x[r][c];
    }
}

mod scalar_as_slice {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n[0];
    }
}

mod scalar_has_no_length {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [usize]) {
        out[0] = n.len();
    }
}

mod slice_as_ptr {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let p = x.as_ptr();
        out[i] = x[i];
    }
}

mod slice_by_value {
    use simt::prelude::*;

    #[kernel]
    fn k(x: [f32], out: &mut [f32]) {
        let i = global_id();
        out[i] = x[i];
    }
}

mod store_to_input {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[u32]) {
        x[0] = 1;
    }
}

mod swap_of_input {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[u32], y: &mut [u32]) {
        x.swap(0, 1);
        y.swap(0, 1);
    }
}

mod vec_parameter {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &Vec<f32>, out: &mut [f32]) {
        let i = global_id();
        out[i] = x[i];
    }
}

mod vec_that_grows {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let mut stack = Vec::new();
        stack.push(x[i]);
        while let Some(v) = stack.pop() { out[i] += v; }
    }
}

fn main() {}
