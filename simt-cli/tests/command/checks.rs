//! Races that the command looks for, if it is asked to.

use crate::{file, simt};

#[test]
fn a_missing_barrier_is_found_if_races_are_looked_for() {
    let ptx = "
        .version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 x)
        {
            .reg .b32 %r<5>;
            .reg .b64 %rd<4>;
            .shared .align 4 .b8 tile[256];
            ld.param.u64 %rd1, [x];
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, tile;
            mad.lo.u32 %r3, %r1, 4, %r2;
            st.shared.u32 [%r3], %r1;
            bar.sync 0;
            st.shared.u32 [%r3], %r1;
            xor.b32 %r3, %r3, 252;
            ld.shared.u32 %r4, [%r3];
            mad.wide.u32 %rd2, %r1, 4, %rd1;
            st.global.u32 [%rd2], %r4;
            ret;
        }
    ";
    let path = file("reversed.ptx", ptx);
    let checked = |path: &str, what: &str| {
        simt(&["run", path, "--grid", "1", "--block", "64", "--check", what, "--policy", "Mimd", "--arg", "out:u32:64"])
    };
    let found = checked(&path, "shared-races");
    assert_eq!(found.code, Some(1));
    assert!(found.error.contains("race"), "{}", found.error);
    assert_eq!(checked(&path, "policy,races").error, found.error);
    let said = checked(&path, "luck");
    assert_eq!(said.code, Some(2));
    assert!(said.error.contains("luck") && said.error.contains("shared-races"), "{}", said.error);
    let turned = ptx.replace("xor.b32", "bar.sync 0; xor.b32");
    let path = file("turned.ptx", &turned);
    let said = checked(&path, "policy,races");
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    // Two blocks write its elements, each its own number.
    let path = file("blocks.ptx", &turned.replace("st.global", "mov.u32 %r4, %ctaid.x; st.global"));
    let grid =
        |check: &str| simt(&["run", &path, "--grid", "2", "--block", "64", "--check", check, "--arg", "out:u32:64"]);
    let found = grid("grid-races");
    assert!(found.code == Some(1) && found.error.contains("written by threads of two blocks"), "{}", found.error);
    assert_eq!(grid("races").code, Some(0));
}
