//! Launches with a clock.

mod known;
mod same;
