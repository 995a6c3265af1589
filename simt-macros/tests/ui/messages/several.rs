mod assert_condition {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) {
        assert!(n);
    }
}

mod assert_one_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) {
        assert_eq!(n);
    }
}

mod assert_types {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) {
        assert_eq!(n, 1.0);
    }
}

mod print_hex_of_float {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: f32) {
        println!("{x:#x}");
    }
}

mod print_missing {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) {
        println!("{n} {}");
    }
}

mod print_spec {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) {
        println!("{n:*>8}");
    }
}

mod print_unused {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) {
        println!("n", n);
    }
}

mod print_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        out[0] = println!("x");
    }
}

mod print_without_text {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32) {
        println!(n);
    }
}

fn main() {}
