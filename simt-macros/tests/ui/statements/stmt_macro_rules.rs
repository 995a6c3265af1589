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

fn main() {}
