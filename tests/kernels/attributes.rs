//! Attributes of statements, in kernels and in device functions.

use simt::prelude::*;

#[device]
fn sum(x: &[u32]) -> u32 {
    let mut sum = 0;
    #[allow(unused_variables, reason = "only counted")]
    for v in x {
        sum += 1;
    }
    #[cfg(not(test))]
    {
        sum = nonsense;
    }
    #[cfg(test)]
    {
        sum *= 2;
    }
    sum
}

#[kernel]
fn left_out(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    #[cfg(not(test))]
    out[i] = nonsense();
    #[cfg(test)]
    out[i] = x[i];
    #[cfg(not(test))]
    println!("{}", nothing);
    #[allow(clippy::manual_range_contains, reason = "an attribute holds for the statement")]
    if x[i] >= 2 && x[i] < 4 {
        out[i] += sum(x);
    }
    #[cfg(not(test))]
    for v in x {
        nonsense;
    }
    #[expect(unused_variables, reason = "it is not")]
    while out[i] < 10 {
        let unused = 1;
        out[i] += 3;
    }
}

#[test]
fn statements_are_left_out_and_their_lints_allowed() -> Result<(), LaunchError> {
    let mut out = [0; 4];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 4), left_out(&[1, 2, 3, 40], &mut out))?;
    assert_eq!(out, [10, 10, 11, 40]);
    Ok(())
}

#[derive(Clone, Copy, KernelData)]
enum Mode {
    Keep,
    Add(u32),
}

#[device]
fn applied(mode: Mode, x: u32) -> u32 {
    let unset;
    match mode {
        Mode::Keep => unset = x,
        #[cfg(not(test))]
        Mode::Add(n) => unset = nonsense(n),
        #[cfg(test)]
        Mode::Add(n) => unset = x + n,
    }
    unset
}

#[kernel]
fn arms(modes: &[Mode], x: &mut [u32]) {
    let i = global_id();
    x[i] = match x[i] {
        #[cfg(not(test))]
        0 => nonsense,
        #[cfg(test)]
        1 => 7,
        #[allow(unused_variables, reason = "an attribute holds for the arm")]
        n if n > 100 => {
            let unused = n;
            100
        }
        #[cfg(test)]
        n => n * 10,
        #[cfg(not(test))]
        _ => nonsense,
    };
    match modes[i] {
        #[cfg(not(test))]
        nonsense => x[i] = nonsense,
        mode => x[i] = applied(mode, x[i]),
    }
}

#[test]
fn arms_are_left_out_and_their_lints_allowed() -> Result<(), LaunchError> {
    let mut x = [0, 1, 2, 300];
    Gpu::<Ipdom>::default()
        .launch(Grid::new(1, 4), arms(&[Mode::Keep, Mode::Add(1), Mode::Add(2), Mode::Keep], &mut x))?;
    assert_eq!(x, [0, 8, 22, 100]);
    Ok(())
}
