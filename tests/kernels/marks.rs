//! `PhantomData`: marks of types.

use simt::prelude::*;
use std::marker::PhantomData;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Meters;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Length<U> {
    value: f32,
    unit: PhantomData<U>,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Id<T>(u32, PhantomData<T>);

#[device]
impl<U: KernelData> Length<U> {
    fn new(value: f32) -> Self {
        Self { value, unit: PhantomData }
    }

    fn twice(self) -> Self {
        Length { value: 2.0 * self.value, ..self }
    }
}

#[device]
impl<T: KernelData> Id<T> {
    fn of(n: u32) -> Self {
        Id(n, PhantomData)
    }

    fn next(self) -> Id<T> {
        Id(self.0 + 1, PhantomData::<T>)
    }
}

#[kernel]
fn marked(x: &[Length<Meters>], out: &mut [Length<Meters>], ids: &mut [Id<Meters>]) {
    let i = global_id();
    let own = Length::<Meters>::new(i as f32);
    out[i] = Length { value: x[i].value + own.twice().value, unit: PhantomData };
    let id: Id<Meters> = Id::of(i as u32);
    ids[i] = id.next();
    if own == out[i] {
        ids[i].0 = 99;
    }
}

#[test]
fn marks_of_types_are_nothing() -> Result<(), LaunchError> {
    let length = |value| Length::<Meters> { value, unit: PhantomData };
    let x: Vec<Length<Meters>> = (0..32).map(|i| length(3.0 - (i / 9) as f32)).collect();
    let (mut out, mut ids) = ([Length::default(); 32], [Id(0, PhantomData); 32]);
    let _ = Gpu::<Ipdom>::default().launch(Grid::new(4, 8), marked(&x, &mut out, &mut ids))?;
    for (i, (found, id)) in out.into_iter().zip(ids).enumerate() {
        let own = length(i as f32);
        assert_eq!(found, length(x[i].value + 2.0 * own.value));
        assert_eq!(id, Id(if found == own { 99 } else { i as u32 + 1 }, PhantomData));
    }
    assert!(ids.contains(&Id(1, PhantomData)));
    Ok(())
}
