//! What is at hand at a place in the code, and what was at hand before a branch.

use std::collections::BTreeMap;

/// A map that can go back to what it was. It notes its changes: a copy for each branch would make long code cost the square
/// of its length.
pub(super) struct AtHand<K, V> {
    found: BTreeMap<K, V>,
    /// The changes since the beginning, the latest last.
    changes: Vec<Change<K, V>>,
}

/// How a change is taken back.
enum Change<K, V> {
    /// The key has a value, and what it had before.
    Found(K, Option<V>),
    /// All were forgotten.
    Forgotten(BTreeMap<K, V>),
}

/// What was at hand at some time: how many changes there had been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Available(usize);

impl<K, V> Default for AtHand<K, V> {
    fn default() -> Self {
        Self { found: BTreeMap::new(), changes: Vec::new() }
    }
}

impl<K: Ord + Clone, V> AtHand<K, V> {
    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.found.get(key)
    }

    pub(super) fn insert(&mut self, key: K, value: V) {
        let before = self.found.insert(key.clone(), value);
        self.changes.push(Change::Found(key, before));
    }

    pub(super) fn forget_all(&mut self) {
        self.changes.push(Change::Forgotten(std::mem::take(&mut self.found)));
    }

    pub(super) fn now(&self) -> Available {
        Available(self.changes.len())
    }

    /// Restores what was at hand then. Branches nest, so states since then cannot be restored any more.
    pub(super) fn restore(&mut self, Available(then): Available) {
        while self.changes.len() > then {
            match self.changes.pop() {
                Some(Change::Found(key, Some(before))) => {
                    self.found.insert(key, before);
                }
                Some(Change::Found(key, None)) => {
                    self.found.remove(&key);
                }
                Some(Change::Forgotten(before)) => self.found = before,
                None => unreachable!("changes are counted from the first"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AtHand;

    #[test]
    fn it_goes_back_to_what_it_was() {
        let mut at_hand = AtHand::default();
        at_hand.insert("a", 1);
        let first = at_hand.now();
        at_hand.insert("a", 2);
        at_hand.insert("b", 3);
        let second = at_hand.now();
        at_hand.forget_all();
        at_hand.insert("c", 4);
        assert_eq!(["a", "b", "c"].map(|key| at_hand.get(&key).copied()), [None, None, Some(4)]);
        at_hand.restore(second);
        assert_eq!(["a", "b", "c"].map(|key| at_hand.get(&key).copied()), [Some(2), Some(3), None]);
        at_hand.restore(first);
        at_hand.restore(first);
        assert_eq!(["a", "b", "c"].map(|key| at_hand.get(&key).copied()), [Some(1), None, None]);
    }
}
