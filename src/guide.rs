//! A guide, by what one wants to do: six short pages.

#[doc = include_str!("guide/find_divergence.md")]
pub mod find_divergence {}

#[doc = include_str!("guide/choose_a_policy.md")]
pub mod choose_a_policy {}

#[doc = include_str!("guide/time_a_kernel.md")]
pub mod time_a_kernel {}

#[doc = include_str!("guide/find_a_race.md")]
pub mod find_a_race {}

#[doc = include_str!("guide/write_a_policy.md")]
pub mod write_a_policy {}

#[doc = include_str!("guide/run_a_study.md")]
pub mod run_a_study {}
