use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct P { x: f32, v: f32 }
#[device]
impl P {
    fn stepped(self, dt: f32) -> P {
        let v = vec![self.v];
        P { x: self.x + v[0] * dt, v: self.v }
    }
    fn energy(&self) -> f32 { 0.5 * self.v * self.v }
}
#[kernel]
fn step(p: &mut [P], dt: f32) {
    let i = global_id();
    p[i] = p[i].stepped(dt);
    let q = P::stepped(p[i], dt);
    p[i].v = q.energy();
}

fn main() {}
