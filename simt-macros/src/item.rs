//! The item: what stands on a function so that it can be a kernel, and what its parameters are.

use crate::report::Report;
use proc_macro2::{Ident, TokenStream};
use syn::{AttrStyle, FnArg, Item, ItemFn, Pat, PatIdent, PatType, ReturnType, Safety, Signature, Type};

/// A function that is a kernel.
pub(crate) struct Kernel<'a> {
    pub(crate) function: &'a ItemFn,
    pub(crate) params: Vec<Param<'a>>,
}

/// A parameter.
pub(crate) struct Param<'a> {
    pub(crate) name: &'a Ident,
    pub(crate) mutable: bool,
    pub(crate) kind: ParamKind<'a>,
    pub(crate) tokens: &'a PatType,
}

/// What a parameter passes, as far as syntax tells.
pub(crate) enum ParamKind<'a> {
    /// A name: rustc knows whether it is a scalar type.
    Scalar(&'a Type),
    /// `&[T]`
    Slice(&'a Type),
    /// `&mut [T]`
    SliceMut(&'a Type),
}

/// Something that cannot be a kernel, to be emitted as it was.
pub(crate) struct NotAFunction {
    pub(crate) error: syn::Error,
    pub(crate) item: TokenStream,
}

/// The function on which the attribute stands.
pub(crate) fn parse(item: TokenStream) -> Result<ItemFn, NotAFunction> {
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(function)) => Ok(function),
        Ok(other) => {
            let error =
                syn::Error::new_spanned(other, "`#[kernel]` goes on a function: write `#[kernel] fn name(..) { .. }`");
            Err(NotAFunction { error, item })
        }
        Err(error) => Err(NotAFunction { error, item }),
    }
}

impl<'a> Kernel<'a> {
    pub(crate) fn of(function: &'a ItemFn, report: &mut Report) -> Self {
        for attribute in function.attrs.iter().filter(|attribute| matches!(attribute.style, AttrStyle::Inner(_))) {
            report.error(attribute, "write a kernel's attributes above the function");
        }
        check_signature(&function.sig, report);
        if let Some(token) = &function.modifiers.defaultness {
            report.error(token, "a kernel cannot be `default`");
        }
        let params = function.sig.inputs.iter().filter_map(|input| Param::of(input, report)).collect();
        Self { function, params }
    }
}

fn check_signature(signature: &Signature, report: &mut Report) {
    if let Some(token) = &signature.constness {
        report.error(token, "a kernel cannot be `const`: it runs on the simulated device");
    }
    if let Some(token) = &signature.asyncness {
        report.error(token, "a kernel cannot be `async`: its threads wait for nobody");
    }
    match &signature.safety {
        Safety::Unsafe(token) => report.error(token, "a kernel cannot be `unsafe`: every access is checked"),
        Safety::Safe(token) => report.error(token, "a kernel is always safe: remove `safe`"),
        Safety::Default => {}
    }
    if let Some(abi) = &signature.abi {
        report.error(abi, "a kernel cannot be `extern`: it is called with `Gpu::launch`");
    }
    let generics = &signature.generics;
    if !generics.params.is_empty() {
        report.error(generics, "generic kernels are not supported: write one kernel for each type");
    }
    if let Some(clause) = &generics.where_clause {
        report.error(clause, "a kernel has no `where` clause: it is not generic");
    }
    if let Some(variadic) = &signature.variadic {
        report.error(variadic, "a kernel has a fixed number of parameters");
    }
    if let ReturnType::Type(arrow, ty) = &signature.output
        && !matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty())
    {
        let tokens = quote::quote!(#arrow #ty);
        report.error(tokens, "a kernel returns nothing: pass a `&mut [T]` for the results");
    }
}

impl<'a> Param<'a> {
    fn of(input: &'a FnArg, report: &mut Report) -> Option<Self> {
        let typed = match input {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => {
                report.error(receiver, "a kernel is no method: write its parameters one by one");
                return None;
            }
        };
        for attribute in &typed.attrs {
            report.error(attribute, "a kernel's parameters have no attributes");
        }
        let (name, mutable) = match &*typed.pat {
            Pat::Ident(PatIdent { by_ref: None, subpat: None, mutability, ident, .. }) => (ident, mutability.is_some()),
            Pat::Wild(wild) => {
                report.error(wild, "a kernel's parameter needs a name: write `_name`");
                return None;
            }
            other => {
                report.error(other, "a kernel's parameter is a name: write `name: type`");
                return None;
            }
        };
        let kind = ParamKind::of(&typed.ty, report)?;
        if mutable && !matches!(kind, ParamKind::Scalar(_)) {
            report.error(
                &typed.pat,
                "a slice cannot be assigned: remove `mut`; `&mut [T]` lets threads write its elements",
            );
        }
        Some(Self { name, mutable, kind, tokens: typed })
    }
}

/// The type without parentheses and the invisible groups of macros.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        _ => ty,
    }
}

impl<'a> ParamKind<'a> {
    fn of(ty: &'a Type, report: &mut Report) -> Option<Self> {
        let message = match bare(ty) {
            Type::Path(_) | Type::Macro(_) => return Some(Self::Scalar(ty)),
            Type::Reference(reference) => match bare(&reference.elem) {
                Type::Slice(slice) => {
                    if let Some(lifetime) = &reference.lifetime {
                        report.error(lifetime, "a kernel's slices have no lifetime: write `&[T]` or `&mut [T]`");
                    }
                    let element = &*slice.elem;
                    if !matches!(bare(element), Type::Path(_) | Type::Macro(_)) {
                        report.error(
                            element,
                            "the elements of a kernel's slice are scalars: write `&[f32]` or `&mut [f32]`",
                        );
                        return None;
                    }
                    let mutable = reference.mutability.is_some();
                    return Some(if mutable { Self::SliceMut(element) } else { Self::Slice(element) });
                }
                _ if reference.mutability.is_some() => {
                    "a kernel writes to slices: pass a `&mut [T]`, and write to its element 0"
                }
                Type::Array(_) => "pass an array as a slice: write `&[T]`",
                _ => "pass a scalar by value, and many as a slice: write `T` or `&[T]`",
            },
            Type::Slice(_) | Type::Array(_) => "pass many values as a slice: write `&[T]` or `&mut [T]`",
            Type::Tuple(_) => "a kernel's parameter is a scalar or a slice: pass the tuple's fields one by one",
            Type::ImplTrait(_) => "generic kernels are not supported: name a scalar type",
            Type::Infer(_) => "a parameter needs its type: write a scalar type, `&[T]` or `&mut [T]`",
            _ => "a kernel's parameter is a scalar, `&[T]` or `&mut [T]`",
        };
        report.error(ty, message);
        None
    }
}
