//! Generic containers of users, whose `impl` has bounds of `std` only: the text is compiled as plain Rust, too.

programs! {
    types {
        struct MinHeap<T, const N: usize> {
            items: [T; N],
            len: usize,
        }

        #[derive(Debug, PartialEq)]
        struct Stack<T, const N: usize> {
            items: [T; N],
            len: usize,
        }

        struct Ring<T, const N: usize> {
            items: [T; N],
            first: usize,
            len: usize,
        }

        #[derive(Debug, Default, PartialEq)]
        struct Pair<A, B> {
            a: A,
            b: B,
        }

        #[derive(Debug, Default, PartialEq, PartialOrd)]
        struct State {
            cost: f32,
            at: u32,
        }

        #[derive(Debug, Default, PartialEq)]
        enum Cell {
            #[default]
            Empty,
            Full(u32),
        }
    }
    device {
        impl<T: Copy + Default + PartialOrd, const N: usize> MinHeap<T, N> {
            fn new() -> Self {
                Self { items: [T::default(); N], len: 0 }
            }

            fn push(&mut self, value: T) -> bool {
                if self.len == N {
                    return false;
                }
                let mut i = self.len;
                self.items[i] = value;
                self.len += 1;
                while i > 0 {
                    let parent = (i - 1) / 2;
                    if self.items[parent] <= self.items[i] {
                        break;
                    }
                    self.items.swap(i, parent);
                    i = parent;
                }
                true
            }

            fn pop(&mut self) -> Option<T> {
                if self.len == 0 {
                    return None;
                }
                let top = self.items[0];
                self.len -= 1;
                self.items[0] = self.items[self.len];
                let mut i = 0;
                loop {
                    let (l, r) = (2 * i + 1, 2 * i + 2);
                    let mut least = i;
                    if l < self.len && self.items[l] < self.items[least] {
                        least = l;
                    }
                    if r < self.len && self.items[r] < self.items[least] {
                        least = r;
                    }
                    if least == i {
                        break;
                    }
                    self.items.swap(i, least);
                    i = least;
                }
                Some(top)
            }

            fn is_empty(&self) -> bool {
                self.len == 0
            }
        }

        impl<T, const N: usize> Stack<T, N>
        where
            T: Copy,
        {
            fn of(value: T) -> Self {
                Self { items: [value; N], len: 0 }
            }

            fn push(&mut self, value: T) -> Result<usize, T> {
                if self.len == N {
                    return Err(value);
                }
                self.items[self.len] = value;
                self.len += 1;
                Ok(self.len)
            }

            fn pop(&mut self) -> Option<T> {
                self.len = self.len.checked_sub(1)?;
                Some(self.items[self.len])
            }

            fn top(&self) -> T {
                self.items[self.len - 1]
            }

            fn map_top(&mut self, f: impl Fn(T) -> T) {
                let top = self.top();
                self.items[self.len - 1] = f(top);
            }
        }

        impl<T: Copy + Default, const N: usize> Ring<T, N> {
            fn empty() -> Self {
                Self { items: [T::default(); N], first: 0, len: 0 }
            }

            fn push(&mut self, value: T) {
                let at = (self.first + self.len) % N;
                self.items[at] = value;
                if self.len < N {
                    self.len += 1;
                } else {
                    self.first = (self.first + 1) % N;
                }
            }

            fn get(&self, i: usize) -> Option<T> {
                if i < self.len { Some(self.items[(self.first + i) % N]) } else { None }
            }

            fn or_default(&self, i: usize) -> T {
                self.get(i).unwrap_or(T::default())
            }
        }

        impl<A: Copy, B: Copy> Pair<A, B> {
            fn new(a: A, b: B) -> Self {
                Self { a, b }
            }

            fn swapped(self) -> Pair<B, A> {
                Pair { a: self.b, b: self.a }
            }

            fn with<C: Copy>(self, b: C) -> Pair<A, C> {
                Pair::new(self.a, b)
            }
        }

        impl<T: Copy + PartialOrd + std::ops::Add<Output = T>> Pair<T, T> {
            fn sum(self) -> T {
                self.a + self.b
            }

            fn larger(&self) -> T {
                if self.a < self.b { self.b } else { self.a }
            }
        }

        fn last_of<T: Copy + Default + PartialEq, const N: usize>(stack: &Stack<T, N>, other: T) -> T {
            if stack.len == 0 || stack.top() == other { T::default() } else { stack.top() }
        }
    }

    fn heaps(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut heap = MinHeap::<State, 8>::new();
        let mut refused = 0;
        for k in 0..10 {
            let at = x[(i + k) % x.len()];
            refused += !heap.push(State { cost: at as f32 * 0.5, at: at + k as u32 }) as u32;
        }
        let mut sum = refused;
        while let Some(s) = heap.pop() {
            sum = sum * 3 + s.at;
        }
        let mut numbers: MinHeap<u32, 4> = MinHeap::new();
        numbers.push(x[i]);
        numbers.push(4);
        out[i] = sum + numbers.pop().unwrap_or(9) + numbers.is_empty() as u32;
    }

    fn stacks(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut stack = Stack::<Pair<u32, bool>, 3>::of(Pair { a: 7, b: false });
        let mut sum = 0;
        for k in 0..5 {
            match stack.push(Pair::new(x[(i + k) % x.len()], k % 2 == 0)) {
                Ok(n) => sum += n as u32,
                Err(p) => sum += p.a * 100 + p.b as u32,
            }
        }
        stack.map_top(|p| Pair { a: p.a + 1, ..p });
        let same = last_of(&stack, Pair::new(3, true));
        sum += same.a;
        while let Some(Pair { a, b }) = stack.pop() {
            sum = sum * 2 + a + b as u32;
        }
        let mut cells = Stack::<Cell, 2>::of(Cell::Empty);
        let _ = cells.push(Cell::Full(x[i]));
        sum += match last_of(&cells, Cell::Full(5)) {
            Cell::Empty => 50,
            Cell::Full(n) => n,
        };
        out[i] = sum;
    }

    fn rings(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut ring = Ring::<(u32, f32), 3>::empty();
        let mut cells = Ring::<Cell, 2>::empty();
        for k in 0..x[i] as usize % 6 {
            ring.push((x[(i + k) % x.len()], k as f32));
            cells.push(Cell::Full(k as u32));
        }
        let mut sum = 0;
        for k in 0..4 {
            let (a, b) = ring.or_default(k);
            sum = sum * 5 + a + b as u32;
            sum += match cells.or_default(k) {
                Cell::Empty => 3,
                Cell::Full(n) => n,
            };
        }
        out[i] = sum;
    }

    fn pairs(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let p = Pair::new(x[i], x[i] as f32 * 0.5).swapped();
        let q = Pair::new(p.b, 3).swapped().with(x[i] % 5);
        let nested = Pair::new(p, Pair::new(q, 2_u8));
        out[i] = p.a as u32 + q.sum() * 3 + q.larger() + nested.b.a.b + nested.a.b + nested.b.b as u32;
    }
}
