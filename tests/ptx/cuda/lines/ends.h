// What a row has beyond its ends, and what a neighbour counts.
#pragma once

static __device__ __forceinline__ int inside(int at, int length) {
    if (at < 0) {
        return 0;
    }
    return at >= length ? length - 1 : at;
}

static __device__ __noinline__ int weight(int distance) {
    int weight = 1;
    for (int i = 0; i < distance; i++) {
        weight = 3 * weight + (weight & 2);
    }
    return weight;
}
