use simt::prelude::*;

#[kernel]
fn wrong(x: &mut [u32]) {
    let i = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    atomicAdd(&x[0], 1);
    let v = __shfl_down_sync(0xffffffff, x[i], 16);
    x[i] = v + __popc(__activemask());
}

fn main() {}
