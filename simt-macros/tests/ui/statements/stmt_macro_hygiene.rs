use simt::prelude::*;

#[kernel]
fn hidden(out: &mut [u32]) {
    macro_rules! declare {
        () => {
            let secret = 3;
        };
    }
    declare!();
    out[0] = secret;
}

fn main() {}
