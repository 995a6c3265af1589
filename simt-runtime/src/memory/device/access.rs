//! Accesses that cannot be: what is wrong with each, and what lies near.

use super::allocation::{Allocation, GUARD, Region};
use simt_core::code::AddressSpace;
use std::borrow::Cow;
use std::fmt;
use std::panic::Location;

/// An access of memory by address that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadAccess {
    /// The space of the address: for a generic one that of its window.
    pub space: AddressSpace,
    /// The first byte, in that space.
    pub address: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Whether they were to be written.
    pub write: bool,
    /// What is wrong.
    pub problem: AddressProblem,
    /// What lies there or nearest, if there is something.
    pub nearest: Option<Nearest>,
}

/// Why memory by address could not be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressProblem {
    /// Nothing lies near.
    Wild,
    /// Something lies near, but not there.
    OutOfBounds,
    /// The address is no multiple of the number of bytes.
    Misaligned,
    /// What lay there has been freed.
    Freed,
    /// Nothing has been written there.
    Unwritten {
        /// The address of the first byte that has no value.
        first: u64,
    },
    /// A thread has written there, and its store has not come to memory yet: only where memory is
    /// [`MemoryModel::Environment`](crate::MemoryModel::Environment).
    InFlight,
    /// Threads only read this space.
    ReadOnly,
}

/// An allocation, a symbol or a parameter near an address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nearest {
    /// Its name, if it is a symbol or parameter.
    pub name: Option<Cow<'static, str>>,
    /// Its first address.
    pub start: u64,
    /// How many bytes it has.
    pub size: u64,
    /// How far the access is away: bytes between it and the end if positive, before the beginning if negative; of one that
    /// lies in it at least in part, `None`.
    pub distance: Option<i64>,
    /// What it is in words of the caller that asked for it, if [`describe`](super::DeviceMemory::describe) has said so.
    pub what: Option<Cow<'static, str>>,
    /// The caller that asked for it, of an allocation of which that has not been said.
    pub allocated: Option<&'static Location<'static>>,
    /// The caller that freed it.
    pub freed: Option<&'static Location<'static>>,
}

/// An access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) space: AddressSpace,
    /// In that space.
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) write: bool,
    /// Whether the host accesses it, which may write what threads only read, and whose accesses need no alignment.
    pub(crate) host: bool,
    /// Whether it has found no value where memory has one, as stores are seen late.
    pub(crate) in_flight: bool,
}

impl Access {
    /// An access of the host, of no bytes.
    pub(super) fn of_host(space: AddressSpace, address: u64, write: bool) -> Self {
        Self { space, address, bytes: 0, write, host: true, in_flight: false }
    }
}

impl Nearest {
    /// What lies from `start` on, seen from an access.
    pub(crate) fn new(name: Option<Cow<'static, str>>, (start, size): (u64, u64), address: u64, bytes: u64) -> Self {
        let far = |distance: u64| i64::try_from(distance).unwrap_or(i64::MAX);
        // An address below 0 is in front of all, and not behind.
        let is_negative = address > i64::MAX as u64 && start <= i64::MAX as u64;
        let distance = if is_negative {
            Some(-far(start.saturating_add((address.wrapping_neg()).saturating_sub(bytes))).max(1))
        } else if address >= start.saturating_add(size) {
            Some(far(address - start.saturating_add(size)))
        } else if address.saturating_add(bytes) <= start {
            Some(-far(start - address.saturating_add(bytes)).max(1))
        } else {
            None
        };
        Self { name, start, size, distance, what: None, allocated: None, freed: None }
    }

    fn of(allocation: &Allocation, address: u64, bytes: u64) -> Self {
        let place = (allocation.start, allocation.size);
        let nearest = Self::new(allocation.name.clone(), place, address, bytes);
        let what = allocation.what.clone();
        let allocated = (allocation.name.is_none() && what.is_none()).then_some(allocation.by);
        Self { what, allocated, freed: allocation.freed, ..nearest }
    }

    /// The allocation of a region that a byte lies in.
    pub(crate) fn with_byte(region: &Region, address: u64) -> Option<Self> {
        let allocation = region.allocations().get(region.at_or_before(address)?)?;
        Some(Self::of(allocation, address, 1)).filter(|found| found.holds(address, 1))
    }

    /// The byte at an address that lies in it, in words.
    pub(crate) fn byte(&self, address: u64) -> String {
        format!("byte {} of {}", address.wrapping_sub(self.start), self.called())
    }

    /// Where it comes from: lines of notes.
    pub(crate) fn origin(&self) -> Vec<String> {
        let is = self.what.as_ref().map(|what| format!("it is {what}"));
        let allocated = self.allocated.map(|by| format!("it was allocated at {by}"));
        let freed = self.freed.map(|by| format!("it was freed at {by}"));
        [is, allocated, freed].into_iter().flatten().collect()
    }

    /// How far it is away.
    pub(crate) fn far(&self) -> u64 {
        self.distance.map_or(0, i64::unsigned_abs)
    }

    /// Whether all of an access lies in it.
    pub(crate) fn holds(&self, address: u64, bytes: u64) -> bool {
        let at = address.wrapping_sub(self.start);
        at < self.size && self.size - at >= bytes
    }
}

impl BadAccess {
    /// What is wrong with an access of a region, if anything is.
    pub(crate) fn of_region(region: &Region, access: Access) -> Option<Self> {
        let Access { address, bytes, .. } = access;
        let before = region.at_or_before(address);
        let behind = before.map_or(0, |before| before + 1);
        let near = [before, Some(behind)].into_iter().flatten().filter_map(|number| region.allocations().get(number));
        let nearest = near.map(|found| (Nearest::of(found, address, bytes), found)).min_by_key(|(near, _)| near.far());
        let unwritten = nearest.as_ref().and_then(|(_, found)| {
            let at = usize::try_from(address.wrapping_sub(found.start)).ok()?;
            let first = (found.freed.is_none() && at < found.bytes.len()).then_some(at)?;
            let count = usize::try_from(bytes).ok()?.min(found.bytes.len() - first);
            Some(found.start + found.bytes.first_unwritten(first, count)? as u64)
        });
        Self::new(access, nearest.map(|(near, _)| near), unwritten)
    }

    /// What is wrong with an access near something; `unwritten` is the first byte there that has no value.
    pub(crate) fn new(access: Access, nearest: Option<Nearest>, unwritten: Option<u64>) -> Option<Self> {
        let Access { space, address, bytes, write, host, in_flight } = access;
        let holds = nearest.as_ref().is_some_and(|near| near.holds(address, bytes));
        let problem = match &nearest {
            None => AddressProblem::Wild,
            Some(near) if near.freed.is_some() && near.far() < GUARD => AddressProblem::Freed,
            Some(near) if near.far() >= GUARD => AddressProblem::Wild,
            Some(_) if !holds => AddressProblem::OutOfBounds,
            _ if !host && !address.is_multiple_of(bytes) => AddressProblem::Misaligned,
            _ if !host && write && matches!(space, AddressSpace::Const | AddressSpace::Param) => {
                AddressProblem::ReadOnly
            }
            _ => match unwritten {
                Some(first) if !write => AddressProblem::Unwritten { first },
                _ if in_flight => AddressProblem::InFlight,
                _ => return None,
            },
        };
        Some(Self { space, address, bytes, write, problem, nearest })
    }

    /// What happened, in one line.
    pub(crate) fn title(&self) -> String {
        let Self { space, address, bytes, problem, .. } = self;
        let these = format!("{} at {address:#x} of {} memory", many(*bytes), space.name());
        match problem {
            AddressProblem::Wild if *address < GUARD && *space == AddressSpace::Global => {
                format!("{these}, next to null, are no memory")
            }
            AddressProblem::Wild => format!("{these} are no memory: nothing lies there"),
            AddressProblem::OutOfBounds => {
                let end = self.nearest.as_ref().is_some_and(|near| near.distance.is_none_or(|far| far >= 0));
                let which = self.nearest.as_ref().map_or_else(String::new, Nearest::called);
                format!("{these} are out of bounds: {} {which}", if end { "beyond the end of" } else { "before" })
            }
            AddressProblem::Misaligned => format!("{these} are misaligned: the address is no multiple of {bytes}"),
            AddressProblem::Freed => format!("{these} have been freed"),
            AddressProblem::Unwritten { first } => {
                format!("{these} are read, but nothing has been written at {first:#x}")
            }
            AddressProblem::InFlight => {
                format!("{these} are read, but what a thread has stored there has not come to memory yet")
            }
            AddressProblem::ReadOnly => format!("{these} are written, but threads only read that space"),
        }
    }

    /// What lies near, and which call asked for it: lines of notes.
    pub(crate) fn notes(&self) -> Vec<String> {
        let Some(near) = &self.nearest else { return Vec::new() };
        let place = match near.distance {
            None => format!("the access begins {} from its beginning", many_signed(self.address, near.start)),
            Some(far @ 0..) => format!("the access begins {} behind its end", many(far.unsigned_abs())),
            Some(far) => format!("the access ends {} before it", many(far.unsigned_abs())),
        };
        let size = format!("{} has {} from {:#x} on; {place}", near.called(), many(near.size), near.start);
        std::iter::once(size).chain(near.origin()).collect()
    }

    /// What to do.
    pub(crate) fn help(&self) -> &'static str {
        match self.problem {
            AddressProblem::Wild => {
                "is the address a pointer that the memory of this launch gave, of the space that the instruction names? \
                 `with_memory(&mut memory)` gives a launch its memory; `cvta` makes addresses of a space generic"
            }
            AddressProblem::OutOfBounds => "test the index before the access, or allocate more",
            AddressProblem::Misaligned => {
                "an access of n bytes needs an address that is a multiple of n: align what it points to, or access single bytes"
            }
            AddressProblem::Freed => "free the memory after the last launch that uses it",
            AddressProblem::Unwritten { .. } => {
                "memory has no values until they are written: write, fill or copy to it first, or let a thread write it, and \
                 the others wait for it"
            }
            AddressProblem::InFlight => {
                "let the thread that stores say that it has, behind a fence, and the others wait for it; or write there before \
                 the launch"
            }
            AddressProblem::ReadOnly => "write to global memory",
        }
    }
}

impl Nearest {
    fn called(&self) -> String {
        self.name.as_ref().map_or_else(|| "the allocation".to_string(), |name| format!("`{name}`"))
    }
}

fn many(bytes: u64) -> String {
    format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" })
}

/// The distance from one address to another that may lie behind it.
fn many_signed(address: u64, start: u64) -> String {
    if address >= start { many(address - start) } else { format!("-{}", many(start - address)) }
}

impl fmt::Display for BadAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title())?;
        self.notes().iter().try_for_each(|note| write!(f, "; {note}"))?;
        write!(f, "; {}", self.help())
    }
}

impl std::error::Error for BadAccess {}
