//! Time.
#![allow(dead_code, unused_imports, reason = "the cores that use it come with their own commit")]

pub(crate) mod hierarchy;
