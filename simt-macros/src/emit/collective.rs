//! Operations of threads together: those of a warp, barriers, fences.

use super::Emitter;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, ExprCall};

/// A function of the machine. The builder's method has its name.
pub(super) struct Collective {
    name: &'static str,
    parameters: &'static [&'static str],
    pub(super) has_value: bool,
}

macro_rules! table {
    ($($name:ident($($parameter:ident),*) $($value:ident)?;)*) => {
        const TABLE: &[Collective] = &[$(Collective {
            name: stringify!($name),
            parameters: &[$(stringify!($parameter)),*],
            has_value: table!(@ $($value)?),
        }),*];
    };
    (@) => { false };
    (@ value) => { true };
}

table! {
    ballot(holds) value;
    any(holds) value;
    all(holds) value;
    uniform(holds) value;
    shuffle(value, lane) value;
    shuffle_up(value, distance) value;
    shuffle_down(value, distance) value;
    shuffle_xor(value, mask) value;
    active_mask() value;
    sync_warp();
    ballot_mask(lanes, holds) value;
    any_mask(lanes, holds) value;
    all_mask(lanes, holds) value;
    uniform_mask(lanes, holds) value;
    shuffle_mask(lanes, value, lane) value;
    shuffle_up_mask(lanes, value, distance) value;
    shuffle_down_mask(lanes, value, distance) value;
    shuffle_xor_mask(lanes, value, mask) value;
    sync_warp_mask(lanes);
    sync_threads();
    sync_grid();
    sync_threads_and(holds) value;
    sync_threads_or(holds) value;
    sync_threads_count(holds) value;
    sync_barrier(index, threads);
    arrive_barrier(index, threads);
    sync_barrier_and(index, threads, holds) value;
    sync_barrier_or(index, threads, holds) value;
    sync_barrier_count(index, threads, holds) value;
    fence_block();
    fence_device();
}

/// The value that a call shuffles, which has the type of the result.
pub(super) fn shuffled<'a>(call: &'a ExprCall, collective: &Collective) -> Option<&'a Expr> {
    let place = collective.parameters.iter().position(|parameter| *parameter == "value")?;
    call.args.iter().nth(place)
}

pub(super) fn find(name: &Ident) -> Option<&'static Collective> {
    TABLE.iter().find(|collective| name == collective.name)
}

/// Whether a function of the machine has the name.
pub(crate) fn collective_named(name: &Ident) -> bool {
    TABLE.iter().any(|function| name == function.name)
}

impl Emitter<'_> {
    pub(super) fn collective(&mut self, call: &ExprCall, name: &Ident, collective: &Collective) -> TokenStream {
        if !self.expect_arguments(&call.func, collective.name, &call.args, collective.parameters) {
            return quote!(());
        }
        let operands = self.operands(&call.args);
        self.call(call, collective.name, name.span(), &quote!(#(#operands),*))
    }
}
