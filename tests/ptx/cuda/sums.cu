// Sums of all numbers, and of all before each.
#include "prelude.h"

#define BLOCK 64

static __device__ u32 warp_sum(u32 sum) {
    for (u32 distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(ALL, sum, distance);
    }
    return sum;
}

// A thread adds its share, a warp its threads' by shuffles, a block its warps', the grid its blocks' by an atomic.
KERNEL total(u32 n, const u32 *x, u32 *total) {
    __shared__ u32 sums[BLOCK / 32];
    u32 sum = 0;
#pragma unroll 1
    for (u32 i = GLOBAL_ID; i < n; i += gridDim.x * BLOCK) {
        sum += x[i];
    }
    u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    sum = warp_sum(sum);
    if (lane == 0) {
        sums[warp] = sum;
    }
    __syncthreads();
    if (warp > 0) {
        return;
    }
    sum = lane < BLOCK / 32 ? sums[lane] : 0;
    sum = warp_sum(sum);
    if (lane == 0) {
        atomicAdd(total, sum);
    }
}

#define TILE (2 * BLOCK)

// Blelloch's scan of each tile: up and down a tree.
KERNEL scan_tiles(u32 n, const u32 *x, u32 *before, u32 *sums) {
    __shared__ u32 tile[TILE];
    u32 thread = threadIdx.x, first = blockIdx.x * TILE;
    for (u32 i = thread; i < TILE; i += BLOCK) {
        tile[i] = first + i < n ? x[first + i] : 0;
    }
    u32 distance = 1;
#pragma unroll 1
    while (distance < TILE) {
        __syncthreads();
        u32 node = 2 * distance * (thread + 1) - 1;
        if (node < TILE) {
            tile[node] += tile[node - distance];
        }
        distance *= 2;
    }
    if (thread == 0) {
        sums[blockIdx.x] = tile[TILE - 1];
        tile[TILE - 1] = 0;
    }
#pragma unroll 1
    while (distance > 1) {
        distance /= 2;
        __syncthreads();
        u32 node = 2 * distance * (thread + 1) - 1;
        if (node < TILE) {
            u32 left = tile[node - distance];
            tile[node - distance] = tile[node];
            tile[node] += left;
        }
    }
    __syncthreads();
    for (u32 i = thread; i < TILE; i += BLOCK) {
        if (first + i < n) {
            before[first + i] = tile[i];
        }
    }
}

KERNEL add_sums(u32 n, const u32 *sums, u32 *before) {
    u32 i = GLOBAL_ID;
    if (i < n) {
        before[i] += sums[i / TILE];
    }
}

// Hillis and Steele's scan, inclusive, by shuffles: of each warp by itself.
KERNEL scan_warps(int *x) {
    u32 i = GLOBAL_ID, lane = threadIdx.x % warpSize;
    int sum = x[i];
    for (u32 distance = 1; distance < 32; distance *= 2) {
        int lower = __shfl_up_sync(ALL, sum, distance);
        if (lane >= distance) {
            sum += lower;
        }
    }
    x[i] = sum;
}
