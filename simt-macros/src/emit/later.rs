//! `let x;`, which is assigned later.
//!
//! A variable without a value. Validation of the program finds a use that some path comes to before an assignment.

use super::{Emitter, title};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{Local, Pat, PatIdent, Type};

impl Emitter<'_> {
    /// `let x;`, `let (a, b);`
    pub(super) fn assigned_later(&mut self, local: &Local, pattern: &Pat, ty: Option<&Type>) -> TokenStream {
        if let Some(ty @ (Type::Array(_) | Type::Reference(_))) = ty {
            let message = match ty {
                Type::Array(_) => "an array needs a value where it is declared: write `let mut a = [0; 8];`",
                _ => "a reference needs a value where it is declared: which it is, is known before the kernel runs",
            };
            self.report.error(local, message);
            return TokenStream::new();
        }
        match (pattern, ty) {
            (Pat::Paren(paren), ty) => self.assigned_later(local, &paren.pat, ty),
            (Pat::Wild(_), _) => TokenStream::new(),
            (Pat::Tuple(tuple), None) => {
                tuple.elems.iter().map(|part| self.assigned_later(local, part, None)).collect()
            }
            (Pat::Tuple(tuple), Some(Type::Tuple(types))) if tuple.elems.len() == types.elems.len() => {
                let parts = tuple.elems.iter().zip(&types.elems);
                parts.map(|(part, ty)| self.assigned_later(local, part, Some(ty))).collect()
            }
            (Pat::Ident(PatIdent { by_ref: None, ident, subpat: None, .. }), ty) => {
                let (place, title, attributes) = (self.spans.place(local), title(ident), &local.attrs);
                let call = self.declare(&place, "declare_later", ident.span(), ty, &quote::quote!(#title));
                quote_spanned!(ident.span()=> #(#attributes)* let #ident = #call;)
            }
            (pattern, _) => {
                self.report.error(pattern, "what gets its value later has a name: write `let x;`");
                TokenStream::new()
            }
        }
    }
}
