//! Semantics with a bug each, which the checker must find, and some that differ and are right.

use simt_core::LaneMask;
use simt_core::program::{BarrierOp, ExprId, StmtKind};
use simt_semantics::{
    Choice, DisableState, Esop12, Fault, Item, Setting, StmtId, Token, TokenKind, Warp, WarpRules, awaits, enable,
};

/// `Name "what is wrong" { the rules that differ }`
macro_rules! mutants {
    ($list:ident: $($name:ident $what:literal { $($rule:item)* })*) => {
        $(
            struct $name;
            impl WarpRules for $name { $($rule)* }
        )*
        /// Each with what is special about it.
        pub(crate) fn $list() -> Vec<Described> {
            vec![$(($what, Box::new($name)),)*]
        }
    };
}

mod branches;
mod exits;
mod right;
mod values;

pub(crate) use right::right;

/// A semantics, with what is special about it.
type Described = (&'static str, Box<dyn WarpRules>);

/// All bugs.
pub(crate) fn bugs() -> Vec<Described> {
    [branches::bugs(), exits::bugs(), values::bugs()].into_iter().flatten().collect()
}

type Ran = Result<(), Fault>;

/// The topmost token that passes the test.
fn token(warp: &mut Warp, is: impl Fn(TokenKind) -> bool) -> Option<&mut Token> {
    warp.stack.iter_mut().rev().find_map(|item| match item {
        Item::Token(token) if is(token.kind) => Some(token),
        _ => None,
    })
}

fn topmost(warp: &mut Warp, is: impl Fn(TokenKind) -> bool, mut change: impl FnMut(&mut LaneMask)) {
    token(warp, is).into_iter().for_each(|token| change(&mut token.mask));
}

fn without_lowest(mask: LaneMask) -> LaneMask {
    LaneMask(mask.0 & mask.0.wrapping_sub(1))
}

fn remove(warp: &mut Warp, is: impl Fn(&Item) -> bool) {
    if let Some(place) = warp.stack.iter().rposition(is) {
        warp.stack.remove(place);
    }
}
