// How often each byte occurs.
#include "prelude.h"

#define BINS 256

KERNEL histogram(u32 n, const u8 *bytes, u32 *counts) {
    __shared__ u32 mine[BINS];
    for (u32 bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        mine[bin] = 0;
    }
    __syncthreads();
    for (u32 i = GLOBAL_ID; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[bytes[i]], 1u);
    }
    __syncthreads();
    for (u32 bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        atomicAdd(&counts[bin], mine[bin]);
    }
}
