//! Loads, stores, atomics, fences, hints to caches.

use crate::syntax::Type::{B16, B32, B64, B128, Bf16, Bf16x2, F16, F16x2, F32, F64, S32, S64, U32, U64};
use crate::table::row::Becomes::{Atomic, Fence, Load, Nothing, Reduce, Store, Unsupported};
use crate::table::row::Shape::{Anything, FromVector, ToVector};
use crate::table::row::Slot::{Is, May, Rest, Type};
use crate::table::row::{Of, Row, Shape, row};
use crate::table::sets::*;

const TO: Shape = ToVector(Of::Type(0));
const FROM: Shape = FromVector(Of::Type(0));
const WEAK: &[&str] = &["weak"];
const GLOBAL: &[&str] = &["global"];
const EIGHT: &[&str] = &["v8"];
const WORDS: &[crate::syntax::Type] = &[B32, U32, S32, F32];
/// Of these four are a vector of 32 bytes, which alone has a policy in the second cache.
const LONG_WORDS: &[crate::syntax::Type] = &[B64, U64, S64, F64];
const VOLATILE: &[&str] = &["volatile"];
const POLICY: &str = "policies of caches: remove `.L2::cache_hint` and its operand";
const HINT: &[&str] = &["L2::cache_hint"];
const CLUSTER: &[&str] = &["shared::cluster"];
const CLUSTER_REASON: &str = "clusters of blocks: the blocks of a launch share global memory only";
const VECTOR_ATOMIC: &str = "atomics on vectors: use one for each element";
const INC: &[&str] = &["inc", "dec"];
const LOGIC: &[&str] = &["and", "or", "xor"];
const ORDERED: &[&str] = &["min", "max"];
const EXCHANGE: &[&str] = &["exch"];
const CAS: &[&str] = &["cas"];
const ADD: &[&str] = &["add"];
const NOFTZ: &[&str] = &["noftz"];
const HALVES: &[crate::syntax::Type] = &[F16, F16x2, Bf16, Bf16x2];
const FENCES: &[&str] = &["sc", "acq_rel", "acquire", "release"];
const OPERATIONS: &[&str] = &["add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas"];

pub(in crate::table) const ROWS: &[Row] = &[
    row(
        "ld",
        &[May(WEAK), May(SPACE), May(LOAD_CACHE), May(EVICTION), May(PREFETCH), May(VECTOR), Type(MEMORY)],
        &[TO, A],
        Load,
    ),
    row("ld", &[Is(VOLATILE), May(CHANGING), May(PREFETCH), May(VECTOR), Type(MEMORY)], &[TO, A], Load),
    row(
        "ld",
        &[Is(&["relaxed", "acquire"]), Is(SCOPE), May(ATOMIC), May(EVICTION), May(PREFETCH), May(VECTOR), Type(MEMORY)],
        &[TO, A],
        Load,
    ),
    row(
        "ld",
        &[Is(&["global"]), May(LOAD_CACHE_NC), Is(&["nc"]), May(EVICTION), May(PREFETCH), May(VECTOR), Type(MEMORY)],
        &[TO, A],
        Load,
    ),
    row(
        "ld",
        &[May(WEAK), May(GLOBAL), May(LOAD_CACHE), May(EVICTION), May(L2_EVICTION), Is(EIGHT), Type(WORDS)],
        &[TO, A],
        Load,
    ),
    row(
        "ld",
        &[May(WEAK), May(GLOBAL), May(LOAD_CACHE), May(EVICTION), Is(L2_EVICTION), Is(&["v4"]), Type(LONG_WORDS)],
        &[TO, A],
        Load,
    ),
    row(
        "ld",
        &[Is(GLOBAL), May(LOAD_CACHE_NC), Is(&["nc"]), May(EVICTION), May(L2_EVICTION), Is(EIGHT), Type(WORDS)],
        &[TO, A],
        Load,
    ),
    row(
        "ld",
        &[Is(GLOBAL), May(LOAD_CACHE_NC), Is(&["nc"]), May(EVICTION), Is(L2_EVICTION), Is(&["v4"]), Type(LONG_WORDS)],
        &[TO, A],
        Load,
    ),
    row("ld", &[Is(&["mmio"]), Rest], &[Anything], Unsupported("memory of other devices: use `.volatile`")),
    row("ld", &[May(WEAK), Is(CLUSTER), Rest], &[Anything], Unsupported(CLUSTER_REASON)),
    row("ld", &[Is(HINT), Rest], &[Anything], Unsupported(POLICY)),
    row("ldu", &[May(&["global"]), May(&["v2", "v4"]), Type(MEMORY)], &[TO, A], Load),
    row(
        "st",
        &[May(WEAK), May(WRITABLE), May(STORE_CACHE), May(EVICTION), May(VECTOR), Type(MEMORY)],
        &[A, FROM],
        Store,
    ),
    row("st", &[Is(VOLATILE), May(CHANGING), May(VECTOR), Type(MEMORY)], &[A, FROM], Store),
    row(
        "st",
        &[Is(&["relaxed", "release"]), Is(SCOPE), May(ATOMIC), May(EVICTION), May(VECTOR), Type(MEMORY)],
        &[A, FROM],
        Store,
    ),
    row(
        "st",
        &[May(WEAK), May(GLOBAL), May(STORE_CACHE), May(EVICTION), May(L2_EVICTION), Is(EIGHT), Type(WORDS)],
        &[A, FROM],
        Store,
    ),
    row(
        "st",
        &[May(WEAK), May(GLOBAL), May(STORE_CACHE), May(EVICTION), Is(L2_EVICTION), Is(&["v4"]), Type(LONG_WORDS)],
        &[A, FROM],
        Store,
    ),
    row("st", &[Is(&["mmio"]), Rest], &[Anything], Unsupported("memory of other devices: use `.volatile`")),
    row("st", &[May(WEAK), Is(CLUSTER), Rest], &[Anything], Unsupported(CLUSTER_REASON)),
    row("st", &[Is(HINT), Rest], &[Anything], Unsupported(POLICY)),
    row("st", &[Is(&["async"]), Rest], &[Anything], Unsupported("copies beside the program: use `st`")),
    row("atom", &[May(ORDER), May(SCOPE), May(ATOMIC), Is(ADD), Type(&[U32, S32, U64, F32, F64])], &[D, A, S], Atomic),
    row("atom", &[May(ORDER), May(SCOPE), May(ATOMIC), Is(ADD), Is(NOFTZ), Type(HALVES)], &[D, A, S], Atomic),
    row("atom", &[May(ORDER), May(SCOPE), May(ATOMIC), Is(INC), Type(&[U32])], &[D, A, S], Atomic),
    row("atom", &[May(ORDER), May(SCOPE), May(ATOMIC), Is(ORDERED), Type(INT_32_64)], &[D, A, S], Atomic),
    row("atom", &[May(ORDER), May(SCOPE), May(ATOMIC), Is(LOGIC), Type(BITS_32_64)], &[D, A, S], Atomic),
    row("atom", &[May(ORDER), May(SCOPE), May(ATOMIC), Is(EXCHANGE), Type(&[B32, B64, B128])], &[D, A, S], Atomic),
    row("atom", &[May(ORDER), May(SCOPE), May(ATOMIC), Is(CAS), Type(&[B16, B32, B64, B128])], &[D, A, S, S], Atomic),
    row(
        "red",
        &[May(ORDER_OF_REDUCTIONS), May(SCOPE), May(ATOMIC), Is(ADD), Type(&[U32, S32, U64, F32, F64])],
        &[A, S],
        Reduce,
    ),
    row("red", &[May(ORDER_OF_REDUCTIONS), May(SCOPE), May(ATOMIC), Is(ADD), Is(NOFTZ), Type(HALVES)], &[A, S], Reduce),
    row("red", &[May(ORDER_OF_REDUCTIONS), May(SCOPE), May(ATOMIC), Is(INC), Type(&[U32])], &[A, S], Reduce),
    row("red", &[May(ORDER_OF_REDUCTIONS), May(SCOPE), May(ATOMIC), Is(ORDERED), Type(INT_32_64)], &[A, S], Reduce),
    row("red", &[May(ORDER_OF_REDUCTIONS), May(SCOPE), May(ATOMIC), Is(LOGIC), Type(BITS_32_64)], &[A, S], Reduce),
    row(
        "atom",
        &[May(ORDER), May(SCOPE), May(&["global"]), Is(OPERATIONS), Is(VECTOR), Rest],
        &[Anything],
        Unsupported(VECTOR_ATOMIC),
    ),
    row("atom", &[Is(CLUSTER), Rest], &[Anything], Unsupported(CLUSTER_REASON)),
    row("atom", &[Is(HINT), Rest], &[Anything], Unsupported(POLICY)),
    row(
        "red",
        &[May(ORDER_OF_REDUCTIONS), May(SCOPE), May(&["global"]), Is(OPERATIONS), Is(VECTOR), Rest],
        &[Anything],
        Unsupported(VECTOR_ATOMIC),
    ),
    row("red", &[Is(CLUSTER), Rest], &[Anything], Unsupported(CLUSTER_REASON)),
    row("red", &[Is(HINT), Rest], &[Anything], Unsupported(POLICY)),
    row("red", &[Is(&["async"]), Rest], &[Anything], Unsupported("reductions beside the program: use `red`")),
    row("membar", &[Is(&["cta", "gl", "sys"])], &[], Fence),
    row("membar", &[Is(&["proxy"]), Rest], &[Anything], Unsupported(PROXY)),
    row("fence", &[May(FENCES), Is(SCOPE)], &[], Fence),
    row("fence", &[Is(&["proxy", "mbarrier_init"]), Rest], &[Anything], Unsupported(PROXY)),
    row("prefetch", &[May(&["global", "local"]), Is(&["L1", "L2"])], &[A], Nothing),
    row("prefetch", &[Is(&["tensormap", "const", "param"]), Rest], &[Anything], Unsupported("descriptions of tensors")),
    row("prefetch", &[Is(&["global"]), Is(&["L2::evict_last", "L2::evict_normal"])], &[A], Nothing),
    row("prefetchu", &[Is(&["L1"])], &[A], Nothing),
    row("discard", &[May(&["global"]), Is(&["L2"])], &[A, Shape::Constant(Of::Is(B32))], Nothing),
    row("applypriority", &[May(&["global"]), Is(&["L2::evict_normal"])], &[A, Shape::Constant(Of::Is(B32))], Nothing),
    row("createpolicy", &[Rest], &[Anything], Unsupported(POLICY)),
];

const PROXY: &str = "other ways to memory than loads and stores";
