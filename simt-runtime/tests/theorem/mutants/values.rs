//! Bugs in what threads compute: assignments, conditions, collectives.

use super::*;

fn is_of_grid(setting: &Setting<'_>, id: StmtId) -> bool {
    matches!(setting.kind(id), StmtKind::Barrier { op: BarrierOp::Grid, .. })
}

mutants! { bugs:
    OneByOne "a thread evaluates after another has written" {
        fn rule_assign(
            &self, setting: &Setting<'_>, warp: &mut Warp, head: Item, choice: &mut dyn Choice,
        ) -> Result<Vec<usize>, Fault> {
            let (active, before) = (warp.active, warp.memory.clone());
            let order = choice.order(active);
            let ran: Ran = order.iter().try_for_each(|&thread| {
                warp.active = LaneMask::lane(thread);
                Esop12.rule_assign(setting, warp, head, choice).map(drop)
            });
            warp.active = active;
            if ran.is_err() {
                warp.memory = before;
            }
            ran.map(|()| order)
        }
    }
    OneTooMany "an inactive thread takes part in assignments" {
        fn rule_assign(
            &self, setting: &Setting<'_>, warp: &mut Warp, head: Item, choice: &mut dyn Choice,
        ) -> Result<Vec<usize>, Fault> {
            let active = warp.active;
            warp.active = setting.place().threads();
            let ran = Esop12.rule_assign(setting, warp, head, choice);
            warp.active = active;
            ran.map(|order| order.into_iter().filter(|&thread| active.contains(thread)).collect())
        }
    }
    FirstWins "another thread than said writes last" {
        fn rule_assign(
            &self, setting: &Setting<'_>, warp: &mut Warp, head: Item, choice: &mut dyn Choice,
        ) -> Result<Vec<usize>, Fault> {
            let order = Esop12.rule_assign(setting, warp, head, choice)?;
            Ok(order.into_iter().rev().collect())
        }
    }
    VoteOfFewer "a collective is executed by one thread less" {
        fn rule_collective(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Ran {
            let active = warp.active;
            warp.active = without_lowest(active);
            let ran = Esop12.rule_collective(setting, warp, id);
            warp.active = active;
            ran
        }
    }
    GridOpen "a barrier of the grid waits for no thread" {
        fn rule_collective(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Ran {
            if is_of_grid(setting, id) { Ok(()) } else { Esop12.rule_collective(setting, warp, id) }
        }
    }
    GridKeeps "a barrier of the grid lets all but one thread go on" {
        fn rule_collective(&self, setting: &Setting<'_>, warp: &mut Warp, id: StmtId) -> Ran {
            Esop12.rule_collective(setting, warp, id)?;
            warp.active = if is_of_grid(setting, id) { without_lowest(warp.active) } else { warp.active };
            Ok(())
        }
    }
    ActOfAll "inactive threads take the then arm, too" {
        fn act(&self, setting: &Setting<'_>, warp: &Warp, cond: ExprId) -> Result<LaneMask, Fault> {
            let enabled = (0..warp.disabled.len()).filter(|&thread| warp.disabled[thread] == DisableState::Enabled);
            let enabled = enabled.fold(LaneMask::EMPTY, |mask, thread| mask | LaneMask::lane(thread));
            Ok(Esop12.act(setting, warp, cond)? | (enabled - warp.active))
        }
    }
    ActOfNone "a condition that holds for all holds for none" {
        fn act(&self, setting: &Setting<'_>, warp: &Warp, cond: ExprId) -> Result<LaneMask, Fault> {
            let act = Esop12.act(setting, warp, cond)?;
            Ok(if act == warp.active { LaneMask::EMPTY } else { act })
        }
    }
}
