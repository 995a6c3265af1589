//! Loads a graph from a text file that can be written by hand.
//!
//! A line is `node: neighbour neighbour ...`; every node has its own line, also one without
//! neighbours. The search starts at the node that most lines mention, and goes from a node to
//! those that mention it: with packages and their dependencies, to everything that needs it.

use std::collections::BTreeMap;

use crate::input::{InputError, Source, quoted};

const MAX_NODES: usize = 1_000_000;

/// A directed graph in compressed rows: `edge_to[first_edge[n]..first_edge[n + 1]]` are the nodes
/// whose lines mention `n`.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) names: Vec<String>,
    pub(crate) first_edge: Vec<u32>,
    pub(crate) edge_to: Vec<u32>,
}

/// The bundled graph.
pub(crate) fn bundled_graph() -> Source {
    Source::bundled("examples/data/debian-depends.txt", include_str!("../data/debian-depends.txt"))
}

/// One line of the file, taken apart.
struct Line<'a> {
    number: usize,
    node: &'a str,
    neighbours: &'a str,
}

impl Graph {
    /// Reads and checks a graph.
    pub(crate) fn read(source: &Source) -> Result<Self, InputError> {
        let lines =
            source.entries().map(|(number, entry)| split(source, number, entry)).collect::<Result<Vec<_>, _>>()?;
        let index = index_of_nodes(source, &lines)?;
        let mut mentions = vec![Vec::new(); lines.len()];
        for (line, from) in lines.iter().zip(0..) {
            for neighbour in line.neighbours.split_whitespace() {
                let Some(&to) = index.get(neighbour) else {
                    let name = quoted(neighbour);
                    let problem = format!("{name} has no line of its own; add one, or remove the name here");
                    return Err(source.error_at(line.number, problem));
                };
                if mentions[to].last() == Some(&from) {
                    let name = quoted(neighbour);
                    return Err(source.error_at(line.number, format!("{name} is listed twice; remove one of the two")));
                }
                mentions[to].push(from);
            }
        }
        Ok(Self::from_rows(lines.iter().map(|line| line.node.to_owned()).collect(), &mentions))
    }

    fn from_rows(names: Vec<String>, rows: &[Vec<u32>]) -> Self {
        let mut first_edge = vec![0];
        let mut edge_to = Vec::new();
        for row in rows {
            edge_to.extend_from_slice(row);
            first_edge.push(u32::try_from(edge_to.len()).expect("a file of 64 MiB holds fewer edges"));
        }
        Self { names, first_edge, edge_to }
    }

    /// The nodes that mention `node`.
    pub(crate) fn mentioning(&self, node: usize) -> &[u32] {
        &self.edge_to[self.first_edge[node] as usize..self.first_edge[node + 1] as usize]
    }

    /// The node that most lines mention; of several, the first.
    pub(crate) fn hub(&self) -> usize {
        (0..self.names.len()).rev().max_by_key(|&node| self.mentioning(node).len()).unwrap_or(0)
    }
}

fn split<'a>(source: &Source, number: usize, entry: &'a str) -> Result<Line<'a>, InputError> {
    let Some((node, neighbours)) = entry.split_once(':') else {
        let line = quoted(entry);
        return Err(source.error_at(number, format!("{line} has no colon; expected `node: neighbour neighbour ...`")));
    };
    let node = node.trim_end();
    if node.is_empty() || node.contains(char::is_whitespace) {
        let node = quoted(node);
        return Err(source.error_at(number, format!("{node} is not a name; expected one word before the colon")));
    }
    Ok(Line { number, node, neighbours })
}

fn index_of_nodes<'a>(source: &Source, lines: &[Line<'a>]) -> Result<BTreeMap<&'a str, usize>, InputError> {
    let mut index = BTreeMap::new();
    for (i, line) in lines.iter().enumerate() {
        if i == MAX_NODES {
            return Err(source.error_at(line.number, format!("more than {MAX_NODES} nodes, the limit")));
        }
        if let Some(earlier) = index.insert(line.node, i) {
            let (name, earlier) = (quoted(line.node), lines[earlier].number);
            return Err(source.error_at(line.number, format!("{name} has line {earlier} already; join the two lines")));
        }
    }
    if index.is_empty() {
        return Err(source.error("holds no graph; expected lines `node: neighbour neighbour ...`"));
    }
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Result<Graph, String> {
        Graph::read(&Source::bundled("g", text)).map_err(|error| error.to_string())
    }

    #[test]
    fn edges_lead_from_a_node_to_those_that_mention_it() {
        let graph = read("# tiny\napp: lib libc\nlib: libc\nlibc:\n").unwrap();
        assert_eq!(graph.names, ["app", "lib", "libc"]);
        assert_eq!(graph.mentioning(0), [0_u32; 0]);
        assert_eq!(graph.mentioning(1), [0]);
        assert_eq!(graph.mentioning(2), [0, 1]);
        assert_eq!(graph.hub(), 2);
    }

    #[test]
    fn a_node_may_mention_itself_and_ties_go_to_the_first() {
        let graph = read("a: a\nb: b").unwrap();
        assert_eq!(graph.mentioning(0), [0]);
        assert_eq!(graph.hub(), 0);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        assert_eq!(read("a\n").unwrap_err(), "g:1: `a` has no colon; expected `node: neighbour neighbour ...`");
        assert_eq!(read("\n: a").unwrap_err(), "g:2: `` is not a name; expected one word before the colon");
        assert_eq!(read("a b: c").unwrap_err(), "g:1: `a b` is not a name; expected one word before the colon");
        assert_eq!(read("a: b\n").unwrap_err(), "g:1: `b` has no line of its own; add one, or remove the name here");
        assert_eq!(read("a: b b\nb:").unwrap_err(), "g:1: `b` is listed twice; remove one of the two");
        assert_eq!(read("a:\nb:\na: b").unwrap_err(), "g:3: `a` has line 1 already; join the two lines");
        assert_eq!(read("#\n").unwrap_err(), "g: holds no graph; expected lines `node: neighbour neighbour ...`");
    }

    #[test]
    fn the_bundled_graph_is_large_and_skewed() {
        let graph = Graph::read(&bundled_graph()).unwrap();
        assert!(graph.names.len() >= 20_000);
        assert_eq!(graph.names[graph.hub()], "libc6");
        let average = graph.edge_to.len() / graph.names.len();
        assert!(graph.mentioning(graph.hub()).len() > 1_000 * average);
    }
}
