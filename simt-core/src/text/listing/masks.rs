//! The active mask of each basic block, in terms of other blocks.

use super::instruction::operand_text;
use super::names::Names;
use crate::code::Cfg;
use crate::code::{Code, Inst, Pc};
use crate::graph::immediate_post_dominators;

/// For each block its active mask, as text.
pub(super) fn masks(code: &Code, names: &Names, cfg: &Cfg) -> Vec<String> {
    let predecessors = cfg.predecessors();
    let post_dominators = immediate_post_dominators(&cfg.successors);
    let entry = |block: usize| match code.functions.iter().position(|f| f.entry == cfg.starts[block]) {
        _ if block == 0 => Some("all threads".to_string()),
        Some(_) => Some("those that call".to_string()),
        None => None,
    };
    (0..cfg.starts.len())
        .map(|block| {
            if predecessors[block].is_empty() {
                return entry(block).unwrap_or_else(|| "no thread".into());
            }
            // The outermost branch whose paths meet here speaks for the inner ones.
            let branch = (0..cfg.starts.len())
                .find(|&b| cfg.successors[b].len() > 1 && post_dominators[b] == Some(block) && b < block);
            if let Some(branch) = branch {
                return format!("Θ{branch}, those that did not exit");
            }
            let parts = predecessors[block].iter().map(|&from| part(code, names, cfg, from, block));
            entry(block).into_iter().chain(parts).collect::<Vec<_>>().join(" + ")
        })
        .collect()
}

/// The threads that go from one block to another.
fn part(code: &Code, names: &Names, cfg: &Cfg, from: usize, to: usize) -> String {
    let last = Pc(cfg.ends[from].0 - 1);
    let here = code.function_at(last).map(|(id, _)| id);
    match *code.inst(last) {
        Inst::Branch { cond, when, target, .. } if cfg.successors[from].len() > 1 => {
            let taken = cfg.block_of[target.index()] == to;
            let not = if taken == when { "" } else { "!" };
            format!("Θ{from} where {not}{}", operand_text(names, here, cond))
        }
        Inst::Indirect { index, table } if cfg.successors[from].len() > 1 => {
            let table = code.table(table);
            let last = table.len().saturating_sub(1);
            let entries = table.iter().enumerate().filter(|(_, target)| cfg.block_of[target.index()] == to);
            let value = |entry: usize| if entry == last { format!("{entry} or more") } else { entry.to_string() };
            let values: Vec<_> = entries.map(|(entry, _)| value(entry)).collect();
            format!("Θ{from} where {} is {}", operand_text(names, here, index), values.join(" or "))
        }
        _ => format!("Θ{from}"),
    }
}
