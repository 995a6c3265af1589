mod call_c_functions {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &mut [f32]) {
        let i = global_id();
        x[i] = fmaxf(x[i], sqrtf(x[i]));
        x[i] = powf(x[i], 2.0) + rsqrtf(x[i]);
        printf("%f", x[i]);
    }
}

mod call_function {
    use simt::prelude::*;

    #[expect(dead_code)]
    fn double(n: u32) -> u32 {
        2 * n
    }

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = double(n);
    }
}

mod call_macro {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        print!("{n}");
        out[0] = n;
    }
}

mod call_method {
    use simt::prelude::*;

    #[kernel]
    fn wrong(a: f32, out: &mut [f32]) {
        out[0] = a.erf();
    }
}

mod call_method_with_advice {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n.popcount();
    }
}

mod call_std_function {
    use simt::prelude::*;
    use std::cmp::max;
    use std::mem::swap;

    #[kernel]
    fn wrong(n: f32, x: &mut [f32]) {
        x[0] = max(n, x[1]);
    }

    #[kernel]
    fn of_values(mut n: u32, m: u32) {
        swap(&mut n, m);
    }

    #[kernel]
    fn also_wrong(n: u32, x: &mut [u32]) {
        let mut m = n;
        std::mem::swap(&mut x[0], &mut x[1]);
        std::mem::swap(m, &mut x[0]);
        x[1] = std::mem::swap(&mut m, &mut x[0]);
        let fixed = 3;
        x[2] = std::mem::replace(&mut fixed, m);
        m = std::mem::take(&mut (m + 1));
    }
}

mod call_thread_idx {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [usize]) {
        out[0] = thread_idx();
    }
}

mod call_thread_idx_field {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [usize]) {
        out[0] = thread_idx().w;
    }
}

mod collect {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let twice = x.iter().map(|v| v * 2.0).collect::<Vec<_>>();
        out[i] = twice[i];
    }
}

mod cooperative_groups {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let g = cooperative_groups::this_grid();
        out[0] = x[0];
    }
}

mod cuda_malloc {
    use simt::prelude::*;

    #[kernel]
    fn copied(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let p = malloc(4);
        out[i] = x[i];
    }
}

mod cuda_words {
    use simt::prelude::*;

    #[kernel]
    fn wrong(x: &mut [u32]) {
        let i = blockIdx.x * blockDim.x + threadIdx.x;
        __syncthreads();
        atomicAdd(&x[0], 1);
        let v = __shfl_down_sync(0xffffffff, x[i], 16);
        x[i] = v + __popc(__activemask());
    }

    #[kernel]
    fn families(x: &mut [u32], y: &mut [f32], points: &[float4]) {}

    #[kernel]
    fn intrinsics(x: &mut [u32], y: &mut [f32]) {
        y[0] = __fadd_rz(y[0], y[1]);
        x[0] = __float2uint_rn(y[0]);
        x[1] = __vadd4(x[0], x[1]);
        atomicCAS_system(&x[1], 0, 1);
        __nv_atomic_fetch_add(&x[1], 1, 0, 0);
        let texel = tex2D(y, 1.0, 2.0);
        let here = __isShared(y);
        let point: float4 = y[0];
        let four = make_float4(y[0], y[1], y[2], y[3]);
        cuda::memcpy_async(y, x, 16);
        let odd = isnan(y[0]);
        y[2] = erff(y[0]);
    }
}

mod dim3 {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let d = dim3(1, 2, 3);
        out[0] = x[0];
    }
}

mod file_opened {
    use simt::prelude::*;

    use std::fs::File;
    #[kernel]
    fn k(out: &mut [u32]) {
        let i = global_id();
        let f = File::open("x").unwrap();
        out[i] = 1;
    }
}

mod global_id_along {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &mut [usize]) {
        let (a, b, c) = global_id_2d();
        x[0] = global_id_2d().z;
        x[1] = global_id_2d();
        x[2] = global_id_3d(1).x;
        x[3] = a + b + c + warp_width;
    }
}

mod global_idx {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_idx();
        out[i] = x[i];
    }
}

mod index_1d {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = thread::index_1d() as usize;
        out[i] = x[i];
    }
}

mod random_numbers {
    use simt::prelude::*;

    #[kernel]
    fn k(out: &mut [f32]) {
        let i = global_id();
        let mut rng = rand::rng();
        out[i] = rng.random();
    }
}

mod rayon {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        out[i] = x.par_iter().sum();
    }
}

mod thread_spawned {
    use simt::prelude::*;

    #[kernel]
    fn k(out: &mut [u32]) {
        let i = global_id();
        std::thread::spawn(|| { });
        out[i] = 1;
    }
}

mod to_vec {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let copy = x.to_vec();
        out[i] = copy[i];
    }
}

fn main() {}
