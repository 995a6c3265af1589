//! The parts of a tuple behind a `&mut` are places: `let (sum, count) = state; *sum += x;`.

use simt::prelude::*;

#[device]
trait Seen {
    type State;

    fn see(self, state: &mut Self::State, price: f32);
}

#[derive(Clone, Copy, KernelData)]
struct Mean {
    weight: f32,
}

#[device]
impl Seen for Mean {
    type State = (f32, u32);

    fn see(self, (sum, count): &mut (f32, u32), price: f32) {
        *sum += self.weight * price;
        *count += 1;
    }
}

#[device]
fn once_more(state: &mut (f32, u32), price: f32) {
    let (sum, count) = state;
    *sum += price;
    *count *= 2;
}

#[kernel]
fn means(out: &mut [f32]) {
    let i = global_id();
    let mut state = (1.0, 2);
    Mean { weight: 2.0 }.see(&mut state, i as f32);
    once_more(&mut state, 0.5);
    out[i] = state.0 * 100.0 + state.1 as f32;
}

#[test]
fn parts_of_a_tuple_behind_a_reference_are_written() -> Result<(), LaunchError> {
    for_each_policy!(P => {
        let mut out = [0.0; 8];
        let _ = Gpu::<P>::default().launch(Grid::new(2, 4), means(&mut out))?;
        assert_eq!(out, std::array::from_fn(|i| (1.5 + 2.0 * i as f32) * 100.0 + 6.0));
    });
    Ok(())
}
