//! Defaults of types that traits have.

use simt::prelude::*;

/// What a payoff has seen of a path; there is none at first.
#[device]
trait Payoff {
    type Seen: Copy + Default;

    fn observe(&self, seen: &mut Self::Seen, price: f32);

    fn value(&self, seen: Self::Seen) -> f32;

    fn first(&self, price: f32) -> f32 {
        let mut seen = Self::Seen::default();
        self.observe(&mut seen, price);
        self.value(seen)
    }
}

#[derive(Clone, Copy, KernelData)]
struct Asian;

#[derive(Clone, Copy, KernelData)]
struct UpAndOut {
    barrier: f32,
}

#[device]
impl Payoff for Asian {
    type Seen = (f32, u32);

    fn observe(&self, seen: &mut Self::Seen, price: f32) {
        seen.0 += price;
        seen.1 += 1;
    }

    fn value(&self, (sum, count): Self::Seen) -> f32 {
        sum / count as f32
    }
}

#[device]
impl Payoff for UpAndOut {
    type Seen = bool;

    fn observe(&self, seen: &mut bool, price: f32) {
        *seen |= price > self.barrier;
    }

    fn value(&self, seen: bool) -> f32 {
        if seen { 0.0 } else { 1.0 }
    }
}

#[device]
fn path<P: Payoff>(payoff: P, prices: &[f32]) -> f32 {
    let mut seen = P::Seen::default();
    for &price in prices {
        payoff.observe(&mut seen, price);
    }
    let (again, none) = (<P::Seen as Default>::default(), <P::Seen>::default());
    payoff.observe(&mut seen, prices[0]);
    payoff.value(seen)
        + payoff.first(prices[1])
        + if prices.is_empty() { payoff.value(again) + payoff.value(none) } else { 0.0 }
}

#[kernel]
fn paths(prices: &[f32], out: &mut [f32]) {
    out[0] = path(Asian, prices);
    out[1] = path(UpAndOut { barrier: 2.5 }, prices);
    out[2] = path(UpAndOut { barrier: 3.5 }, prices);
}

#[test]
fn associated_types_have_their_defaults() -> Result<(), LaunchError> {
    let mut out = [0.0; 3];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), paths(&[2.0, 3.0, 1.0], &mut out))?;
    assert_eq!(out, [5.0, 0.0, 2.0]);
    Ok(())
}
