//! Statements in print that hold no others, each on one line.

use super::expression::Printer;
use super::message::format_string;
use crate::program::{BarrierOp, ExprId, MessageId, Program, StmtKind, StoreAccess, VarId};

impl Program {
    /// The text of a statement as the program prints it, on one line, for messages; `..` stands for what is inside it.
    pub fn statement_to_string(&self, kind: &StmtKind) -> String {
        let printer = Printer::new(self);
        match kind {
            StmtKind::If { cond, .. } => format!("if ({}) ..;", printer.expr(*cond)),
            StmtKind::While { cond, .. } => format!("while ({}) ..;", printer.expr(*cond)),
            StmtKind::Break { out: 0 } => "break;".to_string(),
            StmtKind::Break { out } => format!("break {out};"),
            StmtKind::Continue { out: 0 } => "continue;".to_string(),
            StmtKind::Continue { out } => format!("continue {out};"),
            simple => printer.statement(simple),
        }
    }
}

impl Printer<'_> {
    /// The text of a statement that holds no others and leaves no loop.
    pub(super) fn statement(&self, kind: &StmtKind) -> String {
        match kind {
            StmtKind::Assign { var, value } => self.gives(Some(*var), &self.expr(*value)),
            StmtKind::Store { slice, index, value, access } => {
                let (slice, index, value) = (self.memory(*slice), self.expr(*index), self.expr(*value));
                match access {
                    StoreAccess::Plain => format!("{slice}[{index}] = {value};"),
                    access => format!("{slice}.store_{}({index}, {value});", access.name()),
                }
            }
            StmtKind::Evaluate { value } => format!("{};", self.expr(*value)),
            StmtKind::Call { function, args, result } => {
                self.gives(*result, &format!("{}({})", self.function(*function), self.list(args.iter().copied())))
            }
            StmtKind::Atomic { op, target, index, operands, result, order } => {
                let operands: String = operands.iter().map(|&operand| format!("{}, ", self.expr(operand))).collect();
                let place = format!("{}[{}]", self.memory(*target), self.expr(*index));
                self.gives(*result, &format!("{place}.{}({operands}{})", op.name(), order.name()))
            }
            StmtKind::Collective { op, mask, args, result } => {
                let suffix = if mask.is_some() { "_mask" } else { "" };
                let args = self.list(mask.iter().chain(args).copied());
                self.gives(*result, &format!("{}{suffix}({args})", op.name()))
            }
            StmtKind::Barrier { op, index, threads, value, result } => {
                let is_plain = index.is_none() && threads.is_none();
                let name = if is_plain { "sync_threads" } else { "sync_barrier" };
                let name = match op {
                    BarrierOp::Sync => name.to_string(),
                    BarrierOp::Grid => "sync_grid".to_string(),
                    BarrierOp::Arrive => name.replace("sync", "arrive"),
                    BarrierOp::And | BarrierOp::Or | BarrierOp::Count => format!("{name}_{}", op.name()),
                };
                let optional = |id: &Option<ExprId>| id.map_or_else(|| "_".to_string(), |id| self.expr(id));
                let mut args = if is_plain { vec![] } else { vec![optional(index), optional(threads)] };
                args.extend(value.map(|value| self.expr(value)));
                self.gives(*result, &format!("{name}({})", args.join(", ")))
            }
            StmtKind::Fence { scope } => format!("{}();", scope.name()),
            StmtKind::Print { message, args } => self.message("println", *message, args),
            StmtKind::Panic { message, args } => self.message("panic", *message, args),
            StmtKind::Return => "return;".to_string(),
            StmtKind::Skip
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Break { .. }
            | StmtKind::Continue { .. } => ";".to_string(),
        }
    }

    /// A statement whose value goes to a variable, or nowhere.
    fn gives(&self, result: Option<VarId>, value: &str) -> String {
        match result {
            Some(var) => format!("{} = {value};", self.variable(var)),
            None => format!("{value};"),
        }
    }

    fn message(&self, macro_name: &str, id: MessageId, args: &[ExprId]) -> String {
        let known = self.program().messages.get(id.0 as usize);
        let text = known.map_or_else(|| format!("?m{}", id.0), format_string);
        let args: String = args.iter().map(|&arg| format!(", {}", self.expr(arg))).collect();
        format!("{macro_name}!({text}{args});")
    }
}
