// The seven workloads that simulators and compilers are compared on.
#include "prelude.h"

KERNEL saxpy(u32 n, float a, const float *x, float *y) {
    u32 i = GLOBAL_ID;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

KERNEL mandel(u32 width, u32 limit, float step, u32 *out) {
    u32 i = GLOBAL_ID;
    if (i >= width * width) {
        return;
    }
    u32 px = i % width, py = i / width;
    float cx = -2.0f + (float)px * step, cy = -1.5f + (float)py * step;
    float zx = 0.0f, zy = 0.0f;
    u32 count = 0;
    while (count < limit && zx * zx + zy * zy <= 4.0f) {
        float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        count++;
    }
    out[i] = count;
}

KERNEL collatz(u32 n, u32 *out) {
    u32 i = GLOBAL_ID;
    if (i >= n) {
        return;
    }
    u64 value = (u64)i + 1;
    u32 steps = 0;
    while (value != 1) {
        if (value & 1) {
            value = 3 * value + 1;
        } else {
            value >>= 1;
        }
        steps++;
    }
    out[i] = steps;
}

KERNEL bitonic(u32 *data) {
    __shared__ u32 tile[1024];
    u32 own = threadIdx.x, first = blockIdx.x * 1024u;
    tile[own] = data[first + own];
    __syncthreads();
    for (u32 run = 2; run <= 1024; run <<= 1) {
        for (u32 distance = run >> 1; distance > 0; distance >>= 1) {
            u32 other = own ^ distance;
            if (other > own) {
                u32 low = tile[own], high = tile[other];
                bool ascending = (own & run) == 0;
                if ((low > high) == ascending) {
                    tile[own] = high;
                    tile[other] = low;
                }
            }
            __syncthreads();
        }
    }
    data[first + own] = tile[own];
}

KERNEL search(u32 n, u32 m, const u32 *table, const u32 *queries, u32 *out) {
    u32 i = GLOBAL_ID;
    if (i >= n) {
        return;
    }
    u32 key = queries[i], low = 0, high = m;
    while (low < high) {
        u32 middle = (low + high) >> 1;
        u32 value = table[middle];
        if (value == key) {
            low = middle;
            break;
        }
        if (value < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    out[i] = low;
}

KERNEL bfs(u32 n, const u32 *first, const u32 *edges, const u32 *levels, u32 level, u32 *next) {
    u32 i = GLOBAL_ID;
    if (i >= n) {
        return;
    }
    if (levels[i] == level) {
        u32 end = first[i + 1];
        for (u32 edge = first[i]; edge < end; edge++) {
            u32 node = edges[edge];
            if (levels[node] == 0xffffffffu) {
                next[node] = level + 1;
            }
        }
    }
}

KERNEL reduce(u32 n, const u32 *data, u32 *partial) {
    __shared__ u32 sums[256];
    u32 own = threadIdx.x, i = GLOBAL_ID;
    sums[own] = i < n ? data[i] : 0u;
    __syncthreads();
    for (u32 half = 128; half > 0; half >>= 1) {
        if (own < half) {
            sums[own] += sums[own + half];
        }
        __syncthreads();
    }
    if (own == 0) {
        partial[blockIdx.x] = sums[0];
    }
}
