//! The `#[kernel]` attribute of simt.
//!
//! ```text
//! tokens --item--> Kernel --emit--> calls of simt's typed builder --output--> fn, enum, impl
//!                    |        |
//!                    +--------+-- report: all mistakes at once --fallback--> the function still exists
//! ```
//!
//! The macro knows syntax only. It resolves no names and checks no types: `x` becomes `x`, which Rust's own scopes bind
//! to a handle of the builder or to a constant of the host, and rustc checks the builder's calls. So every token that
//! stands for the user's code carries the user's span, and what the macro adds is invisible to the user's names
//! (`Span::mixed_site`).

mod emit;
mod fallback;
mod item;
mod output;
mod paths;
mod report;
mod spans;
#[cfg(test)]
mod tests;
mod text;
mod unsupported;

use item::Kernel;
use proc_macro2::TokenStream;
use report::Report;

/// Makes a function a kernel: code for one thread of a SIMT machine.
///
/// The function keeps its name and its parameters, and gives a `KernelCall` that `Gpu::launch` runs.
/// `name::program()` is its program.
///
/// A kernel's parameters are scalars (`n: u32`), `&[T]` (memory that threads read) and `&mut [T]` (memory that every
/// thread may write). It returns nothing. In its body stand `let`, assignments, operators, `as`, `if`, `while`, `loop`,
/// `for` over `a..b` and `a..=b`, `break`, `continue`, `return`, indexing, `.len()`, and the numbers of the thread:
/// `global_id()`, `lane_id()`, `warp_id()`, and `thread_idx()`, `block_idx()`, `block_dim()`, `grid_dim()` with `.x`,
/// `.y` or `.z`. Names from outside are constants. Anything else is a compile error that says what to write instead.
#[proc_macro_attribute]
pub fn kernel(attr: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(&attr.into(), item.into()).into()
}

fn expand(attr: &TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::default();
    if !attr.is_empty() {
        report.error(attr, "`#[kernel]` takes no arguments");
    }
    let function = match item::parse(item) {
        Ok(function) => function,
        Err(not_a_function) => {
            report.add(not_a_function.error);
            return fallback::instead_of(report, not_a_function.item);
        }
    };
    let kernel = Kernel::of(&function, &mut report);
    let body = emit::body(&kernel, &mut report);
    if report.is_empty() { output::kernel(&kernel, &body) } else { fallback::function(report, &function) }
}
