//! Patterns through which parts of elements are written, in bodies that are left before their end, and names that are passed on.

#[derive(Clone, Copy, Debug, Default, simt::prelude::KernelData, PartialEq)]
pub(super) struct Line {
    tag: u32,
    used: u32,
}

/// Its methods, which the host has, too.
mod lines {
    use super::Line;
    use simt::prelude::*;

    #[device]
    impl Line {
        pub(super) fn touch(&mut self, now: u32) -> u32 {
            self.used = now;
            self.tag + now
        }

        pub(super) fn age(&self, now: u32) -> u32 {
            now - self.used
        }
    }
}

items_with_kernels! {
    {
        fn add(v: &mut u32, by: u32) {
            *v += by;
        }

        fn lines(seed: u32) -> [Option<Line>; 4] {
            let mut all = [None; 4];
            for k in 0..4u32 {
                if (seed >> k) % 2 == 0 {
                    all[k as usize] = Some(Line { tag: seed * 3 + k, used: k });
                }
            }
            all
        }

        fn sum(all: &[Option<Line>; 4]) -> u32 {
            let mut sum = 0;
            for line in all {
                sum = sum * 7 + line.map_or(1, |line| line.tag * 3 + line.used);
            }
            sum
        }

        /// The line of a tag, which is used now.
        fn found(all: &mut [Option<Line>; 4], tag: u32, now: u32) -> Option<usize> {
            for (way, line) in all.iter_mut().enumerate() {
                if let Some(line) = line
                    && line.tag == tag
                {
                    line.used = now;
                    return Some(way);
                }
            }
            None
        }

        fn first_free(all: &mut [Option<Line>; 4], way: usize) -> u32 {
            if let Some(line) = &mut all[way] {
                line.tag += 100;
                if line.used > 1 {
                    return line.touch(50);
                }
                line.used = 60;
            }
            7
        }
    }

    fn left_early(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [Some(x[i]), None, Some(3), Some(4), Some(50)];
        for o in a.iter_mut() {
            if let Some(v) = o {
                *v += 1;
                if *v > 20 {
                    break;
                }
                *v *= 2;
            }
        }
        'outer: for round in 0..3 {
            for o in &mut a {
                match o {
                    Some(v) if *v % 3 == 0 => {
                        *v += round;
                        for k in 0..5 {
                            if k > *v {
                                break;
                            }
                            *v += 1;
                        }
                        continue 'outer;
                    }
                    Some(v) => {
                        *v += 5;
                        if *v > 60 {
                            *v = 1;
                            break 'outer;
                        }
                    }
                    None => continue,
                }
            }
        }
        for v in a {
            out[i] = out[i] * 5 + v.unwrap_or(11);
        }
    }

    fn otherwise_left(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [Some(x[i]), Some(8), None, Some(4)];
        for o in a.iter_mut() {
            let Some(v) = o else {
                out[i] += 1;
                break;
            };
            *v *= 3;
            if *v > 30 {
                continue;
            }
            add(v, 7);
        }
        let largest = {
            let Some(v) = &mut a[3] else { return };
            *v += 1;
            let twice = *v * 2;
            twice + 1
        };
        for v in a {
            out[i] = out[i] * 5 + v.unwrap_or(11);
        }
        out[i] += largest;
    }

    fn chains(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [Some(x[i]), None, Some(3), Some(40)];
        for o in a.iter_mut() {
            if let Some(v) = o && *v > 3 && x[i] < 29 {
                *v += 10;
            } else if let Some(v) = o {
                *v = 100;
            } else {
                *o = Some(2);
            }
        }
        for v in a {
            out[i] = out[i] * 5 + v.unwrap_or(11);
        }
    }

    fn passed_on(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut all = lines(x[i]);
        let mut last = 0;
        for line in all.iter_mut() {
            if let Some(line) = line {
                last += line.touch(9) + line.age(20);
            }
        }
        if let Some(line) = &mut all[1] {
            line.touch(5);
        }
        if let Some(line) = all[2].as_mut() {
            add(&mut line.tag, 3);
        }
        let mut numbers = [Some(x[i]), None];
        for o in &mut numbers {
            if let Some(v) = o {
                add(v, 4);
            }
        }
        for line in all.iter() {
            if let Some(line) = line {
                last += line.age(30);
            }
        }
        out[i] = sum(&all) + last + numbers[0].unwrap_or(0);
    }

    fn returned(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut all = lines(x[i]);
        let way = found(&mut all, x[i] * 3 + 2, 77);
        let free = first_free(&mut all, 2) + first_free(&mut all, i % 4);
        out[i] = sum(&all) * 10 + way.map_or(9, |way| way as u32) + free;
    }
}

same! { left_early otherwise_left chains passed_on returned }
