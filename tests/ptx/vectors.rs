//! Registers that are vectors, whole and by their parts, and the fourth dimension of `%tid`.

use crate::indirect;
use crate::written::check;

/// Runs statements that stand between braces, so that they declare registers of their own.
#[track_caller]
fn within(statements: &str, expected: impl Fn(u32, u32) -> u32) {
    check(&format!("{{ {statements} }}"), expected);
}

#[test]
fn parts_are_registers_by_either_of_their_names() {
    within(
        ".reg .v4 .u32 q;
        mov.u32 q.x, %r1; mov.u32 q.y, 10; mov.u32 q.b, %r2; mov.u32 q.w, 3;
        mad.lo.u32 q.g, q.r, q.w, q.y; xor.b32 %r3, q.y, q.z;",
        |i, x| (i * 3 + 10) ^ x,
    );
}

#[test]
fn rows_have_vectors_and_inner_blocks_their_own() {
    within(
        ".reg .v2 .b32 d<3>;
        mov.b32 d1.x, 1; mov.b32 d2.x, %r1;
        { .reg .v2 .b32 d<3>; mov.b32 d1.x, 77; mov.b32 d2.x, 78; }
        shl.b32 d1.y, d1.x, 5; add.u32 %r3, d1.y, d2.x;",
        |i, _| 32 + i,
    );
}

#[test]
fn loads_and_stores_take_whole_vectors() {
    within(
        ".reg .v4 .u32 q; .shared .align 16 .b32 s[128]; .reg .b32 a;
        shl.b32 a, %r1, 4; mov.u32 %r9, s; add.u32 a, a, %r9;
        mov.v4.u32 q, {%r1, 5, %r2, 7};
        st.shared.v4.u32 [a], q;
        mov.v4.u32 q, {0, 0, 0, 0};
        ld.shared.v4.u32 q, [a];
        mad.lo.u32 %r3, q.x, q.w, q.z; add.u32 %r3, %r3, q.y;",
        |i, x| (i * 7).wrapping_add(x).wrapping_add(5),
    );
}

#[test]
fn copies_of_vectors_read_all_before_they_write() {
    within(
        ".reg .v2 .b32 v, w;
        mov.v2.b32 v, {%r1, %r2}; mov.v2.b32 {v.x, v.y}, {v.y, v.x}; mov.v2.b32 w, v;
        mov.b32 v.x, 0; sub.u32 %r3, w.x, w.y;",
        |i, x| x.wrapping_sub(i),
    );
    within(
        ".reg .v2 .b32 v; mov.b64 v, 0x500000003; mov.b64 %rd3, v; shr.u64 %rd3, %rd3, v.x; cvt.u32.u64 %r3, %rd3;",
        |_, _| (0x5_0000_0003_u64 >> 3) as u32,
    );
}

#[test]
fn the_fourth_dimension_is_zero() {
    check("mov.u32 %r4, %tid.w; mov.u32 %r5, %nctaid.w; add.u32 %r3, %r4, %r5; add.u32 %r3, %r3, 9;", |_, _| 9);
    within(
        ".reg .v4 .u32 t, n;
        mov.v4.u32 t, %tid; mov.v4.u32 n, %ntid;
        mad.lo.u32 %r3, n.x, 100, t.x; add.u32 %r3, %r3, t.y; add.u32 %r3, %r3, n.z; add.u32 %r3, %r3, t.w;",
        |i, _| 3200 + i + 1,
    );
}

#[test]
fn functions_take_and_return_vectors() {
    indirect::check(
        ".func (.reg .v2 .u32 r) swapped(.reg .v2 .u32 a, .reg .u32 add)
        {
            mov.u32 r.x, a.y;
            add.u32 r.y, a.x, add;
            ret;
        }",
        "{
            .reg .v2 .u32 v, w;
            mov.v2.u32 v, {%r1, 6};
            call (w), swapped, (v, 1000);
            mad.lo.u32 %r3, w.x, 10000, w.y;
        }",
        |i| 60_000 + i + 1000,
    );
}
