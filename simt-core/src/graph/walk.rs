//! Walks along edges.

/// The nodes that are reached from some, those included, without passing a node for which `stop` holds.
pub(crate) fn walk(
    edges: &[Vec<usize>],
    from: impl IntoIterator<Item = usize>,
    stop: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut work: Vec<usize> = from.into_iter().collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block], true) && !stop(block) {
            work.extend(&edges[block]);
        }
    }
    seen
}

/// The nodes that are reached from the entries, each before those that come behind it but for edges back.
pub(crate) fn reverse_postorder(successors: &[Vec<usize>], entries: &[usize]) -> Vec<usize> {
    let mut order = Vec::with_capacity(successors.len());
    let mut seen = vec![false; successors.len()];
    for &entry in entries.iter().rev() {
        let mut stack = vec![(entry, 0)];
        if std::mem::replace(&mut seen[entry], true) {
            continue;
        }
        while let Some((block, next)) = stack.last_mut() {
            match successors[*block].get(*next) {
                Some(&successor) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[successor], true) {
                        stack.push((successor, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
    }
    order.reverse();
    order
}
