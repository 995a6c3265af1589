//! Launches with a clock.


mod same;
mod known;
