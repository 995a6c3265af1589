//! Tables of states that the sources print or that follow from their rules, row by row on the machine itself.
//!
//! Programs are written in the text form of code. A row is an instruction and the state after it. Where a source's
//! instruction is two here, it has two rows, and a comment says so.

mod cuda;
mod cuda_disabled;
mod cuda_indirect;
mod dwf;
mod esop12;
mod hanoi;
mod machine;
mod simt_stack;
