//! Methods of types of `std` that a user's struct may have, too: `o.take()`, `x.first()`, `a.cmp(&b)`.
//!
//! Where the macro cannot tell what stands before the point, rustc looks the method up, as it does those of users' structs (see
//! `receiver`): a kernel has traits in scope by which it finds, of an `Option`, a slice or a number, a type that stands for the
//! method of `std`. A struct's own method of that name comes first.
//!
//! | file | whose methods |
//! |---|---|
//! | `subject` | what a method is called of |
//! | `option` | `Option` and `Result` |
//! | `option_names`, `container_names` | options, and memory with `iter`, where the macro cannot tell them from structs |
//! | `slice`, `search`, `order` | slices and arrays: elements, search, and their order |
//! | `elements` | arguments that are slices |
//! | `range` | ranges |
//! | `iterator` | structs that are iterators, and what functions give: ends without a closure |
//! | `atomics` | slices and arrays of atomics: lengths, and references to their elements |
//! | `length` | slices and arrays: their length, and all elements at once |
//! | `compare` | numbers: `cmp` and the like, and `Ordering` |
//! | `tried` | integers, and slices that become arrays: `try_into` |
//! | `number`, `number_names`, `typed_names`, `number_functions` | bytes of numbers; numbers where the macro cannot tell them from structs |

/// Each row: a method's name, which becomes a type, and by what the macro finds it among those of `$of`.
macro_rules! method_names {
    ($of:ident, $method:ident: $($name:ident $found:ident;)*) => {$(
        #[doc = concat!("`.", stringify!($name), "()`")]
        #[allow(non_camel_case_types, reason = "the name is the method's")]
        #[derive(Debug)]
        pub enum $name {}

        impl $of {
            #[doc = concat!("Finds `.", stringify!($name), "()`; only its type is used.")]
            pub fn $found(&self) -> $method<$name> {
                match *self {}
            }
        }
    )*};
}

mod atomics;
mod compare;
mod container_names;
mod cut;
mod elements;
mod iterator;
mod length;
mod number;
pub mod number_functions;
mod number_names;
mod option;
mod option_names;
mod order;
mod range;
mod search;
mod slice;
mod subject;
mod tried;
mod typed_names;

pub use atomics::AtomicValue;
pub use compare::{ExtremeMethods, Ordered, OrderingMethods, ScalarMethods};
pub use elements::ElementsArgument;
pub use iterator::{ItemsMethods, IteratorMethods};
pub use number::{ByteMethods, WithBytes};
pub use number_names::{NumberCall, NumberReceiver, Numbers, OfNumber, OtherSubject, Subjected};
pub use option::{OptionMethods, ResultMethods};
pub use option_names::{OfOption, OptionCall, OptionReceiver, OptionSubject, Options};
pub use range::RangeMethods;
pub use slice::SliceMethods;
pub use subject::{ByLength, ByReading, ByWriting};
pub use tried::TryConverted;

pub(super) use subject::{Stored, Subject};

use super::function::OnlyKernelsCallThis;
use super::{Builder, DeviceMethod};
use crate::source::Span;
use std::marker::PhantomData;

/// A method of `std`, by its name.
pub trait Named {
    /// How it takes `self`.
    type By;
}

/// The method `N` of a `T`.
#[derive(Debug)]
pub struct OfStd<N, T: ?Sized>(PhantomData<fn(N) -> PhantomData<T>>);

/// A call of it, which takes the arguments behind `self`.
#[derive(Debug)]
pub struct StdCall<'k, N, T: ?Sized> {
    call: OnlyKernelsCallThis<'k>,
    method: PhantomData<fn(N) -> PhantomData<T>>,
}

impl<N: Named, T: ?Sized> DeviceMethod for OfStd<N, T> {
    type By = N::By;
    type Call<'k> = StdCall<'k, N, T>;

    fn begin(call: OnlyKernelsCallThis<'_>) -> StdCall<'_, N, T> {
        StdCall { call, method: PhantomData }
    }
}

impl<'k, N, T: ?Sized> StdCall<'k, N, T> {
    /// The builder, the place of the call, and what it is called of.
    fn parts(self) -> (&'k Builder, Span, Subject) {
        let OnlyKernelsCallThis { k, span, subject, .. } = self.call;
        let Some(subject) = subject else { unreachable!("a method of `std` is passed what it is called of") };
        (k, span, subject)
    }
}

/// Declares a trait by which rustc finds methods. Each row: the name, by what the macro looks for it, and how it takes `self`.
macro_rules! std_methods {
    ($(#[$doc:meta])* $trait:ident: $($name:ident $found:ident $by:ident;)*) => {
        $(#[$doc])*
        pub trait $trait {
            /// Of what the methods are.
            type Of: ?Sized;

            $(
                #[doc = concat!("Finds `.", stringify!($name), "()`; only its type is used.")]
                #[allow(non_snake_case, reason = "the name is the method's")]
                fn $found(&self) -> $crate::build::standard::OfStd<$name, Self::Of> {
                    unreachable!("only its type is used")
                }
            )*
        }

        $(
            #[doc = concat!("`.", stringify!($name), "()`")]
            #[allow(non_camel_case_types, reason = "the name is the method's")]
            #[derive(Debug)]
            pub enum $name {}

            impl $crate::build::standard::Named for $name {
                type By = $by;
            }
        )*
    };
}
use std_methods;
