use simt::prelude::*;

#[kernel]
fn iterators(x: &[u32], out: &mut [u32]) {
    let filtered = x.iter().filter(|v| **v > 3);
    out[0] = filtered.len() as u32;
    let ended = x.iter().take_while(|v| **v > 3);
    for v in ended.rev() {
        out[1] = *v;
    }
    for v in x.iter().chain(out.iter_mut()) {}
    let places = out.iter_mut();
    let next = places.next();
}

fn main() {}
