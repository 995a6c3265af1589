//! Spheres that reflect, by recursion.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct V {
    x: f32,
    y: f32,
    z: f32,
}
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Sphere {
    center: V,
    radius: f32,
    color: V,
    mirror: f32,
}
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Ray {
    o: V,
    d: V,
}

#[device]
fn v(x: f32, y: f32, z: f32) -> V {
    V { x, y, z }
}
#[device]
fn add(a: V, b: V) -> V {
    V { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }
}
#[device]
fn sub(a: V, b: V) -> V {
    V { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }
}
#[device]
fn scale(a: V, s: f32) -> V {
    V { x: a.x * s, y: a.y * s, z: a.z * s }
}
#[device]
fn dot(a: V, b: V) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}
#[device]
fn norm(a: V) -> V {
    scale(a, 1.0 / dot(a, a).sqrt())
}

/// Distance, or a negative number.
#[device]
fn hit(s: Sphere, r: Ray) -> f32 {
    let oc = sub(r.o, s.center);
    let b = dot(oc, r.d);
    let c = dot(oc, oc) - s.radius * s.radius;
    let disc = b * b - c;
    if disc < 0.0 {
        return -1.0;
    }
    let t = -b - disc.sqrt();
    if t > 1e-3 { t } else { -1.0 }
}

#[device]
fn trace(spheres: &[Sphere], ray: Ray, depth: u32) -> V {
    let mut best = f32::INFINITY;
    let mut which = usize::MAX;
    for i in 0..spheres.len() {
        let t = hit(spheres[i], ray);
        if t > 0.0 && t < best {
            best = t;
            which = i;
        }
    }
    if which == usize::MAX {
        let t = 0.5 * (ray.d.y + 1.0);
        return v(1.0 - 0.5 * t, 1.0 - 0.3 * t, 1.0);
    }
    let s = spheres[which];
    let p = add(ray.o, scale(ray.d, best));
    let n = norm(sub(p, s.center));
    let light = norm(v(1.0, 1.0, -1.0));
    let diffuse = dot(n, light).max(0.1);
    let own = scale(s.color, diffuse);
    if s.mirror > 0.0 && depth > 0 {
        let d = sub(ray.d, scale(n, 2.0 * dot(ray.d, n)));
        let reflected = trace(spheres, Ray { o: p, d }, depth - 1);
        return add(scale(own, 1.0 - s.mirror), scale(reflected, s.mirror));
    }
    own
}

#[kernel]
fn render(width: usize, height: usize, #[constant] spheres: &[Sphere], image: &mut [V]) {
    let x = block_idx().x * block_dim().x + thread_idx().x;
    let y = block_idx().y * block_dim().y + thread_idx().y;
    if x >= width || y >= height {
        return;
    }
    let d =
        norm(v((x as f32 - width as f32 / 2.0) / width as f32, (height as f32 / 2.0 - y as f32) / height as f32, 1.0));
    image[y * width + x] = trace(spheres, Ray { o: v(0.0, 0.0, -3.0), d }, 5);
}

mod host {
    use super::*;
    pub fn v(x: f32, y: f32, z: f32) -> V {
        V { x, y, z }
    }
    fn add(a: V, b: V) -> V {
        V { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }
    }
    fn sub(a: V, b: V) -> V {
        V { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }
    }
    fn scale(a: V, s: f32) -> V {
        V { x: a.x * s, y: a.y * s, z: a.z * s }
    }
    fn dot(a: V, b: V) -> f32 {
        a.x * b.x + a.y * b.y + a.z * b.z
    }
    pub fn norm(a: V) -> V {
        scale(a, 1.0 / dot(a, a).sqrt())
    }
    fn hit(s: Sphere, r: Ray) -> f32 {
        let oc = sub(r.o, s.center);
        let b = dot(oc, r.d);
        let c = dot(oc, oc) - s.radius * s.radius;
        let disc = b * b - c;
        if disc < 0.0 {
            return -1.0;
        }
        let t = -b - disc.sqrt();
        if t > 1e-3 { t } else { -1.0 }
    }
    pub fn trace(spheres: &[Sphere], ray: Ray, depth: u32) -> V {
        let mut best = f32::INFINITY;
        let mut which = usize::MAX;
        for i in 0..spheres.len() {
            let t = hit(spheres[i], ray);
            if t > 0.0 && t < best {
                best = t;
                which = i;
            }
        }
        if which == usize::MAX {
            let t = 0.5 * (ray.d.y + 1.0);
            return v(1.0 - 0.5 * t, 1.0 - 0.3 * t, 1.0);
        }
        let s = spheres[which];
        let p = add(ray.o, scale(ray.d, best));
        let n = norm(sub(p, s.center));
        let light = norm(v(1.0, 1.0, -1.0));
        let own = scale(s.color, dot(n, light).max(0.1));
        if s.mirror > 0.0 && depth > 0 {
            let d = sub(ray.d, scale(n, 2.0 * dot(ray.d, n)));
            return add(scale(own, 1.0 - s.mirror), scale(trace(spheres, Ray { o: p, d }, depth - 1), s.mirror));
        }
        own
    }
}

#[test]
fn renders() {
    let (w, h) = (40, 30);
    let spheres: Vec<Sphere> = (0..8)
        .map(|i| {
            let a = i as f32;
            Sphere {
                center: host::v(a.cos() * 1.2, a.sin(), 0.3 * a),
                radius: 0.4,
                color: host::v(1.0, 0.1 * a, 0.5),
                mirror: if i % 2 == 0 { 0.5 } else { 0.0 },
            }
        })
        .collect();
    let mut want = vec![];
    for y in 0..h {
        for x in 0..w {
            let d = host::norm(host::v(
                (x as f32 - w as f32 / 2.0) / w as f32,
                (h as f32 / 2.0 - y as f32) / h as f32,
                1.0,
            ));
            want.push(host::trace(&spheres, Ray { o: host::v(0.0, 0.0, -3.0), d }, 5));
        }
    }
    for_each_policy!(P => {
        let mut image = vec![host::v(0.0, 0.0, 0.0); w * h];
        Gpu::<P>::default().launch(Grid::new((w.div_ceil(16), h.div_ceil(8)), (16, 8)), render(w, h, &spheres, &mut image)).unwrap();
        assert_eq!(image, want);
    });
}
