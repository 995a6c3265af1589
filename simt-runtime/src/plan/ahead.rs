//! The segments that keep to themselves: lanes may run them ahead of their issue, and without a turn of their warp.

use super::{Control, Extended, Micro, Origin, Plan, Segment};
use simt_core::Constant;
use simt_core::code::{Code, Inst, Operand, Pc};

/// Numbers the segments that may run before they issue, because they keep to themselves. Returns where they start.
pub(super) fn number(
    code: &Code,
    segments: &mut [Segment],
    micros: &[Micro],
    origins: &[Origin],
    extended: &[Extended],
) -> Vec<Pc> {
    let mut numbered = Vec::new();
    for (segment, at) in segments.iter_mut().zip(0..) {
        if keeps_to_itself(code, segment, micros, origins, extended) {
            numbered.push(Pc(at));
            segment.ahead = numbered.len() as u32;
        }
    }
    numbered
}

/// Whether a segment keeps to itself: see [`Plan::keeps_to_itself`].
fn keeps_to_itself(
    code: &Code,
    segment: &Segment,
    micros: &[Micro],
    origins: &[Origin],
    extended: &[Extended],
) -> bool {
    let (start, end) = (segment.start as usize, segment.end as usize);
    segment.instructions > 0
        && matches!(segment.control, Control::Next(_) | Control::Jump { .. } | Control::Branch { .. })
        && micros[start..end].iter().zip(&origins[start..end]).all(|(&micro, &origin)| {
            if micro.op.divides() {
                divides_by_a_constant(code.inst(origin.pc))
            } else if micro.op == super::LaneOp::Extended {
                matches!(extended.get(micro.extended()), Some(Extended::Function(_)))
            } else {
                !micro.op.accesses_memory() && !micro.op.is_strict()
            }
        })
}

impl Plan {
    /// Whether no other thread can tell when the segment at an address runs: it reads and writes only the registers of its lanes,
    /// cannot fault, and where it ends follows from those registers.
    pub(crate) fn keeps_to_itself(&self, at: Pc) -> bool {
        let Self { code, segments, micros, origins, extended, .. } = self;
        segments.get(at.index()).is_some_and(|segment| keeps_to_itself(code, segment, micros, origins, extended))
    }
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
