// Each place from its neighbours.
#include "prelude.h"

#define SIDE 16

// A step of heat in a plate whose edges stay as they are; a block keeps its square and what is around it.
KERNEL heat(int width, int height, const float *now, float *next) {
    __shared__ float tile[SIDE + 2][SIDE + 2];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    bool inside = x < width && y < height;
    if (inside) {
        tile[ty][tx] = now[y * width + x];
        if (tx == 1 && x > 0) {
            tile[ty][0] = now[y * width + x - 1];
        }
        if (tx == SIDE && x + 1 < width) {
            tile[ty][SIDE + 1] = now[y * width + x + 1];
        }
        if (ty == 1 && y > 0) {
            tile[0][tx] = now[(y - 1) * width + x];
        }
        if (ty == SIDE && y + 1 < height) {
            tile[SIDE + 1][tx] = now[(y + 1) * width + x];
        }
    }
    __syncthreads();
    if (!inside) {
        return;
    }
    float own = tile[ty][tx];
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
        own += 0.2f * (around - 4.0f * own);
    }
    next[y * width + x] = own;
}

// Conway's Life on a torus, a byte a cell.
KERNEL life(u32 width, u32 height, const u8 *now, u8 *next) {
    u32 x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    u32 alive = 0;
    for (u32 dy = 0; dy < 3; dy++) {
        for (u32 dx = 0; dx < 3; dx++) {
            if (dx != 1 || dy != 1) {
                alive += now[(y + height + dy - 1) % height * width + (x + width + dx - 1) % width];
            }
        }
    }
    next[y * width + x] = alive == 3 || (alive == 2 && now[y * width + x] != 0);
}

__constant__ float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__device__ u32 blurred = 0;

// A row blurred by weights in constant memory; a variable of the module counts.
KERNEL blur(int n, const float *x, float *y, u32 *before) {
    int i = GLOBAL_ID;
    if (i >= n) {
        return;
    }
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < 5; k++) {
        int at = min(max(i + k - 2, 0), n - 1);
        sum += weights[k] * x[at];
    }
    y[i] = sum;
    before[i] = atomicAdd(&blurred, 1u);
}
