//! The kernels of the gallery that CUDA here says, too.

#[path = "../../examples/gallery/kernels/ending.rs"]
mod ending;
#[path = "../../examples/gallery/kernels/input.rs"]
pub(crate) mod input;
pub(crate) use crate::machine;
pub(crate) use ending::{step_limit, unending};

#[path = "../../examples/gallery/kernels/bfs.rs"]
pub(crate) mod bfs;
#[path = "../../examples/gallery/kernels/bitonic_sort.rs"]
pub(crate) mod bitonic_sort;
#[path = "../../examples/gallery/kernels/histogram.rs"]
pub(crate) mod histogram;
#[path = "../../examples/gallery/kernels/interpreter.rs"]
pub(crate) mod interpreter;
#[path = "../../examples/gallery/kernels/matrix_product.rs"]
pub(crate) mod matrix_product;
#[path = "../../examples/gallery/kernels/n_queens.rs"]
pub(crate) mod n_queens;
#[path = "../../examples/gallery/kernels/reduction.rs"]
pub(crate) mod reduction;
#[path = "../../examples/gallery/kernels/saxpy.rs"]
pub(crate) mod saxpy;
#[path = "../../examples/gallery/kernels/scan.rs"]
pub(crate) mod scan;
#[path = "../../examples/gallery/kernels/smith_waterman.rs"]
pub(crate) mod smith_waterman;
#[path = "../../examples/gallery/kernels/spin_lock.rs"]
pub(crate) mod spin_lock;
#[path = "../../examples/gallery/kernels/spmv.rs"]
pub(crate) mod spmv;
#[path = "../../examples/gallery/kernels/string_search.rs"]
pub(crate) mod string_search;
#[path = "../../examples/gallery/kernels/ticket_lock.rs"]
pub(crate) mod ticket_lock;
#[path = "../../examples/gallery/kernels/warp_lock.rs"]
pub(crate) mod warp_lock;
