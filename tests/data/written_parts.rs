//! Patterns for `&mut` of an element, and names of theirs that `std::mem` is passed: as statements, and with values.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
enum State {
    #[default]
    Done,
    Waiting {
        left: u32,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct Machine {
    states: [State; 3],
    some: [Option<u32>; 2],
    steps: u32,
}

macro_rules! twice {
    (impls: { $($impls:item)* } kernel: |$x:ident, $o:ident, $out:ident| $body:block) => {
        $(#[device] $impls)*

        #[kernel]
        fn kernel($x: &mut [State], $o: &mut [Option<u32>], $out: &mut [u32]) $body

        fn on_the_host($x: &mut [State], $o: &mut [Option<u32>], $out: &mut [u32]) $body
    };
}
twice! {
    impls: {
        impl Machine {
            fn step(&mut self, i: usize) -> u32 {
                if let State::Waiting { left } = &mut self.states[i] {
                    *left -= 1;
                    self.steps += *left;
                }
                if let Some(v) = &mut self.some[i % 2] {
                    *v += 1;
                }
                match &mut self.states[i] {
                    State::Waiting { left } if *left == 0 => 1,
                    State::Waiting { left } => {
                        *left += 5;
                        2
                    }
                    State::Done => 3,
                }
            }

            fn tick(&mut self, i: usize) -> u32 {
                let twice = if let State::Waiting { left } = &mut self.states[i] {
                    *left += 1;
                    *left * 2
                } else {
                    7
                };
                for slot in &mut self.some {
                    let old = match slot {
                        Some(v) => std::mem::replace(v, twice),
                        None => 0,
                    };
                    if old > 3 {
                        *slot = None;
                    }
                }
                twice
                    + match &mut self.states[i] {
                        State::Waiting { left } => {
                            *left = 9;
                            *left
                        }
                        State::Done => 0,
                    }
            }

            /// Keeps the least.
            fn offer(&mut self, mut new: u32) {
                for slot in &mut self.some {
                    match slot {
                        Some(old) if *old <= new => {}
                        Some(old) => std::mem::swap(old, &mut new),
                        None => {
                            *slot = Some(new);
                            return;
                        }
                    }
                }
            }
        }
    }
    kernel: |x, o, out| {
        for i in 0..x.len() {
            let states = [State::Done, State::Waiting { left: 1 }, State::Waiting { left: 5 }];
            let mut machine = Machine { states, some: [None, Some(3)], steps: 0 };
            out[i] = machine.step(i) * 100 + machine.some[1].unwrap_or(0) + machine.steps * 10;
            out[i] += machine.tick(i) * 1000;
            out[i] += machine.some[1].unwrap_or(1) * 10_000;
            for k in 0..5 {
                machine.offer((k * 7 + 3) % 5);
            }
            out[i] += machine.some[0].unwrap_or(9) * 100_000 + machine.some[1].unwrap_or(9) * 1_000_000;
            if let State::Waiting { left } = &mut x[i] {
                *left -= 1;
            }
            if let Some(v) = &mut o[i] {
                *v *= 2;
            }
            match &mut x[i] {
                State::Waiting { left } => *left *= 2,
                State::Done => {}
            }
            if let State::Waiting { left } = &mut machine.states[i] {
                out[i] += *left * 10_000_000;
                *left = 0;
            }
        }
    }
}

#[test]
fn elements_have_what_is_written() -> Result<(), LaunchError> {
    let mut out = [0; 3];
    let mut x = [State::Done, State::Waiting { left: 3 }, State::Waiting { left: 5 }];
    let mut o = [None, Some(3), Some(4)];
    let (mut expected_x, mut expected_o, mut expected) = (x, o, out);
    on_the_host(&mut expected_x, &mut expected_o, &mut expected);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), kernel(&mut x, &mut o, &mut out))?;
    assert_eq!(x, expected_x);
    assert_eq!(o, expected_o);
    assert_eq!(out, expected);
    Ok(())
}

#[kernel]
fn in_a_closure(x: &mut [Option<u32>]) {
    x.iter_mut().for_each(|slot| {
        if let Some(v) = slot {
            *v += 1;
        }
    });
}

#[test]
fn closures_write_parts() -> Result<(), LaunchError> {
    let mut x = [Some(1), Some(2), None];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), in_a_closure(&mut x))?;
    assert_eq!(x, [Some(2), Some(3), None]);
    Ok(())
}
