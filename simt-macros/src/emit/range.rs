//! The ranges that a `for` counts through.

use super::{Emitter, bare};
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprLit, ExprMethodCall, ExprRange, Lit, RangeLimits};

/// The builder's method for a range, and its arguments.
pub(super) struct Range {
    pub(super) method: &'static str,
    pub(super) arguments: TokenStream,
}

/// The methods that stand behind a range.
#[derive(Default)]
struct Methods<'a> {
    reversed: bool,
    /// The steps, whether the range was reversed before they were taken, and where they stand.
    steps: Option<(&'a Expr, bool, Span)>,
}

impl Emitter<'_> {
    pub(super) fn range(&mut self, range: &Expr) -> Option<Range> {
        let mut methods = Methods::default();
        let range = self.methods(range, &mut methods)?;
        if let Expr::Range(ExprRange { start: Some(start), end: None, .. }) = bare(range)
            && !methods.reversed
            && methods.steps.is_none()
        {
            return Some(Range { method: "for_from", arguments: self.value(start) });
        }
        let Expr::Range(ExprRange { start: Some(start), limits, end: Some(end), .. }) = bare(range) else {
            let message =
                "a kernel's `for` counts through a range: write `for i in a..b` or `for i in a..=b`, or `while`";
            self.report.error(range, message);
            return None;
        };
        let inclusive = matches!(limits, RangeLimits::Closed(_));
        let Some((step, reversed_before, span)) = methods.steps else {
            let bounds = self.operands([&**start, &**end]);
            let method = match (methods.reversed, inclusive) {
                (false, false) => "for_in",
                (false, true) => "for_in_inclusive",
                (true, false) => "for_rev",
                (true, true) => "for_rev_inclusive",
            };
            return Some(Range { method, arguments: quote!(#(#bounds),*) });
        };
        let walk = match (reversed_before, methods.reversed) {
            (false, false) => "Up",
            (true, true) => "Down",
            (false, true) => "Back",
            (true, false) => {
                self.report.error_at(span, "`.rev()` stands once: write `.rev()` before or behind `.step_by(k)`");
                return None;
            }
        };
        let operands = self.operands([&**start, &**end, step]);
        let [from, to, step] = &operands[..] else { unreachable!("as many as there are expressions") };
        let (private, walk) = (paths::private(span), Ident::new(walk, span));
        let arguments = quote_spanned!(span=> #from, #to, #inclusive, #private::Walk::#walk, #step);
        Some(Range { method: "for_step", arguments })
    }

    /// The range itself, and what stands behind it.
    fn methods<'a>(&mut self, range: &'a Expr, methods: &mut Methods<'a>) -> Option<&'a Expr> {
        let Expr::MethodCall(call) = bare(range) else { return Some(range) };
        let range = self.methods(&call.receiver, methods)?;
        let name = call.method.to_string();
        self.no_turbofish(call);
        match name.as_str() {
            "rev" => {
                self.expect_arguments(&call.method, &name, &call.args, &[]);
                methods.reversed = !methods.reversed;
            }
            "step_by" => self.step_by(call, methods),
            _ => {
                let advice = match name.as_str() {
                    "iter" | "iter_mut" | "into_iter" | "enumerate" | "zip" | "chunks" | "windows" => {
                        "write `for i in 0..x.len()` and `x[i]`"
                    }
                    _ => "ranges have `.rev()` and `.step_by(k)`",
                };
                self.report
                    .error(&call.method, format_args!("`.{name}()` is not supported in a kernel's `for`: {advice}"));
                return None;
            }
        }
        Some(range)
    }

    fn step_by<'a>(&mut self, call: &'a ExprMethodCall, methods: &mut Methods<'a>) {
        if !self.expect_arguments(&call.method, "step_by", &call.args, &["step"]) {
            return;
        }
        let Some(step) = call.args.first() else { return };
        if methods.steps.is_some() {
            self.report.error(&call.method, "`.step_by(k)` stands once: multiply the steps");
        }
        if let Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) = bare(step)
            && int.base10_parse::<u64>().is_ok_and(|step| step == 0)
        {
            self.report.error(step, "steps of 0 go nowhere: `.step_by(0)` panics");
        }
        methods.steps = Some((step, methods.reversed, call.method.span()));
    }
}
