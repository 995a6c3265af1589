//! Operations on floats, and on the bits of those of 16 bits.

/// Calls a macro with the rows that it is given, and these.
macro_rules! for_each_machine_op_from_floats {
    ($consume:ident $($rows:tt)*) => {
        for_each_machine_op_from_rounded! {
            $consume $($rows)*
            /// Less or greater: neither is a NaN (PTX `setp.ne`).
            DifferF32 = "lgt.f32" (a: f32, b: f32) -> bool { a.partial_cmp(&b).is_some_and(Ordering::is_ne) }
            /// Neither is a NaN (PTX `setp.num`).
            OrderedF32 = "num.f32" (a: f32, b: f32) -> bool { !a.is_nan() && !b.is_nan() }
            /// The lesser one, or NaN (PTX `min.NaN`).
            MinNanF32 = "min_nan.f32" (a: f32, b: f32) -> f32 { if a.is_nan() || b.is_nan() { f32::NAN } else { Real::least(a, b) } }
            /// The greater one, or NaN (PTX `max.NaN`).
            MaxNanF32 = "max_nan.f32" (a: f32, b: f32) -> f32 { if a.is_nan() || b.is_nan() { f32::NAN } else { Real::greatest(a, b) } }
            /// Whether it is neither zero, subnormal, infinite nor NaN (PTX `testp.normal`).
            IsNormalF32 = "is_normal.f32" (a: f32) -> bool { a.is_normal() }
            /// Whether it is subnormal (PTX `testp.subnormal`).
            IsSubnormalF32 = "is_subnormal.f32" (a: f32) -> bool { a.is_subnormal() }
            /// Less or greater: neither is a NaN (PTX `setp.ne`).
            DifferF64 = "lgt.f64" (a: f64, b: f64) -> bool { a.partial_cmp(&b).is_some_and(Ordering::is_ne) }
            /// Neither is a NaN (PTX `setp.num`).
            OrderedF64 = "num.f64" (a: f64, b: f64) -> bool { !a.is_nan() && !b.is_nan() }
            /// The lesser one, or NaN (PTX `min.NaN`).
            MinNanF64 = "min_nan.f64" (a: f64, b: f64) -> f64 { if a.is_nan() || b.is_nan() { f64::NAN } else { Real::least(a, b) } }
            /// The greater one, or NaN (PTX `max.NaN`).
            MaxNanF64 = "max_nan.f64" (a: f64, b: f64) -> f64 { if a.is_nan() || b.is_nan() { f64::NAN } else { Real::greatest(a, b) } }
            /// Whether it is neither zero, subnormal, infinite nor NaN (PTX `testp.normal`).
            IsNormalF64 = "is_normal.f64" (a: f64) -> bool { a.is_normal() }
            /// Whether it is subnormal (PTX `testp.subnormal`).
            IsSubnormalF64 = "is_subnormal.f64" (a: f64) -> bool { a.is_subnormal() }
            /// Subnormal numbers become zeros (PTX `.ftz`).
            FlushF32 = "ftz.f32" (a: f32) -> f32 { flushed(a) }
            /// Between 0 and 1, of a NaN 0 (PTX `.sat`).
            SaturateF32 = "sat.f32" (a: f32) -> f32 { saturated(a) }
            /// Between 0 and 1, of a NaN 0 (PTX `.sat`).
            SaturateF64 = "sat.f64" (a: f64) -> f64 { saturated_double(a) }
            /// The reciprocal of a square root, rounded once (PTX `rsqrt`).
            ReciprocalRootF32 = "rsqrt.f32" (a: f32) -> f32 { reciprocal_root(a) }
            /// The reciprocal of a square root, of which both steps are rounded (PTX `rsqrt`).
            ReciprocalRootF64 = "rsqrt.f64" (a: f64) -> f64 { 1.0 / a.sqrt() }
            /// Subnormal numbers become zeros (PTX `.ftz`).
            FlushF16 = "ftz.f16" (a: u16) -> u16 { if a & 0x7c00 == 0 { a & 0x8000 } else { a } }
            /// Between 0 and 1, of a NaN 0 (PTX `.sat`).
            SaturateF16 = "sat.f16" (a: u16) -> u16 { half_saturated(a, HALF) }
            /// Not below 0, and of a NaN the canonical one (PTX `.relu`).
            RectifyF16 = "relu.f16" (a: u16) -> u16 { half_rectified(a, HALF) }
            /// Of an infinity the largest finite number (PTX `.satfinite`).
            FiniteF16 = "satfinite.f16" (a: u16) -> u16 { half_finite(a, HALF) }
            /// Between 0 and 1, of a NaN 0 (PTX `.sat`).
            SaturateBf16 = "sat.bf16" (a: u16) -> u16 { half_saturated(a, BRAIN) }
            /// Not below 0, and of a NaN the canonical one (PTX `.relu`).
            RectifyBf16 = "relu.bf16" (a: u16) -> u16 { half_rectified(a, BRAIN) }
            /// Of an infinity the largest finite number (PTX `.satfinite`).
            FiniteBf16 = "satfinite.bf16" (a: u16) -> u16 { half_finite(a, BRAIN) }
        }
    };
}
pub(in crate::ops::machine) use for_each_machine_op_from_floats;
