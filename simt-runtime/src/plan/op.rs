//! The lane operations, one table.
//!
//! There are fewer than in the language: 32-bit addition serves `u32`, `i32`, `usize` and `isize`, and a narrower
//! integer's is followed by an operation that extends the result. Greater-than is less-than with its operands swapped.
//! `translate` does this; the meaning of each row comes from the tables of `simt_core::ops`.

/// Hands the table to a macro: rows of `Name = Shape(meaning and types);`. The common ones have loops of their own for warps of
/// 32, the rare ones share loops for all widths.
macro_rules! for_each_lane_op {
    ($consume:ident $(, $($with:tt)*)?) => {
        $consume! {
            $($($with)*)?
            common {
                Add32 = Binary(Add, u32); Sub32 = Binary(Sub, u32); Mul32 = Binary(Mul, u32);
                And32 = Binary(And, u32); Or32 = Binary(Or, u32); Xor32 = Binary(Xor, u32); Shl32 = Binary(Shl, u32);
                ShrU32 = Binary(Shr, u32); ShrI32 = Binary(Shr, i32); Add64 = Binary(Add, u64);
                Sub64 = Binary(Sub, u64); Mul64 = Binary(Mul, u64); And64 = Binary(And, u64); Or64 = Binary(Or, u64);
                Xor64 = Binary(Xor, u64); AddF32 = Binary(Add, f32); SubF32 = Binary(Sub, f32);
                MulF32 = Binary(Mul, f32); DivF32 = Binary(Div, f32); AddF64 = Binary(Add, f64);
                SubF64 = Binary(Sub, f64); MulF64 = Binary(Mul, f64); DivF64 = Binary(Div, f64);
                Shl64 = Shift(Shl, u64); ShrU64 = Shift(Shr, u64); ShrI64 = Shift(Shr, i64);
                Eq32 = Compare(Eq, u32); Ne32 = Compare(Ne, u32); LtU32 = Compare(Lt, u32); LeU32 = Compare(Le, u32);
                LtI32 = Compare(Lt, i32); LeI32 = Compare(Le, i32); Eq64 = Compare(Eq, u64); Ne64 = Compare(Ne, u64);
                LtU64 = Compare(Lt, u64); LeU64 = Compare(Le, u64); LtI64 = Compare(Lt, i64);
                LeI64 = Compare(Le, i64); EqF32 = Compare(Eq, f32); NeF32 = Compare(Ne, f32);
                LtF32 = Compare(Lt, f32); LeF32 = Compare(Le, f32); EqF64 = Compare(Eq, f64);
                NeF64 = Compare(Ne, f64); LtF64 = Compare(Lt, f64); LeF64 = Compare(Le, f64);
                Move32 = Convert(u32, u32); Move64 = Convert(u64, u64); Narrow64U32 = Convert(u64, u32);
                WidenU32 = Convert(u32, u64); U32F32 = Convert(u32, f32); I32F32 = Convert(i32, f32);
                PredicateAnd = Predicate(|a, b| a & b); PredicateOr = Predicate(|a, b| a | b);
                PredicateXor = Predicate(|a, b| a ^ b); PredicateEq = Predicate(|a, b| !(a ^ b));
                PredicateLt = Predicate(|a, b| !a & b); PredicateLe = Predicate(|a, b| !a | b);
                PredicateNot = Predicate(|a, _b| !a); PredicateMove = Predicate(|a, _b| a);
                Load32 = Load(u32, u32); Load64 = Load(u64, u64); LoadU8 = Load(u8, u8);
                Store32 = Store(u32, u32); Store64 = Store(u64, u64); StoreF32 = Store(u32, f32);
            }
            rare {
                RemF32 = Binary(Rem, f32); RemF64 = Binary(Rem, f64);
                DivU32 = Divide(Div, u32); RemU32 = Divide(Rem, u32); DivI32 = Divide(Div, i32);
                RemI32 = Divide(Rem, i32); DivU64 = Divide(Div, u64); RemU64 = Divide(Rem, u64);
                DivI64 = Divide(Div, i64); RemI64 = Divide(Rem, i64);
                Not32 = Unary(Not, u32); Not64 = Unary(Not, u64); NegF32 = Unary(Neg, f32); NegF64 = Unary(Neg, f64);
                AbsI32 = Numeric1(Abs, i32, i32); AbsF32 = Numeric1(Abs, f32, f32); AbsF64 = Numeric1(Abs, f64, f64);
                SqrtF32 = Numeric1(Sqrt, f32, f32); SqrtF64 = Numeric1(Sqrt, f64, f64);
                FloorF32 = Numeric1(Floor, f32, f32); FloorF64 = Numeric1(Floor, f64, f64);
                CeilF32 = Numeric1(Ceil, f32, f32); CeilF64 = Numeric1(Ceil, f64, f64);
                BitsF32 = Numeric1(ToBits, f32, u32); BitsF64 = Numeric1(ToBits, f64, u64);
                Ones32 = Numeric1(CountOnes, u32, u32); LeadingZeros32 = Numeric1(LeadingZeros, u32, u32);
                TrailingZeros32 = Numeric1(TrailingZeros, u32, u32); Ones64 = Numeric1(CountOnes, u64, u32);
                LeadingZeros64 = Numeric1(LeadingZeros, u64, u32);
                TrailingZeros64 = Numeric1(TrailingZeros, u64, u32);
                MinU32 = Numeric2(Min, u32); MinI32 = Numeric2(Min, i32); MinF32 = Numeric2(Min, f32);
                MinF64 = Numeric2(Min, f64); RotateLeft32 = Numeric2(RotateLeft, u32);
                RotateRight32 = Numeric2(RotateRight, u32); MaxU32 = Numeric2(Max, u32); MaxI32 = Numeric2(Max, i32);
                MaxF32 = Numeric2(Max, f32); MaxF64 = Numeric2(Max, f64);
                SaturatingAddU32 = Numeric2(SaturatingAdd, u32); SaturatingSubU32 = Numeric2(SaturatingSub, u32);
                SaturatingMulU32 = Numeric2(SaturatingMul, u32);
                StrictAddU32 = Strict(Add, AddOverflows, u32); StrictSubU32 = Strict(Sub, SubOverflows, u32);
                StrictMulU32 = Strict(Mul, MulOverflows, u32); StrictAddI32 = Strict(Add, AddOverflows, i32);
                StrictSubI32 = Strict(Sub, SubOverflows, i32); StrictMulI32 = Strict(Mul, MulOverflows, i32);
                MulAddF32 = Numeric3(MulAdd, f32); MulAddF64 = Numeric3(MulAdd, f64);
                Narrow32U8 = Convert(u32, u8); Narrow32U16 = Convert(u32, u16); Narrow32I8 = Convert(u32, i8);
                Narrow32I16 = Convert(u32, i16); Narrow64U8 = Convert(u64, u8); Narrow64U16 = Convert(u64, u16);
                Narrow64I8 = Convert(u64, i8); Narrow64I16 = Convert(u64, i16); WidenI32 = Convert(i32, i64);
                U32F64 = Convert(u32, f64); I32F64 = Convert(i32, f64); U64F32 = Convert(u64, f32);
                U64F64 = Convert(u64, f64); I64F32 = Convert(i64, f32); I64F64 = Convert(i64, f64);
                F32U8 = Convert(f32, u8); F32U16 = Convert(f32, u16); F32U32 = Convert(f32, u32);
                F32U64 = Convert(f32, u64); F32I8 = Convert(f32, i8); F32I16 = Convert(f32, i16);
                F32I32 = Convert(f32, i32); F32I64 = Convert(f32, i64); F64U8 = Convert(f64, u8);
                F64U16 = Convert(f64, u16); F64U32 = Convert(f64, u32); F64U64 = Convert(f64, u64);
                F64I8 = Convert(f64, i8); F64I16 = Convert(f64, i16); F64I32 = Convert(f64, i32);
                F64I64 = Convert(f64, i64); F32F64 = Convert(f32, f64); F64F32 = Convert(f64, f32);
                LoadU16 = Load(u16, u16); LoadI8 = Load(u8, i8); LoadI16 = Load(u16, i16);
                Store8 = Store(u8, u32); Store16 = Store(u16, u32); StoreF64 = Store(u64, f64);
                Bool32 = FromPredicate(u32); Bool64 = FromPredicate(u64);
                LoadBool = LoadBool(); StoreBool = StoreBool();
                Selector = Selector(); Addend = Addend();
                Select32 = Select(u32); Select64 = Select(u64); PredicateSelect = PredicateSelect();
                Extended = Extended();
            }
        }
    };
}
pub(crate) use for_each_lane_op;

macro_rules! define_lane_op {
    (common { $($common:ident = $of:ident($($_0:tt)*);)* } rare { $($rare:ident = $rare_of:ident($($_1:tt)*);)* }) => {
        /// What one lane operation does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum LaneOp {
            $($common,)* $($rare,)*
        }

        impl LaneOp {
            fn shape(self) -> Shape {
                match self {
                    $(Self::$common => Shape::$of,)*
                    $(Self::$rare => Shape::$rare_of,)*
                }
            }
        }
    };
}
for_each_lane_op!(define_lane_op);

/// What operations of a shape have in common: how they read and write rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Binary,
    Shift,
    Divide,
    Unary,
    Numeric1,
    Numeric2,
    Numeric3,
    Strict,
    Compare,
    Convert,
    Predicate,
    Load,
    Store,
    FromPredicate,
    LoadBool,
    StoreBool,
    Selector,
    Addend,
    Select,
    PredicateSelect,
    Extended,
}

impl LaneOp {
    /// Whether it divides integers: it faults where the divisor is zero.
    pub(crate) fn divides(self) -> bool {
        self.shape() == Shape::Divide
    }

    /// Whether it faults where the result is not of the type.
    pub(crate) fn is_strict(self) -> bool {
        self.shape() == Shape::Strict
    }

    /// Whether it writes elements of a slice.
    pub(crate) fn is_store(self) -> bool {
        matches!(self.shape(), Shape::Store | Shape::StoreBool)
    }

    /// Whether it reads or writes elements of a slice, at the indices of its first operand. What is extended says so itself.
    pub(crate) fn accesses_memory(self) -> bool {
        matches!(self.shape(), Shape::Load | Shape::LoadBool | Shape::Store | Shape::StoreBool)
    }
}
