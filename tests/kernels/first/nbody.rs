//! Bodies that attract each other, tile by tile.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Default, KernelData)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Default, KernelData)]
struct Body {
    pos: Vec3,
    vel: Vec3,
    mass: f32,
}

#[device]
fn sub(a: Vec3, b: Vec3) -> Vec3 {
    Vec3 { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }
}
#[device]
fn add_scaled(a: Vec3, s: f32, b: Vec3) -> Vec3 {
    Vec3 { x: a.x + s * b.x, y: a.y + s * b.y, z: a.z + s * b.z }
}
#[device]
fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

#[kernel]
fn accelerate(bodies: &[Body], acc: &mut [Vec3], eps2: f32) {
    #[shared]
    let mut tile: [Body; 64];
    let i = global_id();
    let t = thread_idx().x;
    let me = if i < bodies.len() { bodies[i].pos } else { Vec3 { x: 0.0, y: 0.0, z: 0.0 } };
    let mut a = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    for start in (0..bodies.len()).step_by(64) {
        if start + t < bodies.len() {
            tile[t] = bodies[start + t];
        }
        sync_threads();
        let n = (bodies.len() - start).min(64);
        for j in 0..n {
            let d = sub(tile[j].pos, me);
            let r2 = dot(d, d) + eps2;
            let inv = 1.0 / r2.sqrt();
            a = add_scaled(a, tile[j].mass * inv * inv * inv, d);
        }
        sync_threads();
    }
    if i < acc.len() {
        acc[i] = a;
    }
}

#[kernel]
fn integrate(bodies: &mut [Body], acc: &[Vec3], dt: f32) {
    let i = global_id();
    if i >= bodies.len() {
        return;
    }
    bodies[i].vel = add_scaled(bodies[i].vel, dt, acc[i]);
    bodies[i].pos = add_scaled(bodies[i].pos, dt, bodies[i].vel);
}

#[test]
fn nbody() {
    let n = 100;
    let init: Vec<Body> = (0..n)
        .map(|i| {
            let f = i as f32;
            Body { pos: Vec3 { x: f.sin(), y: f.cos(), z: 0.1 * f }, vel: Vec3::default(), mass: 1.0 + f }
        })
        .collect();
    let (dt, eps2) = (0.01f32, 0.001f32);
    let mut want = init.clone();
    for _ in 0..2 {
        let old = want.clone();
        let mut acc = vec![Vec3::default(); n];
        for i in 0..n {
            for j in 0..n {
                let d = Vec3 {
                    x: old[j].pos.x - old[i].pos.x,
                    y: old[j].pos.y - old[i].pos.y,
                    z: old[j].pos.z - old[i].pos.z,
                };
                let r2 = d.x * d.x + d.y * d.y + d.z * d.z + eps2;
                let inv = 1.0 / r2.sqrt();
                let s = old[j].mass * inv * inv * inv;
                acc[i].x += s * d.x;
                acc[i].y += s * d.y;
                acc[i].z += s * d.z;
            }
        }
        for i in 0..n {
            let b = &mut want[i];
            b.vel.x += dt * acc[i].x;
            b.vel.y += dt * acc[i].y;
            b.vel.z += dt * acc[i].z;
            b.pos.x += dt * b.vel.x;
            b.pos.y += dt * b.vel.y;
            b.pos.z += dt * b.vel.z;
        }
    }
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default();
        let mut bodies = init.clone();
        let mut acc = vec![Vec3::default(); n];
        for _ in 0..2 {
            gpu.launch(Grid::covering(n, 64), accelerate(&bodies, &mut acc, eps2)).unwrap();
            gpu.launch(Grid::covering(n, 64), integrate(&mut bodies, &acc, dt)).unwrap();
        }
        assert_eq!(bodies, want);
    });
}
