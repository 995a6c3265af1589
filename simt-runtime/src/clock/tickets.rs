//! Accesses that memory has yet to answer.

use crate::policy::WarpPart;

/// An access that is under way: as many replies as it has transactions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ticket {
    pub(crate) core: usize,
    pub(crate) slot: usize,
    /// The number of the block: another may be in its slot when the reply comes.
    pub(crate) age: u64,
    pub(crate) parts: Vec<WarpPart>,
    pub(crate) dst: Option<u32>,
    /// Whether threads wait for the reply's data; stores need only the acknowledgement.
    pub(crate) waits: bool,
    left: u32,
}

/// Tickets by number. Numbers are used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tickets {
    tickets: Vec<Ticket>,
    free: Vec<u32>,
}

impl Tickets {
    /// A ticket that is answered with its last transaction.
    pub(crate) fn open(
        &mut self,
        (core, slot, age): (usize, usize, u64),
        parts: &[WarpPart],
        dst: Option<u32>,
        waits: bool,
        transactions: u32,
    ) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.tickets.push(Ticket::default());
            (self.tickets.len() - 1) as u32
        });
        let ticket = &mut self.tickets[number as usize];
        (ticket.core, ticket.slot, ticket.age) = (core, slot, age);
        ticket.parts.clear();
        ticket.parts.extend_from_slice(parts);
        (ticket.dst, ticket.waits, ticket.left) = (dst, waits, transactions);
        number
    }

    /// A transaction is answered; the ticket, if it was the last.
    pub(crate) fn answer(&mut self, number: u32) -> Option<&Ticket> {
        let ticket = self.tickets.get_mut(number as usize)?;
        ticket.left = ticket.left.saturating_sub(1);
        if ticket.left > 0 {
            return None;
        }
        self.free.push(number);
        Some(ticket)
    }
}
