use simt::prelude::*;

// Each is reported, and code that uses the kernel shows no mistakes of its own.
#[kernel]
pub const fn wrong(n: u32, scale: f32, out: &mut [u32]) {
    let i = global_id();
    match n {
        0 => return,
        &1 => println!("{i}"),
        _ => {}
    }
    let pair = (n, "text");
    'outer: loop {
        break 'inner;
    }
    out[i] = helper(&(n + 1));
}

fn main() {
    let mut out = [0; 4];
    let _ = wrong(1, 2.0, &mut out);
    let _ = wrong::program();
}
