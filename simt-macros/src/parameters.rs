//! The parameters of a kernel or device function: which types they may have, and what syntax tells of these.

use crate::closures;
use crate::item::{Kind, bare};
use crate::parameter_types::{is_atomic, is_element, is_value};
use crate::report::Report;
use proc_macro2::Ident;
use syn::{Attribute, Expr, FnArg, Meta, ParenthesizedGenericArguments, Pat, PatIdent, PatType, Type};

/// A parameter.
pub(crate) struct Param<'a> {
    pub(crate) name: &'a Ident,
    pub(crate) mutable: bool,
    pub(crate) kind: ParamKind<'a>,
    pub(crate) tokens: &'a PatType,
}

/// The kind of a parameter's type, as far as syntax tells.
pub(crate) enum ParamKind<'a> {
    /// A name: rustc knows whether it is a scalar type.
    Scalar(&'a Type),
    /// `&[T]`: rustc knows whether the elements are values or atomics.
    Slice(&'a Type),
    /// `&mut [T]`
    SliceMut(&'a Type),
    /// `#[constant] &[T]`
    Constant(&'a Type),
    /// `&T`: of a kernel, memory of one value.
    Ref(&'a Type),
    /// `&mut T`: of a kernel, memory of one value.
    RefMut(&'a Type),
    /// `&AtomicU32` or the like.
    Atomic(&'a Type),
    /// `impl Iterator<Item = T>` of a device function.
    Iterator(&'a Type),
    /// `impl Fn(T) -> U` of a device function.
    Closure(&'a Type, &'a ParenthesizedGenericArguments),
}

impl<'a> Param<'a> {
    pub(crate) fn of(kind: Kind, input: &'a FnArg, report: &mut Report) -> Option<Self> {
        let name = kind.name();
        let typed = match input {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => {
                report.error(receiver, format_args!("a {name} is no method: write its parameters one by one"));
                return None;
            }
        };
        let (name, mutable) = match &*typed.pat {
            Pat::Ident(PatIdent { by_ref: None, subpat: None, mutability, ident, .. }) => (ident, mutability.is_some()),
            other => {
                report.error(other, format_args!("a {name}'s parameter is a name: write `name: type`"));
                return None;
            }
        };
        if let (false, Some(message)) = (closures::is_passed(&typed.ty), crate::unsupported::ty(&typed.ty)) {
            report.error(&typed.ty, message);
            return None;
        }
        let passed = match bare(&typed.ty) {
            ty if kind == Kind::Device
                && let Some(arguments) = closures::of_type(ty) =>
            {
                if let Some(other) = closures::refused(arguments) {
                    let message = "in a kernel, a closure that is passed takes and returns values: it sees the slices and \
                                   variables around it";
                    report.error(other, message);
                    return None;
                }
                ParamKind::Closure(ty, arguments)
            }
            ty if kind == Kind::Device
                && let Some(item) = closures::items_of(ty) =>
            {
                ParamKind::Iterator(item)
            }
            // A value, as a struct's.
            Type::Array(array) if !is_atomic(&array.elem) => ParamKind::Scalar(&typed.ty),
            Type::Reference(reference) if let Type::Array(array) = bare(&reference.elem) => {
                match &reference.mutability {
                    Some(_) => ParamKind::SliceMut(&array.elem),
                    None => ParamKind::Slice(&array.elem),
                }
            }
            Type::Tuple(tuple) if !tuple.elems.is_empty() => ParamKind::Scalar(&typed.ty),
            ty if kind == Kind::Kernel && crate::lifetimes::has_lifetime(behind(ty)) => {
                let message = "the host passes slices and values: write a parameter for each field, `x: &[f32]`; a struct of \
                               references is made of them in the kernel";
                report.error(ty, message);
                return None;
            }
            Type::Reference(reference) if is_value(&reference.elem) => match &reference.mutability {
                Some(_) => ParamKind::RefMut(&reference.elem),
                None => ParamKind::Ref(&reference.elem),
            },
            Type::Reference(reference) if reference.mutability.is_none() && is_atomic(&reference.elem) => {
                ParamKind::Atomic(&reference.elem)
            }
            _ => ParamKind::of(&typed.ty, report)?,
        };
        let kind = passed.with_attributes(&typed.attrs, report);
        if matches!(kind, ParamKind::Closure(..) | ParamKind::Iterator(_)) {
            // `mut f: impl FnMut()` says that it is called, `mut it` that it is asked for items.
        } else if mutable && matches!(kind, ParamKind::Ref(_) | ParamKind::RefMut(_) | ParamKind::Atomic(_)) {
            report.error(&typed.pat, "in a kernel, a reference is not assigned, but what is behind it: remove `mut`");
        } else if mutable
            && matches!(bare(&typed.ty), Type::Reference(reference) if matches!(bare(&reference.elem), Type::Slice(_)))
        {
            // A variable that refers to memory.
        } else if mutable && !matches!(kind, ParamKind::Scalar(_)) {
            report.error(
                &typed.pat,
                "a slice cannot be assigned: remove `mut`; `&mut [T]` lets threads write its elements",
            );
        }
        Some(Self { name, mutable, kind, tokens: typed })
    }
}

impl<'a> Param<'a> {
    /// `N` of a parameter `&[T; N]`, and whether it is `&mut`.
    pub(crate) fn array(&self) -> Option<(&'a Expr, bool)> {
        let Type::Reference(reference) = bare(&self.tokens.ty) else { return None };
        match bare(&reference.elem) {
            Type::Array(array) => Some((&array.len, reference.mutability.is_some())),
            _ => None,
        }
    }
}

impl<'a> ParamKind<'a> {
    /// `T`
    pub(crate) fn element(&self) -> &'a Type {
        match *self {
            Self::Scalar(ty)
            | Self::Slice(ty)
            | Self::SliceMut(ty)
            | Self::Constant(ty)
            | Self::Ref(ty)
            | Self::RefMut(ty)
            | Self::Atomic(ty)
            | Self::Iterator(ty)
            | Self::Closure(ty, _) => ty,
        }
    }

    fn of(ty: &'a Type, report: &mut Report) -> Option<Self> {
        let message = match bare(ty) {
            Type::Path(_) | Type::Macro(_) | Type::Verbatim(_) => return Some(Self::Scalar(ty)),
            Type::Reference(reference) => match bare(&reference.elem) {
                Type::Slice(slice) => {
                    let element = &*slice.elem;
                    if !is_element(element) {
                        report.error(
                            element,
                            "the elements of a kernel's slice are scalars, tuples or structs: write `&[f32]` or `&mut [f32]`",
                        );
                        return None;
                    }
                    return Some(match &reference.mutability {
                        Some(token) if is_atomic(element) => {
                            report.error(token, "threads write atomics through `&[..]`: remove `mut`");
                            Self::Slice(element)
                        }
                        Some(_) => Self::SliceMut(element),
                        None => Self::Slice(element),
                    });
                }
                element if is_atomic(element) => "threads write an atomic through `&`: remove `mut`",
                Type::Reference(_) => "one reference is enough: write `&T` or `&mut T`",
                _ => {
                    "a reference is to a scalar, a tuple, a struct, an array or a slice: write its type, as `&mut u32` or `&mut [u32]`"
                }
            },
            Type::Slice(_) | Type::Array(_) => "pass many values as a slice: write `&[T]` or `&mut [T]`",
            Type::Tuple(_) => "`()` says nothing: a kernel's parameter is a scalar, a tuple, a struct or a slice",
            ty if closures::of_type(ty).is_some() => {
                "the host passes no closure to a kernel: write it in the kernel, or choose a function by a type parameter with a \
                 `#[device]` trait"
            }
            Type::ImplTrait(ty) if quote::ToTokens::to_token_stream(&ty.bounds).to_string().contains("Iterator") => {
                "an iterator that is passed has items that are values, `impl Iterator<Item = u32>`, and the host passes none to a kernel"
            }
            Type::ImplTrait(_) => "a parameter's type has a name: write `fn f<T: Num>(x: T)`",
            Type::Infer(_) => "a parameter needs its type: write a scalar type, `&[T]` or `&mut [T]`",
            _ => "a kernel's parameter is a scalar, `&[T]` or `&mut [T]`",
        };
        report.error(ty, message);
        None
    }

    /// The kind that a parameter has with its attributes.
    fn with_attributes(self, attributes: &[Attribute], report: &mut Report) -> Self {
        let mut kind = self;
        for attribute in attributes {
            if !attribute.path().is_ident("constant") {
                let message = if attribute.path().is_ident("shared") {
                    "a `#[shared]` array is declared in the body: write `#[shared] let mut a: [f32; 256];`"
                } else {
                    "a kernel's parameters have no attributes but `#[constant]`"
                };
                report.error(attribute, message);
                continue;
            }
            if !matches!(attribute.meta, Meta::Path(_)) {
                report.error(attribute, "`#[constant]` takes no arguments");
            }
            kind = match kind {
                Self::Slice(element) | Self::Constant(element) if !is_atomic(element) => Self::Constant(element),
                other => {
                    let message = match other {
                        Self::Scalar(_) => "a scalar is the same for all threads: remove `#[constant]`",
                        Self::Ref(_) => {
                            "a value is the same for all threads: write its type without `#[constant]` and `&`"
                        }
                        _ => "constant memory is only read: write `#[constant] x: &[T]`",
                    };
                    report.error(attribute, message);
                    other
                }
            };
        }
        kind
    }
}

/// What a reference refers to, or the type itself.
fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => bare(&reference.elem),
        ty => ty,
    }
}
