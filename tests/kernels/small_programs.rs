//! Small programs as users write them: queues, parsers and caches, generic and with errors.

/// A priority queue of generic items in a path search on a grid, u32 grid sizes.
mod paths {
    use simt::prelude::*;

    #[derive(Clone, Copy, Debug, KernelData, PartialEq)]
    struct Node {
        cost: u32,
        at: (u32, u32),
    }

    #[device]
    trait Keyed {
        fn key(&self) -> u32;
    }
    #[device]
    impl Keyed for Node {
        fn key(&self) -> u32 {
            self.cost
        }
    }

    #[derive(Clone, Copy, KernelData)]
    struct Queue<T, const N: usize> {
        items: [T; N],
        len: usize,
    }

    #[device]
    impl<T: Keyed, const N: usize> Queue<T, N> {
        fn with(first: T) -> Self {
            Self { items: [first; N], len: 1 }
        }
        fn push(&mut self, item: T) {
            if self.len < N {
                let mut i = self.len;
                while i > 0 && self.items[i - 1].key() < item.key() {
                    self.items[i] = self.items[i - 1];
                    i -= 1;
                }
                self.items[i] = item;
                self.len += 1;
            }
        }
        fn pop(&mut self) -> Option<T> {
            if self.len == 0 {
                None
            } else {
                self.len -= 1;
                Some(self.items[self.len])
            }
        }
    }

    #[kernel]
    fn search(map: &[u8], width: u32, best: &mut [u32]) {
        let i = global_id();
        let height = map.len() as u32 / width;
        let start = (i as u32 % width, i as u32 / width);
        if start.1 >= height || map[i] == b'#' {
            return;
        }
        let mut seen = [u32::MAX; 16];
        let mut queue = Queue::<Node, 32>::with(Node { cost: 0, at: start });
        while let Some(Node { cost, at: (x, y) }) = queue.pop() {
            let index = (y * width + x) as usize;
            if cost >= seen[index] {
                continue;
            }
            seen[index] = cost;
            for (dx, dy) in [(0i32, 1i32), (1, 0), (0, -1), (-1, 0)] {
                let (nx, ny) = (x as i32 + dx, y as i32 + dy);
                if nx < 0 || ny < 0 || nx >= width as i32 || ny >= height as i32 {
                    continue;
                }
                let (nx, ny) = (nx as u32, ny as u32);
                let cell = *map.get((ny * width + nx) as usize).unwrap();
                if cell != b'#' {
                    queue.push(Node { cost: cost + 1, at: (nx, ny) });
                }
            }
        }
        best[i] = seen.iter().filter(|&&c| c != u32::MAX).copied().max().unwrap_or(0);
    }

    #[test]
    fn run() {
        let map = b"....\
                    .##.\
                    .#..\
                    ...#";
        let mut best = [99; 16];
        Gpu::<Ipdom>::default().launch(Grid::covering(map.len() as u32, 8_u32), search(map, 4, &mut best)).unwrap();
        assert_eq!(best[0], 6);
        assert_eq!(best[5], 99);
    }
}
/// A packet parser: bytes, errors, references from get.
mod packets {
    use simt::prelude::*;

    #[derive(Clone, Copy, Debug, KernelData, PartialEq)]
    enum Fault {
        Short,
        Version(u8),
        Sum { want: u16, have: u16 },
    }

    #[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
    struct Header {
        version: u8,
        length: u16,
        source: u32,
        ports: [u16; 2],
    }

    #[derive(Clone, Copy, KernelData)]
    struct Cursor {
        at: usize,
    }

    #[device]
    impl Cursor {
        fn byte(&mut self, data: &[u8]) -> Result<u8, Fault> {
            let &b = data.get(self.at).ok_or(Fault::Short)?;
            self.at += 1;
            Ok(b)
        }
        fn u16(&mut self, data: &[u8]) -> Result<u16, Fault> {
            if data.len() < self.at + 2 {
                return Err(Fault::Short);
            }
            let bytes = &data[self.at..self.at + 2];
            self.at += 2;
            Ok(u16::from_be_bytes(bytes.try_into().unwrap()))
        }
        fn u32(&mut self, data: &[u8]) -> Result<u32, Fault> {
            let high = self.u16(data)?;
            let low = self.u16(data)?;
            Ok(u32::from(high) << 16 | u32::from(low))
        }
    }

    #[device]
    fn parse(data: &[u8]) -> Result<Header, Fault> {
        let mut cursor = Cursor { at: 0 };
        let version = cursor.byte(data)?;
        if version != 4 {
            return Err(Fault::Version(version));
        }
        let _flags = cursor.byte(data)?;
        let length = cursor.u16(data)?;
        let source = cursor.u32(data)?;
        let mut ports = [0; 2];
        for p in ports.iter_mut() {
            *p = cursor.u16(data)?;
        }
        let want = cursor.u16(data)?;
        let have = data[..cursor.at - 2]
            .chunks(2)
            .map(|c| u16::from_be_bytes([c[0], *c.get(1).unwrap_or(&0)]))
            .fold(0u16, |a, b| a.wrapping_add(b));
        if want != have {
            return Err(Fault::Sum { want, have });
        }
        Ok(Header { version, length, source, ports })
    }

    #[kernel]
    fn headers(data: &[u8], starts: &[usize], out: &mut [Result<Header, Fault>]) {
        let i = global_id();
        if let Some(&start) = starts.get(i) {
            let end = *starts.get(i + 1).unwrap_or(&data.len());
            out[i] = parse(&data[start..end]);
        }
    }

    #[test]
    fn run() {
        let good = [4, 0, 0, 9, 1, 2, 3, 4, 0, 80, 1, 1];
        let sum: u16 = good.chunks(2).fold(0u16, |a, c| a.wrapping_add(u16::from_be_bytes([c[0], c[1]])));
        let mut data = good.to_vec();
        data.extend(sum.to_be_bytes());
        data.extend([6, 1, 1]);
        data.extend([4, 1, 1]);
        let mut out = [Ok(Header::default()); 3];
        Gpu::<Ipdom>::default().launch(Grid::new(1_u32, 4), headers(&data, &[0, 14, 17], &mut out)).unwrap();
        assert_eq!(
            out,
            [
                Ok(Header { version: 4, length: 9, source: 0x01020304, ports: [80, 257] }),
                Err(Fault::Version(6)),
                Err(Fault::Short)
            ]
        );
    }
}
/// An LRU cache simulator, generic over key, with Option of pairs and references.
mod caches {
    use simt::prelude::*;

    #[derive(Clone, Copy, Debug, KernelData, PartialEq)]
    struct Lru<K, const WAYS: usize> {
        lines: [Option<(K, u32)>; WAYS],
        clock: u32,
        hits: u32,
    }

    #[device]
    impl<K: Copy + PartialEq, const WAYS: usize> Lru<K, WAYS> {
        fn new() -> Self {
            Self { lines: [None; WAYS], clock: 0, hits: 0 }
        }
        fn access(&mut self, key: K) -> bool {
            self.clock += 1;
            let found = self.lines.iter().position(|line| matches!(line, Some((k, _)) if *k == key));
            let way = match found {
                Some(way) => {
                    self.hits += 1;
                    way
                }
                None => self.oldest(),
            };
            self.lines[way] = Some((key, self.clock));
            found.is_some()
        }
        fn oldest(&self) -> usize {
            let mut oldest = 0;
            let mut age = u32::MAX;
            for (i, line) in self.lines.iter().enumerate() {
                let used = line.map_or(0, |(_, t)| t);
                if used < age {
                    age = used;
                    oldest = i;
                }
            }
            oldest
        }
    }

    #[kernel]
    fn simulate(trace: &[u32], hits: &mut [u32]) {
        let i = global_id();
        let mut small = Lru::<u32, 2>::new();
        let mut tags = Lru::<(u32, bool), 4>::new();
        for &a in &trace[i..] {
            small.access(a);
            if !tags.access((a / 2, a % 2 == 0)) {
                hits[i] += 100;
            }
        }
        hits[i] += small.hits + tags.hits * 10;
    }

    #[test]
    fn run() {
        let mut hits = [0; 2];
        Gpu::<MinPc>::default().launch(Grid::new(1, 2_u32), simulate(&[1, 2, 1, 3, 2, 1], &mut hits)).unwrap();
        assert_eq!(hits, [1 + 30 + 300, 20 + 300]);
    }
}
