mod char_elements {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[char], out: &mut [u32]) {
        let i = global_id();
        out[i] = x[i] as u32;
    }
}

mod hash_map {
    use simt::prelude::*;

    use std::collections::HashMap;
    #[kernel]
    fn k(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut seen = HashMap::new();
        seen.insert(x[i], 1);
        out[i] = seen.len() as u32;
    }
}

mod own_box {
    use simt::prelude::*;

    mod shapes {
        use simt::prelude::*;

        #[derive(Clone, Copy, KernelData)]
        pub struct Box {
            pub side: f32,
        }

        #[derive(Clone, Copy, KernelData)]
        pub struct Cell {
            pub side: f32,
        }

        #[device]
        impl Box {
            pub fn new(side: f32) -> Self {
                Self { side }
            }
        }

        #[device]
        impl Cell {
            pub fn new(side: f32) -> Self {
                Self { side }
            }
        }
    }

    use shapes::{Box, Cell};

    #[kernel]
    fn right(out: &mut [f32]) {
        let a: Box = Box::new(1.0);
        let b: Option<Cell> = Some(Cell::new(2.0));
        out[0] = a.side;
        if let Some(b) = b {
            out[1] = b.side;
        }
    }

    // The only mistake.
    #[kernel]
    fn wrong(out: &mut [f32]) {
        out[0] = 1;
    }
}

mod str_parameter {
    use simt::prelude::*;

    #[kernel]
    fn k(name: &str, out: &mut [usize]) {
        let i = global_id();
        out[i] = name.len();
    }
}

mod string_field {
    use simt::prelude::*;

    #[derive(Clone, KernelData)]
    struct Named {
        name: String,
        n: u32,
    }

    #[kernel]
    fn wrong(x: Named, out: &mut [u32]) {
        out[0] = x.n;
    }
}

mod string_local {
    use simt::prelude::*;

    #[kernel]
    fn k(out: &mut [u32]) {
        let i = global_id();
        let name = String::from("hi");
        out[i] = name.len() as u32;
    }
}

mod vec_local {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &[f32], out: &mut [f32]) {
        let mut stack = Vec::new();
        stack.push(x[0]);
        out[0] = stack[0];
    }
}

fn main() {}
