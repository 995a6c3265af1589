//! The item: the conditions on a function that is to be a kernel.

use crate::bounds;
use crate::closures;
pub(crate) use crate::parameter_types::is_atomic;
pub(crate) use crate::parameters::{Param, ParamKind};
use crate::report::Report;
use crate::signature;
use proc_macro2::TokenStream;
use std::cell::Cell;
use syn::{AttrStyle, Expr, ExprPath, FnArg, Item, ItemFn, Pat, Type, TypePath, UnOp};

/// The purpose of a function.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// `#[kernel]`: the host launches it.
    Kernel,
    /// `#[device]`: kernels call it.
    Device,
}

impl Kind {
    /// The word for the function in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Device => "device function",
        }
    }

    /// The attribute's name.
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Device => "device",
        }
    }
}

/// A function that is a kernel, or that kernels call.
pub(crate) struct Kernel<'a> {
    pub(crate) kind: Kind,
    pub(crate) function: &'a ItemFn,
    pub(crate) params: Vec<Param<'a>>,
    /// The type of a device function's result, if it has one.
    pub(crate) result: Option<&'a Type>,
    /// The most threads of a block, `launch_bounds(256)`.
    pub(crate) launch_bounds: Option<Expr>,
    /// Whether its result has been reported as a mistake: a type that cannot be one, or a value without a type. What follows
    /// from it is not reported as another.
    pub(crate) has_refused_result: Cell<bool>,
}

/// An item that cannot be a kernel, to be emitted as it was.
pub(crate) struct NotAFunction {
    pub(crate) error: syn::Error,
    pub(crate) item: TokenStream,
}

/// What is short for something else is written out, so that what translates the function sees fewer forms.
pub(crate) fn spelled(kind: Kind, function: &mut ItemFn) {
    crate::unnamed::named(function);
    crate::lifetimes::elide(kind, &mut function.sig);
    closures::unnamed(function);
    bounds::complete(&mut function.sig.generics);
    crate::destructured::named(function);
    crate::shared_values::as_arrays(function);
    crate::found::spelled(function);
    crate::ranged::spelled(function);
    crate::byte_strings::spelled(function);
    crate::imported::spelled(function);
    crate::variants::spelled(function);
    crate::axes::numbered(function);
    crate::attributed::wrapped(function);
}

/// The function on which the attribute stands.
pub(crate) fn parse(kind: Kind, item: TokenStream) -> Result<ItemFn, NotAFunction> {
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(mut function)) => {
            spelled(kind, &mut function);
            Ok(function)
        }
        Ok(other) => {
            let name = kind.attribute();
            let message = format!("`#[{name}]` goes on a function: write `#[{name}] fn name(..) {{ .. }}`");
            Err(NotAFunction { error: syn::Error::new_spanned(other, message), item })
        }
        Err(error) => Err(NotAFunction { error, item }),
    }
}

impl<'a> Kernel<'a> {
    pub(crate) fn of(kind: Kind, function: &'a ItemFn, report: &mut Report) -> Self {
        let name = kind.name();
        for attribute in function.attrs.iter().filter(|attribute| matches!(attribute.style, AttrStyle::Inner(_))) {
            report.error(attribute, format_args!("write a {name}'s attributes above the function"));
        }
        signature::check(kind, &function.sig, report);
        if let Some(token) = &function.modifiers.defaultness {
            report.error(token, format_args!("a {name} cannot be `default`"));
        }
        let params: Vec<Param<'_>> =
            function.sig.inputs.iter().filter_map(|input| Param::of(kind, input, report)).collect();
        let mistakes = report.len();
        let result = signature::result(kind, &function.sig, report);
        signature::check_given(result, &params, report);
        let has_refused_result = Cell::new(report.len() > mistakes);
        Self { kind, function, params, result, launch_bounds: None, has_refused_result }
    }

    /// Whether an expression is the name of a parameter that is a mistake: its uses are not reported as others.
    pub(crate) fn is_refused(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let is_it = |pattern: &Pat| matches!(pattern, Pat::Ident(name) if path.path.is_ident(&name.ident));
        let mut inputs = self.function.sig.inputs.iter();
        let given = inputs.any(|input| matches!(input, FnArg::Typed(typed) if is_it(&typed.pat)));
        given && !self.params.iter().any(|param| path.path.is_ident(param.name))
    }

    /// Whether an expression is the name of a parameter that is a reference to a value, and whether it is `&mut`.
    pub(crate) fn reference(&self, expr: &Expr) -> Option<bool> {
        let Expr::Path(path) = expr else { return None };
        let param = self.params.iter().find(|param| path.path.is_ident(param.name))?;
        if let Some((_, mutable)) = param.array() {
            return Some(mutable);
        }
        match param.kind {
            // An element of memory.
            _ if self.kind == Kind::Kernel => None,
            ParamKind::Ref(_) => Some(false),
            ParamKind::RefMut(_) => Some(true),
            _ => None,
        }
    }

    /// Whether an expression is the name of a parameter that is a reference to an atomic, or `*` of it.
    pub(crate) fn is_atomic(&self, expr: &Expr) -> bool {
        let is_it = |param: &Param<'_>, path: &ExprPath| {
            path.path.is_ident(param.name) && matches!(param.kind, ParamKind::Atomic(_))
        };
        match expr {
            Expr::Path(path) => self.params.iter().any(|param| is_it(param, path)),
            Expr::Paren(paren) => self.is_atomic(&paren.expr),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && self.is_atomic(&unary.expr),
            _ => false,
        }
    }

    /// Whether its result is a slice, as far as syntax tells.
    pub(crate) fn returns_slice(&self) -> bool {
        matches!(self.result.map(bare), Some(Type::Reference(reference)) if matches!(bare(&reference.elem), Type::Slice(_)))
    }

    /// The type of the items, of a function that gives an iterator.
    pub(crate) fn given_items(&self) -> Option<&Type> {
        closures::items_of(self.result?)
    }

    /// Whether a type is a user's struct, as far as its name tells.
    pub(crate) fn is_struct(&self, ty: &Type) -> bool {
        const OTHERS: [&str; 5] = ["Option", "Result", "Ordering", "Range", "RangeInclusive"];
        let Type::Path(TypePath { qself: None, path, .. }) = bare(ty) else { return false };
        path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            let is_users = name.starts_with(char::is_uppercase) && !name.starts_with("Atomic");
            is_users && !OTHERS.contains(&&*name) && !self.is_type_parameter(ty)
        })
    }

    /// Whether a path is the name of one of its type parameters.
    pub(crate) fn is_type_parameter(&self, ty: &Type) -> bool {
        let Type::Path(path) = bare(ty) else { return false };
        let mut types = self.function.sig.generics.type_params();
        path.qself.is_none() && path.path.get_ident().is_some_and(|name| types.any(|param| param.ident == *name))
    }
}

/// The type without parentheses and the invisible groups of macros.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        _ => ty,
    }
}
