//! The addresses where segments start, and where runs must end.

use super::{Part, Runs};
use simt_core::code::{Code, Inst, Markers, Pc};

/// The addresses that a run must end before; `meets` is where the paths of each branch meet, for code without markers.
pub(super) fn stops(code: &Code, leaders: &[bool], apart: &[bool], runs: Runs, meets: &[Option<Pc>]) -> Vec<bool> {
    let mut stops = match code.markers {
        Markers::None if runs == Runs::ToJoins => joins(code, meets),
        Markers::None => leaders.to_vec(),
        Markers::Tokens | Markers::HanoiBarriers | Markers::PtxasBarriers => vec![false; code.insts.len()],
        Markers::PostDominators => {
            let mut stops = vec![false; code.insts.len()];
            code.reconvergence.iter().flatten().for_each(|meet| stops[meet.index()] = true);
            stops
        }
    };
    for ((stop, inst), &apart) in stops.iter_mut().zip(&code.insts).zip(apart) {
        *stop |= executes_alone(inst) || apart;
    }
    stops
}

/// Whether the instruction is a segment of its own: some of the threads that come to it may stay there while others run.
fn executes_alone(inst: &Inst) -> bool {
    matches!(inst, Inst::Indirect { .. } | Inst::Collective { .. } | Inst::Barrier { .. } | Inst::Return)
}

/// The addresses where a policy may send threads, and markers: what they read is kept for every lane.
pub(super) fn leaders(code: &Code, apart: &[bool]) -> Vec<bool> {
    let mut leader = vec![false; code.insts.len() + 1];
    leader[0] = true;
    for (index, inst) in code.insts.iter().enumerate() {
        leader[index] |= inst.is_marker() || executes_alone(inst) || apart[index];
        leader[index + 1] |= inst.is_control();
        let targets = inst.target().into_iter().chain(code.indirect_targets(inst));
        for target in targets.chain(code.reconvergence[index]) {
            leader[target.index()] = true;
        }
    }
    leader
}

/// The addresses where paths of a branch may meet: immediate post-dominators, addresses that are reached from two places
/// before them, or from two behind, and addresses that a branch sends threads to while others pass by. So no thread stands
/// where others pass.
fn joins(code: &Code, meets: &[Option<Pc>]) -> Vec<bool> {
    let ends = code.insts.len() + 1;
    // The number of predecessors before an address, and behind it.
    let mut ways = vec![[0_u32; 2]; ends];
    // Whether threads come to an address because a policy has sent them, and whether threads pass by.
    let (mut sent, mut pass) = (vec![false; ends], vec![false; ends]);
    sent[0] = true;
    for (index, inst) in code.insts.iter().enumerate() {
        let passes = matches!(inst, Inst::Jump { .. }) || !inst.is_control();
        let mut come = |target: usize| {
            ways[target][usize::from(target <= index)] += 1;
            if passes { pass[target] = true } else { sent[target] = true }
        };
        if !inst.never_falls_through() {
            come(index + 1);
        }
        inst.target().into_iter().chain(code.indirect_targets(inst)).for_each(|target| come(target.index()));
    }
    let is_join = |(at, [before, behind]): (usize, [u32; 2])| before > 1 || behind > 1 || sent[at] && pass[at];
    let mut joins: Vec<bool> = ways.into_iter().enumerate().map(is_join).collect();
    meets.iter().flatten().for_each(|meet| joins[meet.index()] = true);
    joins
}

/// The nearest address before each instruction where threads may come from elsewhere: the instructions between are always
/// executed without a stop.
pub(super) fn block_starts(leaders: &[bool]) -> Vec<Pc> {
    let mut start = Pc(0);
    leaders
        .iter()
        .enumerate()
        .map(|(index, &leader)| {
            if leader {
                start = Pc(index as u32);
            }
            start
        })
        .collect()
}

/// How many of a part's instructions count.
pub(super) fn counted(code: &Code, part: &Part) -> u32 {
    if code.modifiers.is_empty() {
        return part.instructions;
    }
    (part.at.0..part.at.0 + part.instructions).filter(|&at| !code.continues(Pc(at))).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_core::analysis::reconvergence_points;

    fn joins_of(lines: &str) -> Vec<usize> {
        let text = format!("kernel one(x: &mut [u32])\n.reg u32 %n, bool %p\n{lines}");
        let code = Code::parse(&text).expect("valid");
        let joins = joins(&code, &reconvergence_points(&code));
        (0..joins.len()).filter(|&at| joins[at]).collect()
    }

    #[test]
    fn arms_meet_behind_them_and_not_at_the_head_of_their_loop() {
        let arms = |odd_ends: &str| {
            joins_of(&format!(
                "mov.u32 %n, 3
                HEAD: eq.u32 %p, %n, 1
                @%p bra OUT
                lt.u32 %p, %n, 5
                @%p bra ODD
                div.u32 %n, %n, 2
                bra JOIN
                ODD: add.u32 %n, %n, 1
                {odd_ends}
                JOIN: sub.u32 %n, %n, 1
                bra HEAD
                OUT: exit"
            ))
        };
        assert_eq!(arms("mov.u32 %n, 4"), [9, 11], "behind the arms, and behind the loop");
        assert_eq!(arms("bra HEAD"), [1, 11], "one arm continues, so that both meet at the head only");
    }

    #[test]
    fn paths_from_before_and_from_behind_meet_at_a_post_dominator() {
        let lines = "lt.u32 %p, 3, 5
            @%p bra FAR
            MEET: mov.u32 %n, 1
            exit
            FAR: mov.u32 %n, 2
            bra MEET";
        assert_eq!(joins_of(lines), [2]);
    }

    #[test]
    fn none_stands_where_others_pass() {
        // A branch sends lanes to the head of a loop that others fall into.
        let lines = "mov.u32 %n, 3
            HEAD: sub.u32 %n, %n, 1
            lt.u32 %p, %n, 5
            @%p bra HEAD
            exit";
        assert_eq!(joins_of(lines), [1, 4]);
    }
}
