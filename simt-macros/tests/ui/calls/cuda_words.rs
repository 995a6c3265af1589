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

fn main() {}
