// Sorting: networks in shared memory, by rank, and by digits.
#include "prelude.h"

#define TILE 256

template <typename T> static __device__ void sort_tile(T *x) {
    __shared__ T tile[TILE];
    u32 thread = threadIdx.x, first = blockIdx.x * TILE;
    for (u32 i = thread; i < TILE; i += TILE / 2) {
        tile[i] = x[first + i];
    }
#pragma unroll 1
    for (u32 k = 0; k < 8; k++) {
#pragma unroll 1
        for (int distance = k; distance >= 0; distance--) {
            __syncthreads();
            u32 stride = 1u << distance;
            u32 low = 2 * thread - thread % stride, high = low + stride;
            bool ascending = (low & (2u << k)) == 0;
            if ((tile[low] > tile[high]) == ascending) {
                T smaller = tile[high];
                tile[high] = tile[low];
                tile[low] = smaller;
            }
        }
    }
    __syncthreads();
    for (u32 i = thread; i < TILE; i += TILE / 2) {
        x[first + i] = tile[i];
    }
}

KERNEL sort_words(u32 *x) {
    sort_tile(x);
}

KERNEL sort_floats(float *x) {
    sort_tile(x);
}

// Each number goes where as many are as are smaller.
KERNEL sort_by_rank(u32 n, const short *x, short *sorted) {
    u32 i = GLOBAL_ID;
    if (i >= n) {
        return;
    }
    short own = x[i];
    u32 rank = 0;
#pragma unroll 1
    for (u32 other = 0; other < n; other++) {
        if (x[other] < own || (x[other] == own && other < i)) {
            rank++;
        }
    }
    sorted[rank] = own;
}

// A warp sorts its 32 numbers bit by bit: votes count those that have it.
KERNEL sort_by_bits(u32 *x) {
    __shared__ u32 places[4][32];
    u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = GLOBAL_ID;
    u32 own = x[i], below = (1u << lane) - 1;
#pragma unroll 1
    for (u32 bit = 0; bit < 32; bit++) {
        bool one = own >> bit & 1;
        u32 ones = __ballot_sync(ALL, one);
        u32 place = one ? 32 - __popc(ones) + __popc(ones & below) : __popc(~ones & below);
        places[warp][place] = own;
        __syncwarp();
        own = places[warp][lane];
        __syncwarp();
    }
    x[i] = own;
}
