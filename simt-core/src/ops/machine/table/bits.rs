//! Operations on integers and bits.

/// Calls a macro with the rows that it is given, and these.
macro_rules! for_each_machine_op_from_bits {
    ($consume:ident $($rows:tt)*) => {
        for_each_machine_op_from_floats! {
            $consume $($rows)*
            /// The high half of a product (PTX `mul.hi`).
            MulHiU32 = "mul_hi.u32" (a: u32, b: u32) -> u32 { ((u64::from(a) * u64::from(b)) >> 32) as u32 }
            /// The high half of a product (PTX `mul.hi`).
            MulHiI32 = "mul_hi.i32" (a: i32, b: i32) -> i32 { ((i64::from(a) * i64::from(b)) >> 32) as i32 }
            /// The high half of a product (PTX `mul.hi`).
            MulHiU64 = "mul_hi.u64" (a: u64, b: u64) -> u64 { ((u128::from(a) * u128::from(b)) >> 64) as u64 }
            /// The high half of a product (PTX `mul.hi`).
            MulHiI64 = "mul_hi.i64" (a: i64, b: i64) -> i64 { ((i128::from(a) * i128::from(b)) >> 64) as i64 }
            /// Some bits, from a number on, of a length (PTX `bfe`).
            BitFieldU32 = "bfe.u32" (a: u32, at: u32, length: u32) -> u32 { extracted(a as u32 as u64, 32, at, length, false) as u32 }
            /// Some bits, from a number on, of a length (PTX `bfe`).
            BitFieldI32 = "bfe.i32" (a: i32, at: u32, length: u32) -> i32 { extracted(a as u32 as u64, 32, at, length, true) as i32 }
            /// Some bits, from a number on, of a length (PTX `bfe`).
            BitFieldU64 = "bfe.u64" (a: u64, at: u32, length: u32) -> u64 { extracted(a, 64, at, length, false) }
            /// Some bits, from a number on, of a length (PTX `bfe`).
            BitFieldI64 = "bfe.i64" (a: i64, at: u32, length: u32) -> i64 { extracted(a as u64 as u64, 64, at, length, true) as i64 }
            /// The second operand with a field of the first's low bits: the third has its number in its low byte, its length in the next one (PTX `bfi`).
            InsertBitsU32 = "bfi.u32" (field: u32, a: u32, place: u32) -> u32 { inserted(u64::from(field), u64::from(a), 32, place, place >> 8) as u32 }
            /// The second operand with a field of the first's low bits: the third has its number in its low byte, its length in the next one (PTX `bfi`).
            InsertBitsU64 = "bfi.u64" (field: u64, a: u64, place: u32) -> u64 { inserted(field, a, 64, place, place >> 8) }
            /// The number of the highest bit that tells something (PTX `bfind`).
            FindBitU32 = "bfind.u32" (a: u32) -> u32 { highest(i64::from(a), 32, false) }
            /// Its distance from the highest bit (PTX `bfind.shiftamt`).
            FindShiftU32 = "bfind_shiftamt.u32" (a: u32) -> u32 { distance(i64::from(a), 32, false) }
            /// The number of the highest bit that tells something (PTX `bfind`).
            FindBitI32 = "bfind.i32" (a: i32) -> u32 { highest(i64::from(a), 32, true) }
            /// Its distance from the highest bit (PTX `bfind.shiftamt`).
            FindShiftI32 = "bfind_shiftamt.i32" (a: i32) -> u32 { distance(i64::from(a), 32, true) }
            /// The number of the highest bit that tells something (PTX `bfind`).
            FindBitU64 = "bfind.u64" (a: u64) -> u32 { highest(a as i64, 64, false) }
            /// Its distance from the highest bit (PTX `bfind.shiftamt`).
            FindShiftU64 = "bfind_shiftamt.u64" (a: u64) -> u32 { distance(a as i64, 64, false) }
            /// The number of the highest bit that tells something (PTX `bfind`).
            FindBitI64 = "bfind.i64" (a: i64) -> u32 { highest(a, 64, true) }
            /// Its distance from the highest bit (PTX `bfind.shiftamt`).
            FindShiftI64 = "bfind_shiftamt.i64" (a: i64) -> u32 { distance(a, 64, true) }
            /// Chosen bytes of two words (PTX `prmt`).
            Permute = "prmt.u32" (a: u32, b: u32, c: u32) -> u32 { permuted(a, b, c) }
            /// Four bytes forward (PTX `prmt.f4e`).
            PermuteF4e = "prmt_f4e.u32" (a: u32, b: u32, c: u32) -> u32 { permuted(a, b, selector(FORWARD, c)) }
            /// Four bytes backward (PTX `prmt.b4e`).
            PermuteB4e = "prmt_b4e.u32" (a: u32, b: u32, c: u32) -> u32 { permuted(a, b, selector(BACKWARD, c)) }
            /// One byte four times (PTX `prmt.rc8`).
            PermuteRc8 = "prmt_rc8.u32" (a: u32, b: u32, c: u32) -> u32 { permuted(a, b, selector(REPEATED_BYTE, c)) }
            /// Bytes clamped on the left (PTX `prmt.ecl`).
            PermuteEcl = "prmt_ecl.u32" (a: u32, b: u32, c: u32) -> u32 { permuted(a, b, selector(CLAMPED_LEFT, c)) }
            /// Bytes clamped on the right (PTX `prmt.ecr`).
            PermuteEcr = "prmt_ecr.u32" (a: u32, b: u32, c: u32) -> u32 { permuted(a, b, selector(CLAMPED_RIGHT, c)) }
            /// One half twice (PTX `prmt.rc16`).
            PermuteRc16 = "prmt_rc16.u32" (a: u32, b: u32, c: u32) -> u32 { permuted(a, b, selector(REPEATED_HALF, c)) }
            /// A word of two that are shifted left, by a count that is taken modulo 32 (PTX `shf.l.wrap`).
            FunnelLeftWrap = "shf_l_wrap.u32" (a: u32, b: u32, by: u32) -> u32 { funnel_left(a, b, by & 31) }
            /// A word of two that are shifted left, by a count that is at most 32 (PTX `shf.l.clamp`).
            FunnelLeftClamp = "shf_l_clamp.u32" (a: u32, b: u32, by: u32) -> u32 { funnel_left(a, b, by.min(32)) }
            /// A word of two that are shifted right, by a count that is taken modulo 32 (PTX `shf.r.wrap`).
            FunnelRightWrap = "shf_r_wrap.u32" (a: u32, b: u32, by: u32) -> u32 { funnel_right(a, b, by & 31) }
            /// A word of two that are shifted right, by a count that is at most 32 (PTX `shf.r.clamp`).
            FunnelRightClamp = "shf_r_clamp.u32" (a: u32, b: u32, by: u32) -> u32 { funnel_right(a, b, by.min(32)) }
            /// Shifted left; by the width or more, zero (PTX `shl`).
            ShiftLeftU16 = "shl_clamp.u16" (a: u16, by: u32) -> u16 { a.checked_shl(by).unwrap_or(0) }
            /// Shifted left; by the width or more, zero (PTX `shl`).
            ShiftLeftU32 = "shl_clamp.u32" (a: u32, by: u32) -> u32 { a.checked_shl(by).unwrap_or(0) }
            /// Shifted left; by the width or more, zero (PTX `shl`).
            ShiftLeftU64 = "shl_clamp.u64" (a: u64, by: u32) -> u64 { a.checked_shl(by).unwrap_or(0) }
            /// Shifted right; by the width or more, zero (PTX `shr`).
            ShiftRightU16 = "shr_clamp.u16" (a: u16, by: u32) -> u16 { a.checked_shr(by).unwrap_or(0) }
            /// Shifted right; by the width or more, zero (PTX `shr`).
            ShiftRightU32 = "shr_clamp.u32" (a: u32, by: u32) -> u32 { a.checked_shr(by).unwrap_or(0) }
            /// Shifted right; by the width or more, zero (PTX `shr`).
            ShiftRightU64 = "shr_clamp.u64" (a: u64, by: u32) -> u64 { a.checked_shr(by).unwrap_or(0) }
            /// Shifted right; by the width or more, the sign (PTX `shr`).
            ShiftRightI16 = "shr_clamp.i16" (a: i16, by: u32) -> i16 { a >> by.min(15) }
            /// Shifted right; by the width or more, the sign (PTX `shr`).
            ShiftRightI32 = "shr_clamp.i32" (a: i32, by: u32) -> i32 { a >> by.min(31) }
            /// Shifted right; by the width or more, the sign (PTX `shr`).
            ShiftRightI64 = "shr_clamp.i64" (a: i64, by: u32) -> i64 { a >> by.min(63) }
            /// A sum with a carry (PTX `addc`).
            AddCarryU32 = "addc.u32" (a: u32, b: u32, carry: bool) -> u32 { a.wrapping_add(b).wrapping_add(u32::from(carry)) }
            /// The carry of such a sum.
            CarryOfAddU32 = "addc_carry.u32" (a: u32, b: u32, carry: bool) -> bool { { let (sum, first) = a.overflowing_add(b); first || sum.overflowing_add(u32::from(carry)).1 } }
            /// A difference with a borrow (PTX `subc`).
            SubBorrowU32 = "subc.u32" (a: u32, b: u32, borrow: bool) -> u32 { a.wrapping_sub(b).wrapping_sub(u32::from(borrow)) }
            /// The borrow of such a difference.
            BorrowOfSubU32 = "subc_borrow.u32" (a: u32, b: u32, borrow: bool) -> bool { { let (left, first) = a.overflowing_sub(b); first || left.overflowing_sub(u32::from(borrow)).1 } }
            /// A sum with a carry (PTX `addc`).
            AddCarryU64 = "addc.u64" (a: u64, b: u64, carry: bool) -> u64 { a.wrapping_add(b).wrapping_add(u64::from(carry)) }
            /// The carry of such a sum.
            CarryOfAddU64 = "addc_carry.u64" (a: u64, b: u64, carry: bool) -> bool { { let (sum, first) = a.overflowing_add(b); first || sum.overflowing_add(u64::from(carry)).1 } }
            /// A difference with a borrow (PTX `subc`).
            SubBorrowU64 = "subc.u64" (a: u64, b: u64, borrow: bool) -> u64 { a.wrapping_sub(b).wrapping_sub(u64::from(borrow)) }
            /// The borrow of such a difference.
            BorrowOfSubU64 = "subc_borrow.u64" (a: u64, b: u64, borrow: bool) -> bool { { let (left, first) = a.overflowing_sub(b); first || left.overflowing_sub(u64::from(borrow)).1 } }
            /// The low word of a product of 24 bits (PTX `mul24.lo`).
            Mul24LoU32 = "mul24_lo.u32" (a: u32, b: u32) -> u32 { product_of_24(a, b, false) as u32 }
            /// Bits 16 to 47 of a product of 24 bits (PTX `mul24.hi`).
            Mul24HiU32 = "mul24_hi.u32" (a: u32, b: u32) -> u32 { (product_of_24(a, b, false) >> 16) as u32 }
            /// The low word of a product of 24 bits (PTX `mul24.lo`).
            Mul24LoI32 = "mul24_lo.i32" (a: i32, b: i32) -> i32 { product_of_24(a as u32, b as u32, true) as i32 }
            /// Bits 16 to 47 of a product of 24 bits (PTX `mul24.hi`).
            Mul24HiI32 = "mul24_hi.i32" (a: i32, b: i32) -> i32 { (product_of_24(a as u32, b as u32, true) >> 16) as i32 }
            /// The distance of two numbers, added to a third (PTX `sad`).
            AddDistanceU16 = "sad.u16" (a: u16, b: u16, c: u16) -> u16 { c.wrapping_add(a.abs_diff(b)) }
            /// The distance of two numbers, added to a third (PTX `sad`).
            AddDistanceI16 = "sad.i16" (a: i16, b: i16, c: i16) -> i16 { c.wrapping_add(a.abs_diff(b) as i16) }
            /// The distance of two numbers, added to a third (PTX `sad`).
            AddDistanceU32 = "sad.u32" (a: u32, b: u32, c: u32) -> u32 { c.wrapping_add(a.abs_diff(b)) }
            /// The distance of two numbers, added to a third (PTX `sad`).
            AddDistanceI32 = "sad.i32" (a: i32, b: i32, c: i32) -> i32 { c.wrapping_add(a.abs_diff(b) as i32) }
            /// The distance of two numbers, added to a third (PTX `sad`).
            AddDistanceU64 = "sad.u64" (a: u64, b: u64, c: u64) -> u64 { c.wrapping_add(a.abs_diff(b)) }
            /// The distance of two numbers, added to a third (PTX `sad`).
            AddDistanceI64 = "sad.i64" (a: i64, b: i64, c: i64) -> i64 { c.wrapping_add(a.abs_diff(b) as i64) }
            /// Products of four pairs of bytes, added to a third number (PTX `dp4a`).
            DotBytesU32U32 = "dp4a_u32.u32" (a: u32, b: u32, c: u32) -> u32 { dot_of_bytes(a, b, c, [false, false]) }
            /// Products of four pairs of bytes, added to a third number (PTX `dp4a`).
            DotBytesU32I32 = "dp4a_u32.i32" (a: u32, b: u32, c: u32) -> u32 { dot_of_bytes(a, b, c, [false, true]) }
            /// Products of four pairs of bytes, added to a third number (PTX `dp4a`).
            DotBytesI32U32 = "dp4a_i32.u32" (a: u32, b: u32, c: u32) -> u32 { dot_of_bytes(a, b, c, [true, false]) }
            /// Products of four pairs of bytes, added to a third number (PTX `dp4a`).
            DotBytesI32I32 = "dp4a_i32.i32" (a: u32, b: u32, c: u32) -> u32 { dot_of_bytes(a, b, c, [true, true]) }
            /// 1 of 0, and 0 of others (PTX `cnot`).
            IsZeroU16 = "cnot.u16" (a: u16) -> u16 { u16::from(a == 0) }
            /// 1 of 0, and 0 of others (PTX `cnot`).
            IsZeroU32 = "cnot.u32" (a: u32) -> u32 { u32::from(a == 0) }
            /// 1 of 0, and 0 of others (PTX `cnot`).
            IsZeroU64 = "cnot.u64" (a: u64) -> u64 { u64::from(a == 0) }
            /// Bits by a table of eight: the third operand has a word in its low half, the table in its high one (PTX `lop3`).
            Lookup3 = "lop3.u32" (a: u32, b: u32, rest: u64) -> u32 { looked_up(a, b, rest as u32, (rest >> 32) as u8) }
            /// Products of two halves and two bytes, added to a third number (PTX `dp2a.lo`).
            DotHalvesLoU32U32 = "dp2a_lo_u32.u32" (a: u32, b: u32, c: u32) -> u32 { dot_of_halves(a, b >> 0, c, [false, false]) }
            /// Products of two halves and two bytes, added to a third number (PTX `dp2a.lo`).
            DotHalvesLoU32I32 = "dp2a_lo_u32.i32" (a: u32, b: u32, c: u32) -> u32 { dot_of_halves(a, b >> 0, c, [false, true]) }
            /// Products of two halves and two bytes, added to a third number (PTX `dp2a.lo`).
            DotHalvesLoI32U32 = "dp2a_lo_i32.u32" (a: u32, b: u32, c: u32) -> u32 { dot_of_halves(a, b >> 0, c, [true, false]) }
            /// Products of two halves and two bytes, added to a third number (PTX `dp2a.lo`).
            DotHalvesLoI32I32 = "dp2a_lo_i32.i32" (a: u32, b: u32, c: u32) -> u32 { dot_of_halves(a, b >> 0, c, [true, true]) }
            /// Products of two halves and two bytes, added to a third number (PTX `dp2a.hi`).
            DotHalvesHiU32U32 = "dp2a_hi_u32.u32" (a: u32, b: u32, c: u32) -> u32 { dot_of_halves(a, b >> 16, c, [false, false]) }
            /// Products of two halves and two bytes, added to a third number (PTX `dp2a.hi`).
            DotHalvesHiU32I32 = "dp2a_hi_u32.i32" (a: u32, b: u32, c: u32) -> u32 { dot_of_halves(a, b >> 16, c, [false, true]) }
            /// Products of two halves and two bytes, added to a third number (PTX `dp2a.hi`).
            DotHalvesHiI32U32 = "dp2a_hi_i32.u32" (a: u32, b: u32, c: u32) -> u32 { dot_of_halves(a, b >> 16, c, [true, false]) }
            /// Products of two halves and two bytes, added to a third number (PTX `dp2a.hi`).
            DotHalvesHiI32I32 = "dp2a_hi_i32.i32" (a: u32, b: u32, c: u32) -> u32 { dot_of_halves(a, b >> 16, c, [true, true]) }
            /// So many low bits, extended (PTX `szext.clamp`).
            ExtendClampU32 = "szext_clamp.u32" (a: u32, length: u32) -> u32 { extended(a as u32, length, true, false) as u32 }
            /// So many low bits, extended (PTX `szext.clamp`).
            ExtendClampI32 = "szext_clamp.i32" (a: i32, length: u32) -> i32 { extended(a as u32, length, true, true) as i32 }
            /// So many low bits, extended (PTX `szext.wrap`).
            ExtendWrapU32 = "szext_wrap.u32" (a: u32, length: u32) -> u32 { extended(a as u32, length, false, false) as u32 }
            /// So many low bits, extended (PTX `szext.wrap`).
            ExtendWrapI32 = "szext_wrap.i32" (a: i32, length: u32) -> i32 { extended(a as u32, length, false, true) as i32 }
            /// Ones from a number on, of a length (PTX `bmsk.clamp`).
            MaskClamp = "bmsk_clamp.u32" (at: u32, length: u32) -> u32 { mask_of(at, length, true) }
            /// Ones from a number on, of a length (PTX `bmsk.wrap`).
            MaskWrap = "bmsk_wrap.u32" (at: u32, length: u32) -> u32 { mask_of(at, length, false) }
            /// The number of a bit that is set, counted from a place on, up or down (PTX `fns`).
            FindNthSet = "fns.u32" (mask: u32, from: u32, count: i32) -> u32 { nth_set(mask, from, count) }
            /// The distances of four pairs of bytes (PTX `vabsdiff4`).
            DistancesU32U32 = "vabsdiff4_u32.u32" (a: u32, b: u32) -> u32 { distances(a, b, [false, false]).iter().rev().fold(0, |all, &each| all << 8 | each & 0xff) }
            /// The distances of four pairs of bytes (PTX `vabsdiff4`).
            DistancesU32I32 = "vabsdiff4_u32.i32" (a: u32, b: u32) -> u32 { distances(a, b, [false, true]).iter().rev().fold(0, |all, &each| all << 8 | each & 0xff) }
            /// The distances of four pairs of bytes (PTX `vabsdiff4`).
            DistancesI32U32 = "vabsdiff4_i32.u32" (a: u32, b: u32) -> u32 { distances(a, b, [true, false]).iter().rev().fold(0, |all, &each| all << 8 | each & 0xff) }
            /// The distances of four pairs of bytes (PTX `vabsdiff4`).
            DistancesI32I32 = "vabsdiff4_i32.i32" (a: u32, b: u32) -> u32 { distances(a, b, [true, true]).iter().rev().fold(0, |all, &each| all << 8 | each & 0xff) }
            /// The sum of the distances of four pairs of bytes and a third number (PTX `vabsdiff4.add`).
            AddDistancesU32U32 = "vabsdiff4_add_u32.u32" (a: u32, b: u32, c: u32) -> u32 { distances(a, b, [false, false]).iter().fold(c, |sum, &each| sum.wrapping_add(each)) }
            /// The sum of the distances of four pairs of bytes and a third number (PTX `vabsdiff4.add`).
            AddDistancesU32I32 = "vabsdiff4_add_u32.i32" (a: u32, b: u32, c: u32) -> u32 { distances(a, b, [false, true]).iter().fold(c, |sum, &each| sum.wrapping_add(each)) }
            /// The sum of the distances of four pairs of bytes and a third number (PTX `vabsdiff4.add`).
            AddDistancesI32U32 = "vabsdiff4_add_i32.u32" (a: u32, b: u32, c: u32) -> u32 { distances(a, b, [true, false]).iter().fold(c, |sum, &each| sum.wrapping_add(each)) }
            /// The sum of the distances of four pairs of bytes and a third number (PTX `vabsdiff4.add`).
            AddDistancesI32I32 = "vabsdiff4_add_i32.i32" (a: u32, b: u32, c: u32) -> u32 { distances(a, b, [true, true]).iter().fold(c, |sum, &each| sum.wrapping_add(each)) }
        }
    };
}
pub(in crate::ops::machine) use for_each_machine_op_from_bits;
