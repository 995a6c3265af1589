//! Whether the sections of a recording fit together. What passes can be drawn without looking at it again.

use super::{Failed, Lanes, Mask, Recording, State};

/// A section, a place in it, and what is wrong there.
pub(super) type Problem = (&'static str, String, String);

/// The first problem of a recording.
pub(super) fn fits(recording: &Recording) -> Result<(), Problem> {
    let Recording { header, listing, counts, tracks, lanes, states, steps, events } = recording;
    let width = header.warp_width;
    if width > 64 {
        return Err(("header", "`warp_width`".into(), format!("{width} lanes; a warp has at most 64")));
    }
    let code = Code { instructions: listing.instructions.len() as u32, width };
    listing_fits(recording)?;
    if counts.len() != listing.instructions.len() {
        let reason = format!("{} counts of {} instructions", counts.len(), listing.instructions.len());
        return Err(("counts", "`counts`".into(), reason));
    }
    for (number, track) in tracks.iter().enumerate() {
        if track.last.is_some_and(|last| last as usize >= states.len()) {
            return Err(("tracks", format!("`tracks[{number}].last`"), "there is no such state".into()));
        }
    }
    for (number, lanes) in lanes.iter().enumerate() {
        code.lanes(lanes).map_err(|reason| ("lanes", format!("`lanes[{number}]`"), reason))?;
    }
    for (number, state) in states.iter().enumerate() {
        code.state(state).map_err(|(field, reason)| ("states", format!("`states[{number}].{field}`"), reason))?;
    }
    if let Some(Failed { track, step }) = header.failed
        && (track as usize >= tracks.len() || step.is_some_and(|step| step as usize >= steps.len()))
    {
        return Err(("header", "`failed`".into(), "there is no such track or step".into()));
    }
    let mut cycle = 0;
    let mut issued = 0_u64;
    for (number, step) in steps.iter().enumerate() {
        let problem = |field: &str, reason: &str| ("steps", format!("`steps[{number}].{field}`"), reason.to_string());
        if step.track as usize >= tracks.len() {
            return Err(problem("track", "there is no such track"));
        }
        let end = step.at.checked_add(step.instructions);
        if step.instructions == 0 || end.is_none_or(|end| end > code.instructions) {
            return Err(problem("at", "it ends behind the code, or has no instructions"));
        }
        if step.lanes as usize >= lanes.len() {
            return Err(problem("lanes", "there is no such set of lanes"));
        }
        if step.state as usize >= states.len() {
            return Err(problem("state", "there is no such state"));
        }
        if step.cycle.is_some_and(|now| now < cycle) {
            return Err(problem("cycle", "time goes back"));
        }
        cycle = step.cycle.unwrap_or(cycle);
        issued += u64::from(step.instructions);
    }
    if header.kept != issued {
        return Err(("header", "`kept`".into(), format!("{}, and the steps have {issued} issues", header.kept)));
    }
    for (number, event) in events.iter().enumerate() {
        use super::EventKind::{Issued, Requested};
        if let Issued { pc, lanes, .. } | Requested { pc, lanes, .. } = &event.what {
            code.address(*pc)
                .and_then(|()| code.lanes(lanes))
                .map_err(|reason| ("events", format!("`events[{number}]`"), reason))?;
        }
    }
    Ok(())
}

fn listing_fits(recording: &Recording) -> Result<(), Problem> {
    let listing = &recording.listing;
    let length = listing.instructions.len() as u32;
    for (number, instruction) in listing.instructions.iter().enumerate() {
        if instruction.source as usize >= listing.sources.len() {
            return Err(("listing", format!("`instructions[{number}].source`"), "there is no such source".into()));
        }
    }
    let mut begin = 0;
    for (number, block) in listing.blocks.iter().enumerate() {
        let place = || format!("`blocks[{number}]`");
        if block.first != begin || block.end <= block.first || block.end > length {
            return Err(("listing", place(), "blocks do not follow each other".into()));
        }
        if block.next.iter().any(|&next| next as usize >= listing.blocks.len()) {
            return Err(("listing", place(), "what comes next is no block".into()));
        }
        if block.meet.is_some_and(|meet| meet >= length) {
            return Err(("listing", place(), "its lanes meet behind the code".into()));
        }
        begin = block.end;
    }
    if begin != length {
        return Err(("listing", "`blocks`".into(), "some instructions are in none".into()));
    }
    Ok(())
}

/// What addresses and masks may be.
struct Code {
    instructions: u32,
    width: usize,
}

impl Code {
    fn address(&self, pc: u32) -> Result<(), String> {
        let last = self.instructions;
        if pc < last { Ok(()) } else { Err(format!("{pc} is no address of the code, which ends at {last}")) }
    }

    fn mask(&self, mask: Mask) -> Result<(), String> {
        let Self { width, .. } = *self;
        let all = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        if mask.0 & !all == 0 { Ok(()) } else { Err(format!("{:x} has lanes that a warp of {width} has not", mask.0)) }
    }

    fn lanes(&self, lanes: &Lanes) -> Result<(), String> {
        lanes.iter().try_for_each(|&(_, mask)| self.mask(mask))
    }

    fn state(&self, state: &State) -> Result<(), (&'static str, String)> {
        for &(pc, _, mask) in &state.splits {
            self.address(pc).and_then(|()| self.mask(mask)).map_err(|reason| ("splits", reason))?;
        }
        self.lanes(&state.arrived).map_err(|reason| ("arrived", reason))?;
        for held in &state.held {
            let addresses = held.next.into_iter().chain(held.meet);
            addresses.into_iter().try_for_each(|pc| self.address(pc)).map_err(|reason| ("held", reason))?;
            let masks = held.waiting.into_iter().chain([held.lanes]);
            masks.into_iter().try_for_each(|mask| self.mask(mask)).map_err(|reason| ("held", reason))?;
        }
        Ok(())
    }
}
