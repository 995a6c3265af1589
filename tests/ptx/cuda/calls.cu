// Functions that are called: by themselves, with structs, and with places to write to.
#include "prelude.h"

#define N 8
#define FULL ((1u << N) - 1)

struct Attacks {
    u32 columns, left, right;
};

static __device__ Attacks after_two(u32 first, u32 second) {
    if (second & (first | first << 1 | first >> 1)) {
        return {0, FULL, FULL};
    }
    return {first | second, (first << 1 | second) << 1, (first >> 1 | second) >> 1};
}

// In how many ways the rows from here on can be filled with queens.
static __device__ __noinline__ u32 fill(u32 columns, u32 left, u32 right) {
    if (columns == FULL) {
        return 1;
    }
    u32 free = FULL & ~(columns | left | right), solutions = 0;
    while (free != 0) {
        u32 queen = free & -free;
        free ^= queen;
        solutions += fill(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return solutions;
}

KERNEL queens_by_recursion(u32 *solutions) {
    u32 i = GLOBAL_ID;
    Attacks start = after_two(1u << (i / N), 1u << (i % N));
    solutions[i] = fill(start.columns, start.left, start.right);
}

KERNEL queens_by_stack(u32 *solutions) {
    u32 i = GLOBAL_ID;
    u32 columns[N], left[N], right[N], free[N];
    Attacks now = after_two(1u << (i / N), 1u << (i % N));
    u32 row = 0, found = 0;
    while (true) {
        columns[row] = now.columns;
        left[row] = now.left;
        right[row] = now.right;
        free[row] = FULL & ~(now.columns | now.left | now.right);
        while (free[row] == 0) {
            if (row == 0) {
                solutions[i] = found;
                return;
            }
            row--;
        }
        u32 queen = free[row] & -free[row];
        free[row] ^= queen;
        now.columns = columns[row] | queen;
        now.left = (left[row] | queen) << 1;
        now.right = (right[row] | queen) >> 1;
        found += now.columns == FULL;
        row++;
    }
}

static __device__ __noinline__ u32 ackermann(u32 m, u32 n) {
    if (m == 0) {
        return n + 1;
    }
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

KERNEL ackermanns(u32 *out) {
    u32 i = GLOBAL_ID;
    out[i] = ackermann(i % 3, i / 3);
}

struct Fraction {
    long long over;
    int under;
};

static __device__ __noinline__ Fraction sum(Fraction a, Fraction b, int *divisor) {
    Fraction sum = {a.over * b.under + b.over * a.under, a.under * b.under};
    long long x = sum.over, y = sum.under;
    while (y != 0) {
        long long rest = x % y;
        x = y;
        y = rest;
    }
    *divisor = (int)x;
    return {sum.over / x, (int)(sum.under / x)};
}

// The harmonic numbers, in lowest terms: a struct goes to a function and comes back, as does what a pointer leads to.
KERNEL harmonic(long long *over, int *under, int *divisors) {
    u32 i = GLOBAL_ID;
    Fraction all = {0, 1};
    int divisor = 0;
    for (u32 k = 1; k <= i % 16 + 1; k++) {
        all = sum(all, {1, (int)k}, &divisor);
    }
    over[i] = all.over;
    under[i] = all.under;
    divisors[i] = divisor;
}

// What a function keeps in its own array is still there when those that it has called have filled theirs.
static __device__ __noinline__ u32 walk(u32 depth, u32 seed) {
    u32 own[4], sum = 0;
    for (u32 k = 0; k < 4; k++) {
        own[(seed + k) % 4] = seed * (k + 3) + depth;
    }
    if (depth > 0) {
        for (u32 k = 0; k < 1 + seed % 2; k++) {
            sum += walk(depth - 1, own[(sum + k) % 4]);
        }
    }
    return sum * 5 + own[sum % 4];
}

KERNEL walks(u32 *out) {
    u32 i = GLOBAL_ID;
    out[i] = walk(i % 5, i);
}
