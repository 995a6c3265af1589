//! What is an iterator, as far as syntax tells: methods that begin one, methods that make another one of it, and names.

use super::known::Known;
use super::sequence::PIECES;
use super::{Emitter, bare, ends, options, own};
use crate::emit::closure::Is;
use proc_macro2::Ident;
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, ExprReference};

/// Methods that make an iterator of another, with the number of their arguments.
const ADAPTERS: [(&str, usize); 25] = [
    ("map", 1),
    ("filter", 1),
    ("filter_map", 1),
    ("take_while", 1),
    ("skip_while", 1),
    ("map_while", 1),
    ("inspect", 1),
    ("scan", 2),
    ("flat_map", 1),
    ("flatten", 0),
    ("chain", 1),
    ("zip", 1),
    ("cycle", 0),
    ("peekable", 0),
    ("fuse", 0),
    ("by_ref", 0),
    ("copied", 0),
    ("cloned", 0),
    ("enumerate", 0),
    ("rev", 0),
    ("skip", 1),
    ("take", 1),
    ("step_by", 1),
    ("into_iter", 0),
    ("clone", 0),
];

/// Those that options and arrays have, too.
const SHARED: [&str; 9] = ["map", "filter", "zip", "flatten", "copied", "cloned", "into_iter", "clone", "inspect"];

/// Methods behind which items do not follow from their positions.
const AGAIN: [&str; 15] = [
    "map",
    "filter",
    "filter_map",
    "take_while",
    "skip_while",
    "map_while",
    "inspect",
    "scan",
    "flat_map",
    "flatten",
    "chain",
    "cycle",
    "peekable",
    "fuse",
    "by_ref",
];

/// Knows which names are those of iterators.
pub(super) trait Names {
    /// Whether a name is one.
    fn names_iterator(&self, name: &Ident) -> bool;
    /// Whether an expression is the name of memory for certain.
    fn names_memory(&self, expr: &Expr) -> bool;
    /// Whether an expression is a closure, or a function's name for certain.
    fn names_function(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Closure(_))
    }
    /// Whether an expression is a struct that is no iterator for certain.
    fn names_struct(&self, _: &Expr) -> bool {
        false
    }
    /// Whether an expression is the name of a range, as far as names are known.
    fn names_range(&self, _: &Expr) -> bool {
        false
    }
}

/// Names that may be one, wherever they stand.
impl Names for Known {
    fn names_iterator(&self, name: &Ident) -> bool {
        self.may_be_iterator(name)
    }

    fn names_memory(&self, expr: &Expr) -> bool {
        self.is_named_memory(expr)
    }

    fn names_function(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Closure(_)) || self.is_function(expr)
    }

    fn names_struct(&self, expr: &Expr) -> bool {
        self.is_struct(expr)
    }
}

/// Names as they are where the translation is.
impl Names for Emitter<'_> {
    fn names_iterator(&self, name: &Ident) -> bool {
        matches!(self.meaning(name), Some(Is::Iterator))
    }

    fn names_memory(&self, expr: &Expr) -> bool {
        self.known.is_named_memory(expr)
    }

    fn names_function(&self, expr: &Expr) -> bool {
        self.known.names_function(expr)
    }

    fn names_struct(&self, expr: &Expr) -> bool {
        self.known.is_struct(expr)
    }

    fn names_range(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Path(_)) && self.is_range(expr)
    }
}

/// Whether a method makes an iterator of another.
pub(super) fn is_adapter(call: &ExprMethodCall) -> bool {
    ADAPTERS.iter().any(|&(name, arguments)| call.method == name && call.args.len() == arguments)
}

/// Whether only iterators have it.
fn is_only_adapter(call: &ExprMethodCall) -> bool {
    is_adapter(call) && !SHARED.iter().any(|name| call.method == name)
}

/// Whether a name is one of a method that begins an iterator, or makes one of another.
pub(super) fn is_known(call: &ExprMethodCall) -> bool {
    begins(call) || ADAPTERS.iter().any(|(name, _)| call.method == name)
}

/// Whether a method begins an iterator of elements.
fn begins(call: &ExprMethodCall) -> bool {
    ["iter", "iter_mut", "into_iter"].iter().any(|name| call.method == name)
        || PIECES.iter().any(|name| call.method == name)
}

/// Whether an expression is the name of an iterator.
fn is_name(expr: &Expr, names: &dyn Names) -> bool {
    match bare(expr) {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| names.names_iterator(name)),
        Expr::Reference(ExprReference { mutability: Some(_), expr, .. }) => is_name(expr, names),
        _ => false,
    }
}

/// Whether an expression is an iterator, so that a method behind it that ends one does so.
pub(super) fn is_iterator(expr: &Expr, names: &dyn Names) -> bool {
    match expr {
        Expr::Paren(paren) => matches!(bare(&paren.expr), Expr::Range(_)) || is_iterator(&paren.expr, names),
        Expr::Group(group) => is_iterator(&group.expr, names),
        Expr::MethodCall(call) if super::ranges::is_clone(call) => matches!(bare(&call.receiver), Expr::Path(_)),
        Expr::MethodCall(call) => {
            begins(call) || is_iterator(&call.receiver, names) || is_adapter(call) && may_have_own(&call.receiver)
        }
        Expr::Call(call) => source(call).is_some(),
        other => is_name(other, names),
    }
}

/// Whether a call with a closure or a function, or that compares with a value, is one of a struct that is an iterator: nothing
/// else has such methods.
pub(super) fn is_own_end(call: &ExprMethodCall, names: &dyn Names) -> bool {
    let is_comparison = ["eq", "ne", "cmp"].iter().any(|name| call.method == name);
    let is_ends = |last: &Expr| match is_comparison {
        true => gives_own(last),
        false => names.names_function(last),
    };
    call.args.last().is_some_and(|last| is_ends(bare(last)))
        && may_have_own(&call.receiver)
        && !names.names_memory(bare(&call.receiver))
        && !names.names_struct(&call.receiver)
}

/// Whether an expression may be a struct that is an iterator.
fn may_have_own(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Path(_) | Expr::Field(_) | Expr::Reference(_) | Expr::Block(_) | Expr::If(_) | Expr::Match(_) => true,
        value => gives_own(value),
    }
}

/// Whether an expression may make a struct that is an iterator.
fn gives_own(expr: &Expr) -> bool {
    match expr {
        Expr::Call(_) | Expr::Struct(_) => true,
        Expr::MethodCall(call) => !is_known(call) && (own::is_own(call) || options::is_plain(&call.method.to_string())),
        _ => false,
    }
}

/// Whether the value of an expression is an iterator for certain: a `let` gives it a name.
pub(super) fn is_value(expr: &Expr, names: &dyn Names) -> bool {
    match bare(expr) {
        Expr::MethodCall(call) if begins(call) => true,
        Expr::MethodCall(call) if is_adapter(call) => {
            let receiver = bare(&call.receiver);
            let of_range = matches!(receiver, Expr::Range(_)) && call.method != "clone";
            let is_zip = call.method == "zip" && is_zip_of_iterators(receiver, bare(&call.args[0]), names);
            of_range || is_value(receiver, names) || (is_only_adapter(call) || is_zip) && may_have_own(receiver)
        }
        Expr::Call(call) => source(call).is_some(),
        other => is_name(other, names),
    }
}

/// Whether `first.zip(other)` is no option's: that is of another option.
fn is_zip_of_iterators(first: &Expr, other: &Expr, names: &dyn Names) -> bool {
    let is_struct = |expr: &Expr| match expr {
        Expr::Call(call) => super::literal::is_constructor(call),
        Expr::Struct(_) => true,
        _ => false,
    };
    is_struct(first) || is_struct(other) || matches!(other, Expr::Range(_)) || is_value(other, names)
}

/// The function of `std::iter` that a call is of.
pub(super) fn source(call: &ExprCall) -> Option<&'static str> {
    let Expr::Path(ExprPath { qself: None, path, .. }) = bare(&call.func) else { return None };
    let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
    let (last, module) = (names.next()?, names.next()?);
    let known = [
        ("repeat", 1),
        ("once", 1),
        ("from_fn", 1),
        ("repeat_with", 1),
        ("successors", 2),
        ("repeat_n", 2),
        ("zip", 2),
    ];
    let found = known.iter().find(|&&(name, arguments)| last == name && call.args.len() == arguments);
    found.filter(|_| module == "iter").map(|&(name, _)| name)
}

impl Emitter<'_> {
    /// Whether an iterator's items are asked for one after the other: they do not follow from their positions in memory or in a
    /// range.
    pub(super) fn is_stepped(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::MethodCall(call) if ends::is_end(call, self) => false,
            Expr::MethodCall(call) if begins(call) && !is_value(&call.receiver, self) => false,
            Expr::MethodCall(call) if is_adapter(call) => {
                let receiver = bare(&call.receiver);
                let of_other = call.method == "zip" && self.is_stepped(&call.args[0]);
                let is_known = self.known.is_named_memory(receiver) || self.is_range(receiver);
                let is_again = AGAIN.iter().any(|name| call.method == name);
                of_other
                    || is_again
                        && (is_iterator(&call.receiver, self) || self.is_range(receiver) || is_only_adapter(call))
                    || self.is_stepped(receiver)
                    || is_only_adapter(call) && may_have_own(receiver) && !is_known
            }
            Expr::Call(call) => source(call).is_some(),
            other => is_name(other, self),
        }
    }
}
