//! Algorithms on graphs that are given by the successors of each node; they know nothing of code.

mod dominators;
mod post_dominators;
mod walk;

pub(crate) use dominators::{dominators, numbered_dominators};
pub use post_dominators::immediate_post_dominators;
pub(crate) use walk::{reverse_postorder, walk};
