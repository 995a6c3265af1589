//! Surfaces in volumes: marching cubes (Lorensen and Cline 1987). A face that two lines cross could be cut in two ways: here each
//! line goes around one corner that is inside, so that the cubes on both sides agree.

use simt::block;
use simt::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::PI;
use std::ops::Index;

/// The ends of a cube's edges. Bit `k` of a corner's number says on which side of axis `k` it is; four edges are along each
/// axis, from the lower side to the upper one.
const EDGES: [[usize; 2]; 12] = {
    let mut edges = [[0; 2]; 12];
    let mut edge = 0;
    while edge < 12 {
        let (axis, place) = (edge / 4, edge % 4);
        let below = place & ((1 << axis) - 1);
        let low = (place - below) << 1 | below;
        edges[edge] = [low, low | 1 << axis];
        edge += 1;
    }
    edges
};

/// The most triangles that a cube has.
const MOST: usize = 5;

/// The triangles of a cube, by the edges that their corners are on: from outside of the surface they turn to the left.
#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
struct Case {
    count: usize,
    triangles: [[usize; 3]; MOST],
}

/// The triangles for each set of corners that are inside, of which bit `k` is corner `k`.
static CASES: [Case; 256] = {
    let mut cases = [Case { count: 0, triangles: [[0; 3]; MOST] }; 256];
    let mut inside = 0;
    while inside < 256 {
        cases[inside] = cut(inside);
        inside += 1;
    }
    cases
};

const fn edge_between(a: usize, b: usize) -> usize {
    let mut edge = 0;
    while EDGES[edge][0] != a & b || EDGES[edge][1] != a | b {
        edge += 1;
    }
    edge
}

/// The edge to which the surface leads from each edge that it crosses, over the face where it goes around what is inside.
const fn ways(inside: usize) -> [Option<usize>; 12] {
    let mut ways = [None; 12];
    let mut face = 0;
    while face < 6 {
        let (axis, upper) = (face / 2, face % 2);
        let (right, up, base) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3), upper << axis);
        // The corners as a walk to the left passes them, seen from outside of the cube.
        let (second, last) = if upper == 1 { (right, up) } else { (up, right) };
        let ring = [base, base | second, base | right | up, base | last];
        let mut side = 0;
        while side < 4 {
            let mut at = side + 1;
            if inside >> ring[side] & 1 == 0 && inside >> ring[at % 4] & 1 == 1 {
                while inside >> ring[(at + 1) % 4] & 1 == 1 {
                    at += 1;
                }
                let entered = edge_between(ring[side], ring[(side + 1) % 4]);
                ways[entered] = Some(edge_between(ring[at % 4], ring[(at + 1) % 4]));
            }
            side += 1;
        }
        face += 1;
    }
    ways
}

/// Cuts each ring of edges that the surface crosses into triangles, which have its first edge in common.
const fn cut(inside: usize) -> Case {
    let mut case = Case { count: 0, triangles: [[0; 3]; MOST] };
    let mut ways = ways(inside);
    let mut first = 0;
    while first < 12 {
        if let Some(mut second) = ways[first].take() {
            while let Some(third) = ways[second].take() {
                if third != first {
                    case.triangles[case.count] = [first, second, third];
                    case.count += 1;
                }
                second = third;
            }
        }
        first += 1;
    }
    case
}

/// Numbers at the corners of a box's cubes, x fastest: above 0 is inside.
#[derive(Clone, Copy, KernelData)]
struct Volume<'a> {
    values: &'a [f32],
    size: [usize; 3],
}

#[device]
impl Volume<'_> {
    /// The number of a cube at a place, if there is one.
    fn cube(&self, (x, y, z): (usize, usize, usize)) -> Option<usize> {
        let [width, height, depth] = self.size.map(|corners| corners - 1);
        (x < width && y < height && z < depth).then_some((z * height + y) * width + x)
    }

    /// Where a cube's corner is.
    fn corner(&self, (x, y, z): (usize, usize, usize), corner: usize) -> [usize; 3] {
        [x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2)]
    }

    /// Which corners of a cube are inside.
    fn inside(&self, cube: (usize, usize, usize)) -> usize {
        (0..8).filter(|&k| self[self.corner(cube, k)] > 0.0).map(|k| 1 << k).sum()
    }

    /// Where the surface crosses a cube's edge.
    fn crossing(&self, cube: (usize, usize, usize), edge: usize) -> [f32; 3] {
        let [low, high] = EDGES[edge].map(|corner| self.corner(cube, corner));
        let along = self[low] / (self[low] - self[high]);
        std::array::from_fn(|axis| low[axis] as f32 + along * (high[axis] - low[axis]) as f32)
    }
}

#[device]
impl Index<[usize; 3]> for Volume<'_> {
    type Output = f32;

    fn index(&self, [x, y, z]: [usize; 3]) -> &f32 {
        let [width, height, _] = self.size;
        &self.values[(z * height + y) * width + x]
    }
}

kernels! {
    // How many triangles each cube has.
    fn count(values: &[f32], size: [usize; 3], counts: &mut [usize]) {
        let volume = Volume { values, size };
        let cube = global_id_3d();
        if let Some(i) = volume.cube(cube) {
            counts[i] = CASES[volume.inside(cube)].count;
        }
    }

    // The triangles of each cube, from its place on.
    fn cover(values: &[f32], size: [usize; 3], places: &[usize], out: &mut [[[f32; 3]; 3]]) {
        let volume = Volume { values, size };
        let cube = global_id_3d();
        let Some(i) = volume.cube(cube) else { return };
        let Case { count, triangles } = &CASES[volume.inside(cube)];
        for (triangle, place) in triangles[..*count].iter().zip(places[i]..) {
            out[place] = triangle.map(|edge| volume.crossing(cube, edge));
        }
    }
}

/// Sums the counts before each one, and all of them, in one block.
#[kernel]
fn accumulate(counts: &[usize], places: &mut [usize], total: &mut usize) {
    let (t, threads) = (thread_idx().x, block::threads());
    let mut before = 0;
    for (counts, places) in counts.chunks(threads).zip(places.chunks_mut(threads)) {
        let own = counts.get(t).copied().unwrap_or(0);
        let end = before + block::prefix_sum(own);
        if let Some(place) = places.get_mut(t) {
            *place = end - own;
        }
        before += block::sum(own);
    }
    if t == 0 {
        *total = before;
    }
}

type Triangle = [[f32; 3]; 3];

/// The surface of a volume, found under every policy.
fn surface(values: &[f32], size: [usize; 3]) -> Vec<Triangle> {
    let [width, height, depth] = size.map(|corners| corners - 1);
    let (cubes, grid) = (width * height * depth, Grid::covering((width, height, depth), (4, 4, 2)));
    let mut counts = vec![99; cubes];
    agree!(grid, count(values, size; counts));
    let sum_before = |i: usize| counts[..i].iter().sum::<usize>();
    let expected: Vec<usize> = (0..cubes).map(sum_before).collect();
    super::race_free(&|gpu| {
        let (mut places, mut total) = (vec![99; cubes], 99);
        gpu.launch(Grid::new(1, 96), accumulate(&counts, &mut places, &mut total)).unwrap();
        assert_eq!((&places, total), (&expected, sum_before(cubes)));
    });
    let mut triangles = vec![Triangle::default(); sum_before(cubes)];
    agree!(grid, cover(values, size, &expected; triangles));
    triangles
}

/// A volume of a function of the corners.
fn volume([width, height, depth]: [usize; 3], value: impl FnMut([usize; 3]) -> f32) -> Vec<f32> {
    let corners = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
    corners.map(value).collect()
}

type Vertex = [u32; 3];

/// How often each side of a triangle occurs, with its direction.
fn sides(triangles: &[Triangle]) -> BTreeMap<[Vertex; 2], i32> {
    let mut sides = BTreeMap::new();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| vertex.map(f32::to_bits));
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *sides.entry([from, to]).or_default() += 1;
        }
    }
    sides
}

/// How many edges between corners have one end inside.
fn crossings(values: &[f32], [width, height, depth]: [usize; 3]) -> usize {
    let all = volume([width, height, depth], |[x, y, z]| {
        let at = |x: usize, y: usize, z: usize| values[(z * height + y) * width + x] > 0.0;
        let differs = [
            x + 1 < width && at(x, y, z) != at(x + 1, y, z),
            y + 1 < height && at(x, y, z) != at(x, y + 1, z),
            z + 1 < depth && at(x, y, z) != at(x, y, z + 1),
        ];
        differs.into_iter().filter(|differs| *differs).count() as f32
    });
    all.into_iter().sum::<f32>() as usize
}

#[test]
fn spheres_have_surfaces() {
    const CENTER: [f32; 3] = [3.65, 3.1, 2.9];
    const RADIUS: f32 = 2.4;
    let size = [8, 7, 7];
    let away = |vertex: [f32; 3]| vertex.iter().zip(CENTER).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
    let values = volume(size, |corner| RADIUS - away(corner.map(|k| k as f32)));
    let triangles = surface(&values, size);
    // It is closed: each side of a triangle is one of another, which has it the other way.
    let sides = sides(&triangles);
    assert!(sides.iter().all(|(&[from, to], &count)| count == 1 && sides.get(&[to, from]) == Some(&1)));
    // It has a vertex wherever an edge crosses it, and no hole (Euler).
    let vertices: BTreeSet<Vertex> = sides.keys().map(|[from, _]| *from).collect();
    assert_eq!(vertices.len(), crossings(&values, size));
    assert_eq!(vertices.len() + triangles.len() - sides.len() / 2, 2);
    // Along an edge the distance from the centre is below a straight line between the ends, by an eighth of its curvature at
    // most: the vertices are in the sphere, and near to it.
    let mut depths = triangles.iter().flatten().map(|vertex| RADIUS - away(*vertex));
    assert!(depths.all(|depth| (-1e-6..0.125 / (RADIUS - 1.0)).contains(&depth)), "{triangles:?}");
    // The centre is behind each triangle, and what is between it and them fills most of the sphere.
    let filled = triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|vertex| std::array::from_fn::<f32, 3, _>(|k| vertex[k] - CENTER[k]));
        let cross = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
        (a[0] * cross(1, 2) + a[1] * cross(2, 0) + a[2] * cross(0, 1)) / 6.0
    });
    assert!(filled.clone().all(|part| part > 0.0));
    let ratio = filled.sum::<f32>() / (4.0 / 3.0 * PI * RADIUS.powi(3));
    assert!((0.85..1.0).contains(&ratio), "{ratio}");
}

#[test]
fn no_case_leaves_a_hole() {
    // Noise with nothing inside at the border: sides may be those of four triangles, but as often one way as the other.
    let size = [9, 8, 7];
    let mut state = 1_u32;
    let values = volume(size, |corner| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let is_inner = corner.iter().zip(size).all(|(&at, size)| (1..size - 1).contains(&at));
        if is_inner { (state >> 16) as f32 - 32_768.5 } else { -7.25 }
    });
    let triangles = surface(&values, size);
    let sides = sides(&triangles);
    assert!(sides.iter().all(|(&[from, to], count)| sides.get(&[to, from]) == Some(count)));
    let vertices: BTreeSet<Vertex> = sides.keys().map(|[from, _]| *from).collect();
    assert_eq!(vertices.len(), crossings(&values, size));
}
