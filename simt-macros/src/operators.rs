//! `#[device] impl std::ops::Mul<f32> for V`: an operator, for the host as it is written, and for kernels.
//!
//! ```text
//! impl overloaded::Mul<f32> for V {
//!     type OperatorOutput = V;
//!     fn call(OnlyKernelsCallThis, Value<V>, Value<f32>) -> Value<V>
//! }
//! ```
//!
//! The trait is the builder's, because users cannot implement methods of its handles. It is one of the type, so that a bound of
//! a type parameter, and of a user's trait, brings it.

use crate::device;
use crate::emit;
use crate::hosted;
use crate::item::{Kernel, Kind, ParamKind, bare};
use crate::methods;
use crate::paths;
use crate::report::Report;
use crate::std_traits;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Block, Expr, ExprUnary, FnArg, ImplItem, ItemImpl, Path, Stmt, Type, UnOp, parse_quote};

/// The operators: each also with `Assign`, but for those of one operand.
const BINARY: [&str; 10] = ["Add", "Sub", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor", "Shl", "Shr"];
const UNARY: [&str; 2] = ["Neg", "Not"];

/// The operator that a trait is, by its name.
pub(crate) fn operator(path: &Path) -> Option<&Ident> {
    let name = &path.segments.last()?.ident;
    let text = name.to_string();
    let known = text
        .strip_suffix("Assign")
        .map_or_else(|| BINARY.contains(&&*text) || UNARY.contains(&&*text), |operator| BINARY.contains(&operator));
    known.then_some(name)
}

/// The implementations for the host and for kernels, or the mistakes.
pub(crate) fn expand(mut report: Report, item: ItemImpl, operator: &Ident) -> TokenStream {
    let device = implementation(&item, operator, &mut report);
    let errors = (!report.is_empty()).then(|| report.into_tokens());
    let host = hosted::hosted(item);
    quote!(#errors #host #device)
}

fn implementation(item: &ItemImpl, operator: &Ident, report: &mut Report) -> Option<TokenStream> {
    let item = &methods::without_lifetimes(&of_values(item)?);
    let owner = methods::owner(item, report)?;
    let written = methods::only(item)?;
    let (function, _) = methods::function(item, &owner, written, report)?;
    let before = report.len();
    let kernel = Kernel::of(Kind::Device, &function, report);
    for param in &kernel.params {
        let is_value = matches!(param.kind, ParamKind::Scalar(_) | ParamKind::Ref(_)) || param.name == methods::SELF;
        if !is_value {
            report.error(param.tokens, "a kernel's operators take values, and references to such: write `V` or `&V`");
        }
    }
    let mut body = emit::body(&kernel, report);
    if report.len() > before {
        return None;
    }
    body.text = methods::text(written);
    let (call, build) = device::parts(&kernel, &body, &methods::title(&owner, &written.sig.ident));

    let private = paths::private(Span::call_site());
    let (parameters, _, clause) = item.generics.split_for_impl();
    let types: Vec<&Type> = kernel.params.iter().map(|param| param.kind.element()).collect();
    // What is left of `op=` is passed before the others.
    let assigns = operator.to_string().ends_with("Assign");
    let given = if assigns { &kernel.params[1..] } else { &kernel.params[..] };
    let accepted = given.iter().map(|param| {
        let (name, ty) = (param.name, param.kind.element());
        quote!(#name: #private::Value<#ty>)
    });
    let passed = given.iter().map(device::passed);
    let (result, output) = match kernel.result {
        Some(ty) => (quote!(#ty), Some(quote!(type OperatorOutput = #ty;))),
        None => (quote!(()), None),
    };
    let operator = Ident::new(&operator.to_string(), Span::call_site());
    let implemented = match (assigns, &types[..]) {
        (true, _) => quote!(#private::overloaded::#operator<#(#types),*> for #private::Types),
        (false, [left, right @ ..]) => quote!(#private::overloaded::#operator #(<#right>)* for #left),
        (false, []) => return None,
    };
    let named = item.trait_.as_ref().map(|(path, _)| without_arguments(path));
    let arguments = paths::own("call", Span::call_site());
    Some(quote! {
        const _: () = {
            // The host may have no implementation, but the user has named the trait.
            #[allow(unused_imports, reason = "it is named, so that its import is used")]
            use #named as _;

            impl #parameters #implemented #clause {
                #output

                fn call(mut #arguments: #private::OnlyKernelsCallThis<'_>, #(#accepted),*) -> #private::Value<#result> {
                    #(#passed)*
                    #call
                }
            }

            #build
        };
    })
}

/// The operator of the values that it takes by reference, which kernels cannot tell apart; none if it only calls that.
fn of_values(item: &ItemImpl) -> Option<ItemImpl> {
    let types = std_traits::types(item);
    let mut item: ItemImpl = syn::parse2(std_traits::without_types(item.to_token_stream(), &types)).ok()?;
    let function = item.items.iter_mut().find_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })?;
    let mut by_reference = false;
    if let Type::Reference(reference) = &*item.self_ty {
        by_reference = true;
        item.self_ty = reference.elem.clone();
        if let Some(receiver @ FnArg::Receiver(_)) = function.sig.inputs.first_mut() {
            *receiver = parse_quote!(&self);
        }
    }
    by_reference |= function.sig.inputs.iter().any(|input| match input {
        FnArg::Typed(typed) => matches!(bare(&typed.ty), Type::Reference(_)),
        FnArg::Receiver(_) => false,
    });
    (!is_forwarded(&function.block, &function.sig.ident, by_reference)).then_some(item)
}

/// Whether a body is no more than the same operator, of references on what is behind them, `*self + *other`, and of values on
/// references to them, `&self + &other`.
fn is_forwarded(body: &Block, name: &Ident, by_reference: bool) -> bool {
    let [Stmt::Expr(value, None)] = &body.stmts[..] else { return false };
    let operands: Vec<&Expr> = match value {
        Expr::Binary(binary)
            if emit::operator_name(&binary.op).is_some_and(|method| *name == method.replace('_', "")) =>
        {
            vec![&binary.left, &binary.right]
        }
        Expr::Unary(ExprUnary { op: UnOp::Neg(_) | UnOp::Not(_), expr, .. }) => vec![expr],
        Expr::MethodCall(call) if call.method == *name => std::iter::once(&*call.receiver).chain(&call.args).collect(),
        Expr::Call(call) if matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == *name)) => {
            call.args.iter().collect()
        }
        _ => return false,
    };
    let lends = |expr: &Expr| matches!(expr, Expr::Reference(_));
    operands.iter().all(|operand| is_name(operand)) && (by_reference || operands.iter().any(|operand| lends(operand)))
}

/// A name, or what is behind it.
fn is_name(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Paren(paren) => is_name(&paren.expr),
        Expr::Reference(reference) => is_name(&reference.expr),
        Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => is_name(expr),
        Expr::MethodCall(call) => (call.method == "clone" || call.method == "to_owned") && is_name(&call.receiver),
        _ => false,
    }
}

/// `std::ops::Mul` of `std::ops::Mul<f32>`
fn without_arguments(path: &Path) -> Path {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
    path
}
