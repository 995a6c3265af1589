//! `#[device] impl std::ops::Index<(usize, usize)> for Matrix` and `IndexMut`: for the host as they are written, and for kernels.
//!
//! ```text
//! impl indexed::Index<Matrix, (usize, usize)> for Types { fn call(OnlyKernelsCallThis, Value<(usize, usize)>) -> Value<f32> }
//! impl indexed::IndexMut<Matrix, (usize, usize)> for Types { fn call_mut(.., with: impl Changes<f32>) }
//! ```
//!
//! No variable of a kernel has an address. So what `index_mut` returns, `&mut self.data[i]`, is the place that `with` gets:
//! `__give_place(self.data[i])`, see [`crate::emit`].

use crate::device;
use crate::emit::{self, GIVE_PLACE};
use crate::hosted;
use crate::item::{Kernel, Kind, bare};
use crate::methods;
use crate::paths;
use crate::report::Report;
use crate::std_traits;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprClosure, ImplItemFn, Item, ItemImpl, Path, ReturnType, Stmt, Type, UnOp, parse_quote};

/// The closure that `index_mut` calls in a kernel.
const WITH: &str = "__with";

/// The implementations for the host and for kernels, or the mistakes, if it is one of these traits.
pub(crate) fn expand(path: &Path, item: &ItemImpl, report: &mut Report) -> Option<TokenStream> {
    let name = path.segments.last()?.ident.to_string();
    let writes = match name.as_str() {
        "Index" => false,
        "IndexMut" => true,
        _ => return None,
    };
    let device = implementation(item, path, writes, report);
    let host = hosted::hosted(item.clone());
    Some(quote!(#host #device))
}

fn implementation(item: &ItemImpl, path: &Path, writes: bool, report: &mut Report) -> Option<TokenStream> {
    let item = &methods::without_lifetimes(item);
    let owner = methods::owner(item, report)?;
    let types = std_traits::types(item);
    let tokens = std_traits::without_types(methods::only(item)?.to_token_stream(), &types);
    let mut written: ImplItemFn = syn::parse2(tokens).ok()?;
    let text = methods::text(&written);
    let private = paths::private(Span::call_site());
    if writes {
        given(&mut written, &item.self_ty, report)?;
    }
    let (function, _) = methods::function(item, &owner, &written, report)?;
    let before = report.len();
    let kernel = Kernel::of(Kind::Device, &function, report);
    let mut body = emit::body(&kernel, report);
    if report.len() > before {
        return None;
    }
    body.text = text;
    let [_, index, ..] = &kernel.params[..] else { return None };
    let (call, build) = device::parts(&kernel, &body, &methods::title(&owner, &written.sig.ident));
    let (parameters, _, clause) = item.generics.split_for_impl();
    let (ty, index_name, index_type) = (&item.self_ty, index.name, index.kind.element());
    let passed = kernel.params[1..].iter().map(device::passed);
    let arguments = paths::own("call", Span::call_site());
    let named = operators_name(path);
    let of = quote!(<#ty, #index_type>);
    let functions = if writes {
        let with = kernel.params.get(2)?.name;
        quote! {
            impl #parameters #private::indexed::IndexMut #of for #private::Types #clause {
                fn call_mut(
                    mut #arguments: #private::OnlyKernelsCallThis<'_>,
                    #index_name: #private::Value<#index_type>,
                    #with: impl #private::indexed::Changes<<#private::Types as #private::indexed::Index #of>::Output>,
                ) {
                    #(#passed)*
                    #call;
                }
            }
        }
    } else {
        let output = kernel.result?;
        quote! {
            impl #parameters #private::indexed::Index #of for #private::Types #clause {
                type Output = #output;

                fn call(
                    mut #arguments: #private::OnlyKernelsCallThis<'_>,
                    #index_name: #private::Value<#index_type>,
                ) -> #private::Value<#output> {
                    #(#passed)*
                    #call
                }
            }
        }
    };
    Some(quote! {
        const _: () = {
            // The host may have no implementation, but the user has named the trait.
            #[allow(unused_imports, reason = "it is named, so that its import is used")]
            use #named as _;

            #functions
            #build
        };
    })
}

/// `std::ops::Index` of `std::ops::Index<usize>`
fn operators_name(path: &Path) -> Path {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
    path
}

/// Makes `fn index_mut(&mut self, i: I) -> &mut T` one that gives the place to a closure.
fn given(written: &mut ImplItemFn, ty: &Type, report: &mut Report) -> Option<()> {
    let ReturnType::Type(_, output) = &written.sig.output else { return None };
    let Type::Reference(reference) = bare(output) else { return None };
    if let Type::Slice(_) = bare(&reference.elem) {
        let message = "in a kernel, `index_mut` gives one element: write a method for a slice, `fn row_mut(&mut self, i: usize) -> &mut [T]`";
        report.error(output, message);
        return None;
    }
    let syn::FnArg::Typed(index) = written.sig.inputs.iter().nth(1)? else { return None };
    let index = &index.ty;
    let (private, with) = (paths::private(Span::call_site()), Ident::new(WITH, Span::call_site()));
    let output = quote!(<#private::Types as #private::indexed::Index<#ty, #index>>::Output);
    written.sig.inputs.push(parse_quote!(#with: impl ::core::ops::FnOnce(&mut #output)));
    written.sig.output = ReturnType::Default;
    Returns.visit_block_mut(&mut written.block);
    in_block(&mut written.block);
    Some(())
}

/// Lets each `return` give its place.
struct Returns;

impl VisitMut for Returns {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Return(return_) = expr
            && let Some(mut place) = return_.expr.take()
        {
            in_value(&mut place);
            *expr = parse_quote!({ #place; return; });
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Lets a block give the place that is its value.
fn in_block(block: &mut Block) {
    if let Some(Stmt::Expr(value, semicolon @ None)) = block.stmts.last_mut() {
        in_value(value);
        if !matches!(value, Expr::If(_) | Expr::Match(_) | Expr::Block(_)) {
            *semicolon = Some(Default::default());
        }
    }
}

/// Lets a value give its place: `__give_place(self.data[i])` of `&mut self.data[i]`.
fn in_value(value: &mut Expr) {
    match value {
        Expr::Paren(paren) => in_value(&mut paren.expr),
        Expr::Group(group) => in_value(&mut group.expr),
        Expr::Block(block) => in_block(&mut block.block),
        Expr::Unsafe(_) | Expr::Macro(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {}
        Expr::If(if_) => {
            in_block(&mut if_.then_branch);
            if let Some((_, otherwise)) = &mut if_.else_branch {
                in_value(otherwise);
            }
        }
        Expr::Match(match_) => match_.arms.iter_mut().for_each(|arm| {
            in_value(&mut arm.body);
            // Each arm is a statement.
            let body = &arm.body;
            if !matches!(**body, Expr::Block(_)) {
                *arm.body = parse_quote!({ #body; });
            }
        }),
        other => {
            let place: Expr = match &*other {
                Expr::Reference(reference) if reference.mutability.is_some() => (*reference.expr).clone(),
                value => parse_quote!(*#value),
            };
            let place = match place {
                // `&mut *r`
                Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => Expr::Unary(unary),
                place => place,
            };
            let give = Ident::new(GIVE_PLACE, place.span());
            *other = parse_quote!(#give(#place));
        }
    }
}
