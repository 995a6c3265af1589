//! A stack whose lowest entries lie in place.
//!
//! PERF: in place of `SmallVec`, whose `push` is too long to be inlined: a branchy kernel spent an eighth of its time there.

use std::fmt;

/// A stack; `N` entries lie in place, what is above them on the heap.
#[derive(Clone)]
pub(crate) struct Stack<T, const N: usize> {
    few: [T; N],
    more: Vec<T>,
    length: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    /// An empty stack; `filler` lies where there is no entry.
    pub(crate) fn new(filler: T) -> Self {
        Self { few: [filler; N], more: Vec::new(), length: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, entry: T) {
        match self.few.get_mut(self.length) {
            Some(place) => *place = entry,
            None => self.push_more(entry),
        }
        self.length += 1;
    }

    #[cold]
    #[inline(never)]
    fn push_more(&mut self, entry: T) {
        self.more.push(entry);
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.length = self.length.checked_sub(1)?;
        match self.few.get(self.length) {
            Some(&entry) => Some(entry),
            None => self.more.pop(),
        }
    }

    /// The entries, the lowest first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.few[..self.length.min(N)].iter().chain(&self.more)
    }

    /// The same, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> {
        self.few[..self.length.min(N)].iter_mut().chain(&mut self.more)
    }

    /// Takes the highest entry that is wanted out from between the others.
    pub(crate) fn take_highest(&mut self, mut wanted: impl FnMut(&T) -> bool) -> Option<T> {
        let mut above = Vec::new();
        let mut found = None;
        while let Some(entry) = self.pop() {
            if wanted(&entry) {
                found = Some(entry);
                break;
            }
            above.push(entry);
        }
        above.into_iter().rev().for_each(|entry| self.push(entry));
        found
    }
}

/// What was popped does not count.
impl<T: Copy + PartialEq, const N: usize> PartialEq for Stack<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Copy + fmt::Debug, const N: usize> fmt::Debug for Stack<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_vector(steps in prop::collection::vec((0..3_u8, 0..20_u32), 0..60)) {
            let (mut stack, mut model) = (Stack::<u32, 4>::new(0), Vec::new());
            for (step, value) in steps {
                match step {
                    0 => prop_assert_eq!(stack.pop(), model.pop()),
                    1 => {
                        let place = model.iter().rposition(|&other| other <= value);
                        let expected = place.map(|place| model.remove(place));
                        prop_assert_eq!(stack.take_highest(|&other| other <= value), expected);
                    }
                    _ => {
                        stack.push(value);
                        model.push(value);
                    }
                }
                prop_assert_eq!(stack.len(), model.len());
                prop_assert!(stack.iter().eq(&model) && stack.iter_mut().rev().eq(model.iter_mut().rev()));
            }
        }
    }
}
