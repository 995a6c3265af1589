//! Launches with a clock.

mod accounts;
mod known;
mod limits;
mod machine;
mod same;
