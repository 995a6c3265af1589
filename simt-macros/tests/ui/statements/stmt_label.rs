use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [u32]) {
    'rows: for row in 0..4 {
        for column in 0..4 {
            if row == column {
                continue 'columns;
            }
            out[0] = 1;
        }
    }
}

fn main() {}
