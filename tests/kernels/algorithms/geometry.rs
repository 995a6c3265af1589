//! Rays, points and bodies.

use simt::prelude::*;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[device]
impl Add for Vec3 {
    type Output = Vec3;

    fn add(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

#[device]
impl Sub for Vec3 {
    type Output = Vec3;

    fn sub(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

#[device]
impl Mul<f32> for Vec3 {
    type Output = Vec3;

    fn mul(self, k: f32) -> Vec3 {
        Vec3 { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

#[device]
impl Neg for Vec3 {
    type Output = Vec3;

    fn neg(self) -> Vec3 {
        self * -1.0
    }
}

#[device]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        *self = *self + o;
    }
}

#[device]
impl Vec3 {
    fn dot(self, o: Vec3) -> f32 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    fn unit(self) -> Vec3 {
        self * self.dot(self).sqrt().recip()
    }

    fn reflected(self, normal: Vec3) -> Vec3 {
        self - normal * (2.0 * self.dot(normal))
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Ray {
    from: Vec3,
    along: Vec3,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Sphere {
    center: Vec3,
    radius: f32,
    mirror: bool,
}

#[device]
impl Sphere {
    /// How far along the ray it is hit.
    fn hit(self, ray: Ray) -> Option<f32> {
        let to = self.center - ray.from;
        let middle = to.dot(ray.along);
        let half = self.radius * self.radius - to.dot(to) + middle * middle;
        if half < 0.0 {
            return None;
        }
        let near = middle - half.sqrt();
        if near > 0.001 { Some(near) } else { None }
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Box3 {
    low: Vec3,
    high: Vec3,
    /// Of an inner node, the left child and the right one behind it; of a leaf, the sphere.
    child: u32,
    is_leaf: bool,
}

#[device]
impl Box3 {
    fn is_hit(self, ray: Ray) -> bool {
        let Vec3 { x, y, z } = ray.from;
        let (x0, x1) = ((self.low.x - x) / ray.along.x, (self.high.x - x) / ray.along.x);
        let (y0, y1) = ((self.low.y - y) / ray.along.y, (self.high.y - y) / ray.along.y);
        let (z0, z1) = ((self.low.z - z) / ray.along.z, (self.high.z - z) / ray.along.z);
        let enter = x0.min(x1).max(y0.min(y1)).max(z0.min(z1));
        let leave = x0.max(x1).min(y0.max(y1)).min(z0.max(z1));
        enter <= leave && leave > 0.0
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Winding {
    Left,
    Right,
    Straight,
}

alike! {
    // A ray tracer with mirrors and a hierarchy of boxes.
    fn trace(boxes: &[Box3], spheres: &[Sphere], out: &mut [f32]) {
        let i = global_id();
        let (px, py) = ((i % 8) as f32 - 3.5, (i / 8) as f32 - 3.5);
        let mut ray = Ray { from: Vec3::default(), along: Vec3 { x: px, y: py, z: 8.0 }.unit() };
        let mut light = 0.0;
        let mut strength = 1.0;
        for _ in 0..3 {
            let mut nearest: Option<(f32, Sphere)> = None;
            let mut stack = [0u32; 8];
            let mut depth = 1;
            while depth > 0 {
                depth -= 1;
                let node = boxes[stack[depth] as usize];
                if !node.is_hit(ray) {
                    continue;
                }
                if !node.is_leaf {
                    stack[depth] = node.child;
                    stack[depth + 1] = node.child + 1;
                    depth += 2;
                    continue;
                }
                let sphere = spheres[node.child as usize];
                if let Some(far) = sphere.hit(ray)
                    && nearest.is_none_or(|(known, _)| far < known)
                {
                    nearest = Some((far, sphere));
                }
            }
            let Some((far, Sphere { center, mirror, .. })) = nearest else {
                light += strength * (0.5 + 0.5 * ray.along.y);
                break;
            };
            let at = ray.from + ray.along * far;
            let normal = (at - center).unit();
            if !mirror {
                light += strength * normal.dot(-ray.along);
                break;
            }
            strength *= 0.75;
            ray = Ray { from: at, along: ray.along.reflected(normal) };
        }
        out[i] = light;
    }

    // Lloyd's k-means: one step's assignment.
    fn assign(points: &[Vec3], centers: &[Vec3], out: &mut [(u32, f32)]) {
        let i = global_id();
        let mut best = None;
        for (k, &center) in centers.iter().enumerate() {
            let away = points[i] - center;
            let far = away.dot(away);
            best = match best {
                Some((_, known)) if known <= far => best,
                _ => Some((k as u32, far)),
            };
        }
        out[i] = best.expect("there is a center");
    }

    // Forces among bodies, in tiles through shared memory, and a step of time.
    fn attract(bodies: &[(Vec3, f32)], speeds: &mut [Vec3], time: f32) {
        let i = global_id();
        let mut force = Vec3::default();
        for other in bodies {
            let away = other.0 - bodies[i].0;
            let inverse = (away.dot(away) + 0.01).sqrt().recip();
            force += away * (other.1 * inverse * inverse * inverse);
        }
        speeds[i] += force * time;
    }

    // Which points see all others on one side: Jarvis' test for the hull's edges.
    fn edges(points: &[(i32, i32)], out: &mut [u32]) {
        let i = global_id();
        let (x, y) = points[i];
        out[i] = 0;
        for (k, &(u, v)) in points.iter().enumerate() {
            if k == i {
                continue;
            }
            let mut is_edge = true;
            for &(a, b) in points.iter() {
                let area = (u - x) * (b - y) - (v - y) * (a - x);
                let winding = match area {
                    0 => Winding::Straight,
                    1.. => Winding::Left,
                    _ => Winding::Right,
                };
                if winding == Winding::Right {
                    is_edge = false;
                    break;
                }
            }
            if is_edge {
                out[i] |= 1 << k;
            }
        }
    }
}

fn spread(count: usize) -> Vec<Vec3> {
    let at = |i: usize| Vec3 { x: (i * 7 % 13) as f32, y: (i * 5 % 11) as f32, z: (i * 3 % 7) as f32 / 2.0 };
    (0..count).map(at).collect()
}

#[test]
fn rays_are_traced() {
    let at = |x: f32, y: f32, z: f32| Vec3 { x, y, z };
    let spheres: Vec<Sphere> =
        [(at(0.0, 0.0, 9.0), 2.0), (at(2.5, 1.0, 6.0), 1.0), (at(-2.0, -1.0, 7.0), 1.5), (at(0.5, 3.0, 8.0), 1.0)]
            .into_iter()
            .enumerate()
            .map(|(i, (center, radius))| Sphere { center, radius, mirror: i != 2 })
            .collect();
    let around = |all: &[Sphere], child, is_leaf| {
        let low = |pick: fn(&Vec3) -> f32| all.iter().map(|s| pick(&s.center) - s.radius).fold(f32::MAX, f32::min);
        let high = |pick: fn(&Vec3) -> f32| all.iter().map(|s| pick(&s.center) + s.radius).fold(f32::MIN, f32::max);
        Box3 {
            low: at(low(|v| v.x), low(|v| v.y), low(|v| v.z)),
            high: at(high(|v| v.x), high(|v| v.y), high(|v| v.z)),
            child,
            is_leaf,
        }
    };
    let boxes = [
        around(&spheres, 1, false),
        around(&spheres[..2], 3, false),
        around(&spheres[2..], 5, false),
        around(&spheres[..1], 0, true),
        around(&spheres[1..2], 1, true),
        around(&spheres[2..3], 2, true),
        around(&spheres[3..], 3, true),
    ];
    let mut expected = vec![0.0; 64];
    crate::support::host::run(Grid::new(2, 32), || plain::trace(&boxes, &spheres, &mut expected));
    assert!(expected.iter().any(|light| *light > 0.9) && expected.iter().any(|light| *light < 0.4));
    everywhere!(|gpu| {
        let mut out = vec![0.0; 64];
        gpu.launch(Grid::new(2, 32), trace(&boxes, &spheres, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn points_find_their_center() {
    let (points, centers) = (spread(40), spread(5));
    let mut expected = vec![(9, 0.0); 40];
    crate::support::host::run(Grid::new(2, 20), || plain::assign(&points, &centers, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![(9, 0.0); 40];
        gpu.launch(Grid::new(2, 20), assign(&points, &centers, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn bodies_attract_each_other() {
    let bodies: Vec<(Vec3, f32)> = spread(24).into_iter().zip((1..).map(|m| m as f32 / 8.0)).collect();
    let mut expected = vec![Vec3::default(); 24];
    crate::support::host::run(Grid::new(1, 24), || plain::attract(&bodies, &mut expected, 0.5));
    everywhere!(|gpu| {
        let mut speeds = vec![Vec3::default(); 24];
        gpu.launch(Grid::new(1, 24), attract(&bodies, &mut speeds, 0.5)).unwrap();
        assert_eq!(speeds, expected);
    });
}

#[test]
fn a_hull_has_edges() {
    let points: Vec<(i32, i32)> = (0..20).map(|i| (i * 7 % 17, i * i % 13)).collect();
    let mut expected = vec![7; 20];
    crate::support::host::run(Grid::new(1, 20), || plain::edges(&points, &mut expected));
    assert!(expected.iter().filter(|edges| **edges != 0).count() > 3);
    everywhere!(|gpu| {
        let mut out = vec![7; 20];
        gpu.launch(Grid::new(1, 20), edges(&points, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}
