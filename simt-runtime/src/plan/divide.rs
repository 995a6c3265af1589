//! Translation of divisions by powers of two.

use super::translate::{Done, Translator};
use super::{LaneOp, Micro};
use simt_core::ScalarType;
use simt_core::code::{Operand, Reg};
use simt_core::ops::BinaryOp;

impl Translator<'_> {
    /// Division by a power of two takes shifts, which lanes do at once, where division takes one lane after the other.
    pub(super) fn divide_by_power(
        &mut self,
        op: BinaryOp,
        machine: ScalarType,
        dst: Reg,
        left: Operand,
        exponent: u32,
    ) -> Done {
        let wide = machine.bits() == 64;
        let row_type = if wide { ScalarType::U64 } else { ScalarType::U32 };
        let a = self.row(left, machine)?;
        let low = self.typed_constant((1u64 << exponent) - 1, row_type)?;
        let count = self.constant(exponent)?;
        let (and, shift_right) = if wide { (LaneOp::And64, LaneOp::ShrU64) } else { (LaneOp::And32, LaneOp::ShrU32) };
        if !machine.is_signed_int() {
            if op == BinaryOp::Rem {
                self.write(and, dst, a, low);
            } else {
                self.write(shift_right, dst, a, count);
            }
            return Ok(());
        }
        // Rounding goes towards zero: a negative dividend is first raised by the divisor less one.
        let (add, sub, shift_signed) = if wide {
            (LaneOp::Add64, LaneOp::Sub64, LaneOp::ShrI64)
        } else {
            (LaneOp::Add32, LaneOp::Sub32, LaneOp::ShrI32)
        };
        let bias = self.scratch(0, row_type)?;
        let sign = self.constant(if wide { 63 } else { 31 })?;
        self.push(Micro { op: shift_signed, local: true, dst: bias, a, b: sign });
        self.push(Micro { op: and, local: true, dst: bias, a: bias, b: low });
        self.push(Micro { op: add, local: true, dst: bias, a, b: bias });
        if op == BinaryOp::Rem {
            let high = self.typed_constant(!((1u64 << exponent) - 1), row_type)?;
            self.push(Micro { op: and, local: true, dst: bias, a: bias, b: high });
            self.write(sub, dst, a, bias);
        } else {
            self.write(shift_signed, dst, bias, count);
        }
        Ok(())
    }
}
