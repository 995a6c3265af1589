// Products of matrices: dense in tiles, and sparse by rows.
#include "prelude.h"

#define TILE 8

KERNEL matrix_product(u32 rows, u32 inner, u32 columns, const float *a, const float *b, float *product) {
    __shared__ float a_tile[TILE * TILE], b_tile[TILE * TILE];
    u32 x = threadIdx.x, y = threadIdx.y;
    u32 column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0.0f;
    for (u32 first = 0; first < inner; first += TILE) {
        bool in_a = row < rows && first + x < inner;
        bool in_b = first + y < inner && column < columns;
        a_tile[y * TILE + x] = in_a ? a[row * inner + first + x] : 0.0f;
        b_tile[y * TILE + x] = in_b ? b[(first + y) * columns + column] : 0.0f;
        __syncthreads();
        for (u32 k = 0; k < TILE; k++) {
            sum += a_tile[y * TILE + k] * b_tile[k * TILE + x];
        }
        __syncthreads();
    }
    if (row < rows && column < columns) {
        product[row * columns + column] = sum;
    }
}

// A thread a row of a matrix in compressed rows.
KERNEL sparse_product(u32 rows, const u32 *first, const u32 *columns, const float *values, const float *x, float *y) {
    u32 row = GLOBAL_ID;
    if (row >= rows) {
        return;
    }
    float sum = 0.0f;
#pragma unroll 1
    for (u32 i = first[row]; i < first[row + 1]; i++) {
        sum += values[i] * x[columns[i]];
    }
    y[row] = sum;
}
