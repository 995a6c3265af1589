//! The control-flow graph of the code that ran, with counts on its edges and the points where lanes meet again.

use crate::Run;
use crate::recording::{Block, Count, InstructionKind, Recording};
use crate::shell::grouped;
use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use maud::{Markup, PreEscaped, html};

/// The most blocks of a graph that is drawn: more cannot be read.
const BLOCKS: usize = 80;

/// The size of text in it, and the width of one of its characters.
const FONT: (usize, f64) = (13, 7.4);

/// The room for edges below the lowest block.
const EDGES: f64 = 50.0;

/// The graphs of all recordings.
pub(super) fn section(runs: &[Run]) -> Markup {
    let recorded: Vec<_> = runs.iter().filter_map(|run| Some((run, run.recording.as_ref()?))).collect();
    html! {
        @if !recorded.is_empty() {
            h2 #graph { "Control flow" }
            p.soft {
                "A box is a basic block: its addresses, its source lines, how often it was issued, and how many lanes were active on average. "
                "On an edge stands how often lanes went that way; a dashed box is a point where lanes meet again that parted, a thick edge one way of a branch that diverged."
            }
            @for (number, (run, recording)) in recorded.iter().enumerate() {
                details open[number == 0] {
                    summary { "Under " (run.name) }
                    (graph(recording, number))
                }
            }
        }
    }
}

fn graph(recording: &Recording, number: usize) -> Markup {
    let blocks = &recording.listing.blocks;
    let issued: Vec<usize> = (0..blocks.len()).filter(|&block| times(recording, block) > 0).collect();
    if issued.is_empty() {
        return html! { p.note { "Nothing was issued." } };
    }
    if issued.len() > BLOCKS {
        return html! { p.note { "The graph has " (issued.len()) " blocks that were issued, too many to draw." } };
    }
    let description = format!("Control-flow graph of {} under {}", recording.header.kernel, recording.header.policy);
    html! {
        div.graph role="img" tabindex="0" aria-label=(description) { (PreEscaped(drawn(recording, &issued, number))) }
        details {
            summary { "The same as a table" }
            div.scroll tabindex="0" role="group" aria-label=(format!("{description}, as a table")) {
                table {
                    thead { tr { th scope="col" { "Block" } th scope="col" { "Times" } th.text scope="col" { "Leads to" } th.text scope="col" { "Lanes that part meet at" } } }
                    tbody {
                        @for &block in &issued {
                            tr {
                                td { "@" (blocks[block].first) }
                                td { (grouped(times(recording, block) as f64)) }
                                td.text { (blocks[block].next.iter().enumerate().map(|(way, &next)| {
                                    let often = edge(recording, block, way).map_or("?".into(), |often| grouped(often as f64));
                                    format!("@{} ({often})", blocks[next as usize].first)
                                }).collect::<Vec<_>>().join(", ")) }
                                td.text { (blocks[block].meet.map_or(String::new(), |meet| format!("@{meet}"))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How often a block was issued: as its last instruction, or the last before a jump, which is never issued itself.
fn issues(recording: &Recording, block: &Block) -> Count {
    let counts = &recording.counts[block.first as usize..block.end as usize];
    counts.iter().rev().copied().find(|count| count.issues > 0).unwrap_or_default()
}

/// How often lanes came to a block. To one that is a jump alone they come by its edges.
fn times(recording: &Recording, block: usize) -> u64 {
    let blocks = &recording.listing.blocks;
    let Count { issues: count, .. } = issues(recording, &blocks[block]);
    if count > 0 {
        return count;
    }
    let from = (0..blocks.len()).filter(|&from| issues(recording, &blocks[from]).issues > 0);
    from.map(|from| {
        let ways = blocks[from].next.iter().enumerate().filter(|&(_, &next)| next as usize == block);
        ways.filter_map(|(way, _)| edge(recording, from, way)).sum::<u64>()
    })
    .sum()
}

/// How often lanes went one of a block's ways; not known of an indirect branch.
fn edge(recording: &Recording, block: usize, way: usize) -> Option<u64> {
    let of = &recording.listing.blocks[block];
    let Count { issues, took, parted, .. } = issues(recording, of);
    match (of.next.len(), way) {
        (1, _) => Some(times(recording, block)),
        // Issues whose lanes all took it did not go on behind it.
        (2, 0) => Some(issues - took + parted),
        (2, 1) => Some(took),
        _ => None,
    }
}

/// The lines of a block's source, and its counts.
fn text(recording: &Recording, number: usize) -> String {
    let block = &recording.listing.blocks[number];
    let instructions = &recording.listing.instructions[block.first as usize..block.end as usize];
    let last = block.end - 1;
    let mut text = if last == block.first { format!("@{last}") } else { format!("@{}–@{last}", block.first) };
    let lines: Vec<u32> = instructions.iter().map(|instruction| instruction.line).filter(|&line| line > 0).collect();
    if let (Some(low), Some(high)) = (lines.iter().min(), lines.iter().max()) {
        text += &if low == high { format!("  line {low}") } else { format!("  lines {low}–{high}") };
    }
    if let Some(last) = instructions.last().filter(|last| last.kind == InstructionKind::Branch) {
        let source = recording.listing.line(last.source, last.line).unwrap_or(&last.text).trim();
        let source: String = source.chars().filter(|c| !c.is_control()).collect();
        text += "\n";
        text += &if source.chars().count() > 34 { source.chars().take(33).chain(['…']).collect() } else { source };
    }
    let Count { issues, lanes, .. } = issues(recording, block);
    let many = |count: u64, one: &str| format!("{} {one}{}", grouped(count as f64), if count == 1 { "" } else { "s" });
    if issues == 0 {
        return text + "\n" + &many(times(recording, number), "time");
    }
    text + &format!("\n{}, {:.1} lanes", many(issues, "issue"), lanes as f64 / issues as f64)
}

fn drawn(recording: &Recording, issued: &[usize], number: usize) -> String {
    let Recording { listing, header, .. } = recording;
    let meets: Vec<u32> = listing
        .blocks
        .iter()
        .filter(|block| issues(recording, block).parted > 0)
        .filter_map(|block| block.meet)
        .collect();
    let mut graph = VisualGraph::new(Orientation::TopToBottom);
    let nodes: Vec<_> = issued
        .iter()
        .map(|&number| {
            let block = &listing.blocks[number];
            let text = text(recording, number);
            let Count { issues, lanes, .. } = issues(recording, block);
            let full = lanes as f64 / (issues.max(1) * header.warp_width.max(1) as u64) as f64;
            let meets = meets.contains(&block.first);
            let look = StyleAttr::new(
                Color::fast("black"),
                if meets { 3 } else { 1 },
                Some(Color::new(fill(full))),
                if meets { 14 } else { 2 },
                FONT.0,
            );
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            let size = Point::new(FONT.1 * widest as f64 + 14.0, 17.0 * text.lines().count() as f64 + 12.0);
            let properties = format!("class=\"{}\"", if meets { "block meets" } else { "block" });
            graph.add_node(Element::create_with_properties(
                ShapeKind::Box(text),
                look,
                Orientation::LeftToRight,
                size,
                properties,
            ))
        })
        .collect();
    for (place, &number) in issued.iter().enumerate() {
        let block = &listing.blocks[number];
        for (way, &next) in block.next.iter().enumerate() {
            let Some(to) = issued.iter().position(|&block| block == next as usize) else { continue };
            let often = edge(recording, number, way);
            if often == Some(0) {
                continue;
            }
            let parted = block.next.len() > 1 && issues(recording, block).parted > 0;
            let look = StyleAttr::new(Color::fast("black"), if parted { 3 } else { 1 }, None, 0, FONT.0);
            let label = often.map_or(String::new(), |often| grouped(often as f64));
            let arrow =
                Arrow::new(LineEndKind::None, LineEndKind::Arrow, LineStyleKind::Normal, &label, &look, &None, &None);
            graph.add_edge(arrow, nodes[place], nodes[to]);
        }
    }
    let mut svg = SVGWriter::new();
    graph.do_it(false, false, false, &mut svg);
    let svg = svg.finalize();
    // What is before the element is for files, and the sizes of text, which the library lists in no certain order, are the
    // page's. Names get the graph's number, as the page may have several.
    let svg = svg.split_once("?>").map_or(&*svg, |(_, svg)| svg);
    let (before, styled) = svg.split_once("<style>").unwrap_or((svg, ""));
    let svg = [before, styled.split_once("</style>").map_or("", |(_, rest)| rest)].concat();
    let svg = cropped(&svg);
    let names = ["id=\"arrow", "href=\"#arrow", "id=\"startarrow", "id=\"endarrow", "url(#startarrow", "url(#endarrow"];
    names.iter().fold(svg, |svg, name| {
        let (begin, end) = name.split_at(name.rfind(['"', '#']).map_or(0, |place| place + 1));
        svg.replace(name, &format!("{begin}g{number}-{end}"))
    })
}

/// The picture without what the library leaves empty below the lowest block, but for the room that edges take there.
fn cropped(svg: &str) -> String {
    let number = |text: &str, name: &str| -> Option<f64> {
        let (_, value) = text.split_once(&format!(" {name}=\""))?;
        value.split('"').next()?.parse().ok()
    };
    let bottoms = svg.split("<rect").skip(1).filter_map(|rect| Some(number(rect, "y")? + number(rect, "height")?));
    let (Some(width), Some(height)) = (number(svg, "width"), number(svg, "height")) else { return svg.to_string() };
    let high = height.min(bottoms.fold(0.0, f64::max) + EDGES);
    let size = |height: f64| format!("height=\"{height}\" viewBox=\"0 0 {width} {height}\"");
    svg.replacen(&size(height), &size(high), 1)
}

/// The colour of a block: from red, where few lanes are active, to blue, where all are. With an alpha that lets the page's
/// paper through, so that text on it can be read in the dark, too.
fn fill(full: f64) -> u32 {
    let mix = |from: f64, to: f64| (from + (to - from) * full.clamp(0.0, 1.0)) as u32;
    mix(220.0, 0.0) << 24 | mix(60.0, 114.0) << 16 | mix(20.0, 178.0) << 8 | 0x44
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{Header, Instruction, Listing, SourceText};

    /// A graph with these ways from each block, all of which were gone.
    fn recording(ways: Vec<Vec<u32>>) -> Recording {
        let blocks = ways.into_iter().zip(0..).map(|(next, first)| Block { first, end: first + 1, next, meet: None });
        let blocks: Vec<Block> = blocks.collect();
        let instruction =
            Instruction { text: "<script> & \"x\"\u{1b}".into(), kind: InstructionKind::Branch, source: 0, line: 1 };
        let source = SourceText { file: "<f>".into(), first_line: 1, text: "if x < y && \"a\" {\u{0}".into() };
        Recording {
            header: Header { kernel: "k".into(), policy: "p".into(), warp_width: 32, ..Header::default() },
            counts: vec![Count { issues: 10, lanes: 100, taken: 20, took: 6, parted: 3 }; blocks.len()],
            listing: Listing { instructions: vec![instruction; blocks.len()], sources: vec![source], blocks },
            ..Recording::default()
        }
    }

    #[test]
    fn edges_have_the_counts_of_their_ways() {
        let recording = recording(vec![vec![1, 2], vec![2], vec![]]);
        let edge = |block: usize, way| edge(&recording, block, way);
        // Of ten issues six had lanes that took it, and three of those parted: seven went on behind it.
        assert_eq!([edge(0, 0), edge(0, 1), edge(1, 0)], [Some(7), Some(6), Some(10)]);
    }

    /// A jump is not issued: blocks that end in one have the counts of what stands before it, and one that has nothing else those
    /// of the edges that lead there.
    #[test]
    fn blocks_that_end_in_jumps_are_counted() {
        let mut recording = recording(vec![vec![1, 2], vec![2], vec![]]);
        recording.counts[1] = Count::default();
        assert_eq!([times(&recording, 1), edge(&recording, 1, 0).unwrap_or(0), times(&recording, 2)], [7, 7, 10]);
        recording.listing.blocks[1].end = 3;
        assert_eq!(times(&recording, 1), 10);
        recording.counts[0] = Count::default();
        assert_eq!([times(&recording, 0), times(&recording, 1)], [0, 10]);
    }

    #[test]
    fn a_picture_is_about_as_high_as_its_blocks() {
        let height = |blocks: Vec<Vec<u32>>| -> f64 {
            let svg = drawn(&recording(blocks.clone()), &(0..blocks.len()).collect::<Vec<_>>(), 0);
            let (_, height) = svg.split_once(" height=\"").expect("it has one");
            height.split('"').next().and_then(|height| height.parse().ok()).expect("a number")
        };
        assert!(height(vec![vec![]]) < 200.0, "{}", height(vec![vec![]]));
        assert!(height(vec![vec![1], vec![2], vec![]]) > height(vec![vec![]]));
    }

    /// Also loops of one block, blocks that nothing leads to, and ways that cross.
    #[test]
    fn any_graph_is_drawn() {
        let mut state = 1_u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        for round in 0..60 {
            let blocks = 1 + below(if round % 30 == 0 { BLOCKS as u64 } else { 14 });
            let mut ways = Vec::new();
            for _ in 0..blocks {
                let count = below(4).min(blocks);
                let mut next: Vec<u32> = (0..count).map(|_| below(blocks) as u32).collect();
                next.dedup();
                ways.push(next);
            }
            let recording = recording(ways.clone());
            let issued: Vec<usize> = (0..ways.len()).collect();
            let svg = drawn(&recording, &issued, 3);
            assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"), "{ways:?}");
            assert!(!svg.contains("<script") && !svg.contains('\u{1b}') && !svg.contains('\u{0}'), "{svg}");
            assert!(svg == drawn(&recording, &issued, 3), "the same graph is drawn in the same way: {ways:?}");
        }
    }
}
