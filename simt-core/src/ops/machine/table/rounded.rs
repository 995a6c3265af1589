//! Operations on floats that are rounded in a direction.

/// Calls a macro with the rows that it is given, and these.
macro_rules! for_each_machine_op_from_rounded {
    ($consume:ident $($rows:tt)*) => {
        $consume! {
            $($rows)*
            /// A sum, rounded towards zero (PTX `add.rz`).
            AddZeroF32 = "add_rz.f32" (a: f32, b: f32) -> f32 { sum(a, b, Direction::Zero) }
            /// A sum, rounded down (PTX `add.rm`).
            AddDownF32 = "add_rm.f32" (a: f32, b: f32) -> f32 { sum(a, b, Direction::Down) }
            /// A sum, rounded up (PTX `add.rp`).
            AddUpF32 = "add_rp.f32" (a: f32, b: f32) -> f32 { sum(a, b, Direction::Up) }
            /// A product, rounded towards zero (PTX `mul.rz`).
            MulZeroF32 = "mul_rz.f32" (a: f32, b: f32) -> f32 { product(a, b, Direction::Zero) }
            /// A product, rounded down (PTX `mul.rm`).
            MulDownF32 = "mul_rm.f32" (a: f32, b: f32) -> f32 { product(a, b, Direction::Down) }
            /// A product, rounded up (PTX `mul.rp`).
            MulUpF32 = "mul_rp.f32" (a: f32, b: f32) -> f32 { product(a, b, Direction::Up) }
            /// A product and a sum, rounded once, towards zero (PTX `fma.rz`).
            FmaZeroF32 = "fma_rz.f32" (a: f32, b: f32, c: f32) -> f32 { fused(a, b, c, Direction::Zero) }
            /// A product and a sum, rounded once, down (PTX `fma.rm`).
            FmaDownF32 = "fma_rm.f32" (a: f32, b: f32, c: f32) -> f32 { fused(a, b, c, Direction::Down) }
            /// A product and a sum, rounded once, up (PTX `fma.rp`).
            FmaUpF32 = "fma_rp.f32" (a: f32, b: f32, c: f32) -> f32 { fused(a, b, c, Direction::Up) }
            /// A quotient, rounded towards zero (PTX `div.rz`).
            DivZeroF32 = "div_rz.f32" (a: f32, b: f32) -> f32 { quotient(a, b, Direction::Zero) }
            /// A quotient, rounded down (PTX `div.rm`).
            DivDownF32 = "div_rm.f32" (a: f32, b: f32) -> f32 { quotient(a, b, Direction::Down) }
            /// A quotient, rounded up (PTX `div.rp`).
            DivUpF32 = "div_rp.f32" (a: f32, b: f32) -> f32 { quotient(a, b, Direction::Up) }
            /// A reciprocal, rounded towards zero (PTX `rcp.rz`).
            RecipZeroF32 = "rcp_rz.f32" (a: f32) -> f32 { quotient(1.0, a, Direction::Zero) }
            /// A reciprocal, rounded down (PTX `rcp.rm`).
            RecipDownF32 = "rcp_rm.f32" (a: f32) -> f32 { quotient(1.0, a, Direction::Down) }
            /// A reciprocal, rounded up (PTX `rcp.rp`).
            RecipUpF32 = "rcp_rp.f32" (a: f32) -> f32 { quotient(1.0, a, Direction::Up) }
            /// A square root, rounded towards zero (PTX `sqrt.rz`).
            SqrtZeroF32 = "sqrt_rz.f32" (a: f32) -> f32 { root(a, Direction::Zero) }
            /// A square root, rounded down (PTX `sqrt.rm`).
            SqrtDownF32 = "sqrt_rm.f32" (a: f32) -> f32 { root(a, Direction::Down) }
            /// A square root, rounded up (PTX `sqrt.rp`).
            SqrtUpF32 = "sqrt_rp.f32" (a: f32) -> f32 { root(a, Direction::Up) }
            /// A sum, rounded towards zero (PTX `add.rz`).
            AddZeroF64 = "add_rz.f64" (a: f64, b: f64) -> f64 { sum(a, b, Direction::Zero) }
            /// A sum, rounded down (PTX `add.rm`).
            AddDownF64 = "add_rm.f64" (a: f64, b: f64) -> f64 { sum(a, b, Direction::Down) }
            /// A sum, rounded up (PTX `add.rp`).
            AddUpF64 = "add_rp.f64" (a: f64, b: f64) -> f64 { sum(a, b, Direction::Up) }
            /// A product, rounded towards zero (PTX `mul.rz`).
            MulZeroF64 = "mul_rz.f64" (a: f64, b: f64) -> f64 { product(a, b, Direction::Zero) }
            /// A product, rounded down (PTX `mul.rm`).
            MulDownF64 = "mul_rm.f64" (a: f64, b: f64) -> f64 { product(a, b, Direction::Down) }
            /// A product, rounded up (PTX `mul.rp`).
            MulUpF64 = "mul_rp.f64" (a: f64, b: f64) -> f64 { product(a, b, Direction::Up) }
            /// A product and a sum, rounded once, towards zero (PTX `fma.rz`).
            FmaZeroF64 = "fma_rz.f64" (a: f64, b: f64, c: f64) -> f64 { fused(a, b, c, Direction::Zero) }
            /// A product and a sum, rounded once, down (PTX `fma.rm`).
            FmaDownF64 = "fma_rm.f64" (a: f64, b: f64, c: f64) -> f64 { fused(a, b, c, Direction::Down) }
            /// A product and a sum, rounded once, up (PTX `fma.rp`).
            FmaUpF64 = "fma_rp.f64" (a: f64, b: f64, c: f64) -> f64 { fused(a, b, c, Direction::Up) }
            /// A quotient, rounded towards zero (PTX `div.rz`).
            DivZeroF64 = "div_rz.f64" (a: f64, b: f64) -> f64 { quotient(a, b, Direction::Zero) }
            /// A quotient, rounded down (PTX `div.rm`).
            DivDownF64 = "div_rm.f64" (a: f64, b: f64) -> f64 { quotient(a, b, Direction::Down) }
            /// A quotient, rounded up (PTX `div.rp`).
            DivUpF64 = "div_rp.f64" (a: f64, b: f64) -> f64 { quotient(a, b, Direction::Up) }
            /// A reciprocal, rounded towards zero (PTX `rcp.rz`).
            RecipZeroF64 = "rcp_rz.f64" (a: f64) -> f64 { quotient(1.0, a, Direction::Zero) }
            /// A reciprocal, rounded down (PTX `rcp.rm`).
            RecipDownF64 = "rcp_rm.f64" (a: f64) -> f64 { quotient(1.0, a, Direction::Down) }
            /// A reciprocal, rounded up (PTX `rcp.rp`).
            RecipUpF64 = "rcp_rp.f64" (a: f64) -> f64 { quotient(1.0, a, Direction::Up) }
            /// A square root, rounded towards zero (PTX `sqrt.rz`).
            SqrtZeroF64 = "sqrt_rz.f64" (a: f64) -> f64 { root(a, Direction::Zero) }
            /// A square root, rounded down (PTX `sqrt.rm`).
            SqrtDownF64 = "sqrt_rm.f64" (a: f64) -> f64 { root(a, Direction::Down) }
            /// A square root, rounded up (PTX `sqrt.rp`).
            SqrtUpF64 = "sqrt_rp.f64" (a: f64) -> f64 { root(a, Direction::Up) }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            U64ToF16Zero = "cvt_rz_f16.u64" (a: u64) -> u16 { of_integer(a.into(), HALF, Direction::Zero) as u16 }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            U64ToF16Down = "cvt_rm_f16.u64" (a: u64) -> u16 { of_integer(a.into(), HALF, Direction::Down) as u16 }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            U64ToF16Up = "cvt_rp_f16.u64" (a: u64) -> u16 { of_integer(a.into(), HALF, Direction::Up) as u16 }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            U64ToBf16Zero = "cvt_rz_bf16.u64" (a: u64) -> u16 { of_integer(a.into(), BRAIN, Direction::Zero) as u16 }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            U64ToBf16Down = "cvt_rm_bf16.u64" (a: u64) -> u16 { of_integer(a.into(), BRAIN, Direction::Down) as u16 }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            U64ToBf16Up = "cvt_rp_bf16.u64" (a: u64) -> u16 { of_integer(a.into(), BRAIN, Direction::Up) as u16 }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            U64ToF32Zero = "cvt_rz_f32.u64" (a: u64) -> f32 { f32::of_bits(of_integer(a.into(), SINGLE, Direction::Zero)) }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            U64ToF32Down = "cvt_rm_f32.u64" (a: u64) -> f32 { f32::of_bits(of_integer(a.into(), SINGLE, Direction::Down)) }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            U64ToF32Up = "cvt_rp_f32.u64" (a: u64) -> f32 { f32::of_bits(of_integer(a.into(), SINGLE, Direction::Up)) }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            U64ToF64Zero = "cvt_rz_f64.u64" (a: u64) -> f64 { f64::of_bits(of_integer(a.into(), DOUBLE, Direction::Zero)) }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            U64ToF64Down = "cvt_rm_f64.u64" (a: u64) -> f64 { f64::of_bits(of_integer(a.into(), DOUBLE, Direction::Down)) }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            U64ToF64Up = "cvt_rp_f64.u64" (a: u64) -> f64 { f64::of_bits(of_integer(a.into(), DOUBLE, Direction::Up)) }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            I64ToF16Zero = "cvt_rz_f16.i64" (a: i64) -> u16 { of_integer(a.into(), HALF, Direction::Zero) as u16 }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            I64ToF16Down = "cvt_rm_f16.i64" (a: i64) -> u16 { of_integer(a.into(), HALF, Direction::Down) as u16 }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            I64ToF16Up = "cvt_rp_f16.i64" (a: i64) -> u16 { of_integer(a.into(), HALF, Direction::Up) as u16 }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            I64ToBf16Zero = "cvt_rz_bf16.i64" (a: i64) -> u16 { of_integer(a.into(), BRAIN, Direction::Zero) as u16 }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            I64ToBf16Down = "cvt_rm_bf16.i64" (a: i64) -> u16 { of_integer(a.into(), BRAIN, Direction::Down) as u16 }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            I64ToBf16Up = "cvt_rp_bf16.i64" (a: i64) -> u16 { of_integer(a.into(), BRAIN, Direction::Up) as u16 }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            I64ToF32Zero = "cvt_rz_f32.i64" (a: i64) -> f32 { f32::of_bits(of_integer(a.into(), SINGLE, Direction::Zero)) }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            I64ToF32Down = "cvt_rm_f32.i64" (a: i64) -> f32 { f32::of_bits(of_integer(a.into(), SINGLE, Direction::Down)) }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            I64ToF32Up = "cvt_rp_f32.i64" (a: i64) -> f32 { f32::of_bits(of_integer(a.into(), SINGLE, Direction::Up)) }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            I64ToF64Zero = "cvt_rz_f64.i64" (a: i64) -> f64 { f64::of_bits(of_integer(a.into(), DOUBLE, Direction::Zero)) }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            I64ToF64Down = "cvt_rm_f64.i64" (a: i64) -> f64 { f64::of_bits(of_integer(a.into(), DOUBLE, Direction::Down)) }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            I64ToF64Up = "cvt_rp_f64.i64" (a: i64) -> f64 { f64::of_bits(of_integer(a.into(), DOUBLE, Direction::Up)) }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            F64ToF16Zero = "cvt_rz_f16.f64" (a: f64) -> u16 { narrowed(a, HALF, Direction::Zero) as u16 }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            F64ToF16Down = "cvt_rm_f16.f64" (a: f64) -> u16 { narrowed(a, HALF, Direction::Down) as u16 }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            F64ToF16Up = "cvt_rp_f16.f64" (a: f64) -> u16 { narrowed(a, HALF, Direction::Up) as u16 }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            F64ToBf16Zero = "cvt_rz_bf16.f64" (a: f64) -> u16 { narrowed(a, BRAIN, Direction::Zero) as u16 }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            F64ToBf16Down = "cvt_rm_bf16.f64" (a: f64) -> u16 { narrowed(a, BRAIN, Direction::Down) as u16 }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            F64ToBf16Up = "cvt_rp_bf16.f64" (a: f64) -> u16 { narrowed(a, BRAIN, Direction::Up) as u16 }
            /// A number of fewer digits, rounded towards zero (PTX `cvt.rz`).
            F64ToF32Zero = "cvt_rz_f32.f64" (a: f64) -> f32 { f32::of_bits(narrowed(a, SINGLE, Direction::Zero)) }
            /// A number of fewer digits, rounded down (PTX `cvt.rm`).
            F64ToF32Down = "cvt_rm_f32.f64" (a: f64) -> f32 { f32::of_bits(narrowed(a, SINGLE, Direction::Down)) }
            /// A number of fewer digits, rounded up (PTX `cvt.rp`).
            F64ToF32Up = "cvt_rp_f32.f64" (a: f64) -> f32 { f32::of_bits(narrowed(a, SINGLE, Direction::Up)) }
        }
    };
}
pub(in crate::ops::machine) use for_each_machine_op_from_rounded;
