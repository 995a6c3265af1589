//! The CUDA report (see `cuda`), indirect calls and branches by the rules of section 5.4.1.

use crate::cuda::golden;

/// Threads call f, g, f, g. The text form has no indirect call: it is here the call of a function that begins with an indirect
/// branch. So 2 is two rows: `2`, where all go to that function, and `2_target`, which is the report's.
#[test]
fn golden_cuda_d6() {
    let text = "kernel k(x: &mut [u32])
        .markers tokens
        .reg u32 %v
        n1: preret n3
        n2: call either
        n3: mov.u32 %v, 0
        n4: exit
        func either
        .reg u32 %v, %r
        cvt.u32.usize %r, global_id()
        and.u32 %r, %r, 1
        n2_target: brx %r, [n20, n30]
        n20: mul.u32 %v, %r, 2
        n21: ret
        n30: mul.u32 %v, %r, 3
        n31: ret";
    golden(
        text,
        &[0, 1, 2, 3],
        "start    1111 0000 ε
        1        1111 0000 (call,1111,3)
        2        1111 0000 (call,1111,3)
        2_target 1010 0000 (diverge,0101,2_target) (call,1111,3)
        20       1010 0000 (diverge,0101,2_target) (call,1111,3)
        21       0101 r0r0 (call,1111,3)
        2_target 0101 r0r0 (call,1111,3)
        30       0101 r0r0 (call,1111,3)
        31       1111 0000 ε
        3        1111 0000 ε
        4        0000 xxxx ε",
    );
}

/// An indirect branch whose guard does not hold for thread 3; the others go to 4, 7, 7. An indirect branch has no guard here:
/// thread 3 goes to the address behind it, by an entry of the table. The report's last token is (diverge,0010,3): one target
/// is left, so rule braguard sends thread 3 on. Ours is (diverge,0010,2), and thread 3 executes the branch once more.
#[test]
fn golden_cuda_d10() {
    let text = "kernel k(x: &mut [u32])
        .reg u32 %r, %v, %t
        cvt.u32.usize %t, global_id()
        mul.u32 %v, %t, 2
        ; 0, 1, 2, 1
        shr.u32 %r, 100, %v
        and.u32 %r, %r, 3
        n1: ssy n13
        n2: brx %r, [n4, n7, n3]
        n3: bra n12
        n4: mul.u32 %v, %t, 3
        n5: bra n12
        n7: add.u32 %v, %t, 3
        n12: sync
        n13: div.u32 %v, %t, 3
        nexit: exit";
    golden(
        text,
        &[0, 1, 2, 3],
        "start 1111 0000 ε
        1     1111 0000 (sync,1111,13)
        2     1000 0000 (diverge,0111,2) (sync,1111,13)
        4     1000 0000 (diverge,0111,2) (sync,1111,13)
        5     1000 0000 (diverge,0111,2) (sync,1111,13)
        12    0111 0000 (sync,1111,13)
        2     0101 0000 (diverge,0010,2) (sync,1111,13)
        7     0101 0000 (diverge,0010,2) (sync,1111,13)
        12    0010 0000 (sync,1111,13)
        2     0010 0000 (sync,1111,13)
        3     0010 0000 (sync,1111,13)
        12    1111 0000 ε
        13    1111 0000 ε
        exit  0000 xxxx ε",
    );
}
