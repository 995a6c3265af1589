//! The constructs that the kernel language does not have: which tokens are wrong, and what to write instead.

use crate::foreign;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, GenericArgument, Item, Macro, Path, PathArguments, Type, UnOp};

/// The wrong tokens of an expression, and the message.
pub(crate) fn expression(expr: &Expr) -> (TokenStream, String) {
    let (tokens, message) = match expr {
        Expr::Array(_) | Expr::Repeat(_) => (
            quote!(#expr),
            "an array needs a name, and has one dimension: write `let a = [0; 16];`, and `4 * y + x` for the index of two",
        ),
        Expr::Assign(assign) => {
            (assign.eq_token.to_token_stream(), "an assignment has no value: write it as a statement of its own")
        }
        Expr::Async(block) => {
            (block.async_token.to_token_stream(), "a kernel is not asynchronous: write the code without `async`")
        }
        Expr::Await(await_) => (await_.await_token.to_token_stream(), "a kernel is not asynchronous: remove `.await`"),
        Expr::Binary(binary) => {
            (binary.op.to_token_stream(), "an assignment has no value: write it as a statement of its own")
        }
        Expr::Closure(_) => (
            quote!(#expr),
            "a closure has a name in a kernel, `let f = |x| ..;`, by which it is called, or is passed to a device function that takes \
             one, `f: impl Fn(u32) -> u32`: it is no other value",
        ),
        Expr::ForLoop(_) | Expr::While(_) => {
            (first_token(expr), "a loop has no value: assign to a variable in its body")
        }
        Expr::Infer(_) => (quote!(#expr), "a value is needed here"),
        Expr::Let(let_) => (
            let_.let_token.to_token_stream(),
            "`let` stands in the condition of an `if` or `while`, where `&&` joins it with others: for `||` write `matches!` or \
             two `if`s",
        ),
        Expr::Macro(call) => return (call.mac.path.to_token_stream(), macro_call(&call.mac)),
        Expr::Range(range) => (
            range.limits.to_token_stream(),
            "a range has two ends, `a..b`, and a slice of elements is `&x[a..b]`; an index is one `usize`",
        ),
        Expr::RawAddr(_) | Expr::Reference(_) => (
            first_token(expr),
            "a reference stands in a `let` or an argument, `let r = &x;`, `f(&x)`: one that is chosen at run time would be a pointer, \
             which a kernel does not have",
        ),
        Expr::Struct(struct_) => {
            (struct_.path.to_token_stream(), "structs are not supported in a kernel: write one variable for each field")
        }
        Expr::Try(try_) => (
            try_.question_token.to_token_stream(),
            "a kernel returns nothing, so `?` has nowhere to go: write `let Some(x) = .. else { return };`",
        ),
        Expr::Tuple(tuple) if tuple.elems.is_empty() => {
            (quote!(#expr), "`()` is no value of a kernel: write `{}` for nothing to do")
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            (unary.op.to_token_stream(), "this is no reference: a name is its value")
        }
        Expr::Unsafe(unsafe_) => {
            (unsafe_.unsafe_token.to_token_stream(), "`unsafe` is not supported in a kernel: every access is checked")
        }
        Expr::Yield(_) => (first_token(expr), "`yield` is not supported in a kernel"),
        _ => (quote!(#expr), "this expression is not supported in a kernel"),
    };
    (tokens, message.to_owned())
}

/// The wrong tokens of an item, and the message.
pub(crate) fn item(item: &Item) -> (TokenStream, String) {
    let message = match item {
        Item::Static(_) => "a kernel has no `static mut`: write `const`, or pass a slice",
        Item::Union(_) => "types whose fields share memory are not supported in a kernel",
        Item::Macro(_) => "a macro that defines items stands outside of a kernel",
        _ => "this item is not supported in a kernel: declare it outside",
    };
    let tokens = match item {
        Item::Static(item) => item.static_token.to_token_stream(),
        Item::Union(item) => item.union_token.to_token_stream(),
        Item::Macro(item) => item.mac.path.to_token_stream(),
        _ => first_token(item),
    };
    (tokens, message.to_owned())
}

/// The help for a macro.
pub(crate) fn macro_call(call: &Macro) -> String {
    let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    let advice = match name.as_str() {
        "print" | "eprint" => "write `println!`: the report has whole lines",
        "format" | "write" | "writeln" => "a kernel has no strings; `println!` shows values",
        "vec" => "write an array, `let mut a = [0; 8];`, or pass a slice",
        _ => "write out what it stands for, or define it by `macro_rules!` above in the same body",
    };
    format!("macros such as `{name}!` are not supported in a kernel: {advice}")
}

/// The help for a method call.
pub(crate) fn method(name: &str) -> String {
    let advice = known_method(name).unwrap_or(
        "it is a method neither of numbers nor of slices, arrays or atomics; one of your own is a `#[device]` function, which \
         is called as `f(x)`",
    );
    format!("`.{name}()` is not supported in a kernel: {advice}")
}

/// What to write for a method that others have and kernels have not.
pub(crate) fn known_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "get_unchecked" | "get_unchecked_mut" => "every access is checked: write `x[i]`",
        "iter" | "iter_mut" | "into_iter" | "enumerate" | "zip" | "take" | "skip" | "fold" | "filter" | "sum"
        | "product" | "position" => {
            "an iterator stands in a `for`, or ends in `.sum()`, `.any(|v| ..)`, `.fold(a, |a, v| ..)` and the like"
        }
        "chunks" | "windows" => "it stands in a `for`, or before `.map(|c| ..).sum()` and the like",
        "map" | "map_err" | "and_then" | "unwrap_or_else" | "for_each" | "then" => {
            "it is a method of an `Option`, or of an iterator that ends in `.sum()` and the like: write `if` or a loop"
        }
        "push" | "pop" | "insert" | "remove" | "extend" | "clear" | "truncate" => {
            "memory has the length that it has: write an array, and a variable for the number of elements"
        }
        "to_vec" | "concat" | "join" => {
            "memory has the length that it has: write an array, and `a.copy_from_slice(&x[..n])`"
        }
        "as_ptr" | "as_mut_ptr" => "a kernel has no pointers: pass the slice, or a part of it, `&x[i..]`",
        "fill" | "copy_from_slice" | "clone_from_slice" | "contains" => {
            "a slice or an array has a name: write `x.fill(v)`, `x.copy_from_slice(&y)`, `x.contains(&v)`"
        }
        "rev" | "step_by" => {
            "it stands behind a range in parentheses, `(a..b).step_by(k)`, or behind an iterator, `x.iter().step_by(k)`"
        }
        "get_disjoint_mut" | "get_many_mut" => "write indices, `x[i]` and `x[j]`, or `x.swap(i, j)`",
        "clone" | "to_owned" | "copied" | "cloned" => "values are copied: write the name, or `as` for another type",
        "unwrap" | "expect" => "only an `Option` or a `Result` has it",
        "fetch_nand" | "fetch_not" | "fetch_update" | "update" | "try_update" => "write a loop with `compare_exchange`",
        "compare_and_swap" => "write `compare_exchange`",
        "into_inner" => "write `.load(order)`",
        "rsqrt" => "write `x.sqrt().recip()`",
        "fma" | "mad" => "write `a.mul_add(b, c)`, which rounds once, or `a * b + c`, which rounds twice",
        "fabs" => "write `x.abs()`",
        "fmin" | "minimum" => "write `a.min(b)`",
        "fmax" | "maximum" => "write `a.max(b)`",
        "log1p" => "write `x.ln_1p()`",
        "expm1" => "write `x.exp_m1()`",
        "popc" | "popcount" => "write `x.count_ones()`",
        "clz" => "write `x.leading_zeros()`",
        "ffs" | "ctz" => "write `x.trailing_zeros()`",
        "widening_mul" => "write `a.carrying_mul(b, 0)`",
        "div_floor" => "write `a.div_euclid(b)`, which is the same for a `b` above zero",
        "classify" => "write `x.is_normal()`, `x.is_subnormal()`, `x.is_infinite()` or `x.is_nan()`",
        _ => return None,
    })
}

/// The help for a name that is no value in kernels.
pub(crate) fn name(path: &Path) -> Option<String> {
    path.get_ident().map_or_else(|| foreign::path(path), foreign::word)
}

/// The help for a call of a function by its path; `None` if it may be a device function.
pub(crate) fn function(path: &Path) -> Option<String> {
    match path.get_ident() {
        Some(name) => foreign::called(name),
        None => foreign::function(path).or_else(|| foreign::path(path)),
    }
}

/// The help for a type that no kernel has, alone, behind a reference or as an element.
pub(crate) fn ty(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => {
            let last = &path.path.segments.last()?.ident;
            match last.to_string().as_str() {
                "char" => Some("a kernel has no `char`: write `u32`, which `c as u32` makes of one, or `u8`".to_owned()),
                "str" => Some("a kernel has no strings: write numbers, or bytes in a `&[u8]`".to_owned()),
                "i128" | "u128" => Some(format!("a kernel has no `{last}`: write two `u64`")),
                "Option" | "Result" => arguments(&path.path).find_map(self::ty),
                _ => foreign::ty(&path.path),
            }
        }
        Type::Reference(reference) => self::ty(&reference.elem),
        Type::Slice(slice) => self::ty(&slice.elem),
        Type::Array(array) => self::ty(&array.elem),
        Type::Tuple(tuple) => parts(tuple.elems.len()).or_else(|| tuple.elems.iter().find_map(self::ty)),
        Type::Paren(inner) => self::ty(&inner.elem),
        Type::Group(inner) => self::ty(&inner.elem),
        Type::Ptr(_) => Some("a kernel has no pointers: write `&[T]`, or `&mut [T]` to write to it".to_owned()),
        Type::TraitObject(_) => Some(
            "a kernel calls no function that is chosen at run time: write a type parameter with a bound, `fn f<T: Trait>(x: T)`, or an enum"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The types that a type is given, `Option<T>`.
fn arguments(path: &Path) -> impl Iterator<Item = &Type> {
    let arguments = path.segments.last().map(|last| &last.arguments);
    let arguments = arguments.into_iter().filter_map(|arguments| match arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    });
    arguments.flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// What to write instead of a tuple of so many parts, if it is one of too many: the builder has none.
pub(crate) fn parts(number: usize) -> Option<String> {
    const MOST: usize = 8;
    (number > MOST).then(|| {
        format!(
            "a tuple has at most {MOST} parts in a kernel, and this has {number}: write a struct with \
             `#[derive(Clone, Copy, KernelData)]`, or an array"
        )
    })
}

/// The help for a call of an expression without a name.
pub(crate) const CALLED: &str = "a kernel cannot call this: write the name of a `#[device]` function";

/// The help for a `&mut` to a variable that is a value.
pub(crate) const VARIABLE: &str = "a `&mut` to a variable is no value in a kernel, where variables have no address: it is passed to a function, or \
     named by a `let`; where one of two is to change, change it in each arm, `if c { a += 1; } else { b += 1; }`, or choose \
     an element of an array, `&mut x[i]`";

fn first_token(tokens: impl ToTokens) -> TokenStream {
    tokens.into_token_stream().into_iter().take(1).collect()
}
