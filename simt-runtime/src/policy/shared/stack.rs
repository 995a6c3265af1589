//! A stack whose entries lie in place as long as there are few, and are one slice.
//!
//! PERF: in place of `SmallVec`, whose `push` is too long to be inlined: a branchy kernel spent an eighth of its time there.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A stack; up to `N` entries lie in place, more on the heap.
#[derive(Clone)]
pub(crate) struct Stack<T, const N: usize> {
    few: [T; N],
    /// All entries, if there are more than `N`.
    more: Vec<T>,
    length: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    /// An empty stack; `filler` lies where there is no entry.
    #[inline(always)]
    pub(crate) fn new(filler: T) -> Self {
        Self { few: [filler; N], more: Vec::new(), length: 0 }
    }

    /// How many entries there are.
    ///
    /// PERF: the slice's own length would first be looked for.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, entry: T) {
        *self.grow() = entry;
    }

    /// One entry more, on top, all of whose fields are to be set.
    ///
    /// PERF: field by field. An entry that is put together elsewhere the compiler moves as one, and that load waits until the
    /// stores of its fields have left the processor: 7 % of the time of Collatz under Hanoi (Intel Xeon with AVX-512, 2026-11-29).
    #[inline(always)]
    pub(crate) fn grow(&mut self) -> &mut T {
        let place = self.length;
        self.length += 1;
        if place < N { &mut self.few[place] } else { self.grow_more() }
    }

    #[cold]
    #[inline(never)]
    fn grow_more(&mut self) -> &mut T {
        let place = self.length - 1;
        if place == N {
            self.more.extend_from_slice(&self.few);
        }
        self.more.push(self.few[0]);
        &mut self.more[place]
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.length = self.length.checked_sub(1)?;
        match self.few.get(self.length) {
            Some(&entry) => Some(entry),
            None => self.pop_more(),
        }
    }

    #[cold]
    #[inline(never)]
    fn pop_more(&mut self) -> Option<T> {
        let entry = self.more.pop();
        if self.length == N {
            self.few.copy_from_slice(&self.more);
            self.more.clear();
        }
        entry
    }

    /// Takes an entry out from between the others.
    #[inline(always)]
    pub(crate) fn remove(&mut self, place: usize) -> T {
        // PERF: most often there are few, and moving many at once is a call.
        if place < self.length && self.length <= N.min(4) {
            let entry = self.few[place];
            self.length -= 1;
            for next in place..self.length {
                self.few[next] = self.few[next + 1];
            }
            return entry;
        }
        self.remove_of_many(place)
    }

    #[inline(never)]
    fn remove_of_many(&mut self, place: usize) -> T {
        let entry = self[place];
        self[place..].copy_within(1.., 0);
        self.pop();
        entry
    }

    /// Puts an entry between others: at `place`, below those that are there and above.
    #[inline(always)]
    pub(crate) fn insert(&mut self, place: usize, entry: T) {
        self.push(entry);
        if place + 1 < self.length {
            self[place..].rotate_right(1);
        }
    }

    /// Keeps the entries that are wanted.
    #[inline(always)]
    pub(crate) fn retain(&mut self, mut wanted: impl FnMut(&T) -> bool) {
        let mut kept = 0;
        for place in 0..self.length {
            let entry = self[place];
            if wanted(&entry) {
                self[kept] = entry;
                kept += 1;
            }
        }
        while self.length > kept {
            self.pop();
        }
    }
}

/// The entries, the lowest first.
impl<T, const N: usize> Deref for Stack<T, N> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.few.get(..self.length).unwrap_or(&self.more)
    }
}

impl<T, const N: usize> DerefMut for Stack<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        self.few.get_mut(..self.length).unwrap_or(&mut self.more)
    }
}

/// What was popped does not count.
impl<T: PartialEq, const N: usize> PartialEq for Stack<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Stack<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_vector(steps in prop::collection::vec((0..6_u8, 0..20_u32), 0..60)) {
            let (mut stack, mut model) = (Stack::<u32, 4>::new(0), Vec::new());
            for (step, value) in steps {
                let place = (value as usize).checked_rem(model.len());
                match (step, place) {
                    (0, _) => prop_assert_eq!(stack.pop(), model.pop()),
                    (1, Some(place)) => prop_assert_eq!(stack.remove(place), model.remove(place)),
                    (2, Some(place)) => {
                        stack.insert(place, value);
                        model.insert(place, value);
                    }
                    (3, _) if value == 0 => {
                        stack.retain(|entry| entry % 3 != 0);
                        model.retain(|entry| entry % 3 != 0);
                    }
                    _ => {
                        stack.push(value);
                        model.push(value);
                    }
                }
                prop_assert_eq!(&*stack, &*model);
                prop_assert_eq!(&mut *stack, &mut *model);
            }
        }
    }
}
