use simt::prelude::*;

#[device]
trait Lent<'a> {
    fn f(self) -> u32;
}

#[device]
trait WithType {
    type Out;

    fn f(self) -> u32;
}

#[device]
trait Known {
    fn into_iter(self, other: Self) -> Self;
}

#[device]
trait Wrong {
    fn f(self, x: u32) -> u32 {
        vec![x].len() as u32
    }
}

fn main() {}
