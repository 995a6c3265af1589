//! Copies of variables that methods change: the variables stay as they are.

#![allow(
    clippy::clone_on_copy,
    clippy::let_and_return,
    clippy::needless_option_take,
    reason = "that is what is tested"
)]

use simt::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Count(u32);

#[device]
impl Count {
    fn bump(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }

    fn peek(&self) -> u32 {
        self.clone().bump() + 100 * self.0
    }
}

#[device]
impl Iterator for Count {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0 += 1;
        Some(self.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Pair {
    count: Count,
    some: Option<u32>,
}

macro_rules! twice {
    ($x:ident, $out:ident: $body:block) => {
        #[kernel]
        fn kernel($x: &[Count], $out: &mut [u32]) $body

        fn on_the_host($x: &[Count], $out: &mut [u32]) $body
    };
}
twice! {
    x, out: {
        let mut c = Count(10);
        let mut o = Some(3_u32);
        out[0] = c.clone().bump() + 100 * c.0;
        out[1] = { c }.bump() + 100 * c.0;
        out[2] = o.clone().take().unwrap_or(50) + 100 * o.unwrap_or(7);
        out[3] = c.clone().next().unwrap_or(0) + 100 * c.0;
        out[4] = c.peek();
        let mut p = Pair { count: c, some: o };
        out[5] = p.some.clone().take().unwrap_or(50) + 100 * p.some.unwrap_or(7);
        out[6] = p.count.clone().bump() + 100 * p.count.0;
        out[7] = p.clone().count.bump() + 100 * p.count.0;
        out[8] = c.by_ref().next().unwrap_or(0) + 100 * c.0;
        out[9] = (if c.0 > 3 { c } else { p.count }).bump() + 100 * c.0;
        out[10] = x[1].clone().bump() + x[1].0 * 100;
        out[11] = { let d = c; d }.bump() + 100 * c.0;
        out[12] = o.take().unwrap_or(1) + 100 * o.unwrap_or(7);
        let reference = &mut c;
        out[13] = reference.clone().bump();
        out[13] += 100 * c.0;
        out[14] = p.count.bump() + 100 * p.count.0;
        out[15] = c.bump() + 100 * c.0;
    }
}

#[test]
fn variables_stay_as_they_are() -> Result<(), LaunchError> {
    let (mut out, mut expected) = ([0; 16], [0; 16]);
    let x = [Count(4), Count(5)];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), kernel(&x, &mut out))?;
    on_the_host(&x, &mut expected);
    assert_eq!(out, expected);
    Ok(())
}
