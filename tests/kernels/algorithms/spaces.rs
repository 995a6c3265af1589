//! Points in the plane: trees of them, and triangles.

use simt::prelude::*;
use std::ops::Sub;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
pub(crate) struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
pub(crate) enum Axis {
    X,
    Y,
}

#[device]
impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

#[device]
impl Point {
    fn along(self, axis: Axis) -> f32 {
        match axis {
            Axis::X => self.x,
            Axis::Y => self.y,
        }
    }

    fn square(self) -> f32 {
        self.x * self.x + self.y * self.y
    }

    fn cross(self, other: Point) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// Whether the fourth point is in the circle through three others, which stand to the left.
    fn is_in_circle(self, [a, b, c]: [Point; 3]) -> bool {
        let (a, b, c) = (a - self, b - self, c - self);
        a.square() * b.cross(c) + b.square() * c.cross(a) + c.square() * a.cross(b) > 0.0
    }
}

/// A node of a tree whose levels divide the plane at a point, by x and by y in turn.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
pub(crate) struct Node {
    point: Point,
    axis: Axis,
    below: u32,
    above: u32,
}

/// The subtree at a place, if there is one: 0 is the root, which is below no node.
#[device]
impl Node {
    fn below(&self) -> Option<u32> {
        if self.below == 0 { None } else { Some(self.below) }
    }

    fn above(&self) -> Option<u32> {
        if self.above == 0 { None } else { Some(self.above) }
    }
}

/// A square of a tree of squares: the centre and the mass of what is in it, and the first of its four parts, if it has any.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
pub(crate) struct Square {
    center: Point,
    mass: f32,
    size: f32,
    first: u32,
}

/// What a body sees of a square.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
pub(crate) enum Seen {
    Nothing,
    Body { at: Point, mass: f32 },
    Parts { first: u32 },
}

#[device]
impl Square {
    fn seen(&self, from: Point) -> Seen {
        let is_far = self.size * self.size < (self.center - from).square();
        match self.first {
            _ if self.mass == 0.0 => Seen::Nothing,
            first if first > 0 && !is_far => Seen::Parts { first },
            _ => Seen::Body { at: self.center, mass: self.mass },
        }
    }
}

/// A stack of what is yet to visit.
#[derive(Clone, Copy, KernelData)]
pub(crate) struct Stack<const N: usize> {
    items: [u32; N],
    len: usize,
}

#[device]
impl<const N: usize> Stack<N> {
    fn of(item: u32) -> Self {
        let mut stack = Stack { items: [0; N], len: 0 };
        stack.push(item);
        stack
    }

    fn push(&mut self, item: u32) {
        assert!(self.len < N, "the stack is full");
        self.items[self.len] = item;
        self.len += 1;
    }

    fn pop(&mut self) -> Option<u32> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[self.len])
    }
}

kernels! {
    // The nearest of the points in a tree.
    fn nearest(tree: &[Node], wanted: &[Point], out: &mut [(f32, u32)]) {
        let i = global_id();
        let mut best = (f32::INFINITY, 0);
        let mut stack: Stack<8> = Stack::of(0);
        while let Some(at) = stack.pop() {
            let node = tree[at as usize];
            let far = (node.point - wanted[i]).square();
            if far < best.0 {
                best = (far, at);
            }
            let away = wanted[i].along(node.axis) - node.point.along(node.axis);
            let (near, beyond) = if away < 0.0 { (node.below(), node.above()) } else { (node.above(), node.below()) };
            if let Some(beyond) = beyond
                && away * away < best.0
            {
                stack.push(beyond);
            }
            if let Some(near) = near {
                stack.push(near);
            }
        }
        out[i] = best;
    }

    // The pull of all bodies, far ones taken together (Barnes and Hut).
    fn pull(squares: &[Square], places: &[Point], out: &mut [Point]) {
        let here = places[global_id()];
        let mut sum = Point::default();
        let mut stack = Stack::<16>::of(0);
        while let Some(square) = stack.pop() {
            let (at, mass) = match squares[square as usize].seen(here) {
                Seen::Nothing => continue,
                Seen::Body { at, mass } => (at, mass),
                Seen::Parts { first } => {
                    (first..first + 4).for_each(|part| stack.push(part));
                    continue;
                }
            };
            let away = at - here;
            let far = away.square() + 0.01;
            let force = mass / (far * far.sqrt());
            sum = Point { x: sum.x + away.x * force, y: sum.y + away.y * force };
        }
        out[global_id()] = sum;
    }

    // Edges between two triangles that a triangulation of Delaunay would flip.
    fn flips(points: &[Point], quads: &[[u32; 4]], out: &mut [[u32; 4]]) {
        let i = global_id();
        let quad @ [a, b, c, d] = quads[i];
        let others = [points[a as usize], points[b as usize], points[c as usize]];
        out[i] = if points[d as usize].is_in_circle(others) { [b, c, d, a] } else { quad };
    }
}

fn scattered(count: usize) -> Vec<Point> {
    (0..count).map(|i| Point { x: (i * 7 % 13) as f32, y: (i * 5 % 11) as f32 + 0.25 }).collect()
}

/// Adds the tree of points to the nodes, and returns where it starts; 0 if there are none.
fn plant(nodes: &mut Vec<Node>, mut points: Vec<Point>, axis: Axis) -> u32 {
    if points.is_empty() {
        return 0;
    }
    points.sort_by(|a, b| a.along(axis).total_cmp(&b.along(axis)));
    let above = points.split_off(points.len() / 2 + 1);
    let point = points.remove(points.len() - 1);
    let (at, other) = (nodes.len(), if axis == Axis::X { Axis::Y } else { Axis::X });
    nodes.push(Node { point, axis, below: 0, above: 0 });
    nodes[at].below = plant(nodes, points, other);
    nodes[at].above = plant(nodes, above, other);
    at as u32
}

#[test]
fn near_points_are_found() {
    let mut tree = Vec::new();
    plant(&mut tree, scattered(20), Axis::X);
    let wanted: Vec<Point> = (0..16).map(|i| Point { x: (i % 4) as f32 * 3.1, y: (i / 4) as f32 * 2.7 }).collect();
    let mut out = vec![(0.0, 99); 16];
    agree!(Grid::new(1, 16), nearest(&tree, &wanted; out));
    for (wanted, (far, at)) in wanted.into_iter().zip(out) {
        assert!(tree.iter().all(|node| (node.point - wanted).square() >= far), "{wanted:?}");
        assert_eq!((tree[at as usize].point - wanted).square(), far);
    }
}

/// Adds the tree of squares to a body's place in it.
fn divide(squares: &mut Vec<Square>, place: usize, corner: Point, size: f32, bodies: &[Point]) {
    let inside = |p: &Point, c: Point, size: f32| p.x >= c.x && p.y >= c.y && p.x < c.x + size && p.y < c.y + size;
    let bodies: Vec<Point> = bodies.iter().copied().filter(|p| inside(p, corner, size)).collect();
    let mass = bodies.len() as f32;
    let mean = |pick: fn(&Point) -> f32| bodies.iter().map(pick).sum::<f32>() / mass.max(1.0);
    squares[place] = Square { center: Point { x: mean(|p| p.x), y: mean(|p| p.y) }, mass, size, first: 0 };
    if bodies.len() > 1 {
        let first = squares.len();
        squares[place].first = first as u32;
        squares.resize(first + 4, squares[place]);
        for part in 0..4 {
            let half = size / 2.0;
            let corner = Point { x: corner.x + (part % 2) as f32 * half, y: corner.y + (part / 2) as f32 * half };
            divide(squares, first + part, corner, half, &bodies);
        }
    }
}

#[test]
fn bodies_are_pulled() {
    let bodies = scattered(18);
    let mut squares = vec![Square { center: bodies[0], mass: 0.0, size: 0.0, first: 0 }];
    divide(&mut squares, 0, Point::default(), 16.0, &bodies);
    let mut out = vec![Point::default(); 18];
    agree!(Grid::new(1, 18), pull(&squares, &bodies; out));
    // Near to what all bodies do one by one.
    for (here, found) in bodies.iter().zip(out) {
        let pulls = bodies.iter().map(|body| {
            let away = *body - *here;
            let far = away.square() + 0.01;
            (away.x / (far * far.sqrt()), away.y / (far * far.sqrt()))
        });
        let (x, y) = pulls.fold((0.0, 0.0), |sum, pull| (sum.0 + pull.0, sum.1 + pull.1));
        assert!((found - Point { x, y }).square() < 0.2, "{found:?} {x} {y}");
    }
}

#[test]
fn bad_edges_are_flipped() {
    let points = [(0, 0), (4, 0), (4, 4), (0, 5), (0, 3), (8, 1)].map(|(x, y)| Point { x: x as f32, y: y as f32 });
    let quads = [[0, 1, 2, 3], [0, 1, 2, 4], [0, 5, 2, 3], [3, 0, 1, 2]];
    let mut out = vec![[0; 4]; 4];
    agree!(Grid::new(1, 4), flips(&points, &quads; out));
    assert_eq!(out, [[0, 1, 2, 3], [1, 2, 4, 0], [0, 5, 2, 3], [0, 1, 2, 3]]);
}
