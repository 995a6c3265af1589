//! The attributes `#[kernel]` and `#[device]` of simt.
//!
//! ```text
//! tokens --item--> Kernel --emit--> calls of simt's typed builder --output--> fn, enum, impl
//!                    |        |
//!                    +--------+-- report: all mistakes at once --fallback--> the function still exists
//! ```
//!
//! The macro knows syntax only. It resolves no names and checks no types: `x` becomes `x`, which Rust's own scopes bind to a
//! handle of the builder or to a constant of the host, and rustc checks the builder's calls. So every token that stands for
//! the user's code has the user's span, and the tokens that the macro adds are invisible to the user's names
//! (`Span::mixed_site`).

mod answers;
mod attributed;
mod axes;
mod bindings;
mod bounds;
mod byte_strings;
mod choices;
mod closures;
mod context;
mod data;
mod data_fallback;
mod defined;
mod destructured;
mod device;
mod elided;
mod emit;
mod extent;
mod fallback;
mod field_types;
mod foreign;
mod format;
mod found;
mod function_tables;
mod grouping;
mod hosted;
mod imported;
mod indexed;
mod item;
mod kernels_of_types;
mod lacking;
mod lifetimes;
mod methods;
mod mirror;
mod nesting;
mod only_kernels;
mod operators;
mod output;
mod parameter_types;
mod parameters;
mod paths;
mod ranged;
mod report;
mod rules;
mod shared_values;
mod signature;
mod spans;
mod std_traits;
mod targets;
#[cfg(test)]
mod tests;
mod text;
mod trait_parameters;
mod traits;
mod unnamed;
mod unsupported;
mod variants;
mod verbatim;

use item::{Kernel, Kind};
use lacking::Lacking;
use paths::Arguments;
use proc_macro2::TokenStream;
use report::Report;

/// Makes a function a kernel: code for one thread of a SIMT machine.
///
/// The function keeps its name and its parameters, and returns a `KernelCall` that `Gpu::launch` runs. `name::program()` is
/// its program, of a generic kernel `name::program::<f32>()`.
///
/// A kernel's parameters are scalars (`n: u32`) and structs with `#[derive(KernelData)]`, `&[T]` (memory that threads
/// read) and `&mut [T]` (memory that every thread may write) of them, `&T` and `&mut T` (the same of one), `#[constant] &[T]`
/// (constant memory), and `&[AtomicU32]` and the like. A kernel returns nothing; it may be generic over types (`T: Scalar`, `Num`, `Int` or
/// `Float`) and constants.
///
/// In its body stand `let`, tuples, arrays (`#[shared]` ones belong to the block), assignments, operators, `as`, `if`,
/// `match`, `while`, `loop`, `for` over ranges, labels, `break`, `continue`, `return`, the numeric methods of std, atomics,
/// calls of `#[device]` functions, operations of threads together (`sync_threads()`, `ballot(p)`, `shuffle(v, lane)`, ...),
/// `assert!`, `panic!`, `println!`, and the numbers of the thread: `global_id()`, `lane_id()`, `warp_id()`, and
/// `thread_idx()`, `block_idx()`, `block_dim()`, `grid_dim()` with `.x`, `.y` or `.z`. Names from outside are constants.
/// Anything else is a compile error that says what to write instead. The module `language` of the crate `simt` lists every
/// construct, and what it becomes.
///
/// `#[kernel(launch_bounds(256))]` says the most threads that a block may have: a launch of larger blocks is an error.
///
/// Where `simt` has another name (`warps = { package = "simt", .. }`), say so: `#[kernel(crate = warps)]`.
#[proc_macro_attribute]
pub fn kernel(attr: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(Kind::Kernel, &attr.into(), item.into()).into()
}

/// Makes a function one that kernels call.
///
/// Its body is written as a kernel's. Its parameters are scalars, tuples, structs with `KernelData`, slices and atomics; it
/// may return a scalar, a tuple or a struct. It may be generic, call other device functions and itself. Arrays of the
/// caller's are passed as `&a` and `&mut a`.
///
/// The host cannot call it. On an `impl` of a struct with `KernelData` it makes methods of the functions there, which the host
/// has, too: those that call device functions or use what only the machine has panic there.
///
/// Where `simt` has another name, say so: `#[device(crate = other_name)]`.
#[proc_macro_attribute]
pub fn device(attr: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(Kind::Device, &attr.into(), item.into()).into()
}

/// Lets kernels have slices, arrays and variables of a struct or an enum.
///
/// The fields are scalars, arrays, tuples, options, results, or structs and enums with `KernelData`. A struct is `Clone` and
/// `Copy`, and may be generic. In memory of the device each scalar field has a slice of its own, and an enum has one of its
/// discriminants, too. Where `simt` has another name, say so: `#[kernel_data(crate = other_name)]`.
#[proc_macro_derive(KernelData, attributes(kernel_data))]
pub fn kernel_data(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    data::derive(item.into()).into()
}

fn expand(kind: Kind, attr: &TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let mut arguments = Arguments::default();
    match Arguments::parse(attr) {
        Ok(Arguments { launch_bounds: Some(bounds), .. }) if kind == Kind::Device => {
            report.error(bounds, "`launch_bounds` stands at the kernel: `#[kernel(launch_bounds(256))]`");
        }
        Ok(Arguments { launch_bounds: Some(bounds), .. }) if emit::is_zero(&bounds) => {
            report.error(bounds, "a block has a thread at least: write how many it may have, `launch_bounds(256)`");
        }
        Ok(found) => arguments = found,
        Err(_) => {
            let (name, bounds) = match kind {
                Kind::Kernel => ("kernel", ", and `launch_bounds(256)`, the most threads of a block"),
                Kind::Device => ("device", ""),
            };
            let message =
                format!("`#[{name}]` takes no arguments but `crate = path`, the path of a renamed `simt`{bounds}");
            report.error(attr, message);
        }
    }
    let Arguments { simt, launch_bounds } = arguments;
    paths::with_crate(simt.as_ref(), || expand_item(kind, report, launch_bounds, item))
}

fn expand_item(kind: Kind, mut report: Report, bounds: Option<syn::Expr>, item: TokenStream) -> TokenStream {
    // What nests too deep is not walked.
    let expanded = nesting::too_deep(&item).is_none().then(|| rules::expanded(item.clone()));
    let (item, misused) = match expanded {
        Some(Ok(item)) => (item, false),
        Some(Err(error)) => {
            report.add(error);
            (nesting::without_body(item), true)
        }
        None => (item, false),
    };
    let deep = nesting::too_deep(&item);
    let item = match deep {
        Some(token) => {
            report.error_at(token, nesting::message());
            let item = nesting::without_body(item);
            if nesting::too_deep(&item).is_some() {
                return report.into_tokens();
            }
            item
        }
        None => item,
    };
    if deep.is_none()
        && !misused
        && let Some(lacking) = lacking::lacking(kind, &item)
    {
        if let Lacking::First(name, message) = lacking {
            report.error(name, message);
        }
        return fallback::without_struct(report, kind, item);
    }
    if kind == Kind::Device
        && deep.is_none()
        && !misused
        && let Ok(mut implementation) = syn::parse2::<syn::ItemImpl>(item.clone())
    {
        syn::visit_mut::VisitMut::visit_item_impl_mut(&mut grouping::Grouped, &mut implementation);
        return methods::expand(report, implementation);
    }
    if kind == Kind::Device
        && deep.is_none()
        && !misused
        && let Ok(mut definition) = syn::parse2::<syn::ItemTrait>(item.clone())
    {
        syn::visit_mut::VisitMut::visit_item_trait_mut(&mut grouping::Grouped, &mut definition);
        return traits::definition(report, definition);
    }
    if kind == Kind::Device
        && deep.is_none()
        && let Ok(constant) = syn::parse2::<syn::ItemConst>(item.clone())
        && function_tables::functions(&constant.ty).is_some()
    {
        return function_tables::expand(report, &constant);
    }
    let function = match item::parse(kind, item) {
        Ok(function) => function,
        Err(not_a_function) => {
            report.add(not_a_function.error);
            return fallback::instead_of(report, not_a_function.item);
        }
    };
    if let Some(message) = context::mistake(kind, &function) {
        report.error(&function.sig.ident, message);
        return fallback::associated(report, kind, &function);
    }
    let kernel = Kernel { launch_bounds: bounds, ..Kernel::of(kind, &function, &mut report) };
    // What the body does with a parameter or a result that there is not follows from that mistake.
    let is_refused = kernel.params.len() < function.sig.inputs.len() || kernel.has_refused_result.get();
    if deep.is_some() || misused || is_refused {
        return fallback::function(report, &kernel);
    }
    let body = emit::body(&kernel, &mut report);
    match kind {
        _ if !report.is_empty() => fallback::function(report, &kernel),
        Kind::Kernel => output::kernel(&kernel, &body),
        Kind::Device => device::device(&kernel, &body),
    }
}
