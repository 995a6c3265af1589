//! What lanes do together is what they would do one by one, at every warp width. In a release build warps of 32 have functions
//! of their own, so these tests run in one, too.

mod numbers;
mod slices;
