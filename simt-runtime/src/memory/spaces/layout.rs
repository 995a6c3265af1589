//! Where symbols and parameters lie in the windows of their spaces.

use crate::memory::device::device_size;
use simt_core::code::{AddressSpace, Code, Symbol};
use simt_core::program::ParamKind;
use std::borrow::Cow;

/// Bytes between two symbols of a window: as many as all banks of shared memory have in a row, so that each symbol is in the
/// banks where it would be without.
const GUARD: u64 = 128;

/// Something in a window.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub(super) name: Cow<'static, str>,
    pub(super) start: u64,
    pub(super) size: u64,
}

/// What lies in the window of a space, by address.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    pub(super) ranges: Vec<Range>,
    /// Bytes from the first address to the last.
    pub(super) size: usize,
    /// Bytes that something has, without guard zones.
    pub(super) used: usize,
}

/// Where everything lies.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) shared: Window,
    pub(super) local: Window,
    pub(super) params: Window,
    /// The address of each symbol in its own space.
    pub(super) symbols: Vec<u64>,
    /// The address of each parameter; of a slice it means nothing.
    pub(super) param_addresses: Vec<u64>,
}

impl Window {
    /// Adds something that does not begin before what was added last; its size may be 0.
    fn add(&mut self, name: Cow<'static, str>, start: u64, size: u64) {
        self.ranges.push(Range { name, start, size });
        let end = (start + size) as usize;
        self.used += end.saturating_sub(self.size.max(start as usize));
        self.size = self.size.max(end);
    }

    /// The range that has all of so many bytes from an address on.
    #[inline]
    pub(super) fn range(&self, address: u64, count: usize) -> Option<&Range> {
        self.ranges.iter().find(|range| {
            let at = address.wrapping_sub(range.start);
            at < range.size && range.size - at >= count as u64
        })
    }

    /// Where so many bytes from an address on lie; `None` unless one range has them all.
    #[inline]
    pub(super) fn find(&self, address: u64, count: usize) -> Option<usize> {
        self.range(address, count).map(|_| address as usize)
    }
}

/// The symbols of a space: first those of a known size, then those whose size the launch says, which all begin in one place.
fn window(symbols: &[Symbol], space: AddressSpace, addresses: &mut [u64]) -> Window {
    let mut window = Window::default();
    let (mut end, mut shift) = (0, 0);
    let of = |dynamic: bool| {
        let symbols = symbols.iter().enumerate();
        symbols.filter(move |(_, symbol)| symbol.space == space && symbol.dynamic == dynamic)
    };
    for (number, symbol) in of(false) {
        let (start, size) = place(&mut end, &mut shift, symbol.align, symbol.size, window.ranges.is_empty());
        addresses[number] = start;
        window.add(symbol.name.clone(), start, size);
    }
    let align = of(true).map(|(_, symbol)| symbol.align).max().unwrap_or(1);
    let size = of(true).map(|(_, symbol)| symbol.size).max().unwrap_or(0);
    let (start, _) = place(&mut end, &mut shift, align, size, window.ranges.is_empty());
    for (number, symbol) in of(true) {
        addresses[number] = start;
        window.add(symbol.name.clone(), start, symbol.size.into());
    }
    window
}

/// The place of the next symbol: `end` is where the last one would end without guard zones, `shift` what they add.
fn place(end: &mut u64, shift: &mut u64, align: u32, size: u32, first: bool) -> (u64, u64) {
    let (align, size) = (u64::from(align), u64::from(size));
    let start = end.next_multiple_of(align);
    *end = start + size;
    *shift = (*shift + if first { 0 } else { GUARD }).next_multiple_of(align.max(GUARD));
    (start + *shift, size)
}

/// Bytes that the symbols of a space take, without guard zones.
pub(crate) fn symbol_bytes(symbols: &[Symbol], space: AddressSpace) -> u64 {
    let mut end = 0;
    for symbol in symbols.iter().filter(|symbol| symbol.space == space && !symbol.dynamic) {
        end = u64::from(symbol.size) + u64::next_multiple_of(end, u64::from(symbol.align).max(1));
    }
    end
}

impl Layout {
    /// The layout of a code; global and constant symbols are to be filled in.
    pub(super) fn of(code: &Code) -> Self {
        let mut layout = Self { symbols: vec![0; code.symbols.len()], ..Self::default() };
        layout.shared = window(&code.symbols, AddressSpace::Shared, &mut layout.symbols);
        layout.local = window(&code.symbols, AddressSpace::Local, &mut layout.symbols);
        let mut next = 0_u64;
        for param in &code.params {
            let (size, align) = match param.kind {
                ParamKind::Scalar(ty) => (device_size(ty) as u64, device_size(ty) as u64),
                ParamKind::Bytes { size, align } => (size.into(), align.into()),
                _ => (0, 1),
            };
            let start = next.next_multiple_of(align);
            layout.param_addresses.push(start);
            if size > 0 {
                layout.params.add(param.name.clone(), start, size);
                next = start + size;
            }
        }
        layout
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(declarations: &str, bytes: usize) -> Layout {
        let code = Code::parse(&format!("kernel k(n: u8, o: u64, p: bytes 12 align 4, q: u16)\n{declarations}\nexit"));
        Layout::of(&code.expect("valid").into_inner().with_shared_memory(bytes))
    }

    #[test]
    fn symbols_are_apart_and_in_the_banks_where_they_would_be_without() {
        let text = ".shared a: 100 align 4\n.shared d: dynamic align 16\n.shared b: 8 align 8\n.shared e: dynamic align 4\n\
                    .shared c: 4 align 256\n.local l: 12 align 4\n.local m: 8 align 8";
        let layout = layout(text, 40);
        // Without guard zones: 0, 104, 256, and 260 + 12 = 272 of both that are dynamic.
        // A guard zone of 128 bytes, a turn of all banks, behind each that is not dynamic.
        assert_eq!(layout.symbols, [0, 272 + 384, 104 + 128, 272 + 384, 256 + 256, 0, 16 + 128]);
        assert_eq!(layout.shared.size, 272 + 384 + 40);
        assert_eq!(layout.local.size, 16 + 128 + 8);
        assert_eq!((layout.shared.used, layout.local.used), (100 + 8 + 4 + 40, 12 + 8));
        for range in &layout.shared.ranges {
            assert!(layout.shared.find(range.start, range.size as usize).is_some());
            assert!(layout.shared.find(range.start + 1, range.size as usize).is_none());
        }
    }

    #[test]
    fn parameters_lie_one_behind_the_other() {
        assert_eq!(layout("", 0).param_addresses, [0, 8, 16, 28]);
    }
}
