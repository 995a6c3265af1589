//! Parameters `&[T; N]` where a `&[T]` is wanted that is no argument: fields of structs, `let`.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Code<'a> {
    counts: &'a [u16],
    symbols: &'a [u8],
}

#[derive(Clone, Copy, KernelData)]
struct Counts<'a>(&'a [u16]);

#[derive(Clone, Copy, KernelData)]
struct Own {
    counts: [u16; 16],
}

#[device]
impl<'a> Code<'a> {
    fn new(counts: &'a [u16; 16], symbols: &'a [u8]) -> Self {
        Self { counts, symbols }
    }

    fn sum(&self) -> u32 {
        self.counts.iter().map(|&c| c as u32).sum::<u32>() + self.symbols[0] as u32
    }
}

#[kernel]
fn slices(counts: &[u16; 16], symbols: &[u8], out: &mut [u32]) {
    let code = Code { counts, symbols };
    out[0] = code.sum();
    let s: &[u16] = counts;
    out[1] = s.len() as u32 + s[1] as u32;
    out[2] = Counts(counts).0[1] as u32;
    let local = [1_u16, 2, 3];
    out[3] = Code { counts: &local, symbols }.sum();
    let own = Own { counts: *counts };
    out[4] = own.counts[1] as u32;
    out[5] = Code::new(counts, symbols).sum();
}

#[test]
fn arrays_become_slices() -> Result<(), LaunchError> {
    let mut out = [0; 6];
    let counts: [u16; 16] = std::array::from_fn(|i| i as u16);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), slices(&counts, &[7, 8], &mut out))?;
    assert_eq!(out, [127, 17, 1, 13, 1, 127]);
    Ok(())
}
