//! The rules by which the accesses of a warp become transactions.

use super::buckets::Buckets;
use smallvec::SmallVec;

/// The rule by which a machine makes transactions of the accesses of a warp. Sizes are bytes and powers of two.
///
/// The papers name sizes only ("either 32 or 128 byte transactions", Habermaier 2011, section 3.2, which gives no rules as
/// "the list ... is not exhaustive"); **Assumed** are the rules of the CUDA C Programming Guide, version 3.2, appendix G.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Coalescing {
    /// None: each lane has a transaction of its own.
    PerThread,
    /// Compute capability 1.2 and 1.3 (G.3.2.2), by half-warps of 16: the segment that the lowest lane needs, of 32 bytes
    /// for accesses of 1 byte, 64 for 2, 128 for more; all lanes in it go along; it is halved, down to 32 bytes, as long as
    /// one half is not used; and so on with the lanes that are left.
    Segments,
    /// One transaction a line, from all lanes of a request: Fermi's first level (G.4.2), with lines of 128 bytes, where 32
    /// lanes make a request if they access up to 4 bytes each, 16 for 8 bytes and 8 for 16. The data cache of TACO'09, to
    /// which section 6.5 sends lines, with its lines.
    Lines {
        /// Bytes of a line.
        line: u32,
    },
    /// One transaction for each run of neighbouring sectors of a line: for accesses without a line in Fermi's first level
    /// (G.4.2; Habermaier 2011, section 4.7), and for all accesses on machines whose first level has sectors. Requests as
    /// with lines.
    Sectors {
        /// Bytes of a sector.
        sector: u32,
        /// Bytes of a line.
        line: u32,
    },
}

/// A part of the memory that lanes of one request ask for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transaction {
    /// The first byte.
    pub(crate) address: u64,
    /// How many bytes.
    pub(crate) bytes: u32,
    /// The lanes that need some of them.
    pub(crate) lanes: u64,
}

/// The active lanes, lowest first. Lanes without an address are not active.
pub(super) fn lanes(addresses: &[u64], active: u64) -> impl Iterator<Item = (usize, u64)> + Clone {
    let mut rest = active;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some((lane, *addresses.get(lane)?))
    })
}

impl Coalescing {
    /// The transactions of the accesses of the `active` lanes, each of `bytes` at its address; they replace what is in `out`.
    /// A lane whose bytes do not lie in one transaction has several. Transactions come in the order of the lowest lanes that
    /// need them.
    pub(crate) fn transactions(self, addresses: &[u64], active: u64, bytes: u32, out: &mut Vec<Transaction>) {
        out.clear();
        self.append(addresses, active, bytes, out);
    }

    /// The transactions of atomics: of the lanes at one address each has one of its own, which lanes at other addresses
    /// share, as GPGPU-Sim has it (`memory_coalescing_arch_atomic`).
    pub(crate) fn atomics(self, addresses: &[u64], active: u64, bytes: u32, out: &mut Vec<Transaction>) {
        out.clear();
        let mut rest = active;
        while rest != 0 {
            // Of each address the lowest lane that is left.
            let mut seen = SmallVec::<[u64; 64]>::new();
            let together = lanes(addresses, rest).filter(|&(_, address)| {
                let new = !seen.contains(&address);
                seen.push(address);
                new
            });
            let together = together.fold(0, |all, (lane, _)| all | 1 << lane);
            if together == 0 {
                return;
            }
            self.append(addresses, together, bytes, out);
            rest &= !together;
        }
    }

    fn append(self, addresses: &[u64], active: u64, bytes: u32, out: &mut Vec<Transaction>) {
        match self {
            Self::PerThread => {
                out.extend(lanes(addresses, active).map(|(lane, address)| Transaction {
                    address,
                    bytes,
                    lanes: 1 << lane,
                }));
            }
            Self::Segments => {
                for half in [0, 16, 32, 48] {
                    segments(addresses, active & (0xffff << half), bytes, out);
                }
            }
            Self::Lines { line } => {
                requests(active, bytes, |active| units(addresses, active, bytes, line, out));
            }
            Self::Sectors { sector, line } => requests(active, bytes, |active| {
                let first = out.len();
                units(addresses, active, bytes, sector, out);
                join(out, first, sector, line);
            }),
        }
    }
}

/// Calls for each request of a warp with its lanes: as many as 128 bytes have room for, at most 32.
fn requests(active: u64, bytes: u32, mut each: impl FnMut(u64)) {
    let lanes = (128 / bytes.max(1)).clamp(1, 32);
    let mask = (1u64 << lanes) - 1;
    let mut rest = active;
    while rest != 0 {
        // The request of the lowest lane.
        let first = rest.trailing_zeros() / lanes * lanes;
        each(rest & (mask << first));
        rest &= !(mask << first);
    }
}

/// The units of so many bytes that lanes need, each once.
fn units(addresses: &[u64], active: u64, bytes: u32, unit: u32, out: &mut Vec<Transaction>) {
    let first = out.len();
    let shift = unit.trailing_zeros();
    if active.is_power_of_two() {
        // PERF: the units of one lane are all different, so none is looked up.
        for (_, address) in lanes(addresses, active) {
            let end = address.saturating_add(u64::from(bytes.max(1)) - 1) >> shift;
            let of = |number| Transaction { address: number << shift, bytes: unit, lanes: active };
            out.extend((address >> shift..=end).map(of));
        }
        return;
    }
    let mut known = Buckets::new();
    // The unit that was needed last.
    let (mut last, mut begin) = (first, 0);
    let within = u64::from(unit.saturating_sub(bytes.max(1)));
    for (lane, address) in lanes(addresses, active) {
        // PERF: neighbours most often need what was needed last.
        if last < out.len() && bytes <= unit && begin <= address && address - begin <= within {
            out[last].lanes |= 1 << lane;
            continue;
        }
        let end = address.saturating_add(u64::from(bytes.max(1)) - 1) >> shift;
        for number in address >> shift..=end {
            begin = number << shift;
            let found = known.of(number).find(|&place| out[first + place].address == begin);
            match found {
                Some(place) => {
                    last = first + place;
                    out[last].lanes |= 1 << lane;
                }
                None => {
                    last = out.len();
                    known.push(number);
                    out.push(Transaction { address: begin, bytes: unit, lanes: 1 << lane });
                }
            }
        }
    }
}

/// Joins sectors from `first` on that are neighbours in a line.
fn join(out: &mut Vec<Transaction>, first: usize, sector: u32, line: u32) {
    let shift = line.max(sector).trailing_zeros();
    let found = &mut out[first..];
    // PERF: most accesses of one lane are one sector.
    if found.len() < 2 {
        return;
    }
    let mut lines = Buckets::new();
    found.iter().for_each(|transaction| lines.push(transaction.address >> shift));
    let mut joined = false;
    for place in 0..found.len() {
        // Extends the run on either side, until no sector touches it.
        while found[place].lanes != 0
            && let Some(other) = lines.of(found[place].address >> shift).find(|&other| {
                let (a, b) = (found[place], found[other]);
                // The last sector that there is ends where the first begins, which is in another line.
                let end = |of: Transaction| of.address.wrapping_add(of.bytes.into());
                let touch = end(a) == b.address || end(b) == a.address;
                touch && a.address >> shift == b.address >> shift && b.lanes != 0
            })
        {
            let (a, b) = (found[place], found[other]);
            let address = a.address.min(b.address);
            found[place] = Transaction { address, bytes: a.bytes + b.bytes, lanes: a.lanes | b.lanes };
            found[other].lanes = 0;
            joined = true;
        }
    }
    if joined {
        out.retain(|transaction| transaction.lanes != 0);
    }
}

fn segments(addresses: &[u64], active: u64, bytes: u32, out: &mut Vec<Transaction>) {
    let segment = match bytes {
        0 | 1 => 32u64,
        2 => 64,
        _ => 128,
    };
    let mut rest = active;
    while let Some((_, lowest)) = lanes(addresses, rest).next() {
        let mut from = lowest / segment * segment;
        let mut size = segment;
        let (mut low, mut high, mut served) = (u64::MAX, 0, 0u64);
        for (lane, address) in lanes(addresses, rest) {
            if address / segment * segment == from {
                served |= 1 << lane;
                low = low.min(address);
                high = high.max(address.saturating_add(u64::from(bytes.max(1)) - 1));
            }
        }
        while size > 32 {
            let half = from + size / 2;
            if high < half {
                size /= 2;
            } else if low >= half {
                from = half;
                size /= 2;
            } else {
                break;
            }
        }
        out.push(Transaction { address: from, bytes: size as u32, lanes: served });
        rest &= !served;
    }
}
