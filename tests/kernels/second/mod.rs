//! Kernels as another newcomer first wrote them: nothing was changed so that they compile.

#![allow(
    clippy::all,
    clippy::pedantic,
    unused_qualifications,
    missing_docs,
    unreachable_pub,
    reason = "it is how they were written"
)]

mod bloom;
mod borders;
mod matches;
mod quadtree;
mod words;
