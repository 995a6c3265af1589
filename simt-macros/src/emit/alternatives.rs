//! Patterns with alternatives, `a | b`, and the names that these have in common.

use super::Emitter;
use super::pattern::Pattern;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Pat, PatIdent};

/// An alternative, its test and its names.
type Case<'a> = (&'a Pat, Option<TokenStream>, Vec<(&'a PatIdent, Ident)>);

impl Emitter<'_> {
    pub(super) fn alternatives<'a>(&mut self, cases: impl Iterator<Item = &'a Pat>, subject: &Ident) -> Pattern<'a> {
        let (mut whole, mut checked, mut given) = (Pattern::default(), Vec::new(), Vec::new());
        let mut always = false;
        for case in cases {
            let pattern = self.match_pattern(case, subject);
            whole.parts.extend(pattern.parts);
            whole.references.extend(pattern.references);
            checked.push(pattern.checked);
            always |= pattern.holds.is_none();
            let mut holds = pattern.holds;
            if !pattern.names.is_empty()
                && let Some(tested) = &holds
            {
                // Once for the pattern, and once for each name.
                let (place, matches) = (self.spans.place(case), self.fresh("matches", case.span()));
                let keep = self.call_at(&place, "keep", place.extent.first, tested);
                whole.parts.extend(quote_spanned!(matches.span()=> let #matches = #keep;));
                holds = Some(matches.to_token_stream());
            }
            given.push((case, holds.clone(), pattern.names));
            whole.holds = match (whole.holds, holds) {
                (Some(one), Some(other)) => Some(self.compare(case, "bit_or", one, &other)),
                (one, other) => one.or(other),
            };
        }
        if always {
            whole.holds = None;
        }
        whole.checked = quote!((#(#checked)|*));
        self.alternative_names(&given, &mut whole);
        whole
    }

    /// The names that alternatives have: all the same, each of the first that matches.
    fn alternative_names<'a>(&mut self, cases: &[Case<'a>], whole: &mut Pattern<'a>) {
        let Some(((_, _, last), others)) = cases.split_last() else { return };
        let has =
            |names: &[(&PatIdent, Ident)], name: &PatIdent| names.iter().any(|(known, _)| known.ident == name.ident);
        let all = || cases.iter().flat_map(|(_, _, names)| names);
        let missing = all().find(|(name, _)| cases.iter().any(|(_, _, names)| !has(names, name)));
        if let Some((name, _)) = missing {
            self.report.error(name, format_args!("`{}` is not in all alternatives", name.ident));
            return;
        }
        for (name, part) in last {
            let mut value = part.clone();
            for (case, holds, names) in others.iter().rev() {
                let Some((_, part)) = names.iter().find(|(known, _)| known.ident == name.ident) else { continue };
                let Some(holds) = holds else {
                    value = part.clone();
                    continue;
                };
                let (place, either) = (self.spans.place(*case), self.fresh("part", name.ident.span()));
                let call = self.call_at(&place, "either", place.extent.first, &quote!(#holds, #part, #value));
                whole.parts.extend(quote_spanned!(either.span()=> let #either = #call;));
                value = either;
            }
            whole.names.push((name, value));
        }
    }
}
