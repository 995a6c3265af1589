//! Values by number in a tree; trees share what they have alike.
//!
//! What two threads know differs in few places, and a grid has many threads: to join what they know takes time and memory for
//! what differs.

use std::array;
use std::rc::Rc;

/// Children of a node, values of a leaf.
const FAN: usize = 16;

/// Of two values, what both are together.
#[derive(Debug)]
pub(super) enum Joined<V> {
    /// They are alike.
    Either,
    First,
    Second,
    Neither(V),
}

impl<V> Joined<V> {
    pub(super) fn map<W>(self, to: impl FnOnce(V) -> W) -> Joined<W> {
        match self {
            Self::Either => Joined::Either,
            Self::First => Joined::First,
            Self::Second => Joined::Second,
            Self::Neither(value) => Joined::Neither(to(value)),
        }
    }
}

/// A value to which others can be added. The default adds nothing.
pub(super) trait Join: Clone + Default {
    fn joined(&self, other: &Self) -> Joined<Self>;

    /// Adds another.
    fn join(&mut self, other: &Self) {
        match self.joined(other) {
            Joined::Either | Joined::First => {}
            Joined::Second => self.clone_from(other),
            Joined::Neither(joined) => *self = joined,
        }
    }
}

impl Join for u32 {
    fn joined(&self, other: &Self) -> Joined<Self> {
        match self.cmp(other) {
            std::cmp::Ordering::Less => Joined::Second,
            std::cmp::Ordering::Equal => Joined::Either,
            std::cmp::Ordering::Greater => Joined::First,
        }
    }
}

type Child<V> = Option<Rc<Node<V>>>;

#[derive(Debug)]
enum Node<V> {
    Leaf([V; FAN]),
    Branch([Child<V>; FAN]),
}

/// Joins the values of two nodes.
fn join<V: Clone>(own: &[V; FAN], other: &[V; FAN], join: impl Fn(&V, &V) -> Joined<V>) -> Joined<[V; FAN]> {
    let joined: [_; FAN] = array::from_fn(|at| join(&own[at], &other[at]));
    let are_first = joined.iter().all(|joined| matches!(joined, Joined::Either | Joined::First));
    let are_second = joined.iter().all(|joined| matches!(joined, Joined::Either | Joined::Second));
    match (are_first, are_second) {
        (true, true) => Joined::Either,
        (true, false) => Joined::First,
        (false, true) => Joined::Second,
        (false, false) => {
            let mut joined = joined.into_iter();
            Joined::Neither(array::from_fn(|at| match joined.next() {
                Some(Joined::Second) => other[at].clone(),
                Some(Joined::Neither(value)) => value,
                _ => own[at].clone(),
            }))
        }
    }
}

fn join_children<V: Join>(own: &Child<V>, other: &Child<V>) -> Joined<Child<V>> {
    match (own, other) {
        (None, None) => Joined::Either,
        (Some(_), None) => Joined::First,
        (None, Some(_)) => Joined::Second,
        (Some(own), Some(other)) if Rc::ptr_eq(own, other) => Joined::Either,
        (Some(own), Some(other)) => match (&**own, &**other) {
            (Node::Leaf(own), Node::Leaf(other)) => {
                join(own, other, V::joined).map(|values| Some(Rc::new(Node::Leaf(values))))
            }
            (Node::Branch(own), Node::Branch(other)) => {
                join(own, other, join_children).map(|children| Some(Rc::new(Node::Branch(children))))
            }
            _ => unreachable!("nodes of one level are alike"),
        },
    }
}

/// Values by number. Most are the default.
#[derive(Clone, Debug)]
pub(super) struct Tree<V> {
    /// The levels of branches.
    height: u32,
    root: Child<V>,
}

impl<V> Default for Tree<V> {
    fn default() -> Self {
        Self { height: 0, root: None }
    }
}

impl<V: Join> Tree<V> {
    /// A tree of one value.
    pub(super) fn of(number: u32, value: V) -> Self {
        let mut leaf: [V; FAN] = array::from_fn(|_| V::default());
        leaf[number as usize % FAN] = value;
        let mut tree = Self { height: 0, root: Some(Rc::new(Node::Leaf(leaf))) };
        let mut place = number as usize / FAN;
        while place > 0 {
            tree.grow(place % FAN);
            place /= FAN;
        }
        tree
    }

    /// What was all is a child.
    fn grow(&mut self, place: usize) {
        let mut children: [Child<V>; FAN] = Default::default();
        children[place] = self.root.take();
        self.root = Some(Rc::new(Node::Branch(children)));
        self.height += 1;
    }

    /// Whether both are the same, at one place.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(own), Some(other)) => Rc::ptr_eq(own, other),
            _ => false,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The value of a number, if any near it is known.
    pub(super) fn get(&self, number: u32) -> Option<&V> {
        let mut level = self.height;
        let place = |level| number as usize / FAN.pow(level);
        let mut node = self.root.as_ref().filter(|_| place(level) < FAN)?;
        loop {
            match &**node {
                Node::Leaf(values) => return values.get(place(0) % FAN),
                Node::Branch(children) => node = children[place(level) % FAN].as_ref()?,
            }
            level -= 1;
        }
    }
}

impl<V: Join> Join for Tree<V> {
    fn joined(&self, other: &Self) -> Joined<Self> {
        let height = self.height.max(other.height);
        let grown = |tree: &Self| {
            let mut tree = tree.clone();
            while !tree.is_empty() && tree.height < height {
                tree.grow(0);
            }
            tree.root
        };
        join_children(&grown(self), &grown(other)).map(|root| Self { height, root })
    }
}

impl Tree<u32> {
    /// A tree of values by number from 0 on.
    pub(super) fn of_all(values: &[u32]) -> Self {
        let leaf = |values: &[u32]| {
            let leaf = || Rc::new(Node::Leaf(array::from_fn(|at| values.get(at).copied().unwrap_or_default())));
            values.iter().any(|&value| value > 0).then(leaf)
        };
        let mut nodes: Vec<Child<u32>> = values.chunks(FAN).map(leaf).collect();
        let mut height = 0;
        while nodes.len() > 1 {
            let branch = |children: &[Child<u32>]| {
                let branch =
                    || Rc::new(Node::Branch(array::from_fn(|at| children.get(at).cloned().unwrap_or_default())));
                children.iter().any(Option::is_some).then(branch)
            };
            nodes = nodes.chunks(FAN).map(branch).collect();
            height += 1;
        }
        Self { height, root: nodes.pop().flatten() }
    }

    /// Makes each of the values that it has at least what it is here.
    pub(super) fn raise(&self, values: &mut [u32]) {
        fn raise(node: &Node<u32>, values: &mut [u32], level: u32) {
            match node {
                Node::Leaf(known) => {
                    values.iter_mut().zip(known).for_each(|(value, &known)| *value = known.max(*value));
                }
                Node::Branch(children) => {
                    let parts = values.chunks_mut(FAN.pow(level)).zip(children);
                    parts.for_each(|(values, child)| child.iter().for_each(|child| raise(child, values, level - 1)));
                }
            }
        }
        self.root.iter().for_each(|root| raise(root, values, self.height));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Model = BTreeMap<u32, u32>;

    fn tree(model: &Model) -> Tree<u32> {
        let mut tree = Tree::default();
        model.iter().for_each(|(&number, &value)| tree.join(&Tree::of(number, value)));
        tree
    }

    fn values() -> impl Strategy<Value = Model> {
        let number = prop_oneof![2 => 0..40u32, 2 => 0..5000u32, 1 => any::<u32>()];
        proptest::collection::btree_map(number, 1..4u32, 0..20)
    }

    proptest! {
        #[test]
        fn a_tree_has_the_greater_of_the_values_of_two(one in values(), other in values(), more in any::<u32>()) {
            let mut joined = tree(&one);
            joined.join(&tree(&other));
            for number in one.keys().chain(other.keys()).copied().chain([more]) {
                let expected = one.get(&number).max(other.get(&number)).copied().unwrap_or_default();
                prop_assert_eq!(joined.get(number).copied().unwrap_or_default(), expected);
            }
            // What one has all of is the one.
            let mut again = tree(&other);
            again.join(&joined);
            prop_assert!(again.is(&joined) || again.root.is_some() && matches!(tree(&other).joined(&joined), Joined::Either));
            let same = joined.clone();
            joined.join(&tree(&one));
            prop_assert!(joined.is(&same));
        }

        #[test]
        fn a_tree_of_all_has_and_raises_each(own in proptest::collection::vec(0..3u32, 1..600), other in 0..3u32) {
            let tree = Tree::of_all(&own);
            let mut values = vec![other; own.len()];
            tree.raise(&mut values);
            for (number, &value) in (0..).zip(&own) {
                prop_assert_eq!(tree.get(number).copied().unwrap_or_default(), value);
                prop_assert_eq!(values[number as usize], value.max(other));
            }
        }
    }
}
