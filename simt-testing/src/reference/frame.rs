//! Where a thread is in its program: the statements that it has begun, each with what is left of it.
//!
//! It is a stack of its own and no recursion, so that a thread can stop in the middle, where it waits for others.

use simt_core::Constant;
use simt_core::program::{ExprId, FunctionId, Stmt, VarId};

/// What is left of something that a thread has begun.
pub(super) enum Frame<'p> {
    /// Statements.
    Block(&'p [Stmt]),
    /// A loop, of which an iteration is above it.
    Loop(Loop<'p>),
    /// A call, of which the function's body is above it.
    Call(Call),
}

/// A loop.
#[derive(Clone, Copy)]
pub(super) struct Loop<'p> {
    pub(super) cond: ExprId,
    pub(super) body: &'p [Stmt],
    pub(super) step: &'p [Stmt],
    /// Whether the step comes next, and not the condition.
    pub(super) at_step: bool,
}

/// A call: what the caller had, which the function cannot see.
pub(super) struct Call {
    pub(super) function: FunctionId,
    /// The caller's variable that gets the result.
    pub(super) result: Option<VarId>,
    pub(super) variables: Vec<Option<Constant>>,
    /// Of an older activation of the function, the elements of its arrays, by number.
    pub(super) arrays: Vec<(usize, Vec<Option<u64>>)>,
}

/// The frames of a thread, the innermost last.
#[derive(Default)]
pub(super) struct Frames<'p> {
    frames: Vec<Frame<'p>>,
    calls: usize,
}

impl<'p> Frames<'p> {
    pub(super) fn begin(&mut self, block: &'p [Stmt]) {
        if !block.is_empty() {
            self.frames.push(Frame::Block(block));
        }
    }

    pub(super) fn push_loop(&mut self, frame: Loop<'p>) {
        self.frames.push(Frame::Loop(frame));
    }

    pub(super) fn push_call(&mut self, call: Call) {
        self.calls += 1;
        self.frames.push(Frame::Call(call));
    }

    /// How deep calls nest.
    pub(super) fn calls(&self) -> usize {
        self.calls
    }

    pub(super) fn last(&mut self) -> Option<&mut Frame<'p>> {
        self.frames.last_mut()
    }

    /// Ends the innermost frame, which is no call.
    pub(super) fn pop(&mut self) {
        self.frames.pop();
    }

    /// Ends all up to a loop, so many levels further out than the innermost one; with `too` that loop as well.
    pub(super) fn leave_loops(&mut self, mut out: u32, too: bool) {
        while let Some(frame) = self.frames.pop() {
            if !matches!(frame, Frame::Loop(_)) {
                continue;
            }
            if out == 0 {
                self.frames.extend((!too).then_some(frame));
                return;
            }
            out -= 1;
        }
    }

    /// Ends the function that runs. Returns the call of it, or none if it is the kernel.
    pub(super) fn leave_function(&mut self) -> Option<Call> {
        while let Some(frame) = self.frames.pop() {
            if let Frame::Call(call) = frame {
                self.calls -= 1;
                return Some(call);
            }
        }
        None
    }

    /// Whether the thread has come to its end.
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}
