//! The lane operations, one table.
//!
//! There are fewer than in the language: 32-bit addition serves `u32`, `i32`, `usize` and `isize`, and a narrower
//! integer's is followed by an operation that extends the result. Greater-than is less-than with its operands swapped.
//! `translate` does this; the meaning of each row comes from the tables of `simt_core::ops`.

/// Hands the table to a macro: groups of `Name = meaning, type(s)`. Of the groups that come twice, the first holds the
/// operations common enough to have loops of their own for warps of 32.
macro_rules! for_each_lane_op {
    ($consume:ident) => {
        $consume! {
            binary {
                Add32 = Add, u32; Sub32 = Sub, u32; Mul32 = Mul, u32;
                And32 = And, u32; Or32 = Or, u32; Xor32 = Xor, u32;
                Shl32 = Shl, u32; ShrU32 = Shr, u32; ShrI32 = Shr, i32;
                Add64 = Add, u64; Sub64 = Sub, u64; Mul64 = Mul, u64;
                And64 = And, u64; Or64 = Or, u64; Xor64 = Xor, u64;
                AddF32 = Add, f32; SubF32 = Sub, f32; MulF32 = Mul, f32; DivF32 = Div, f32;
                AddF64 = Add, f64; SubF64 = Sub, f64; MulF64 = Mul, f64; DivF64 = Div, f64;
            }
            binary_rare {
                RemF32 = Rem, f32; RemF64 = Rem, f64;
            }
            shift {
                Shl64 = Shl, u64; ShrU64 = Shr, u64; ShrI64 = Shr, i64;
            }
            divide {
                DivU32 = Div, u32; RemU32 = Rem, u32; DivI32 = Div, i32; RemI32 = Rem, i32;
                DivU64 = Div, u64; RemU64 = Rem, u64; DivI64 = Div, i64; RemI64 = Rem, i64;
            }
            unary {
                Not32 = Not, u32; Not64 = Not, u64; NegF32 = Neg, f32; NegF64 = Neg, f64;
            }
            numeric1 {
                AbsI32 = Abs, i32, i32; AbsF32 = Abs, f32, f32; AbsF64 = Abs, f64, f64;
                SqrtF32 = Sqrt, f32, f32; SqrtF64 = Sqrt, f64, f64; FloorF32 = Floor, f32, f32; FloorF64 = Floor, f64, f64;
                CeilF32 = Ceil, f32, f32; CeilF64 = Ceil, f64, f64;
                BitsF32 = ToBits, f32, u32; BitsF64 = ToBits, f64, u64;
                Ones32 = CountOnes, u32, u32; LeadingZeros32 = LeadingZeros, u32, u32;
                TrailingZeros32 = TrailingZeros, u32, u32; Ones64 = CountOnes, u64, u32;
                LeadingZeros64 = LeadingZeros, u64, u32; TrailingZeros64 = TrailingZeros, u64, u32;
            }
            numeric2 {
                MinU32 = Min, u32; MinI32 = Min, i32; MinF32 = Min, f32; MinF64 = Min, f64;
                RotateLeft32 = RotateLeft, u32; RotateRight32 = RotateRight, u32;
                MaxU32 = Max, u32; MaxI32 = Max, i32; MaxF32 = Max, f32; MaxF64 = Max, f64;
            }
            numeric3 {
                MulAddF32 = MulAdd, f32; MulAddF64 = MulAdd, f64;
            }
            compare {
                Eq32 = Eq, u32; Ne32 = Ne, u32; LtU32 = Lt, u32; LeU32 = Le, u32; LtI32 = Lt, i32; LeI32 = Le, i32;
                Eq64 = Eq, u64; Ne64 = Ne, u64; LtU64 = Lt, u64; LeU64 = Le, u64; LtI64 = Lt, i64; LeI64 = Le, i64;
                EqF32 = Eq, f32; NeF32 = Ne, f32; LtF32 = Lt, f32; LeF32 = Le, f32;
                EqF64 = Eq, f64; NeF64 = Ne, f64; LtF64 = Lt, f64; LeF64 = Le, f64;
            }
            convert {
                Move32 = u32, u32; Move64 = u64, u64; Narrow64U32 = u64, u32; WidenU32 = u32, u64;
                U32F32 = u32, f32; I32F32 = i32, f32;
            }
            convert_rare {
                Narrow32U8 = u32, u8; Narrow32U16 = u32, u16; Narrow32I8 = u32, i8; Narrow32I16 = u32, i16;
                Narrow64U8 = u64, u8; Narrow64U16 = u64, u16; Narrow64I8 = u64, i8; Narrow64I16 = u64, i16;
                WidenI32 = i32, i64; U32F64 = u32, f64; I32F64 = i32, f64;
                U64F32 = u64, f32; U64F64 = u64, f64; I64F32 = i64, f32; I64F64 = i64, f64;
                F32U8 = f32, u8; F32U16 = f32, u16; F32U32 = f32, u32; F32U64 = f32, u64;
                F32I8 = f32, i8; F32I16 = f32, i16; F32I32 = f32, i32; F32I64 = f32, i64;
                F64U8 = f64, u8; F64U16 = f64, u16; F64U32 = f64, u32; F64U64 = f64, u64;
                F64I8 = f64, i8; F64I16 = f64, i16; F64I32 = f64, i32; F64I64 = f64, i64;
                F32F64 = f32, f64; F64F32 = f64, f32;
            }
            predicate {
                PredicateAnd = |a, b| a & b; PredicateOr = |a, b| a | b; PredicateXor = |a, b| a ^ b;
                PredicateEq = |a, b| !(a ^ b); PredicateLt = |a, b| !a & b; PredicateLe = |a, b| !a | b;
                PredicateNot = |a, _b| !a; PredicateMove = |a, _b| a;
            }
            load {
                Load32 = u32, u32; Load64 = u64, u64; LoadU8 = u8, u8;
            }
            load_rare {
                LoadU16 = u16, u16; LoadI8 = u8, i8; LoadI16 = u16, i16;
            }
            store {
                Store32 = u32, u32; Store64 = u64, u64; StoreF32 = u32, f32;
            }
            store_rare {
                Store8 = u8, u32; Store16 = u16, u32; StoreF64 = u64, f64;
            }
            special {
                Bool32; Bool64; LoadBool; StoreBool; Selector; Addend; Select32; Select64; PredicateSelect; Extended;
            }
        }
    };
}
pub(crate) use for_each_lane_op;

macro_rules! define_lane_op {
    (
        binary { $($a:ident = $ao:ident, $at:ident;)* }
        binary_rare { $($ar:ident = $aro:ident, $art:ident;)* }
        shift { $($b:ident = $bo:ident, $bt:ident;)* }
        divide { $($c:ident = $co:ident, $ct:ident;)* }
        unary { $($d:ident = $do:ident, $dt:ident;)* }
        numeric1 { $($n:ident = $no:ident, $nt:ident, $nr:ident;)* }
        numeric2 { $($m:ident = $mo:ident, $mt:ident;)* }
        numeric3 { $($l:ident = $lo:ident, $lt:ident;)* }
        compare { $($e:ident = $eo:ident, $et:ident;)* }
        convert { $($f:ident = $fo:ident, $ft:ident;)* }
        convert_rare { $($fr:ident = $fro:ident, $frt:ident;)* }
        predicate { $($g:ident = |$ga:ident, $gb:ident| $go:expr;)* }
        load { $($h:ident = $ho:ident, $ht:ident;)* }
        load_rare { $($hr:ident = $hro:ident, $hrt:ident;)* }
        store { $($i:ident = $io:ident, $it:ident;)* }
        store_rare { $($ir:ident = $iro:ident, $irt:ident;)* }
        special { $($j:ident;)* }
    ) => {
        /// What one lane operation does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum LaneOp {
            $($a,)* $($ar,)* $($b,)* $($c,)* $($d,)* $($n,)* $($m,)* $($l,)* $($e,)* $($f,)* $($fr,)* $($g,)* $($h,)* $($hr,)* $($i,)* $($ir,)*
            $($j,)*
        }

        impl LaneOp {
            /// Whether it divides integers: it faults where the divisor is zero.
            pub(crate) fn divides(self) -> bool {
                matches!(self, $(Self::$c)|*)
            }

            /// Whether it writes elements of a slice, at the indices of its first operand.
            pub(crate) fn is_store(self) -> bool {
                matches!(self, Self::StoreBool $(| Self::$i)* $(| Self::$ir)*)
            }

            /// Whether it reads or writes memory. What is extended says so itself.
            pub(crate) fn accesses_memory(self) -> bool {
                matches!(self, Self::LoadBool | Self::StoreBool $(| Self::$h)* $(| Self::$hr)* $(| Self::$i)* $(| Self::$ir)*)
            }
        }
    };
}
for_each_lane_op!(define_lane_op);
