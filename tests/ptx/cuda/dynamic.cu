// Shared memory whose size the launch says.
#include "prelude.h"

extern __shared__ u32 buffer[];

// A square matrix transposed through a tile with a column more than it needs.
KERNEL transpose(u32 size, const u32 *x, u32 *y) {
    u32 side = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    u32 column = blockIdx.x * side + tx, row = blockIdx.y * side + ty;
    if (column < size && row < size) {
        buffer[ty * (side + 1) + tx] = x[row * size + column];
    }
    __syncthreads();
    column = blockIdx.y * side + tx;
    row = blockIdx.x * side + ty;
    if (column < size && row < size) {
        y[row * size + column] = buffer[tx * (side + 1) + ty];
    }
}

// Two arrays of different types in one: a block turns its values around, and doubles their halves' sums.
KERNEL turned(u32 count, const double *x, double *y, const u8 *marks, u8 *marked) {
    double *values = (double *)buffer;
    u8 *bytes = (u8 *)(values + count);
    u32 own = threadIdx.x, i = blockIdx.x * count + own;
    if (own < count) {
        values[own] = x[i];
        bytes[own] = marks[i];
    }
    __syncthreads();
    if (own < count) {
        u32 other = count - 1 - own;
        y[i] = 2.0 * (values[other] + values[own / 2]);
        marked[i] = bytes[other] ^ bytes[own / 2];
    }
}
