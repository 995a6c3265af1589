//! A warp with all orders of its conflicting writes.

use super::orders::{Given, orders};
use super::{Move, Successor, System};
use crate::effect::View;
use crate::effect::Write;
use crate::fault::Fault;
use crate::memory::Memory;
use crate::rules::WarpRules;
use crate::setting::Setting;
use crate::warp::{Item, Warp};
use simt_core::LaneMask;
use simt_core::program::StmtKind;

/// The warp semantics ⇒ʷ (ESOP'12, section 3.3), whose free choice is the order in which an assignment's threads write.
///
/// Which thread moves is not free, so that there is nothing to be fair to: a warp that can go on for ever does not terminate.
#[derive(Debug)]
pub struct WarpSystem<'a, 'p, R: ?Sized> {
    setting: &'a Setting<'p>,
    rules: &'a R,
    start: Warp,
}

impl<'a, 'p, R: WarpRules + ?Sized> WarpSystem<'a, 'p, R> {
    /// The runs from an initial memory, by the rules.
    pub fn new(setting: &'a Setting<'p>, rules: &'a R, memory: Memory) -> Self {
        Self { setting, rules, start: Warp::initial(setting, memory) }
    }

    /// What the active threads write in the next transition; nothing if it is no assignment, or faults.
    fn writes(&self, warp: &Warp) -> Vec<(usize, Write)> {
        let Some(Item::Statement(id)) = warp.stack.last() else { return Vec::new() };
        // Others write what is their own.
        if !matches!(self.setting.kind(*id), StmtKind::Store { .. } | StmtKind::Atomic { .. }) {
            return Vec::new();
        }
        let write = |thread| {
            let view = View { setting: self.setting, memory: &warp.memory, thread };
            view.read(*id).map(|write| (thread, write))
        };
        warp.active.lanes().map(write).collect::<Result<_, _>>().unwrap_or_default()
    }
}

impl<R: WarpRules + ?Sized> System for WarpSystem<'_, '_, R> {
    type Config = Warp;

    fn initial(&self) -> Warp {
        self.start.clone()
    }

    fn live(&self, warp: &Warp) -> LaneMask {
        if warp.stack.is_empty() { LaneMask::EMPTY } else { LaneMask::lane(0) }
    }

    fn memory<'c>(&self, warp: &'c Warp) -> &'c Memory {
        &warp.memory
    }

    fn successors(&self, warp: &Warp, limit: usize) -> Option<Vec<Successor<Warp>>> {
        let mut successors = Vec::new();
        for order in orders(self.setting, &self.writes(warp), limit)? {
            let (mut after, given) = (warp.clone(), Move::new(order));
            let (by, after) = match self.rules.step(self.setting, &mut after, &mut Given(&given)) {
                Ok(None) => continue,
                Ok(Some(step)) => (Move::new(step.order), Ok(after)),
                Err(fault) => (Move::default(), Err(fault)),
            };
            successors.push(Successor { by, agents: LaneMask::lane(0), alone: false, after });
        }
        Some(successors)
    }

    fn step(&self, warp: &Warp, by: &Move) -> Option<Result<Warp, Fault>> {
        let mut after = warp.clone();
        match self.rules.step(self.setting, &mut after, &mut Given(by)) {
            Ok(step) => (step?.order == by.order()).then_some(Ok(after)),
            Err(fault) => by.order().is_empty().then_some(Err(fault)),
        }
    }
}
