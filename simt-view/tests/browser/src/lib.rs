//! Chromium without a window, as the tests and the screenshots of simt-view's pages use it: `run.sh` has both.

mod chromium;
mod pages;

pub use chromium::{Chromium, Look};
pub use pages::{pages, root};
