//! The gallery's kernels. Each file has its kernels, the same in plain Rust, and `run`, which launches on a machine of
//! any policy and compares.

mod check;
mod ending;
mod input;
#[path = "../../support/machine.rs"]
pub(crate) mod machine;

pub(crate) mod bfs;
pub(crate) mod bitonic_sort;
pub(crate) mod black_scholes;
pub(crate) mod fft;
pub(crate) mod histogram;
pub(crate) mod interpreter;
pub(crate) mod lattice_boltzmann;
pub(crate) mod lu;
pub(crate) mod matrix_product;
pub(crate) mod n_queens;
pub(crate) mod ray_tracer;
pub(crate) mod reduction;
pub(crate) mod saxpy;
pub(crate) mod scan;
pub(crate) mod smith_waterman;
pub(crate) mod spin_lock;
pub(crate) mod spmv;
pub(crate) mod string_search;
pub(crate) mod ticket_lock;
pub(crate) mod warp_lock;

pub(crate) use ending::{step_limit, unending};

/// Calls a macro with the names of all kernels: the one list of them.
macro_rules! with_kernels {
    ($call:ident) => {
        $call! {
            saxpy matrix_product reduction scan histogram bitonic_sort fft lu black_scholes lattice_boltzmann n_queens bfs
            spmv smith_waterman ray_tracer spin_lock warp_lock ticket_lock interpreter string_search
        }
    };
}
pub(crate) use with_kernels;
