//! A ray tracer in the manner of Whitted (1980): mirroring spheres under a sky, a thread a ray.
//!
//! What a mirror shows is what the ray that it throws back meets, by a call of the same function. Lanes part at what a ray
//! hits and stay parted through the recursion, whose depth differs from ray to ray.

use simt::prelude::*;

const BOUNCES: u32 = 6;
const MIRROR: f32 = 0.8;

#[derive(Clone, Copy, KernelData)]
struct Vector {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Clone, Copy, KernelData)]
struct Sphere {
    centre: Vector,
    radius: f32,
}

const EYE: Vector = Vector { x: 0.0, y: 0.0, z: 0.0 };

/// The ground, and spheres on it.
const SPHERES: [Sphere; 3] = [
    Sphere { centre: Vector { x: 0.0, y: -101.0, z: 6.0 }, radius: 100.0 },
    Sphere { centre: Vector { x: -1.1, y: 0.0, z: 5.0 }, radius: 1.0 },
    Sphere { centre: Vector { x: 1.1, y: 0.0, z: 5.0 }, radius: 1.0 },
];

#[device]
fn dot(a: Vector, b: Vector) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// `a + factor * b`
#[device]
fn add_scaled(a: Vector, factor: f32, b: Vector) -> Vector {
    Vector { x: a.x + factor * b.x, y: a.y + factor * b.y, z: a.z + factor * b.z }
}

/// The first sphere on the ray, none being as many as there are, and how far away it is.
#[device]
fn nearest(spheres: &[Sphere], origin: Vector, direction: Vector) -> (usize, f32) {
    let (mut hit, mut distance) = (spheres.len(), 1e9);
    for i in 0..spheres.len() {
        let to_centre = add_scaled(spheres[i].centre, -1.0, origin);
        let middle = dot(to_centre, direction);
        // For a ray that passes by, this is NaN, for which no comparison holds.
        let half = (middle * middle - dot(to_centre, to_centre) + spheres[i].radius * spheres[i].radius).sqrt();
        let near = middle - half;
        if near > 1e-3 && near < distance {
            (hit, distance) = (i, near);
        }
    }
    (hit, distance)
}

/// The brightness that is seen along the ray.
#[device]
fn trace(spheres: &[Sphere], origin: Vector, direction: Vector, bounces: u32) -> f32 {
    let (hit, distance) = nearest(spheres, origin, direction);
    if hit == spheres.len() {
        return 0.5 + 0.5 * direction.y;
    }
    if bounces == 0 {
        return 0.0;
    }
    let point = add_scaled(origin, distance, direction);
    let normal = add_scaled(EYE, 1.0 / spheres[hit].radius, add_scaled(point, -1.0, spheres[hit].centre));
    let thrown_back = add_scaled(direction, -2.0 * dot(direction, normal), normal);
    MIRROR * trace(spheres, point, thrown_back, bounces - 1)
}

#[kernel]
pub(crate) fn render(#[constant] spheres: &[Sphere], rays: &[Vector], brightness: &mut [f32]) {
    let i = global_id();
    if i < rays.len() {
        brightness[i] = trace(spheres, EYE, rays[i], BOUNCES);
    }
}

/// The ray tracer without recursion, in plain Rust.
fn host(mut along: [f32; 3]) -> f32 {
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let plus = |a: [f32; 3], k: f32, b: [f32; 3]| [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
    let (mut from, mut bounces) = ([0.0; 3], 0);
    while bounces <= BOUNCES {
        let hits = SPHERES.iter().filter_map(|&Sphere { centre, radius }| {
            let to = plus([centre.x, centre.y, centre.z], -1.0, from);
            let half = dot(to, along) * dot(to, along) - dot(to, to) + radius * radius;
            let near = dot(to, along) - half.sqrt();
            (near > 1e-3).then_some((near, radius, [centre.x, centre.y, centre.z]))
        });
        let Some((distance, radius, centre)) = hits.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            return (0..bounces).fold(0.5 + 0.5 * along[1], |light, _| MIRROR * light);
        };
        from = plus(from, distance, along);
        let normal = plus([0.0; 3], 1.0 / radius, plus(from, -1.0, centre));
        along = plus(along, -2.0 * dot(along, normal), normal);
        bounces += 1;
    }
    0.0
}

pub(crate) fn run<P: Policy>(gpu: &Gpu<P>) -> Result<Report, LaunchError> {
    let rays = (0..32 * 24).map(|i| {
        let (x, y) = (0.05 * ((i % 32) as f32 - 15.5), 0.05 * (11.5 - (i / 32) as f32));
        let length = (x * x + y * y + 1.0).sqrt();
        Vector { x: x / length, y: y / length, z: 1.0 / length }
    });
    let rays: Vec<Vector> = rays.collect();
    let mut image = vec![0.0; rays.len()];
    let report = gpu.launch(Grid::covering(image.len(), 64), render(&SPHERES, &rays, &mut image))?;
    assert!(rays.iter().map(|ray| host([ray.x, ray.y, ray.z])).eq(image));
    Ok(report)
}
