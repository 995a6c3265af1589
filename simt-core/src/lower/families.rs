//! Code of one family of markers for a policy of another.
//!
//! Lowering makes code once for each family; code that was written by hand exists once. What a policy does not know is
//! left in place and does nothing there, so that addresses stay as written, but for what would go wrong:
//!
//! * Where lanes meet at convergence barriers alone, code without any gets them, between its instructions. Code that has some
//!   keeps them, whichever machine they were meant for.
//! * A `sync` that does not stand right before its `ssy` address becomes a jump where tokens are not popped.
//! * Where tokens are popped, code without them gets some: `brk` and `cont` are plain jumps, markers of tokens are taken out, each
//!   call gets its `preret`, and `ssy` and `sync` stand where lanes may part and meet, as far as a stack allows.

use super::barriers::{with_barriers, with_tokens};
use crate::analysis::reconvergence_points;
use crate::code::{Code, Inst, JumpKind, Marker, Markers, Modifier, Pc};
use crate::program::Validated;

impl Validated<Code> {
    /// The code for policies that want the markers of a family. Code of this family is returned unchanged.
    ///
    /// ```
    /// use simt_core::code::{Code, Markers};
    ///
    /// let text = "
    ///     kernel abs(x: &mut [i32])
    ///     .reg i32 %v, bool %p
    ///         ld.i32   %v, x[global_id()]
    ///         ge.i32   %p, %v, 0
    ///         ssy      JOIN
    ///     @%p bra      DONE
    ///         neg.i32  %v, %v
    ///         st.i32   x[global_id()], %v
    ///     DONE:
    ///         sync
    ///     JOIN:
    ///         exit";
    /// let code = Code::parse(text)?;
    /// assert_eq!(code.markers, Markers::Tokens);
    /// let code = code.for_markers(Markers::PostDominators);
    /// assert!(code.to_string().contains("bra        %p, @6, meet @6"));
    /// # Ok::<(), simt_core::text::AssembleError>(())
    /// ```
    #[must_use]
    pub fn for_markers(&self, markers: Markers) -> Self {
        if self.markers == markers {
            return self.clone();
        }
        let mut code = match markers.placement() {
            // Barriers that were placed by hand are for both machines that have them.
            Some(_) if self.markers.placement().is_some() => Code::clone(self),
            Some(placement) => with_barriers(&without_tokens(self), placement),
            None if markers == Markers::Tokens => with_tokens(&with_plain_jumps(self), with_call_tokens),
            None => without_tokens(self),
        };
        code.markers = markers;
        if markers == Markers::PostDominators {
            code.reconvergence = reconvergence_points(&code);
        }
        Self::trusted(code)
    }
}

/// The code where `sync` pops nothing.
fn without_tokens(code: &Code) -> Code {
    let targets = code.sync_targets();
    let mut code = code.clone();
    for (index, target) in targets.into_iter().enumerate() {
        if let Some(target) = target.filter(|&target| target != Pc(index as u32).next()) {
            code.insts[index] = Inst::Jump { target, kind: JumpKind::Join };
        }
    }
    code.reconvergence.fill(None);
    code
}

/// The code where no jump waits for the token of a loop.
fn with_plain_jumps(code: &Code) -> Code {
    let mut code = code.clone();
    for inst in &mut code.insts {
        match inst {
            Inst::Jump { kind, .. } if matches!(kind, JumpKind::Break | JumpKind::Continue) => *kind = JumpKind::Plain,
            Inst::Branch { leaves, .. } => *leaves = false,
            _ => {}
        }
    }
    code
}

/// The code where each call has its token.
fn with_call_tokens(code: &Code) -> Code {
    // For each old address the new one.
    let mut moved = Vec::with_capacity(code.insts.len() + 1);
    let mut next = 0;
    for inst in &code.insts {
        moved.push(Pc(next));
        next += if matches!(inst, Inst::Call { .. }) { 2 } else { 1 };
    }
    moved.push(Pc(next));
    let (mut insts, mut spans, mut modifiers) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (&inst, &span)) in code.insts.iter().zip(&code.spans).enumerate() {
        if matches!(inst, Inst::Call { .. }) {
            insts.push(Inst::Marker(Marker::PushCall(Pc(index as u32 + 1))));
            spans.push(span);
            modifiers.push(Modifier::default());
        }
        insts.push(inst);
        spans.push(span);
        modifiers.push(code.modifiers.get(index).copied().unwrap_or_default());
    }
    let to = |pc: Pc| moved[pc.index()];
    for inst in &mut insts {
        if let Some(target) = inst.target_mut() {
            *target = to(*target);
        }
    }
    let mut code = code.clone();
    for target in code.tables.iter_mut().flatten() {
        *target = to(*target);
    }
    for function in &mut code.functions {
        (function.entry, function.end) = (to(function.entry), to(function.end));
    }
    code.reconvergence = vec![None; insts.len()];
    (code.insts, code.spans) = (insts, spans);
    code.modifiers = if code.modifiers.is_empty() { Vec::new() } else { modifiers };
    code
}
