//! Methods of structs, which the host and kernels call.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[device]
impl Vec3 {
    const UP: Self = Self { x: 0.0, y: 1.0, z: 0.0 };

    fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn scaled(&self, by: f32) -> Self {
        Self::new(self.x * by, self.y * by, self.z * by)
    }

    fn length(&self) -> f32 {
        self.dot(*self).sqrt()
    }

    fn add(&mut self, other: &Vec3) -> f32 {
        self.x += other.x;
        self.y += other.y;
        self.z += other.z;
        self.length()
    }

    /// Halves it until it is short; how often.
    fn shorten(&mut self, most: f32) -> u32 {
        let mut turns = 0;
        while self.length() > most {
            *self = self.scaled(0.5);
            turns += 1;
        }
        turns
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Body {
    at: Vec3,
    speed: Vec3,
    hits: u32,
}

#[device]
fn half(x: f32) -> f32 {
    x / 2.0
}

#[device]
impl Vec3 {
    /// No host has these: it cannot call what they call.
    fn halved(self) -> Self {
        Self { x: half(self.x), y: half(self.y), z: half(self.z) }
    }

    fn quartered(self) -> Self {
        self.halved().halved()
    }
}

#[device]
impl Body {
    fn step(&mut self, time: f32) {
        let moved = self.speed.scaled(time);
        self.at.add(&moved);
        self.hits += self.speed.shorten(2.0);
    }
}

alike! {
    fn simulate(bodies: &mut [Body], out: &mut [f32]) {
        let i = global_id();
        let mut body = bodies[i];
        body.step(0.5);
        let far = body.at.length() + bodies[i].at.dot(Vec3::UP);
        let mut sum = Vec3::new(far, 1.0, 2.0);
        let length = sum.add(&body.at) + sum.add(&bodies[i].speed);
        let order = sum.dot({ sum.x = 3.0; sum });
        bodies[i].speed.shorten(1.0);
        bodies[i].step(2.0);
        out[i] = length + order + body.hits as f32 + Vec3::dot(sum, Vec3::UP) + Vec3::length(&sum);
        bodies[i].at = sum.scaled(2.0).scaled(0.25);
        let mut last = Body { at: Vec3::UP.scaled(out[i]), speed: sum, hits: 7 };
        last.speed.shorten(0.5);
        out[i] += last.speed.dot(last.at);
    }
}

#[test]
fn methods_do_what_they_do_on_the_host() {
    let body = |i: usize| {
        let x = i as f32;
        Body { at: Vec3::new(x, 1.0, -x), speed: Vec3::new(3.0 * x, 0.5, x), hits: 1 }
    };
    let start: Vec<Body> = (0..20).map(body).collect();
    let (mut expected, mut sums) = (start.clone(), vec![0.0; 20]);
    crate::support::host::run(Grid::new(1, 20), || plain::simulate(&mut expected, &mut sums));
    everywhere!(|gpu| {
        let (mut bodies, mut out) = (start.clone(), vec![0.0; 20]);
        gpu.launch(Grid::new(1, 20), simulate(&mut bodies, &mut out)).unwrap();
        assert_eq!((&bodies, &out), (&expected, &sums));
    });
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Pair<T> {
    first: T,
    second: T,
}

#[device]
impl<T: Num> Pair<T> {
    pub(crate) fn of(first: T, second: T) -> Self {
        Pair { first, second }
    }

    /// No host has it.
    fn of_lane(self) -> T {
        if lane_id() % 2 == 0 { self.first } else { self.second }
    }

    fn swapped(mut self) -> Self {
        (self.first, self.second) = (self.second, self.first);
        self
    }

    fn taken<U: Num, const N: u32>(&self, from: &[U], at: usize) -> U {
        from[at] + N as U
    }

    fn write(&self, to: &mut [T], at: usize) {
        to[at] = self.first;
        to[at + 1] = self.second;
    }
}

#[kernel]
fn quarter(x: &mut [Vec3]) {
    x[0] = x[0].quartered();
}

#[test]
fn a_method_calls_device_functions() {
    let mut x = [Vec3::new(4.0, 8.0, 2.0)];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), quarter(&mut x)).unwrap();
    assert_eq!(x, [Vec3::new(1.0, 2.0, 0.5)]);
}

#[device]
fn larger<T: Num>(pair: Pair<T>) -> T {
    let swapped = pair.swapped();
    swapped.first.max(swapped.second)
}

#[kernel]
fn pairs<T: Num>(x: &[T], more: &[u32], out: &mut [T], sums: &mut [u32]) {
    let i = global_id();
    let pair = Pair::of(x[i], x[i + 1]);
    let odd = Pair::<u32>::of(3, 4).of_lane();
    sums[i] = pair.taken::<u32, 5>(more, i) + odd;
    Pair::of(pair.of_lane(), larger(pair)).swapped().write(out, 2 * i);
}

#[test]
fn methods_of_a_generic_struct_are_generic() {
    everywhere!(|gpu| {
        let (mut out, mut sums) = ([0.0; 8], [0; 4]);
        gpu.launch(Grid::new(1, 4), pairs(&[1.0, 5.0, 2.0, 4.0, 3.0], &[10, 20, 30, 40], &mut out, &mut sums)).unwrap();
        assert_eq!(out, [5.0, 1.0, 5.0, 2.0, 4.0, 2.0, 4.0, 3.0]);
        assert_eq!(sums, [18, 29, 38, 49]);
    });
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Offset {
    by: i32,
}

#[device]
impl Offset {
    fn moved(self, x: i32) -> i32 {
        let once = |x: i32| x + self.by;
        once(once(x))
    }

    fn applied(self, f: impl Fn(i32) -> i32) -> i32 {
        f(self.by) + f(1)
    }

    fn shifted(self, x: i32) -> i32 {
        fn twice(x: i32) -> i32 {
            x * 2
        }
        twice(x) + self.by
    }
}

/// A call of a closure, a parameter or an inner function is none of a function that the host may lack.
#[test]
fn the_host_has_methods_that_call_what_they_have() {
    #[kernel]
    fn called(out: &mut [i32]) {
        let o = Offset { by: 5 };
        out[0] = o.moved(3);
        out[1] = o.applied(|x| x * 10);
        out[2] = o.shifted(4);
    }
    let (o, mut out) = (Offset { by: 5 }, [0; 3]);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), called(&mut out)).unwrap();
    assert_eq!(out, [o.moved(3), o.applied(|x| x * 10), o.shifted(4)]);
    assert_eq!(out, [13, 60, 13]);
}
