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

fn main() {}
