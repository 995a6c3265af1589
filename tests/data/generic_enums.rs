//! Enums with type parameters: the text is compiled as plain Rust, too.

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
enum Tree<T> {
    Leaf(T),
    Pair(T, T),
    Nil,
}

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
enum Either<A, B, const N: usize> {
    Left(A),
    Right { values: [B; N], last: B },
}

items_with_kernels! {
    {
        fn sum(tree: Tree<u32>) -> u32 {
            match tree {
                Tree::Leaf(a) => a,
                Tree::Pair(a, b) => a + b,
                Tree::Nil => 0,
            }
        }

        fn mirrored<T: Copy>(tree: Tree<T>) -> Tree<T> {
            match tree {
                Tree::Pair(a, b) => Tree::Pair(b, a),
                other => other,
            }
        }
    }

    fn trees(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let tree = match x[i] % 3 {
            0 => Tree::Leaf(x[i]),
            1 => Tree::Pair(x[i], 2),
            _ => Tree::Nil,
        };
        let mut floats = Tree::Pair(0.5f32, x[i] as f32);
        floats = mirrored(floats);
        let half = if let Tree::Pair(a, b) = floats { (a * b) as u32 } else { 0 };
        let either: Either<u8, u32, 2> =
            if x[i] > 9 { Either::Left(7) } else { Either::Right { values: [x[i], 1], last: 3 } };
        let chosen = match either {
            Either::Left(a) => a as u32,
            Either::Right { values: [a, b], last } => a * b + last,
        };
        out[i] = sum(tree) + sum(mirrored(tree)) * 3 + half + chosen + (tree == mirrored(tree)) as u32;
    }
}

same! { trees }
