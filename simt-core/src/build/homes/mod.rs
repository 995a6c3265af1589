//! Homes: local arrays in place of the variables of a field that is an array.
//!
//! While a kernel is built, a field that is an array is a variable for each element, and what an index that is not known
//! accesses is a copy of them, an array: it is filled in front of the access, and after a store the variables are taken from it.
//! So each access would cost as many instructions as there are elements. This pass over the finished program finds the lists of
//! variables that have such copies and gives each list one array that holds its elements from then on, its *home*: a variable is
//! an element of the home, with a known index; a copy is the home itself; and what fills a copy, or takes the variables from
//! it, goes away. Lists without copies, as of fields whose elements are only read, by known indices, stay variables,
//! and so do those that are read so often by known indices that loads would cost more than the copies do. A program
//! without copies stays as it is.
//!
//! # When a copy is the home
//!
//! A copy and the variables may differ: `let old = h.items[i]` reads what was there when it was filled. `flow` goes
//! through the function whose variables they are, and knows at each point whether the copy may be older than the variables
//! (*stale*), or the variables older than the copy (*ahead*). A copy is the home if it is never accessed where it may be
//! stale, and the variables are never named where it may be ahead: then copy, variables and home have the same elements
//! wherever one of them is accessed. Otherwise it stays a copy, of the home if there is one.
//!
//! # Calls
//!
//! A function is passed the elements of `h` in `h.push(x)`, and gives them back. Where each call of a function passes the
//! variables of one home, and takes them back if the function may change them, `calls` makes the parameters elements
//! of that home as well: nothing is passed, and nothing given back. A home is an array of the function in which the list
//! is that no caller passed, of which there must be one activation at a time: not of a function that calls itself. Where
//! callers pass different lists, or a value that the function may change, the parameters have a home of their own, which
//! begins with what was passed.
//!
//! A recursive function has its homes in its frame, as other arrays. Prints, `==` and copies of the whole name each
//! variable, and so load and store each element.

mod calls;
mod flow;
mod lists;
mod rewrite;

use super::Builder;
use crate::program::{ArrayId, NESTING_LIMIT, Program, VarId, deeper_than};

/// An array that was filled from variables, one for each element.
#[derive(Clone, Debug)]
pub struct Copied {
    /// The array.
    pub array: ArrayId,
    /// The variables, in the order of its elements.
    pub variables: Vec<VarId>,
}

/// Puts local arrays in place of the variables of which there are copies. `passing` are the arrays that pass results back.
pub fn settle(program: &mut Program, copies: &[Copied], passing: &[ArrayId]) {
    if copies.is_empty() || !program.problems.is_empty() || is_deep(program) {
        return;
    }
    let mut lists = lists::Lists::new(program, copies);
    flow::check(program, &mut lists);
    lists.weigh(program);
    if let Some(homes) = calls::resolve(program, &mut lists, passing) {
        rewrite::rewrite(program, &lists, &homes);
    }
}

/// Whether statements nest too deep to walk through them: the walks recurse, for an `else if`, too. A long chain of these is
/// valid, and keeps its variables.
fn is_deep(program: &Program) -> bool {
    const HALF: usize = NESTING_LIMIT / 2;
    program.bodies().any(|(_, body)| deeper_than(HALF, HALF, body).is_some())
}

impl Builder {
    /// Notes that an array is filled from variables.
    pub(super) fn note_copy(&self, array: ArrayId, variables: Vec<VarId>) {
        self.state.borrow_mut().copies.push(Copied { array, variables });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{
        Array, ArraySpace, Block, Expr, ExprId, ExprNode, LoadAccess, Memory, Stmt, StmtKind, StoreAccess, Variable,
    };
    use crate::scalar::{Constant, ScalarType};
    use crate::source::Span;

    fn expr(program: &mut Program, expr: Expr, ty: ScalarType) -> ExprId {
        program.exprs.push(ExprNode { expr, ty, span: Span::default() });
        ExprId(program.exprs.len() as u32 - 1)
    }

    fn stmt(kind: StmtKind) -> Stmt {
        Stmt { kind, span: Span::default() }
    }

    /// Whether two variables have a home, with a copy of them behind so many `else if`s in so many `if`s.
    fn has_home(links: usize, levels: usize) -> bool {
        let (copy, variables) = (ArrayId(0), vec![VarId(0), VarId(1)]);
        let variable = Variable { name: None, ty: ScalarType::U32, mutable: true };
        let mut program = Program { variables: vec![variable; variables.len()], ..Program::default() };
        program.arrays.push(Array::new("copy", ScalarType::U32, 2, ArraySpace::Local));
        let mut block = Block::new();
        for (index, &var) in variables.iter().enumerate() {
            let value = expr(&mut program, Expr::Var(var), ScalarType::U32);
            let index = expr(&mut program, Expr::Const(Constant::of(index)), ScalarType::Usize);
            let (slice, access) = (Memory::Array(copy), StoreAccess::Plain);
            block.push(stmt(StmtKind::Store { slice, index, value, access }));
        }
        let index = expr(&mut program, Expr::Const(Constant::of(1_usize)), ScalarType::Usize);
        let load = Expr::Load { slice: Memory::Array(copy), index, access: LoadAccess::Plain };
        let value = expr(&mut program, load, ScalarType::U32);
        block.push(stmt(StmtKind::Evaluate { value }));
        for number in 0..links + levels {
            let cond = expr(&mut program, Expr::Const(Constant::of(true)), ScalarType::Bool);
            let (then, otherwise) = if number < links { (Block::new(), block) } else { (block, Block::new()) };
            block = vec![stmt(StmtKind::If { cond, then, otherwise })];
        }
        program.body = block;
        settle(&mut program, &[Copied { array: copy, variables }], &[]);
        program.variables.is_empty()
    }

    /// A walk that recursed through the longest valid chain would not fit a test thread's stack in a build without optimisation.
    #[test]
    fn a_long_chain_keeps_its_variables() {
        assert!(has_home(0, 0) && has_home(100, 100));
        assert!(!has_home(1000, 0) && !has_home(0, 200));
    }
}
