//! Writes through the names of a pattern that go to memory at once, where the body may reach it otherwise, too.

use super::bare;
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprBlock, ExprClosure, Ident, Item, Macro, Stmt, UnOp, parse_quote};

/// Whether only statements write through the names: no condition, no `let`, no value, and nothing that a name is given to.
pub(super) fn only_statements_write(body: &Expr, names: &[String], writes: &dyn Fn(&Expr) -> bool) -> bool {
    let others = with_stores(body, None, writes);
    !writes(&others) && !is_given_away(&others, names)
}

/// The body with the statement behind each one that writes; without these if there is none.
pub(super) fn with_stores(body: &Expr, store: Option<&Stmt>, writes: &dyn Fn(&Expr) -> bool) -> Expr {
    let mut block = match body {
        Expr::Block(ExprBlock { label: None, block, .. }) => block.clone(),
        body => Block { brace_token: Brace(body.span()), stmts: vec![Stmt::Expr(body.clone(), None)] },
    };
    AtOnce { store, writes }.visit_block_mut(&mut block);
    Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block })
}

/// Whether a body may write to memory other than through the names.
pub(super) fn reaches_memory(body: &Expr, names: &[String]) -> bool {
    let mut reaches = Reaches { names, found: false };
    reaches.visit_expr(body);
    reaches.found
}

/// The name that a place begins with.
fn root(place: &Expr) -> Option<&Ident> {
    match bare(place) {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Unary(unary) => root(&unary.expr),
        Expr::Reference(reference) => root(&reference.expr),
        _ => None,
    }
}

fn is_of(place: &Expr, names: &[String]) -> bool {
    root(place).is_some_and(|root| names.iter().any(|name| root == name))
}

struct Reaches<'n> {
    names: &'n [String],
    found: bool,
}

impl Reaches<'_> {
    fn written(&mut self, place: &Expr) {
        self.found |= !matches!(bare(place), Expr::Path(_)) && !is_of(place, self.names);
    }
}

impl<'a> Visit<'a> for Reaches<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Assign(assign) => self.written(&assign.left),
            Expr::Binary(binary) if super::assign::is_compound(&binary.op) => self.written(&binary.left),
            Expr::Reference(reference) if reference.mutability.is_some() => self.written(&reference.expr),
            Expr::Call(call) => {
                self.found |=
                    super::call::called(call).is_none_or(|name| !name.to_string().starts_with(char::is_uppercase));
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                const CHANGING: &str = "swap fill copy_from_slice copy_within reverse rotate_left rotate_right take \
                                        replace insert get_or_insert get_or_insert_with";
                let changes = CHANGING.split_whitespace().any(|changing| name == changing)
                    || name.ends_with("_mut")
                    || name.starts_with("sort");
                self.found |= (changes || super::own::is_own(call)) && !is_of(&call.receiver, self.names);
                self.found |= super::own::is_own(call) && !call.args.is_empty();
            }
            Expr::Macro(call) => self.found |= !super::speak::has_no_value(&call.mac) && !is_reading(&call.mac),
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

/// `matches!` and the assertions, which write nothing.
fn is_reading(mac: &Macro) -> bool {
    let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    name == "matches" || name.starts_with("assert") || name.starts_with("debug_assert")
}

/// Whether one of the names stands for more than its value: it is matched, borrowed, gone over or passed on.
fn is_given_away(body: &Expr, names: &[String]) -> bool {
    let mut given = Given { names, found: false };
    given.visit_expr(body);
    given.found
}

struct Given<'n> {
    names: &'n [String],
    found: bool,
}

impl<'a> Visit<'a> for Given<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        let is_name = |expr: &Expr| matches!(bare(expr), Expr::Path(_)) && is_of(expr, self.names);
        match expr {
            // Its value.
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) && is_name(&unary.expr) => return,
            Expr::Field(field) if is_name(&field.base) => return,
            Expr::Index(index) if is_name(&index.expr) => return self.visit_expr(&index.index),
            Expr::Binary(binary) => {
                for side in [&binary.left, &binary.right] {
                    if !is_name(side) {
                        self.visit_expr(side);
                    }
                }
                return;
            }
            // Those of std that change what they are of are seen as such.
            Expr::MethodCall(call) if is_of(&call.receiver, self.names) && !super::own::is_own(call) => {
                return call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.found |= is_of(&reference.expr, self.names);
            }
            Expr::Path(_) => self.found |= is_name(expr),
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

/// Puts the statement behind those that write, or takes these out.
struct AtOnce<'s> {
    store: Option<&'s Stmt>,
    writes: &'s dyn Fn(&Expr) -> bool,
}

impl AtOnce<'_> {
    /// `*v = e;`, `*v += e;`, `f(v);`, `v.f();`, of which nothing is a jump.
    fn is_writing(&self, statement: &Stmt) -> bool {
        struct Leaves(bool);
        impl<'a> Visit<'a> for Leaves {
            fn visit_expr(&mut self, expr: &'a Expr) {
                self.0 |= matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Try(_));
                visit::visit_expr(self, expr);
            }
        }
        let Stmt::Expr(expr, _) = statement else { return false };
        let is_write = match expr {
            Expr::Assign(_) | Expr::MethodCall(_) | Expr::Call(_) => true,
            Expr::Binary(binary) => super::assign::is_compound(&binary.op),
            _ => false,
        };
        let mut leaves = Leaves(false);
        leaves.visit_expr(expr);
        is_write && !leaves.0 && (self.writes)(expr)
    }
}

impl VisitMut for AtOnce<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let (count, mut statements) = (block.stmts.len(), Vec::new());
        for (number, mut statement) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            // A call at the end is the block's value.
            let is_value =
                number + 1 == count && matches!(&statement, Stmt::Expr(Expr::MethodCall(_) | Expr::Call(_), None));
            if is_value || !self.is_writing(&statement) {
                self.visit_stmt_mut(&mut statement);
                statements.push(statement);
                continue;
            }
            if let (Some(store), Stmt::Expr(write, _)) = (self.store, statement) {
                statements.push(parse_quote!(#write;));
                statements.push(store.clone());
            }
        }
        block.stmts = statements;
    }

    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
