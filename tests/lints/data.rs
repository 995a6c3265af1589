//! Kernels of structs, enums, traits, options, closures, iterators and subslices.

use simt::prelude::*;
use std::ops::{Add, AddAssign, Mul};

/// A point.
#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
pub struct Point {
    /// Its place.
    pub x: f32,
    /// Its velocity.
    pub v: f32,
    /// How often it came by.
    pub hits: [u32; 2],
}

#[device]
impl Point {
    /// One that rests.
    #[must_use]
    pub const fn at(x: f32) -> Self {
        Self { x, v: 0.0, hits: [0; 2] }
    }

    /// Where it is later.
    #[must_use]
    pub const fn later(self, dt: f32) -> Self {
        Self { x: self.v.mul_add(dt, self.x), ..self }
    }

    /// How fast it is.
    #[must_use]
    pub const fn speed(&self) -> f32 {
        self.v.abs()
    }

    /// Turns it round.
    pub fn turn(&mut self) {
        self.v = -self.v;
        self.hits[1] += 1;
    }
}

/// A vector of two.
#[derive(Clone, Copy, Debug, Eq, KernelData, PartialEq)]
pub struct Pair<T> {
    /// The first part.
    pub x: T,
    /// The second part.
    pub y: T,
}

#[device]
impl Add for Pair<f32> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

#[device]
impl Mul<f32> for Pair<f32> {
    type Output = Self;

    fn mul(self, by: f32) -> Self {
        Self { x: self.x * by, y: self.y * by }
    }
}

#[device]
impl AddAssign for Pair<f32> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// A shape.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
pub enum Shape {
    /// Nothing.
    Empty,
    /// A circle.
    Circle(f32),
    /// A rectangle.
    Rect {
        /// Its width.
        w: f32,
        /// Its height.
        h: f32,
    },
}

/// What has an area.
#[device]
pub trait Area {
    /// The area.
    fn area(&self) -> f32;

    /// Twice the area.
    fn twice(&self) -> f32 {
        2.0 * self.area()
    }
}

#[device]
impl Area for Shape {
    fn area(&self) -> f32 {
        match *self {
            Self::Empty => 0.0,
            Self::Circle(r) => r * r,
            Self::Rect { w, h } => w * h,
        }
    }
}

/// A function that is passed.
#[device]
fn applied(x: f32, f: impl Fn(f32) -> f32) -> f32 {
    f(f(x))
}

/// The first element above a limit.
#[device]
fn first_above(x: &[f32], limit: f32) -> Option<usize> {
    x.iter().position(|&v| v > limit)
}

/// What lies around.
#[device]
fn checked(shape: Shape, most: f32) -> Result<f32, u32> {
    let area = shape.area();
    if area > most { Err(1) } else { Ok(area) }
}

/// Two of them.
#[device]
fn both(a: Shape, b: Shape) -> Result<f32, u32> {
    Ok(checked(a, 10.0)? + checked(b, 20.0)?)
}

/// Methods and operators.
#[kernel]
pub fn moved(points: &mut [Point], pairs: &mut [Pair<f32>], dt: f32) {
    let i = global_id();
    let mut point = points[i].later(dt);
    if point.speed() > 2.0 {
        point.turn();
    }
    point.hits[0] += 1;
    points[i] = point;
    points[i].turn();
    let mut pair = pairs[i] + pairs[i] * dt;
    pair += Pair { x: Point::at(1.0).x, y: 2.0 };
    pairs[i] = pair;
}

/// Enums with data, traits, options and results.
#[kernel]
pub fn areas(shapes: &[Shape], best: &mut [Option<Shape>], out: &mut [f32]) {
    let i = global_id();
    let Some(&shape) = shapes.get(i) else { return };
    if let Shape::Rect { w, .. } = shape
        && w > 1.0
    {
        best[i] = Some(shape);
    }
    let area = best[i].map_or(0.0, |shape| shape.twice());
    out[i] = match both(shape, Shape::Circle(1.0)) {
        Ok(sum) => sum.max(area),
        Err(_) => -1.0,
    };
}

/// Iterators, closures, subslices and arrays of structs.
#[kernel]
pub fn walked(x: &[f32], points: &[Point], out: &mut [f32]) {
    let i = global_id();
    let scale = 0.5;
    let scaled = |v: f32| v * scale;
    let part = &x[1..];
    let sum: f32 = part.iter().zip(x).map(|(a, b)| a * b).filter(|v| *v > 0.0).sum();
    let mut kept = [Point::at(0.0); 4];
    for (k, slot) in kept.iter_mut().enumerate() {
        slot.x = points[k].x;
    }
    let most = kept.iter().map(|point| point.x).fold(f32::NEG_INFINITY, f32::max);
    let place = first_above(x, 1.5).unwrap_or(0);
    out[i] = applied(sum, scaled) + most + x[place];
    for chunk in out.chunks_mut(4) {
        chunk.reverse();
    }
}
