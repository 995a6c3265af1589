//! The segments that lanes may run ahead of their issue.

use super::{Control, Extended, Micro, Origin, Segment};
use simt_core::Constant;
use simt_core::code::{Code, Inst, Operand, Pc};

/// Numbers the segments that may run before they issue, because no thread can tell when they did: they read and write only
/// the registers of their lanes, cannot fault, and where they end follows from those registers. Returns where they start.
pub(super) fn number(
    code: &Code,
    segments: &mut [Segment],
    micros: &[Micro],
    origins: &[Origin],
    extended: &[Extended],
) -> Vec<Pc> {
    let mut numbered = Vec::new();
    for segment in segments {
        let (start, end) = (segment.start as usize, segment.end as usize);
        let keeps_to_itself =
            matches!(segment.control, Control::Next(_) | Control::Jump { .. } | Control::Branch { .. })
                && micros[start..end].iter().zip(&origins[start..end]).all(|(&micro, &origin)| {
                    if micro.op.divides() {
                        divides_by_a_constant(code.inst(origin.pc))
                    } else if micro.op == super::LaneOp::Extended {
                        matches!(extended.get(micro.extended()), Some(Extended::Function(_)))
                    } else {
                        !micro.op.accesses_memory()
                    }
                });
        if keeps_to_itself && segment.instructions > 0 {
            numbered.push(segment.at);
            segment.ahead = numbered.len() as u32;
        }
    }
    numbered
}

/// Whether the instruction's divisor is the same in all lanes, and not zero.
fn divides_by_a_constant(inst: &Inst) -> bool {
    matches!(*inst, Inst::Binary { right: Operand::Const(Constant { bits, .. }), .. } if bits != 0)
}

#[cfg(test)]
mod tests {
    use super::super::{Plan, Runs};
    use simt_core::code::Code;

    /// Where segments that may run ahead start.
    fn aheads(text: &str, runs: Runs) -> Vec<u32> {
        let code = Code::parse(text).expect("valid").into_inner();
        Plan::new(code, runs, false).expect("few registers").aheads.iter().map(|pc| pc.0).collect()
    }

    #[test]
    fn only_what_threads_do_by_themselves_may_run_ahead() {
        let with = |op: &str| {
            let text = format!(
                "kernel one(x: &mut [u32], y: u32)
                    .reg u32 %n, bool %p
                    ld.u32 %n, x[0]
                    bra LOOP
                    LOOP: {op}
                    eq.u32 %p, %n, 0
                    @%p bra LOOP
                    exit"
            );
            aheads(&text, Runs::ToTargets) == [2]
        };
        for op in ["add.u32 %n, %n, y", "rem.u32 %n, %n, 7", "div.u32 %n, %n, 8", "max.u32 %n, %n, y"] {
            assert!(with(op), "{op}");
        }
        // The divisor may be zero; an access of memory; an operation of the warp together.
        for op in ["rem.u32 %n, 7, %n", "div.u32 %n, %n, y", "ld.u32 %n, x[1]", "st.u32 x[0], %n"] {
            assert!(!with(op), "{op}");
        }
    }

    #[test]
    fn none_runs_ahead_where_each_instruction_counts() {
        let text = "kernel one(x: &mut [u32])
            .reg u32 %n, bool %p
            mov.u32 %n, 3
            LOOP: add.u32 %n, %n, 1
            eq.u32 %p, %n, 9
            @%p bra LOOP
            exit";
        assert_eq!(aheads(text, Runs::ToTargets), [0, 1]);
        assert_eq!(aheads(text, Runs::OfOne), []);
        assert_eq!(aheads(text, Runs::Modelled), []);
    }
}
