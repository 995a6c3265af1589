//! Iterators of users' types that are consumed where they stand: what a method gives, a field, a name, and paths as functions.

use crate::support::host;
use simt::KernelData;
use simt::prelude::*;

/// The numbers of the bits that are set.
#[derive(Clone, Copy, Debug, Default, KernelData)]
struct Bits(u32);

#[device]
impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[derive(Clone, Copy, Debug, Default, KernelData)]
struct Cell {
    mask: u32,
    left: Bits,
}

#[device]
impl Cell {
    fn bits(&self) -> Bits {
        Bits(self.mask)
    }
    fn perhaps(&self) -> Option<u32> {
        Some(self.mask)
    }
    fn three(&self) -> [u32; 3] {
        [self.mask, 2, 3]
    }
    fn same(&self) -> Cell {
        *self
    }
    fn is_odd(&self) -> bool {
        self.mask % 2 == 1
    }
    fn skip_one(&mut self) -> u32 {
        let first = self.left.find(|&bit| bit > 0).unwrap_or(40);
        first + self.left.map(|bit| bit * 2).sum::<u32>()
    }
}

alike! {
    fn behind_methods(x: &[u32], out: &mut [u32]) {
        let cell = Cell { mask: x[global_id()], left: Bits(6) };
        let mut sum = cell.bits().any(|bit| bit == 2) as u32 + cell.bits().all(|bit| bit != 2) as u32 * 3;
        sum = sum * 5 + cell.bits().find(|&bit| bit > 1).unwrap_or(9);
        sum = sum * 5 + cell.bits().position(|bit| bit == 2).unwrap_or(9) as u32;
        sum = sum * 5 + cell.bits().map(|bit| bit + 2).sum::<u32>();
        sum = sum * 5 + cell.bits().filter(|bit| bit % 2 == 0).count() as u32;
        sum = sum * 5 + cell.bits().fold(7, |a, b| (a * 3 + b) % 1009);
        sum = sum % 1009 * 5 + cell.bits().zip(0..3u32).map(|(a, b)| a * b).sum::<u32>();
        sum = sum % 1009 * 5 + cell.bits().enumerate().map(|(a, b)| a as u32 * b).sum::<u32>();
        sum = sum % 1009 * 5 + cell.bits().take(2).sum::<u32>() + cell.bits().skip(1).product::<u32>();
        sum = sum % 1009 * 5 + cell.bits().try_fold(0u32, |a, b| a.checked_add(b)).unwrap_or(3);
        sum = sum % 1009 * 5 + cell.same().bits().find_map(|b| if b > 1 { Some(b * 3) } else { None }).unwrap_or(99);
        for (k, bit) in cell.bits().zip(cell.same().bits()).skip(1) {
            sum = sum * 3 % 1009 + bit * k;
        }
        cell.bits().for_each(|bit| sum = sum * 3 % 1009 + bit);
        let mut rest = cell.bits().skip(1);
        out[global_id()] = sum + rest.next().unwrap_or(7) + rest.sum::<u32>();
    }
    fn without_closures(x: &[u32], out: &mut [u32]) {
        let mut cell = Cell { mask: x[global_id()], left: Bits(x[global_id()]) };
        let mut sum = cell.bits().min().unwrap_or(77) + cell.bits().max().unwrap_or(88);
        sum = sum * 5 + cell.bits().nth(1).unwrap_or(77) + cell.bits().last().unwrap_or(66);
        sum = sum * 5 + Bits(x[global_id()]).nth(0).unwrap_or(3) + cell.left.last().unwrap_or(4);
        let third = cell.left.nth(2);
        sum = sum * 5 + third.unwrap_or(55) + cell.left.0;
        let mut bits = cell.bits();
        let second = bits.nth(1);
        sum = sum * 5 + second.unwrap_or(5) + bits.0 + bits.max().unwrap_or(6) + bits.last().unwrap_or(8) + bits.0;
        sum = sum * 3 + cell.bits().min_by_key(|bit| bit % 3).unwrap_or(7);
        sum = sum * 3 + cell.bits().max_by_key(|&bit| bit % 3).unwrap_or(7);
        sum = sum * 3 + cell.bits().min_by(|a, b| (a % 3).cmp(&(b % 3))).unwrap_or(7);
        sum = sum * 3 + cell.bits().max_by(u32::cmp).unwrap_or(7);
        sum = sum * 3 + cell.bits().reduce(|a, b| (a * 3 + b) % 1009).unwrap_or(7);
        sum = sum * 3 + cell.bits().eq(Bits(7)) as u32 + cell.bits().ne(Cell { mask: 5, left: bits }.bits()) as u32;
        out[global_id()] = sum * 3 + (cell.bits().cmp(Bits(6)) as i32 + 1) as u32;
    }
    fn of_fields_and_values(x: &[u32], out: &mut [u32]) {
        let mask = x[global_id()];
        let mut cell = Cell { mask, left: Bits(mask) };
        let mut sum = cell.left.map(|bit| bit * 3).sum::<u32>() + cell.left.0;
        let found = cell.left.any(|bit| bit == 1);
        sum = sum * 5 + found as u32 + cell.left.0;
        cell.left = Bits(mask);
        sum = sum * 5 + cell.left.by_ref().take(2).sum::<u32>() + cell.left.0;
        cell.left = Bits(mask);
        for bit in cell.left {
            sum = sum * 3 % 1009 + bit;
        }
        for (k, bit) in (0..4u32).zip(cell.left) {
            sum = sum * 3 % 1009 + bit * k;
        }
        sum += cell.skip_one() + cell.left.0;
        sum = sum * 3 + (if mask > 5 { cell.bits() } else { Bits(2) }).any(|bit| bit == 1) as u32;
        sum = sum * 3 + match mask { 5 => cell.bits(), _ => Bits(9) }.map(|bit| bit * 2).sum::<u32>();
        out[global_id()] = sum * 3 + Some(cell.bits()).unwrap().all(|bit| bit < 3) as u32;
    }
    // A struct is `Copy`: what takes it by value leaves the name as it is.
    fn by_value(x: &[u32], out: &mut [u32]) {
        let mut bits = Bits(x[global_id()]);
        let mut sum = 0;
        for bit in bits {
            sum = sum * 3 % 1009 + bit;
        }
        sum += bits.map(|bit| bit + 1).sum::<u32>() + bits.0;
        sum += bits.skip(1).fold(0, |a, b| a * 2 % 1009 + b) + bits.0;
        sum += bits.chain(bits).fold(0, |a, b| (a * 3 + b) % 1009) + bits.0;
        let mut rest = bits.skip(1);
        sum += rest.next().unwrap_or(7) * 3 + bits.0;
        let found = bits.find(|&bit| bit > 1).unwrap_or(4);
        sum = sum * 3 + found + bits.0;
        let bit = bits.by_ref().take(1).sum::<u32>();
        out[global_id()] = sum * 3 + bit + bits.0;
    }
    fn options_and_arrays(x: &[u32], out: &mut [u32]) {
        let cell = Cell { mask: x[global_id()], left: Bits(3) };
        let mut sum = cell.perhaps().map(|v| v + 1).filter(|v| *v > 6).unwrap_or(3);
        sum = sum * 3 + cell.three().map(|v| v + 1)[1] + cell.three().map(|v| v * 2).iter().sum::<u32>();
        sum = sum * 3 + cell.perhaps().zip(Some(4)).map(|(a, b)| a * b).unwrap_or(3);
        out[global_id()] = sum * 3 + cell.perhaps().unwrap().min(3) + cell.perhaps().unwrap().max(3);
    }
    fn paths(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let text = b"a1b22-Z";
        let own = [x[i] as u8 % 128, 55, 66, 97];
        let mut sum = own.iter().copied().filter(u8::is_ascii_digit).count() as u32;
        sum = sum * 3 + own.iter().all(u8::is_ascii_alphanumeric) as u32 + text.iter().any(u8::is_ascii_punctuation) as u32;
        sum = sum * 3 + own.iter().position(u8::is_ascii_digit).unwrap_or(7) as u32;
        sum = sum * 3 + text.iter().copied().find(u8::is_ascii_digit).unwrap_or(7) as u32;
        sum = sum * 3 + text.iter().rposition(u8::is_ascii_digit).unwrap_or(7) as u32;
        sum += text.iter().map(u8::to_ascii_uppercase).map(u32::from).sum::<u32>();
        sum = sum * 3 + text.iter().copied().skip_while(u8::is_ascii_alphabetic).count() as u32;
        sum = sum * 3 + text.iter().copied().take_while(u8::is_ascii_alphabetic).count() as u32;
        sum = sum * 3 + Some(own[0]).filter(u8::is_ascii_digit).map_or(99, u32::from);
        let mut digits = text.iter().copied().peekable();
        sum = sum * 3 + digits.next_if(u8::is_ascii_alphabetic).unwrap_or(4) as u32;
        sum = sum * 3 + u8::is_ascii_digit(&own[0]) as u32 + Bits(x[i]).map(u32::count_ones).sum::<u32>();
        let cells = [Cell { mask: x[i], left: Bits(1) }, Cell { mask: 3, left: Bits(0) }];
        sum = sum * 3 + cells.iter().copied().filter(Cell::is_odd).count() as u32 + cells.iter().all(Cell::is_odd) as u32;
        sum = sum * 3 + cells[0].bits().map(|mask| Cell { mask, left: Bits(0) }).filter(Cell::is_odd).count() as u32;
        out[i] = sum;
    }
}

#[test]
fn iterators_are_consumed_where_they_stand() {
    let x = [5, 6, 7, 8, 1023, 0, 1, 77, 48, 2, 3, 65, 1 << 12 | 9];
    let grid = Grid::new(1, 13);
    macro_rules! compared {
        ($($name:ident)*) => {$(
            let mut expected = [0; 13];
            host::run(grid, || plain::$name(&x, &mut expected));
            everywhere!(|gpu| {
                let mut out = [0; 13];
                gpu.launch(grid, $name(&x, &mut out)).unwrap();
                assert_eq!(out, expected, stringify!($name));
            });
        )*};
    }
    compared! { behind_methods without_closures of_fields_and_values by_value options_and_arrays paths }
}
