mod generic_bound {
    use simt::prelude::*;

    #[kernel]
    fn wrong<T: Scalar>(a: T, out: &mut [T]) {
        out[0] = a + a;
    }
}

mod generic_impl {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: impl Iterator, out: &mut [u32]) {
        out[0] = a.count() as u32;
    }
}

mod generic_literal {
    use simt::prelude::*;

    #[kernel]
    fn wrong<T: Num>(out: &mut [T]) {
        out[0] = 1;
    }
}

mod generic_mixed {
    use simt::prelude::*;

    #[kernel]
    fn wrong<T: Num, U: Num>(a: T, b: U, out: &mut [T]) {
        out[0] = a + b;
    }
}

mod generic_without_bound {
    use simt::prelude::*;

    #[device]
    fn add<T>(a: T, b: T) -> T { a + b }
    #[kernel]
    fn k<T: Num>(x: &[T], out: &mut [T]) {
        let i = global_id();
        out[i] = add(x[i], out[i]);
    }
}

fn main() {}
