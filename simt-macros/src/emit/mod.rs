//! The translation of the kernel's syntax to calls of the builder, one call for each piece of the user's code.
//!
//! | file | what it emits |
//! |---|---|
//! | `block` | blocks and their statements, `let` |
//! | `inner` | items in a body |
//! | `later` | `let x;` |
//! | `value` | expressions that have a value |
//! | `equal` | `==` of slices |
//! | `operator`, `known`, `declared` | operators whose operands may be of users' types, and what are scalars for certain |
//! | `chain` | long chains of operators and methods |
//! | `branch` | `if`, and blocks that have a value |
//! | `matching`, `pattern`, `alternatives`, `referring` | `match`, `if let`, `while let`, `matches!`, their patterns, and what is a reference |
//! | `written_items`, `stored`, `at_once` | patterns through which parts of elements are written; what stores on each way out, or at once |
//! | `links` | conditions in which `&&` joins a `let` with others |
//! | `repeat`, `range` | loops, and the ranges that a `for` counts through |
//! | `ranges` | ranges as values |
//! | `sequence`, `bound`, `item_names` | `for` over elements, and names of its items |
//! | `iterate`, `ends`, `tried` | iterators with closures, and what they end in |
//! | `adapters`, `iterators`, `asked` | what is an iterator; iterators as values; where they are asked for an item |
//! | `changed` | loops that change an array which is a field of a variable |
//! | `jump` | `break`, `continue`, `return`, and the blocks that they leave |
//! | `tuple`, `in_parts` | tuples and patterns of names; a `let` for each part |
//! | `lints` | what rustc is to say of dead code and of `mut` |
//! | `assign` | assignments |
//! | `attributes` | which attributes a body may have |
//! | `call`, `function` | calls of functions, of which `function` has those of device functions |
//! | `memory`, `settled`, `borrow` | what has elements, and subslices; when indices are evaluated; references that have a name |
//! | `carried` | references that are values |
//! | `exchange` | `std::mem::swap` and the like |
//! | `closure`, `closure_call`, `passed`, `returning`, `captured` | closures that are called by their names, and passed; `return` and `move` |
//! | `method` | calls of methods |
//! | `own`, `shared` | methods of users' structs, and their names that std has, too |
//! | `number` | the numbers that a thread can ask for |
//! | `options` | `Option` and `Result` |
//! | `sorting` | sorts and searches with a closure |
//! | `lazy` | other methods whose closure is called where it is needed |
//! | `numeric` | methods and functions of numbers |
//! | `fields`, `item_fields`, `literal` | structs: their fields, those of items, and their values |
//! | `subscript` | `a[i]` where `a` may be of a user's type |
//! | `array`, `items`, `made` | local and shared arrays, patterns of arrays, and arrays that closures make |
//! | `atomic` | atomics, loads and stores with cache operators |
//! | `collective` | operations of a warp, barriers, fences |
//! | `speak`, `message` | printed lines, assertions, panics, and their texts |
//! | `order` | where an operand must be held because a later one may emit statements |
//!
//! Invariant: the calls are made in the order in which Rust evaluates the expressions.

mod absent;
mod adapters;
mod alternatives;
mod array;
mod asked;
mod assign;
mod at_once;
mod atomic;
mod attributes;
mod bindings;
mod block;
mod borrow;
mod branch;
mod call;
mod captured;
mod carried;
mod chain;
mod changed;
mod closure;
mod closure_call;
mod collective;
mod declared;
mod ends;
mod equal;
mod exchange;
mod fields;
mod function;
mod in_parts;
mod inner;
mod item_fields;
mod item_names;
mod items;
mod iterate;
mod iterators;
mod jump;
mod known;
mod later;
mod lazy;
mod links;
mod lints;
mod literal;
mod made;
mod matching;
mod memory;
mod message;
mod method;
mod naming;
mod number;
mod numeric;
mod operator;
mod options;
mod order;
mod overwritten;
mod own;
mod passed;
mod pattern;
mod range;
mod ranges;
mod referring;
mod repeat;
mod returning;
mod sequence;
mod settled;
mod shared;
mod sorting;
mod speak;
mod stored;
mod subscript;
mod taken_apart;
mod totals;
mod tried;
mod tuple;
mod unused;
mod value;
mod written_items;

pub(crate) use array::is_zero;
pub(crate) use attributes::is_passed_on;
pub(crate) use collective::collective_named;
pub(crate) use matching::{may_be_left_out, without_guard};
pub(crate) use numeric::is_scalar;
pub(crate) use own::uses_machine;
pub(crate) use shared::is_taken;
pub(crate) use subscript::GIVE_PLACE;
pub(crate) use value::method as operator_name;

use crate::closures::Takes;
use crate::extent::{Extent, Piece};
use crate::item::{Kernel, Kind, Param, ParamKind};
use crate::paths::{self, Builder, Call};
use crate::report::Report;
use crate::rules::hygiene::unmarked;
use crate::spans::{Place, SpanTable};
use crate::text::{self, Text};
use jump::Target;
use known::Known;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use syn::Expr;
use syn::ext::IdentExt;

/// The result for a kernel.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) text: Text,
    pub(crate) spans: SpanTable,
    /// Statements of Rust that build the program.
    pub(crate) statements: TokenStream,
}

/// Emits the calls that build a kernel's program, or a device function's. If there is a mistake, the calls are not used.
pub(crate) fn body(kernel: &Kernel<'_>, report: &mut Report) -> Body {
    attributes::check(&kernel.function.block, report);
    let mut emitter = Emitter {
        report,
        builder: Builder::of(kernel.function),
        kernel,
        known: Known::of(kernel),
        spans: SpanTable::default(),
        targets: Vec::new(),
        spilled: Vec::new(),
        stays: false,
        lent: false,
        closures: Vec::new(),
        kept: None,
        names: 0,
        std_paths: BTreeMap::new(),
        methods: BTreeMap::new(),
        matched: referring::Matched::Value,
        by_length: false,
        dropped: false,
        naming: naming::Naming::No,
        rests: 0,
        changed: OnceCell::new(),
    };
    let bounds = kernel.launch_bounds.as_ref().map(|threads| {
        let name = &kernel.function.sig.ident;
        let call = emitter.call(name, "launch_bounds", Extent::of(threads).first, &threads.to_token_stream());
        quote!(#call;)
    });
    let params: TokenStream = kernel.params.iter().map(|param| emitter.param(param)).collect();
    let body = match kernel.result {
        Some(_) => emitter.result(&kernel.function.block),
        None => emitter.statements(&kernel.function.block),
    };
    let uses = emitter.std_paths.values();
    let traits = (!emitter.methods.is_empty()).then(own::traits_of_std);
    let mirror = crate::mirror::of(kernel, emitter.report);
    let absent = absent::traits(emitter.methods.values());
    let statements = quote!(#mirror #traits #absent #(#uses)* #bounds #params #body);
    Body { text: text::of(kernel.function), spans: emitter.spans, statements }
}

struct Emitter<'r> {
    report: &'r mut Report,
    builder: Builder,
    kernel: &'r Kernel<'r>,
    known: Known,
    spans: SpanTable,
    /// The targets that jumps can leave, innermost last.
    targets: Vec<Target>,
    /// The arrays of variables, by their text, that are memory while a statement writes to them.
    spilled: Vec<(String, TokenStream)>,
    /// Whether references stay to the memory that is being found, which may write to it.
    stays: bool,
    /// Whether what is gone over next has what is left of its items: `it` of `it.any(|v| ..)`.
    lent: bool,
    /// The names of closures and of references to variables, and those that hide them, innermost last.
    closures: Vec<closure::Named>,
    /// The part of a long chain that has a name already.
    kept: Option<(*const Expr, Ident)>,
    /// How many names of its own the macro has made.
    names: usize,
    /// Uses of the functions of `std` that the kernel calls by a path, by their text: an import that leads there counts as
    /// used, and a path that leads nowhere is rustc's error.
    std_paths: BTreeMap<String, TokenStream>,
    /// The methods that rustc finds, by their names.
    methods: BTreeMap<String, Ident>,
    /// What the pattern is for that is being translated.
    matched: referring::Matched,
    /// Whether its patterns of slices are tests of the length, too.
    by_length: bool,
    /// Whether the value of the next call of a function is not used.
    dropped: bool,
    /// Of which call the result is to be named.
    naming: naming::Naming,
    /// How many `let .. else` are around what is translated, as those of [`Emitter::rest_behind`] are.
    rests: usize,
    /// The names that may be changed, once a lint has asked for them.
    changed: OnceCell<BTreeSet<String>>,
}

impl Emitter<'_> {
    fn param(&mut self, param: &Param<'_>) -> TokenStream {
        let (name, title) = (param.name, title(param.name));
        let place = self.spans.place(param.tokens);
        let (method, ty) = match (self.kernel.kind, &param.kind) {
            (Kind::Kernel, ParamKind::Scalar(ty)) => ("scalar", ty),
            (Kind::Kernel, ParamKind::Slice(element)) => ("slice", element),
            (Kind::Kernel, ParamKind::SliceMut(element)) => ("slice_mut", element),
            (Kind::Kernel, ParamKind::Constant(element)) => ("constant_slice", element),
            (Kind::Device, ParamKind::Scalar(ty)) => {
                let is_array = matches!(ty, syn::Type::Array(_)) && !crate::destructured::is_own(name);
                let method = if param.mutable && !is_array { "parameter_mut" } else { "parameter" };
                let declared = self.call_typed(&place, method, name.span(), &quote!(#ty), &quote!(#title));
                if is_array {
                    return self.passed_array(&place, name, param.mutable, &declared);
                }
                return quote_spanned!(name.span()=> let #name = #declared;);
            }
            (Kind::Device, ParamKind::Ref(ty) | ParamKind::RefMut(ty)) => {
                let method = if matches!(param.kind, ParamKind::RefMut(_)) { "parameter_ref" } else { "parameter" };
                let declared = self.call_typed(&place, method, name.span(), &quote!(#ty), &quote!(#title));
                return quote_spanned!(name.span()=> let #name = #declared;);
            }
            // A slice of one.
            (Kind::Kernel, kind @ (ParamKind::Ref(ty) | ParamKind::RefMut(ty) | ParamKind::Atomic(ty))) => {
                let (slice, refer) = match kind {
                    ParamKind::RefMut(_) => ("slice_mut", "refer_mut"),
                    _ => ("slice", "refer"),
                };
                let slice = self.call_typed(&place, slice, name.span(), &quote!(#ty), &quote!(#title));
                let declared = self.call_at(&place, refer, name.span(), &quote!(#slice, 0_usize));
                return quote_spanned!(name.span()=> let #name = #declared;);
            }
            (Kind::Device, ParamKind::Atomic(_)) => {
                let declared = self.call_at(&place, "parameter_atomic", name.span(), &quote!(#name, #title));
                return quote_spanned!(name.span()=> let #name = #declared;);
            }
            // The caller's memory, a parameter of the function that builds; and what no kernel has.
            (Kind::Device, ParamKind::Closure(_, arguments)) => {
                let passes =
                    arguments.inputs.iter().filter_map(|input| Takes::of(&input.ty).map(Takes::passes)).collect();
                self.name_closure(name, passes, crate::closures::has_value(arguments));
                return TokenStream::new();
            }
            (Kind::Device, ParamKind::Iterator(_)) => {
                self.name_as(name, closure::Is::Iterator);
                return TokenStream::new();
            }
            // A variable that refers to the memory.
            (Kind::Device, ParamKind::Slice(_) | ParamKind::SliceMut(_)) if param.mutable => {
                let copy = self.call_at(&place, "bind_mut", name.span(), &quote!(#title, #name));
                return quote_spanned!(name.span()=> let #name = #copy;);
            }
            (Kind::Device, _) | (Kind::Kernel, ParamKind::Iterator(_) | ParamKind::Closure(..)) => {
                return TokenStream::new();
            }
        };
        let mut declared = self.call_typed(&place, method, name.span(), &quote!(#ty), &quote!(#title));
        if let Some((length, _)) = param.array() {
            declared = self.call_typed(&place, "sized", name.span(), &quote!({ #length }, _), &declared);
        }
        let declaration = quote_spanned!(name.span()=> let #name = #declared;);
        if !param.mutable {
            return declaration;
        }
        let copy = self.call_at(&place, "bind_mut", name.span(), &quote!(#title, #name));
        quote_spanned!(name.span()=> #declaration let #name = #copy;)
    }

    /// A name of the macro's own, which no other has.
    fn fresh(&mut self, name: &str, span: Span) -> Ident {
        self.names += 1;
        paths::own(&format!("{name}_{}", self.names), span)
    }

    /// The call of a builder's method that stands for `tokens`; `symbol` is the token of the operation.
    fn call(&mut self, piece: impl Piece, method: &str, symbol: Span, arguments: &TokenStream) -> TokenStream {
        let place = self.spans.place(piece);
        self.call_at(&place, method, symbol, arguments)
    }

    /// `k.method(at, arguments)`. Its first token has the place of the user's first one and its last that of the last, so
    /// that rustc underlines the user's whole expression; where rustc points at the method, it points at `symbol`.
    fn call_at(&self, place: &Place, method: &str, symbol: Span, arguments: &TokenStream) -> TokenStream {
        let Extent { first, last } = place.extent;
        self.builder.call(Call { method, first, symbol, last, ty: None }, &place.at, arguments)
    }

    /// `k.method::<ty>(at, arguments)`
    fn call_typed(
        &self,
        place: &Place,
        method: &str,
        symbol: Span,
        ty: &TokenStream,
        arguments: &TokenStream,
    ) -> TokenStream {
        let Extent { first, last } = place.extent;
        self.builder.call(Call { method, first, symbol, last, ty: Some(ty) }, &place.at, arguments)
    }
}

/// A name in the form that a reader knows.
fn title(name: &Ident) -> String {
    let name = name.unraw().to_string();
    let name = unmarked(&name);
    match name.strip_prefix("__") {
        _ if name == crate::methods::SELF => "self".to_owned(),
        // One that the macro has made, with its number.
        Some(own) => own.trim_end_matches(|last: char| last.is_ascii_digit()).trim_end_matches('_').to_owned(),
        None => name.to_owned(),
    }
}

/// Whether tokens have the word.
pub(crate) fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => mentions(group.stream(), word),
        _ => false,
    })
}

/// The expression without parentheses and the invisible groups of macros.
pub(crate) fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => bare(&group.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        _ => expr,
    }
}

/// A block of an expression alone. Not by its tokens: at the start of a statement `if a { b } else { c } + 1` is two.
fn block_of(expr: &Expr) -> syn::Block {
    let brace_token = syn::token::Brace(Extent::of(expr).first);
    syn::Block { brace_token, stmts: vec![syn::Stmt::Expr(expr.clone(), None)] }
}

/// A group in braces that has the place of the user's block.
fn braces(block: &syn::Block, content: TokenStream) -> TokenStream {
    // For braces around braces, a lint would say that one pair is enough.
    let mut tokens = content.clone().into_iter();
    if let (Some(TokenTree::Group(group)), None) = (tokens.next(), tokens.next())
        && group.delimiter() == Delimiter::Brace
    {
        return content;
    }
    let mut group = Group::new(Delimiter::Brace, content);
    group.set_span(block.brace_token.span.open());
    group.into_token_stream()
}

/// A group in braces of the macro's own: no lint reports them.
fn scope(span: Span, content: TokenStream) -> TokenStream {
    let mut group = Group::new(Delimiter::Brace, content);
    group.set_span(Span::mixed_site().located_at(span));
    group.into_token_stream()
}
