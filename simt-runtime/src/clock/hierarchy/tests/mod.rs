//! What must hold of a memory hierarchy, level by level and as a whole.

mod coalescing;
