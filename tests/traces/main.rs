//! Golden issue traces: which lanes issue what, in which order, for small kernels under every policy.
//!
//! Results alone cannot show a lost reconvergence: a policy that runs past one computes the right values, with emptier
//! lanes. So each kernel here has a snapshot of its listings and of every issue under every policy, warps of 4 unless its
//! name says otherwise. A new policy shows up in every snapshot. `INSTA_UPDATE=always cargo test --test traces` writes them
//! anew: check every changed line against the mechanism before committing it.
//!
//! What holds for every kernel and needs no snapshot is asserted by `check`.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

use simt::Grid;

/// One warp of four lanes.
fn one_warp() -> Grid {
    Grid::new(1, 4)
}

/// Runs a kernel of `kernels!` on an input under every policy, checks what always holds, and compares with the snapshot.
macro_rules! traced {
    ($name:ident, $x:expr) => { traced!($name, $x, one_warp(), 4, stringify!($name)) };
    ($name:ident, $x:expr, $grid:expr, $width:expr, $snapshot:expr) => {{
        let case = crate::check::Case {
            kernel: kernel::$name,
            plain: plain::$name,
            program: kernel::$name::program(),
            x: &$x,
            grid: $grid,
            width: $width,
        };
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($snapshot, case.check());
        });
    }};
}

mod branches;
mod check;
mod functions;
mod loops;
mod papers;
mod trace;
