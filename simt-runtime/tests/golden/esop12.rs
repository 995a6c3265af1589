//! ESOP'12: A. Habermaier and A. Knapp, *On the Correctness of the SIMT Execution Model of GPUs*, 2012. Table 1.

use crate::machine::{Style, check, run};
use simt_runtime::{Argument, TokenStack};

/// Table 1, whose addresses are the lines of Program 1. The paper's instructions do several things at once, which are rows of
/// their own here: 14, 4 and 5 push their tokens first (`14_token`, ...), 6 pops the sync token behind the addition
/// (`6_sync`), 9 jumps back. `return` of main is `exit`: the paper's last row shows the threads before they end, as our
/// row 11 does.
#[test]
fn golden_esop12_g1() {
    let text = include_str!("programs/esop12_table_1.simt");
    let a = [0, 1, 1, 1];
    let mut b = [0, 1, 1, 3];
    let run = run::<TokenStack>(text, 4, 4, vec![Argument::slice(&a), Argument::slice_mut(&mut b)]);
    let style = Style { tokens: ["div", "sync", "brk", "cont", "call"], lanes: &[0, 1, 2, 3] };
    check(
        &run,
        &style,
        "start    1111 0000 ε
        14_token 1111 0000 (call,1111,15)
        14       1111 0000 (call,1111,15)
        3        1111 0000 (call,1111,15)
        4_token  1111 0000 (brk,1111,11) (call,1111,15)
        4        0111 0000 (brk,1111,11) (call,1111,15)
        5_token  0111 0000 (sync,0111,9) (brk,1111,11) (call,1111,15)
        5        0110 0000 (div,0001,6) (sync,0111,9) (brk,1111,11) (call,1111,15)
        8        0001 0bb0 (sync,0111,9) (brk,1111,11) (call,1111,15)
        6        0001 0bb0 (sync,0111,9) (brk,1111,11) (call,1111,15)
        6_sync   0001 0bb0 (brk,1111,11) (call,1111,15)
        9        0001 0bb0 (brk,1111,11) (call,1111,15)
        4        1111 0000 (call,1111,15)
        11       1111 0000 ε
        15       0000 xxxx ε",
    );
    run.result.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(b, [0, 1, 1, 4]);
}
