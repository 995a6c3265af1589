//! Labels: places of a function that jumps and tables name before they are known.

use super::emit::Emitter;
use simt_core::code::{Inst, Pc};

/// The number of a label in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LabelId(pub(super) usize);

impl Emitter<'_, '_> {
    /// A label that no text has.
    pub(super) fn new_label(&mut self) -> LabelId {
        self.labels.push(None);
        LabelId(self.labels.len() - 1)
    }

    /// Places a label: what follows is no part of what is in front.
    pub(super) fn place_label(&mut self, label: LabelId) {
        self.labels[label.0] = Some(Pc(self.insts.len() as u32));
        self.issue_next();
    }

    /// Emits a jump to a label.
    pub(super) fn push_jump(&mut self, inst: Inst, label: LabelId) {
        self.issue_next();
        self.jumps.push((self.insts.len(), label));
        self.push(inst);
    }

    /// Ends a function: jumps and tables get the addresses of their labels.
    pub(super) fn resolve_labels(&mut self) {
        for (at, label) in std::mem::take(&mut self.jumps) {
            let Some(target) = self.labels[label.0] else { continue };
            match &mut self.insts[at] {
                Inst::Branch { target: place, .. } | Inst::Jump { target: place, .. } => *place = target,
                _ => {}
            }
        }
        for (table, labels) in std::mem::take(&mut self.table_labels) {
            self.tables[table.0 as usize] = labels.iter().filter_map(|label| self.labels[label.0]).collect();
        }
    }
}
