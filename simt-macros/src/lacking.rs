//! Structs without `KernelData`, or that cannot have it, beside the functions that have them: one mistake instead of one for
//! each use.
//!
//! A macro is not told what a name is, so rustc would report each use. Where the struct stands among the same items, the file
//! says it: it is parsed once more, only for the message. What of it is not certain is left to rustc.

use crate::item::{Kind, bare};
use crate::lifetimes::has_lifetime;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::fs;
use syn::visit::{self, Visit};
use syn::{Attribute, FnArg, Generics, ImplItem, Item, Signature, Type, TypePath};

/// What to do with an item that has such a struct.
pub(crate) enum Lacking {
    /// It is the first one: the name of the struct in it, and the message.
    First(TokenStream, String),
    /// The first one reports it.
    Later,
}

/// Whether a struct that the item has lacks `KernelData`, as far as its file tells.
pub(crate) fn lacking(kind: Kind, tokens: &TokenStream) -> Option<Lacking> {
    let item: Item = syn::parse2(tokens.clone()).ok()?;
    // No kernel can take a struct of references, whatever it derives.
    if kind == Kind::Kernel
        && let Item::Fn(function) = &item
        && function.sig.inputs.iter().any(|input| matches!(input, FnArg::Typed(typed) if has_lifetime(bare(&typed.ty))))
    {
        return None;
    }
    let span = tokens.clone().into_iter().next()?.span();
    let text = fs::read_to_string(span.local_file()?).ok()?;
    let names = names(&item);
    let suspects: Vec<&String> = names.iter().filter(|name| may_lack(&text, name)).collect();
    if suspects.is_empty() {
        return None;
    }
    let file: TokenStream = text.parse().ok()?;
    let own = without_attributes(item.clone());
    suspects.into_iter().find_map(|name| among(&file, &own, name, &item))
}

/// Whether text defines a struct of the name, and no derive that may be its own stands in front.
fn may_lack(text: &str, name: &str) -> bool {
    let before = text.match_indices(name).find_map(|(place, _)| {
        let behind = text[place + name.len()..].chars().next();
        let before = text[..place].trim_end();
        let before = before.strip_suffix("struct").or_else(|| before.strip_suffix("enum"))?;
        (!behind.is_some_and(|next| next.is_alphanumeric() || next == '_')).then_some(before)
    });
    before.is_some_and(|before| !before[before.rfind(['}', ';']).unwrap_or(0)..].contains("KernelData"))
}

/// Looks for the item in the tokens, and in the blocks there.
fn among(tokens: &TokenStream, own: &str, name: &str, item: &Item) -> Option<Lacking> {
    let items: Vec<Item> = syn::parse2::<syn::File>(tokens.clone()).map(|file| file.items).unwrap_or_default();
    let texts: Vec<String> = items.iter().map(|item| without_attributes(item.clone())).collect();
    if let Some(place) = texts.iter().position(|text| text == own) {
        let mut definitions = items.iter().filter_map(|item| definition(item, name));
        let (Some(attributes), None) = (definitions.next(), definitions.next()) else { return None };
        if !attributes.iter().all(is_plain) || items.iter().any(|item| implements(item, name)) {
            return None;
        }
        let needs = |item: &Item| attributes_of(item).iter().any(of_simt) && needed(item).iter().any(|own| own == name);
        let first = items.iter().position(needs)?;
        if first != place {
            return Some(Lacking::Later);
        }
        let token = place_of(item.to_token_stream(), name)?;
        let message = format!(
            "`{name}` is not a type of the kernel language: write `#[derive(Clone, Copy, KernelData)]` above it, where it is declared"
        );
        return Some(Lacking::First(token.into(), message));
    }
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => among(&group.stream(), own, name, item),
        _ => None,
    })
}

/// The attributes of a struct or an enum, if the item is one of the name.
fn definition<'i>(item: &'i Item, name: &str) -> Option<&'i [Attribute]> {
    match item {
        Item::Struct(item) if item.ident == name => Some(&item.attrs),
        Item::Enum(item) if item.ident == name => Some(&item.attrs),
        _ => None,
    }
}

fn derives(attribute: &Attribute) -> bool {
    attribute.to_token_stream().to_string().contains("KernelData")
}

/// Whether an attribute gives its item no `KernelData`.
fn is_plain(attribute: &Attribute) -> bool {
    let plain = ["derive", "doc", "repr", "allow", "expect", "must_use", "deprecated"];
    !derives(attribute) && plain.iter().any(|name| attribute.path().is_ident(name))
}

fn implements(item: &Item, name: &str) -> bool {
    let Item::Impl(item) = item else { return false };
    let of_kernels = item
        .trait_
        .as_ref()
        .is_some_and(|(path, _)| path.segments.last().is_some_and(|last| last.ident == "KernelData"));
    of_kernels && is_named(&item.self_ty, name)
}

fn is_named(ty: &Type, name: &str) -> bool {
    matches!(bare(ty), Type::Path(path) if path.path.segments.first().is_some_and(|first| first.ident == name) && path.path.segments.len() == 1)
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => &[],
    }
}

fn of_simt(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "kernel" || last.ident == "device")
}

/// The item without attributes and spaces.
fn without_attributes(mut item: Item) -> String {
    match &mut item {
        Item::Fn(item) => item.attrs.clear(),
        Item::Impl(item) => item.attrs.clear(),
        _ => return String::new(),
    }
    item.to_token_stream().to_string().split_whitespace().collect()
}

/// The names in an item that may be those of structs: all that begin with a capital.
fn names(item: &Item) -> Vec<String> {
    fn collect(tokens: TokenStream, names: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => collect(group.stream(), names),
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    if word.starts_with(char::is_uppercase) && !names.contains(&word) {
                        names.push(word);
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut names = Vec::new();
    collect(item.to_token_stream(), &mut names);
    names
}

/// The types that an item cannot do without: those of parameters and results, and that of a `self`.
fn needed(item: &Item) -> Vec<String> {
    let mut types = Types(Vec::new());
    match item {
        Item::Fn(function) => {
            types.signature(&function.sig);
            remove(&function.sig.generics, &mut types.0);
        }
        Item::Impl(item) => {
            for function in &item.items {
                let ImplItem::Fn(function) = function else { continue };
                types.signature(&function.sig);
                if function.sig.receiver().is_some() || types.0.iter().any(|name| name == "Self") {
                    types.visit_type(&item.self_ty);
                }
                remove(&function.sig.generics, &mut types.0);
            }
            remove(&item.generics, &mut types.0);
        }
        _ => {}
    }
    types.0
}

fn remove(generics: &Generics, names: &mut Vec<String>) {
    names.retain(|name| !generics.type_params().any(|param| param.ident == name.as_str()));
}

struct Types(Vec<String>);

impl Types {
    fn signature(&mut self, signature: &Signature) {
        signature.inputs.iter().for_each(|input| {
            if let FnArg::Typed(typed) = input {
                self.visit_type(&typed.ty);
            }
        });
        self.visit_return_type(&signature.output);
    }
}

impl<'a> Visit<'a> for Types {
    fn visit_type_path(&mut self, path: &'a TypePath) {
        // Of a function's parameter, `impl Fn(P)`, and of `A::B` rustc knows.
        if let (None, Some(first), 1) = (&path.qself, path.path.segments.first(), path.path.segments.len()) {
            self.0.push(first.ident.to_string());
        }
        visit::visit_type_path(self, path);
    }
}

/// The first token of the name.
fn place_of(tokens: TokenStream, name: &str) -> Option<TokenTree> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => place_of(group.stream(), name),
        TokenTree::Ident(ref word) if word == name => Some(token),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNEL: &str = "fn k(p: &[P], n: u32) { p[0].x; }";

    /// What becomes of an item in a file, which has `$` in its place.
    #[track_caller]
    fn check(file: &str, item: &str, expected: Option<bool>) {
        let file = file.replace('$', &format!("#[simt::kernel] pub {item}"));
        let parsed: Item = syn::parse_str(&format!("pub {item}")).or_else(|_| syn::parse_str(item)).expect("an item");
        let names = names(&parsed);
        let suspects = names.iter().filter(|name| may_lack(&file, name));
        let own = without_attributes(parsed.clone());
        let tokens = file.parse().expect("tokens");
        let found = suspects.filter_map(|name| among(&tokens, &own, name, &parsed)).next();
        let is_first = found.map(|found| matches!(found, Lacking::First(..)));
        assert_eq!(is_first, expected, "{file}");
    }

    #[test]
    fn the_first_item_reports_a_struct_without_the_derive() {
        check("struct P { x: f32 } $", KERNEL, Some(true));
        check("#[derive(Clone, Copy)] pub enum P { A } mod a {} $", KERNEL, Some(true));
        check("mod a { $ struct P { x: f32 } }", KERNEL, Some(true));
        check("struct P; #[device] impl P { fn f(self) {} } $", KERNEL, Some(false));
        check("struct P; $ #[device] impl P { fn f(self) {} }", KERNEL, Some(true));
    }

    #[test]
    fn what_may_have_it_is_left_to_rustc() {
        check("#[derive(Clone, Copy, KernelData)] struct P { x: f32 } $", KERNEL, None);
        check("/// } one; }\n#[derive(Clone, Copy, KernelData)] struct P { x: f32 } $", KERNEL, None);
        check("#[derive(KernelData)] /* } */ struct P { x: f32 } $", KERNEL, None);
        check("#[derive(KernelData)] struct P<'a> { x: &'a [f32] } $", KERNEL, None);
        check("#[cfg(a)] struct P { x: f32 } #[cfg(not(a))] struct P { x: u32 } $", KERNEL, None);
        check("#[data] struct P { x: f32 } $", KERNEL, None);
        check("struct P { x: f32 } impl simt::KernelData for P {} $", KERNEL, None);
        check("mod a { struct P { x: f32 } } use b::P; $", KERNEL, None);
        check("struct P { x: f32 } mod a { use super::b::P; $ }", KERNEL, None);
        check("struct P; $", "fn k<P: Num>(p: &[P]) {}", None);
        check("struct P; $", "fn k(n: u32) { P::N; }", None);
        check("struct P; $", "fn k(n: &[m::P]) {}", None);
    }
}
