//! The memory environment of the CUDA report (sections 4.1 to 4.6): its caches, its language, its programs, and what they
//! let threads see.

mod caches;
mod holes;
mod language;
mod scenario;
mod steps;
mod values;
mod visibility;
