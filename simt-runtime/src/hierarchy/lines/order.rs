//! The order in which the lines of each set go: those of the class that goes first, then the others, each class by age. A line
//! is as old as its last use (LRU), or came so long ago (FIFO).

/// The ways of a set that are used.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Those of the class that goes first (`.cs`; Habermaier 2011, section 4.2: eviction class `first`), and all.
    first: u32,
    used: u32,
}

/// The order of all sets.
#[derive(Clone, Debug)]
pub(super) struct Order {
    ways: usize,
    /// By set, its used ways, the one in front whose line goes first.
    order: Vec<u32>,
    counts: Vec<Counts>,
    /// By set and way, when the line came: no two lines came together.
    came: Vec<u64>,
    /// Counts lines.
    clock: u64,
}

impl Order {
    pub(super) fn new(sets: usize, ways: usize) -> Self {
        Self {
            ways,
            order: vec![0; sets * ways],
            counts: vec![Counts::default(); sets],
            came: vec![0; sets * ways],
            clock: 0,
        }
    }

    /// Whether all ways of a set are used.
    pub(super) fn is_full(&self, set: usize) -> bool {
        self.counts[set].used as usize == self.ways
    }

    /// The ways of a set, the one in front whose line goes first, and how many of them are of the class that goes first.
    pub(super) fn of(&self, set: usize) -> (&[u32], usize) {
        let Counts { first, used } = self.counts[set];
        (&self.order[set * self.ways..][..used as usize], first as usize)
    }

    /// A line comes to a way that is not used.
    pub(super) fn come(&mut self, set: usize, way: usize, first: bool) {
        self.clock += 1;
        self.came[set * self.ways + way] = self.clock;
        let Counts { used, .. } = &mut self.counts[set];
        self.order[set * self.ways + *used as usize] = way as u32;
        *used += 1;
        if first {
            self.move_to_first(set, self.counts[set].used as usize - 1);
        }
    }

    /// The line of a way goes.
    pub(super) fn leave(&mut self, set: usize, way: usize) {
        self.renew(set, way, false);
        self.counts[set].used -= 1;
    }

    /// The line of a way is the newest of this class.
    pub(super) fn renew(&mut self, set: usize, way: usize, first: bool) {
        let Counts { first: firsts, used } = &mut self.counts[set];
        let order = &mut self.order[set * self.ways..][..*used as usize];
        if order.last() != Some(&(way as u32)) {
            let Some(place) = place_of(order, way as u32) else { return };
            *firsts -= u32::from(place < *firsts as usize);
            order[place..].rotate_left(1);
        } else if *firsts == *used {
            *firsts -= 1;
        }
        if first {
            self.move_to_first(set, self.counts[set].used as usize - 1);
        }
    }

    /// The line of a way is of this class, and as old as it was.
    pub(super) fn keep(&mut self, set: usize, way: usize, first: bool) {
        let (order, firsts) = self.of(set);
        let is_first = place_of(order, way as u32).is_some_and(|place| place < firsts);
        if is_first == first {
            return;
        }
        self.renew(set, way, first);
        // The newest of its class takes its place behind those that came before it.
        let Counts { first: firsts, used } = self.counts[set];
        let class = if first { 0..firsts as usize } else { firsts as usize..used as usize };
        let came = &self.came[set * self.ways..][..self.ways];
        let class = &mut self.order[set * self.ways..][class];
        let older = class.iter().filter(|&&other| came[other as usize] < came[way]).count();
        class[older..].rotate_right(1);
    }

    /// The line at a place behind those of the class that goes first is the newest of that class.
    fn move_to_first(&mut self, set: usize, place: usize) {
        let firsts = &mut self.counts[set].first;
        self.order[set * self.ways..][*firsts as usize..=place].rotate_right(1);
        *firsts += 1;
    }

    /// No line is left.
    pub(super) fn clear(&mut self) {
        self.counts.fill(Counts::default());
        self.clock = 0;
    }
}

/// The place of a way in the order of its set.
fn place_of(order: &[u32], way: u32) -> Option<usize> {
    order.iter().position(|&other| other == way)
}
