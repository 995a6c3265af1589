//! Barnes-Hut: the force on each body, by a quadtree and an explicit stack.
use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Body {
    x: f32,
    y: f32,
    mass: f32,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Node {
    Empty,
    Leaf(Body),
    Inner { center: Body, size: f32, children: [u32; 4] },
}

#[derive(Clone, KernelData)]
struct Stack<T, const N: usize> {
    items: [Option<T>; N],
    len: usize,
}

#[device]
impl<T: Copy, const N: usize> Stack<T, N> {
    fn with(root: T) -> Self {
        let mut stack = Stack { items: [None; N], len: 0 };
        stack.push(root);
        stack
    }

    fn push(&mut self, item: T) {
        self.items[self.len] = Some(item);
        self.len += 1;
    }

    fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        self.items[self.len].take()
    }
}

#[device]
impl Body {
    fn pull(&self, other: &Body) -> (f32, f32) {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        let r2 = dx * dx + dy * dy + 0.01;
        let f = other.mass / (r2 * r2.sqrt());
        (f * dx, f * dy)
    }

    fn distance(&self, other: &Body) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Force {
    x: f32,
    y: f32,
    visited: u32,
}

#[kernel]
fn forces(bodies: &[Body], tree: &[Node], theta: f32, forces: &mut [Force]) {
    let i = global_id();
    if i >= bodies.len() {
        return;
    }
    let body = &bodies[i];
    let force = &mut forces[i];
    let mut stack: Stack<u32, 32> = Stack::with(0);
    while let Some(index) = stack.pop() {
        force.visited += 1;
        let pull = match &tree[index as usize] {
            Node::Empty => continue,
            Node::Leaf(other) if other == body => continue,
            Node::Leaf(other) => body.pull(other),
            Node::Inner { center, size, .. } if size / body.distance(center) < theta => body.pull(center),
            Node::Inner { children, .. } => {
                children.iter().rev().for_each(|&c| stack.push(c));
                continue;
            }
        };
        force.x += pull.0;
        force.y += pull.1;
    }
}

/// The index of the root of a tree of these.
fn build(bodies: &[Body], x: f32, y: f32, size: f32, tree: &mut Vec<Node>) -> u32 {
    let index = tree.len();
    tree.push(Node::Empty);
    tree[index] = match bodies {
        [] => Node::Empty,
        [one] => Node::Leaf(*one),
        _ => {
            let half = size / 2.0;
            let children = std::array::from_fn(|q| {
                let (cx, cy) = (x + half * (q % 2) as f32, y + half * (q / 2) as f32);
                let part: Vec<Body> = bodies
                    .iter()
                    .filter(|b| b.x >= cx && b.x < cx + half && b.y >= cy && b.y < cy + half)
                    .copied()
                    .collect();
                build(&part, cx, cy, half, tree)
            });
            let mass = bodies.iter().map(|b| b.mass).sum::<f32>();
            let center = Body {
                x: bodies.iter().map(|b| b.x * b.mass).sum::<f32>() / mass,
                y: bodies.iter().map(|b| b.y * b.mass).sum::<f32>() / mass,
                mass,
            };
            Node::Inner { center, size, children }
        }
    };
    index as u32
}

fn host(body: &Body, index: u32, tree: &[Node], force: &mut Force) {
    force.visited += 1;
    let other = match &tree[index as usize] {
        Node::Empty => return,
        Node::Leaf(other) => *other,
        Node::Inner { center, size, children } => {
            let (dx, dy) = ((body.x - center.x) as f64, (body.y - center.y) as f64);
            if size / (dx.hypot(dy) as f32) >= 0.7 {
                children.iter().for_each(|&c| host(body, c, tree, force));
                return;
            }
            *center
        }
    };
    if other == *body {
        return;
    }
    let (dx, dy) = (other.x - body.x, other.y - body.y);
    let r2 = dx * dx + dy * dy + 0.01;
    let f = other.mass / (r2 * r2.sqrt());
    force.x += f * dx;
    force.y += f * dy;
}

#[test]
fn pulls() -> Result<(), LaunchError> {
    let bodies: Vec<Body> = (0..60u32)
        .map(|i| Body {
            x: (i * 37 % 61) as f32 / 61.0,
            y: (i * i * 11 % 59) as f32 / 59.0,
            mass: 1.0 + (i % 3) as f32,
        })
        .collect();
    let mut tree = vec![];
    build(&bodies, 0.0, 0.0, 1.0, &mut tree);
    let mut got = vec![Force::default(); bodies.len()];
    for_each_policy!(P => {
        got.fill(Force::default());
        Gpu::<P>::default().launch(Grid::covering(bodies.len(), 64), forces(&bodies, &tree, 0.7, &mut got))?;
        for (body, got) in bodies.iter().zip(&got) {
            let mut force = Force::default();
            host(body, 0, &tree, &mut force);
            assert_eq!(*got, force);
        }
    });
    Ok(())
}
