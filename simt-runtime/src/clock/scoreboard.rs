//! The cycles in which the registers of a warp have their values.

use super::flights::UNKNOWN;
use crate::hierarchy::Cycle;
use simt_core::LaneMask;

/// The time at which a register has its value: the cycle, and whether it comes from memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ready {
    at: Cycle,
    from_memory: bool,
    ticket: Option<u32>,
}

/// A register that some lanes wait for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    register: u32,
    lanes: LaneMask,
    ready: Ready,
}

/// The scoreboard of a warp.
#[derive(Debug, Default)]
pub(crate) enum Scoreboard {
    /// Each thread has one instruction in flight: no warp waits for registers.
    #[default]
    None,
    /// The registers of the code, whichever lanes write them.
    Registers(Vec<Ready>),
    /// The registers of a warp whose splits run the same code at different times: each waits for its own values.
    Lanes(Vec<Pending>),
}

impl Scoreboard {
    /// A scoreboard of so many registers.
    pub(crate) fn of_registers(count: usize) -> Self {
        Self::Registers(vec![Ready::default(); count])
    }

    /// A scoreboard by lanes.
    pub(crate) fn of_lanes() -> Self {
        Self::Lanes(Vec::new())
    }

    /// All have their values.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::None => {}
            Self::Registers(registers) => registers.fill(Ready::default()),
            Self::Lanes(pending) => pending.clear(),
        }
    }

    /// Lanes issue an instruction now, which writes the register at `then`.
    pub(crate) fn writes(
        &mut self,
        now: Cycle,
        (register, lanes): (u32, LaneMask),
        at: Cycle,
        from_memory: bool,
        ticket: Option<u32>,
    ) {
        let ready = Ready { at, from_memory, ticket };
        match self {
            Self::None => {}
            Self::Registers(registers) => {
                if let Some(register) = registers.get_mut(register as usize) {
                    *register = ready;
                }
            }
            Self::Lanes(pending) => {
                pending.retain(|pending| pending.ready.at > now);
                pending.push(Pending { register, lanes, ready });
            }
        }
    }

    /// The cycle in which a register can be used by lanes, and whether memory is what they wait for.
    pub(crate) fn ready(&self, register: u32, lanes: LaneMask) -> (Cycle, bool) {
        let latest = match self {
            Self::None => None,
            Self::Registers(registers) => registers.get(register as usize).copied(),
            Self::Lanes(pending) => {
                let theirs = |pending: &&Pending| pending.register == register && !(pending.lanes & lanes).is_empty();
                pending.iter().filter(theirs).map(|pending| pending.ready).max_by_key(|ready| ready.at)
            }
        };
        latest.map_or((0, false), |ready| (ready.at, ready.from_memory))
    }

    /// The cycle in which all of some registers can be used by lanes, and whether memory is what they wait for.
    pub(crate) fn all_ready(&self, registers: &[u32], lanes: LaneMask) -> (Cycle, bool) {
        let latest = |latest: (Cycle, bool), ready: (Cycle, bool)| if ready.0 > latest.0 { ready } else { latest };
        match self {
            Self::None => (0, false),
            // PERF: as below, for all of them at once.
            Self::Registers(known) => registers.iter().fold((0, false), |so_far, &register| {
                known.get(register as usize).map_or(so_far, |ready| latest(so_far, (ready.at, ready.from_memory)))
            }),
            Self::Lanes(_) => {
                let ready = registers.iter().map(|&register| self.ready(register, lanes));
                ready.fold((0, false), latest)
            }
        }
    }

    /// A ticket is answered: the register has its value.
    pub(crate) fn answer(&mut self, ticket: u32, now: Cycle, register: u32) {
        let arrive = |ready: &mut Ready| {
            if ready.at == UNKNOWN && ready.ticket == Some(ticket) {
                ready.at = now;
            }
        };
        match self {
            Self::None => {}
            Self::Registers(registers) => registers.get_mut(register as usize).into_iter().for_each(arrive),
            Self::Lanes(pending) => pending.iter_mut().for_each(|pending| arrive(&mut pending.ready)),
        }
    }

    /// The lanes that have a load in flight, if that is known.
    pub(crate) fn loading(&self, now: Cycle) -> LaneMask {
        let Self::Lanes(pending) = self else { return LaneMask::EMPTY };
        let loads = pending.iter().filter(|pending| pending.ready.from_memory && pending.ready.at > now);
        loads.fold(LaneMask::EMPTY, |lanes, pending| lanes | pending.lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: LaneMask = LaneMask(0b11);

    #[test]
    fn lanes_wait_for_their_own_values() {
        let [ahead, behind] = [LaneMask(0b01), LaneMask(0b10)];
        let mut board = Scoreboard::of_lanes();
        board.writes(5, (3, ahead), UNKNOWN, true, Some(1));
        board.writes(5, (3, behind), UNKNOWN, true, Some(2));
        board.writes(5, (4, BOTH), 9, false, None);
        assert_eq!((board.ready(3, ahead), board.ready(2, BOTH)), ((UNKNOWN, true), (0, false)));
        assert_eq!(board.loading(5), BOTH);
        board.answer(1, 15, 3);
        assert_eq!((board.ready(3, ahead), board.ready(3, BOTH)), ((15, true), (UNKNOWN, true)));
        assert_eq!((board.ready(4, ahead), board.loading(15)), ((9, false), behind));
        // Lanes that run ahead write it again; the others still wait for their own load.
        board.writes(20, (3, ahead), 44, false, None);
        board.answer(2, 30, 3);
        assert_eq!((board.ready(3, ahead), board.ready(3, behind)), ((44, false), (30, true)));
        assert_eq!(board.loading(30), LaneMask::EMPTY);
        board.writes(40, (3, BOTH), UNKNOWN, true, Some(3));
        board.clear();
        assert_eq!((board.ready(3, BOTH), board.loading(40)), ((0, false), LaneMask::EMPTY));
    }

    #[test]
    fn a_register_of_a_warp_is_one_whichever_lanes_write_it() {
        let mut board = Scoreboard::of_registers(2);
        board.writes(5, (1, LaneMask(0b01)), UNKNOWN, true, Some(7));
        assert_eq!(board.ready(1, LaneMask(0b10)), (UNKNOWN, true));
        board.answer(6, 8, 1);
        board.answer(7, 9, 1);
        assert_eq!((board.ready(1, BOTH), board.ready(9, BOTH)), ((9, true), (0, false)));
        board.writes(9, (1, BOTH), UNKNOWN, true, Some(8));
        board.clear();
        assert_eq!(board.ready(1, BOTH), (0, false));
        let mut none = Scoreboard::None;
        none.writes(5, (1, BOTH), 9, false, None);
        assert_eq!(none.ready(1, BOTH), (0, false));
    }
}
