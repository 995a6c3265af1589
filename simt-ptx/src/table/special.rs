//! The registers that the machine fills.

use crate::syntax::Type;

/// A register that the machine fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Special {
    /// Its name.
    pub name: &'static str,
    /// Its type, or that of its parts.
    pub ty: Type,
    /// Whether it has parts: `.x`, `.y`, `.z`.
    pub parts: bool,
    /// Why it is out of scope, if it is.
    pub unsupported: Option<&'static str>,
}

const CLUSTER: Option<&str> = Some("clusters of blocks: the blocks of a launch share global memory only");

const fn one(name: &'static str, ty: Type) -> Special {
    Special { name, ty, parts: false, unsupported: None }
}

const fn three(name: &'static str) -> Special {
    Special { name, ty: Type::U32, parts: true, unsupported: None }
}

const fn cluster(name: &'static str, ty: Type, parts: bool) -> Special {
    Special { name, ty, parts, unsupported: CLUSTER }
}

/// All of them.
pub const SPECIALS: &[Special] = &[
    three("%tid"),
    three("%ntid"),
    three("%ctaid"),
    three("%nctaid"),
    one("%laneid", Type::U32),
    one("%warpid", Type::U32),
    one("%nwarpid", Type::U32),
    one("%smid", Type::U32),
    one("%nsmid", Type::U32),
    one("%gridid", Type::U64),
    one("%lanemask_eq", Type::U32),
    one("%lanemask_le", Type::U32),
    one("%lanemask_lt", Type::U32),
    one("%lanemask_ge", Type::U32),
    one("%lanemask_gt", Type::U32),
    one("%clock", Type::U32),
    one("%clock_hi", Type::U32),
    one("%clock64", Type::U64),
    one("%globaltimer", Type::U64),
    one("%globaltimer_lo", Type::U32),
    one("%globaltimer_hi", Type::U32),
    one("%total_smem_size", Type::U32),
    one("%aggr_smem_size", Type::U32),
    one("%dynamic_smem_size", Type::U32),
    one("WARP_SZ", Type::U32),
    cluster("%is_explicit_cluster", Type::Pred, false),
    cluster("%clusterid", Type::U32, true),
    cluster("%nclusterid", Type::U32, true),
    cluster("%cluster_ctaid", Type::U32, true),
    cluster("%cluster_nctaid", Type::U32, true),
    cluster("%cluster_ctarank", Type::U32, false),
    cluster("%cluster_nctarank", Type::U32, false),
];

/// The special register of a name; `%envreg0` to `%envreg31` and `%pm0` to `%pm7` are there, and out of scope.
#[must_use]
pub fn special(name: &str) -> Option<Special> {
    if let Some(special) = SPECIALS.iter().find(|special| special.name == name) {
        return Some(*special);
    }
    let numbered = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.parse::<u8>().is_ok());
    let counters = numbered("%pm") || name.strip_suffix("_64").is_some_and(|name| name.starts_with("%pm"));
    let reserved = name.starts_with("%reserved_smem_offset_");
    let reason = match () {
        () if numbered("%envreg") => "registers of the driver: pass a parameter",
        () if counters => "counters of the hardware: the report has its own",
        () if reserved => "memory of the driver: declare a `.shared` array",
        () => return None,
    };
    let ty = if name.ends_with("_64") { Type::U64 } else { Type::U32 };
    Some(Special { name: "", ty, parts: false, unsupported: Some(reason) })
}
