//! Launches with a clock.

mod known;
mod machine;
mod same;
