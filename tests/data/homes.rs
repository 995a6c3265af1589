//! Array fields of variables, accessed by an index that is not known: results, and what an access costs.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Node {
    cost: u32,
    id: u32,
}

#[derive(Clone, Copy, KernelData)]
struct Queue {
    nodes: [Node; 6],
    len: usize,
    grid: [[u32; 3]; 2],
    last: [Option<u32>; 3],
}

#[device]
impl Queue {
    fn new() -> Self {
        Queue { nodes: [Node { cost: 0, id: 0 }; 6], len: 0, grid: [[0; 3]; 2], last: [None; 3] }
    }
    fn push(&mut self, cost: u32, id: u32) {
        let mut hole = self.len % 6;
        self.len += 1;
        while hole > 0 && self.nodes[hole - 1].cost > cost {
            self.nodes[hole] = self.nodes[hole - 1];
            hole -= 1;
        }
        self.nodes[hole] = Node { cost, id };
        self.last[id as usize % 3] = Some(cost);
        self.grid[hole % 2][id as usize % 3] += cost;
    }
    fn at(&self, k: usize) -> u32 {
        self.nodes[k].id * 7 + self.nodes[k].cost
    }
    fn shifted(mut self, k: usize) -> u32 {
        self.nodes[k].cost += 100;
        self.nodes[0].cost + self.nodes[k].cost
    }
    fn is_empty(&self) -> bool {
        self.len == 0
    }
    fn sum(&self) -> u32 {
        let mut sum = 0;
        for k in 0..6 {
            sum += self.at(k) + self.grid[k % 2][k % 3] + self.last[k % 3].unwrap_or(1);
        }
        sum
    }
    fn descend(&mut self, k: usize) {
        if k == 0 {
            return;
        }
        self.nodes[k % 6].cost += k as u32;
        self.descend(k - 1);
        self.nodes[k - 1].id ^= self.nodes[k % 6].cost;
    }
    fn both(a: Queue, b: &mut Queue, k: usize) -> u32 {
        b.nodes[k].cost += 1000;
        a.nodes[k].cost + b.nodes[k].cost
    }
    fn bump(nodes: &mut [Node], k: usize) {
        nodes[k].id += 5;
    }
    fn passed(a: Queue, nodes: &mut [Node; 6], k: usize) -> u32 {
        nodes[k].cost += 3;
        a.nodes[k].cost * 2 + nodes[k].cost
    }
    fn nest(depth: u32, k: usize) -> u32 {
        let mut q = Queue::new();
        q.push(depth + 3, depth);
        q.nodes[(k + 1) % 6].cost = depth;
        let inner = if depth > 0 { Queue::nest(depth - 1, k + 1) } else { 1 };
        q.push(inner % 50, 2);
        q.sum() + inner
    }
}

alike! {
    fn queues(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut q = Queue::new();
        for k in 0..5 {
            q.push(x[(i + k) % x.len()] % 17, k as u32);
        }
        q.descend(i % 5);
        out[i] = if q.is_empty() { 0 } else { q.sum() };
    }
    fn two_queues(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = Queue::new();
        let mut b = Queue::new();
        for k in 0..4 {
            a.push(x[(i + k) % x.len()] % 17, k as u32);
            b.push(x[(i + 2 * k) % x.len()] % 13, 3);
        }
        std::mem::swap(&mut a, &mut b);
        out[i] = a.sum() * 31 + b.sum();
    }
    fn snapshots(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut q = Queue::new();
        q.push(x[i] % 17, 1);
        let k = i % 6;
        let old = q.nodes[k].cost;
        let copy = q;
        q.nodes[k].cost = old + 9;
        q.nodes[(k + 1) % 6].cost = q.nodes[k].cost + { q.nodes[k].cost += 2; q.nodes[k].cost };
        let by_value = q.shifted(k);
        out[i] = old + 3 * copy.nodes[k].cost + 5 * q.nodes[k].cost + by_value + q.at((k + 1) % 6);
    }
    fn arguments(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let k = x[i] as usize % 6;
        let mut q = Queue::new();
        q.push(x[i], 4);
        q.push(q.nodes[k].cost + 1, q.nodes[0].id);
        let mut sum = Queue::both(q, &mut q, k);
        Queue::bump(&mut q.nodes, k);
        Queue::bump(&mut q.nodes[1..], k % 5);
        sum += Queue::passed(q, &mut q.nodes, k);
        out[i] = sum * 100 + q.sum();
    }
    fn references(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let k = x[i] as usize % 6;
        let mut q = Queue::new();
        for node in q.nodes.iter_mut() {
            node.cost = x[i] + 2;
            if node.cost % 3 == 0 {
                continue;
            }
            node.id = 4;
        }
        let node = &mut q.nodes[k];
        node.cost += 7;
        if let Some(node) = q.nodes.get_mut(k + 1) {
            node.id += 8;
        }
        q.nodes.swap(k, 0);
        let taken = q.last[k % 3].take().unwrap_or(6);
        q.grid[k % 2][0] += taken;
        let mut sum = 0;
        let mut t = 0;
        loop {
            t += 1;
            if t > 9 {
                break;
            }
            if q.nodes[t % 6].cost % 2 == 0 {
                q.nodes[(t + 1) % 6].cost += 1;
                continue;
            }
            sum += q.nodes[t % 6].cost;
        }
        out[i] = sum + q.sum();
    }
    fn frames(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = Queue::nest(x[i] % 4, i % 6);
    }
    fn in_memory(x: &[u32], queues: &mut [Queue], out: &mut [u32]) {
        let i = global_id();
        queues[i].push(x[i] % 11, 2);
        queues[i].push(x[i] % 7, 5);
        let k = x[i] as usize % 6;
        queues[i].nodes[k].cost += 1;
        out[i] = queues[i].sum();
    }
}

macro_rules! agree {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let x: Vec<u32> = (0..45).map(|i| i * 7 % 31).collect();
            let grid = Grid::new(3, 15);
            let mut expected = vec![5; x.len()];
            crate::support::host::run(grid, || plain::$name(&x, &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![5; x.len()];
                let launched = gpu.launch(grid, super::$name(&x, &mut out));
                assert!(launched.is_ok(), "{launched:?}");
                assert_eq!(out, expected);
            });
        }
    )*};
}

mod results {
    use super::*;

    agree!(queues two_queues snapshots arguments references frames);

    #[test]
    fn elements_of_memory() {
        let x: Vec<u32> = (0..45).map(|i| i * 7 % 31).collect();
        let grid = Grid::new(3, 15);
        let start = vec![Queue::new(); x.len()];
        let (mut expected, mut queues) = (vec![5; x.len()], start.clone());
        crate::support::host::run(grid, || plain::in_memory(&x, &mut queues, &mut expected));
        everywhere!(|gpu| {
            let (mut out, mut queues) = (vec![5; x.len()], start.clone());
            let launched = gpu.launch(grid, in_memory(&x, &mut queues, &mut out));
            assert!(launched.is_ok(), "{launched:?}");
            assert_eq!(out, expected);
        });
    }
}

#[derive(Clone, Copy, KernelData)]
struct Stack<const N: usize> {
    items: [u32; N],
    len: usize,
}

#[device]
impl<const N: usize> Stack<N> {
    fn push(&mut self, v: u32) {
        self.items[self.len] = v;
        self.len += 1;
    }
    fn pop(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        Some(self.items[self.len])
    }
}

#[kernel]
fn reversed<const N: usize>(x: &[u32], out: &mut [u32]) {
    let mut stack = Stack::<N> { items: [0; N], len: 0 };
    for &v in x {
        stack.push(v);
    }
    let mut k = 0;
    while let Some(v) = stack.pop() {
        out[k] = v;
        k += 1;
    }
}

fn issues<const N: usize>() -> u64 {
    let mut out = [0; 8];
    let call = reversed::<N>(&[1, 2, 3, 4, 5, 6, 7, 8], &mut out);
    let report = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), call).expect("it runs");
    assert_eq!(out, [8, 7, 6, 5, 4, 3, 2, 1]);
    report.issues()
}

#[test]
fn an_access_costs_the_same_whatever_the_length() {
    let (short, long) = (issues::<8>(), issues::<108>());
    assert!(long - short <= 100, "beyond the array's first values, {short} and {long} issues");
}

#[test]
fn the_field_is_a_local_array() {
    let text = reversed::program::<4>().to_string();
    assert!(text.contains("local stack.items: [u32; 4];"), "{text}");
    assert!(text.contains("stack.items[_"), "{text}");
    assert!(!text.contains("self.items"), "nothing is passed:\n{text}");
}

#[kernel]
fn known(x: &[u32], out: &mut [u32]) {
    let stack = Stack::<2> { items: [x[0], x[1]], len: 0 };
    out[0] = stack.items[0] * stack.items[1];
}

#[test]
fn elements_that_are_read_by_known_indices_stay_variables() {
    let text = known::program().to_string();
    assert!(!text.contains("local"), "{text}");
}

#[kernel]
fn beyond(x: &[u32], out: &mut [u32]) {
    let mut stack = Stack::<3> { items: [0; 3], len: 0 };
    for &v in x {
        stack.push(v);
    }
    out[0] = stack.len as u32;
}

#[test]
fn an_index_beyond_the_field_is_told() {
    let mut out = [0];
    let error =
        Gpu::<Ipdom>::default().launch(Grid::new(1, 1), beyond(&[1, 2, 3, 4], &mut out)).unwrap_err().to_string();
    assert!(error.starts_with("error[simt::out-of-bounds]"), "{error}");
    assert!(error.contains("stack.items"), "{error}");
}
