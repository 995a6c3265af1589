mod index_mut_of_rows {
    use simt::prelude::*;
    use std::ops::*;

    #[derive(KernelData)]
    struct Rows<'a> {
        data: &'a mut [f32],
    }

    #[device]
    impl Index<usize> for Rows<'_> {
        type Output = [f32];

        fn index(&self, i: usize) -> &[f32] {
            &self.data[4 * i..4 * i + 4]
        }
    }

    #[device]
    impl IndexMut<usize> for Rows<'_> {
        fn index_mut(&mut self, i: usize) -> &mut [f32] {
            &mut self.data[4 * i..4 * i + 4]
        }
    }
}

mod operator_references {
    use simt::prelude::*;
    use std::ops::*;

    #[derive(Clone, Copy, KernelData)]
    struct V {
        x: f32,
        y: f32,
    }

    #[device]
    impl Add<&mut V> for V {
        type Output = V;

        fn add(self, other: &mut V) -> V {
            V { x: self.x + other.x, y: self.y + other.y }
        }
    }

    #[device]
    impl Add<&[f32]> for V {
        type Output = V;

        fn add(self, other: &[f32]) -> V {
            V { x: self.x + other[0], y: self.y + other[1] }
        }
    }
}

mod operator_trait {
    use simt::prelude::*;
    use std::ops::*;

    #[derive(Clone, Copy, KernelData)]
    struct V {
        x: f32,
        y: f32,
    }

    #[device]
    impl Deref for V {
        type Target = f32;

        fn deref(&self) -> &f32 {
            &self.x
        }
    }
}

fn main() {}
