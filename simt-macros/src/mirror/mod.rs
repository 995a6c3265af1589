//! Rust's rules of assignments, moves and borrows, for names that a kernel declares.
//!
//! A kernel's names stand for handles, which are `Copy` and are assigned by calls: rustc sees neither moves nor borrows of them.
//! So a function in which one of the rules may be broken gets a mirror beside it, which nothing calls: plain Rust with its
//! bindings, moves, borrows, assignments, branches and loops, and no operators. rustc checks it, and reports what is wrong at
//! the user's tokens.
//!
//! | file | what |
//! |---|---|
//! | `watched` | which names are worth it; most functions have none, and get no mirror |
//! | `statements` | blocks and `let`s |
//! | `expressions` | what an expression does to the names, in Rust's order |
//! | `places` | what is borrowed and assigned |
//!
//! Invariant: what Rust accepts, it accepts. Where the text does not say enough, a name is not watched; where a piece of syntax
//! is not known here, there is no mirror.

mod expressions;
mod places;
mod statements;
mod watched;

use crate::item::Kernel;
use crate::report::Report;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use watched::Watched;

/// The mirror of a function, as an item for its body.
pub(crate) fn of(kernel: &Kernel<'_>, report: &Report) -> Option<TokenStream> {
    // Mistakes that are known come first.
    if !report.is_empty() {
        return None;
    }
    let watched = Watched::of(kernel)?;
    let mut mirror = Mirror { watched, scope: Vec::new(), is_unknown: false };
    let params: TokenStream = kernel.params.iter().map(|param| mirror.param(param)).collect();
    let body = mirror.block_of(&kernel.function.block);
    if mirror.is_unknown {
        return None;
    }
    // Rust does not look for unused names in what is derived. An `allow` would be an error where a `forbid` is.
    Some(quote! {
        struct __Mirror;
        #[automatically_derived]
        impl ::core::ops::Drop for __Mirror {
            fn drop(&mut self) {
                fn __any<T>() -> T {
                    loop {}
                }
                #params
                #body
            }
        }
    })
}

struct Mirror {
    watched: Watched,
    /// The names that are bound, innermost last, and what the mirror has for them.
    scope: Vec<(Ident, Option<Is>)>,
    /// Whether something could not be mirrored.
    is_unknown: bool,
}

/// What the mirror has for a name.
#[derive(Clone, Copy, PartialEq)]
enum Is {
    /// A `u8`, for a variable that is assigned later or borrowed.
    Number,
    /// A value of its own type, a struct without `Copy`.
    Owned,
    /// A reference to a number.
    Reference { mutable: bool },
}

impl Mirror {
    fn is(&self, name: &Ident) -> Option<Is> {
        self.scope.iter().rev().find(|(bound, _)| bound == name)?.1
    }

    fn bind(&mut self, name: &Ident, is: Option<Is>) {
        self.scope.push((name.clone(), is));
    }

    fn unknown(&mut self) -> TokenStream {
        self.is_unknown = true;
        TokenStream::new()
    }
}

/// `{ then } ` or not.
fn perhaps(then: &TokenStream) -> TokenStream {
    if then.is_empty() { TokenStream::new() } else { quote!(if __any::<bool>() { #then }) }
}

/// What never comes back.
fn ends() -> TokenStream {
    quote!(return;)
}
