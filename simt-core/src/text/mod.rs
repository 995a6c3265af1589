//! The text form of code: the listing prints it, the assembler reads it.
//!
//! A kernel may be written in it by hand, to run what structured Rust cannot say: a `goto`, a loop with two entries,
//! convergence barriers where a compiler places them, an indirect branch. Everything is checked ([`Code::validate`]), so
//! the result can be run as it is.
//!
//! ```
//! use simt_core::code::{Code, Markers};
//!
//! let code = Code::parse(
//!     "
//! kernel wander(x: &mut [u32], limit: u32)   ; parameters as in Rust
//! .reg usize %i, u32 %v, %odd, bool %p       // registers need a type
//!     mov.usize %i, global_id()
//!     ld.u32    %v, x[%i]
//!     and.u32   %odd, %v, 1
//!     eq.u32    %p, %odd, 1
//! @%p bra       SECOND                       ; into the middle of the loop
//! FIRST:
//!     add.u32   %v, %v, 3
//! SECOND:
//!     add.u32   %v, %v, 5
//!     lt.u32    %p, %v, limit
//! @%p bra       FIRST
//!     st.u32    x[%i], %v
//!     exit",
//! )?;
//! let listing = code.for_markers(Markers::PostDominators).to_string();
//! assert!(listing.contains("@4    bra        %p, @6, meet @6"));
//! assert!(listing.contains("; Θ2 = Θ0, those that did not exit"));
//! // What is printed can be read again.
//! assert_eq!(Code::parse(&listing)?.insts, code.insts);
//! # Ok::<(), simt_core::text::AssembleError>(())
//! ```
//!
//! A listing has an address before each line, which must be the right one. To change one, print it with labels, `{code:#}`:
//! then lines can be added and removed. A `meet` in it must be a place that all ways from the branch come by; remove it, and
//! the analysis finds the nearest.
//!
//! # Grammar
//!
//! One line, one thing. `;` and `//` begin a comment. Case matters.
//!
//! ```text
//! text        = { line "\n" } ;                               the first line with something on it is the kernel's
//! line        = [ kernel | function | directive | { label } [ instruction ] ] ;
//! kernel      = "kernel" name "(" [ param { "," param } ] ")" ;
//! function    = "func" name [ "recursive" ] ;                 behind the kernel; what calls itself is recursive anyway
//! param       = [ "#[constant]" ] name ":" ( type | "&" [ "mut" ] "[" element "]" ) | name ":" "bytes" size ;
//! size        = integer "align" integer ;                     bytes, and a power of two
//! element     = type | "AtomicU32" | "AtomicI64" | ... ;
//! type        = "u8" | "u16" | "u32" | "u64" | "i8" | ... | "f32" | "f64" | "bool" | "usize" | "isize" ;
//!
//! directive   = ".markers" ( "none" | "post-dominators" | "tokens" | "hanoi-barriers" | "ptxas-barriers" )
//!             | ".reg" register-declaration { "," register-declaration }
//!             | ".launch_bounds" integer
//!             | ( ".shared" | ".local" ) [ number ] memory ":" "[" element "x" length "]" [ "unset" ]
//!             | ".shared" [ number ] memory ":" ( "[" element "]" | "[" "[" element "x" length "]" "]" ) ;
//!             | ( ".shared" | ".local" | ".global" | ".const" ) [ number ] memory ":" size [ "=" initial ]
//!             | ".shared" [ number ] memory ":" "dynamic" "align" integer
//! initial     = quoted { "," "at" integer [ "generic" ] "&" memory [ ( "+" | "-" ) integer ] } ;   hexadecimal digits
//! register-declaration = [ number ] [ [ "once" ] [ "untyped" ] [ "zeroed" ] [ "passing" ] type ] register ;  a type holds until the next
//! number      = "#" digits ;                                  where numbers do not follow the order of the text
//!
//! label       = name ":" | "@" digits ;                       an address must be the right one
//! instruction = [ "+" ] [ "@" [ "!" ] register ] mnemonic [ part { "," part } ] [ "," "meet" ( target | "none" ) ] ;
//! mnemonic    = word { "." word } ;
//! part        = register | value | memory "[" value "]" | "[" value [ ( "+" | "-" ) integer ] "]" | target | "[" target { "," target } "]" | barrier | name
//!             | quoted | type value | "_" ;
//! value       = register | constant | name | "&" memory | name ".len()" | "global_id()" | "thread_idx().x" | ... ;
//! register    = "%" [ name "." ] name [ "." digits ] | "%" digits ;      of another function: "%f.x"
//! memory      = name [ "." digits ] ;                                    the second of two that share a name: "x.2"
//! target      = name | "@" digits ;
//! barrier     = "B0" | ... | "B15" ;
//! name        = word | quoted ;
//! quoted      = as in Rust: "a \"text\"\n" ;
//! constant    = as in Rust, without its type: "7", "-0x1f", "2.5e3", "true"; "+inf", "-inf", "+NaN", "0f7fc00001", "0h7e01" ;
//! ```
//!
//! # Instructions
//!
//! | | |
//! |---|---|
//! | `mov.u32 %d, v` | move |
//! | `add.u32 %d, a, b`, `sqrt.f32 %d, a`, `clamp.i32 %d, a, lo, hi`, ... | an operation: the names of [`ops`](crate::ops) |
//! | `bfe.u32 %d, a, at, length`, `addc.u32 %d, a, b, p`, ... | an operation that GPUs have: [`MachineOp`](crate::ops::MachineOp) |
//! | `mad.u32 %d, a, b, c` | `a * b + c` |
//! | `lt.u32 %p, a, b` | comparison: `eq ne lt le gt ge` |
//! | `cvt.f32.u32 %d, a` | conversion, to `f32` from `u32` |
//! | `sel.u32 %d, p, a, b` | `a` if `p` holds, else `b` |
//! | `ld.f32 %d, x[i]`, `st.f32 x[i], v` | load, store; with a cache operator: `ld.f32.cg`, `st.f32.wt`, `.volatile` |
//! | `atom.u32.fetch_add.relaxed %old, x[i], v` | atomic operation; `%old` may be left out |
//! | `ld.global.f32 %d, [%a+4]`, `st.shared.u8 [&tile], %v`, ... | by address: `global shared local const param generic` |
//! | `ld.global.u8.u32 %d, [%a]`, `st.local.u16.u32 [%a], %v` | the same through a wider register |
//! | `atom.generic.u32.fetch_add.relaxed %old, [%a], 1` | atomic operation by address; among the threads of its block: `.relaxed.block` |
//! | `cvta.shared %g, &tile`, `cvta.to.shared %s, %g`, `isspacep.local %p, %g` | generic addresses |
//! | `fence_block`, `fence_device` | fences |
//! | `print "at {}: {:.2}", usize i, f32 v` | a line, as Rust's `println!`; values with their types; of addresses `{:s}` shows a text in memory, `{:f}` what `printf` makes of one; `print %n, ".."` counts the values |
//! | `panic "no {}", u32 v` | ends the launch |
//! | `ballot %m, p`, `shuffle.f32 %d, v, lane`, `reduce_add.u32 %d, v`, `any.mask %p, m, q`, ... | collectives; `.mask` names lanes |
//! | `bar.sync`, `bar.arrive 1, 64`, `bar.count %n, p, _, 64` | barriers of the block: index, then number of threads |
//! | `bra p, L`, `bra.not p, L`, `@%p bra L`, `@!%p bra L` | conditional branch |
//! | `jmp L`, `bra L` | jump; `join L` is one that is not counted |
//! | `brk L`, `cont L`, `brk p, L`, `brk.not p, L` | leave a loop, or its iteration: the threads wait for their token |
//! | `brx i, [L, M, N]` | indirect branch; what is beyond the table goes to its last entry |
//! | `call f`, `ret`, `exit` | call, return, end |
//! | `ssy L`, `prebrk L`, `precont L`, `preret L`, `sync` | push and pop tokens |
//! | `bssy B0, L`, `bsync B0`, `break p, B0`, `break.not p, B0`, `bmov %r, B0`, `bmov B0, %r`, `yield`, `warpsync m` | convergence barriers |
//!
//! A predicate, `@%p`, before `bra jmp brk break` is their condition; before `cont exit ret call brx`, barriers and collectives
//! it becomes a branch around them, which takes an address of its own. Before any other instruction but a marker it is a
//! guard: the instruction is issued for all threads that are there, and those whose register has not the value do nothing. With `.markers post-dominators` a branch may say where its threads `meet` again; else the
//! analysis says so.
//!
//! A `+` in front says that it is a part of the instruction on the line before: it is not issued or counted by itself. It is an
//! operation or an access of memory, and no jump leads to it.
//!
//! A function's registers are its own. Callers write its parameters (`mov.u32 %f.n, 3`), and what is `passing` goes both
//! ways: a recursive function's other registers are kept for each activation. `once` is a promise that one instruction
//! alone writes a register, `untyped` that
//! it holds bits, which instructions of all types as wide as its own read and write, `zeroed` that it is zero until it is
//! written.
//!
//! An address is a `u64` that counts bytes, in the space that the instruction names; in a generic one the other spaces have
//! windows ([`AddressSpace`](crate::code::AddressSpace)). `&name` is the address of what is declared by bytes, in its own
//! space, or of a scalar or byte parameter.
//!
//! The family of markers decides what `sync` means and which token a `brk` waits for; a text without `.markers` is in the
//! family of tokens if it pushes or pops any, in that of Hanoi's barriers if it has other markers, else in that of none. Policies of other families run it all the same:
//! see [`for_markers`](Validated::for_markers).

mod assemble;
mod by_address;
mod cursor;
mod declare;
mod error;
mod instruction;
mod lexer;
mod lines;
mod listing;
mod literal;
mod message;
mod operand;
mod symbols;

pub use error::AssembleError;

use crate::code::{Code, Markers};
use crate::program::Validated;
use std::str::FromStr;

impl Code {
    /// The code of a text.
    ///
    /// # Errors
    /// The first mistake in the text, with its line and column.
    pub fn parse(text: &str) -> Result<Validated<Self>, AssembleError> {
        Self::parse_named("", text)
    }

    /// The code of a text that has a name, such as that of its file, for messages.
    ///
    /// # Errors
    /// The first mistake in the text, with its line and column.
    pub fn parse_named(file: &str, text: &str) -> Result<Validated<Self>, AssembleError> {
        assemble::assemble(text, file)
    }
}

impl FromStr for Validated<Code> {
    type Err = AssembleError;

    fn from_str(text: &str) -> Result<Self, AssembleError> {
        Code::parse(text)
    }
}

/// How a family of markers is written.
const fn markers_name(markers: Markers) -> &'static str {
    match markers {
        Markers::None => "none",
        Markers::PostDominators => "post-dominators",
        Markers::Tokens => "tokens",
        Markers::HanoiBarriers => "hanoi-barriers",
        Markers::PtxasBarriers => "ptxas-barriers",
    }
}
