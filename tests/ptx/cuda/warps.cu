// Lanes of a warp together: votes and shuffles of all kinds, and what asm has of them.
#include "prelude.h"

KERNEL votes(const u32 *x, u32 *out) {
    u32 i = GLOBAL_ID, own = x[i];
    u32 *mine = out + 4 * i;
    mine[0] = __ballot_sync(ALL, own % 3 == 0);
    mine[1] = __all_sync(ALL, own < 1000) + 2 * __any_sync(ALL, own > 990);
    if (own & 1) {
        mine[2] = __ballot_sync(__activemask(), own & 2);
    } else {
        mine[2] = 0;
    }
    __syncwarp();
    mine[3] = __popc(__ballot_sync(ALL, threadIdx.x % 32 < own % 32));
}

KERNEL shuffles(const u32 *x, u32 *out) {
    u32 i = GLOBAL_ID, own = x[i];
    u32 *mine = out + 4 * i;
    mine[0] = __shfl_sync(ALL, own, own);
    mine[1] = __shfl_up_sync(ALL, own, 3);
    mine[2] = __shfl_down_sync(ALL, own, 5);
    mine[3] = __shfl_xor_sync(ALL, own, 9);
}

// One atomic for all lanes of a warp that have something: the first asks, the others hear.
KERNEL compact(u32 n, const u32 *x, u32 *kept, u32 *count) {
    u32 i = GLOBAL_ID, lane = threadIdx.x % 32;
    bool keeps = i < n && x[i] % 4 == 1;
    u32 all = __ballot_sync(ALL, keeps);
    u32 leader = __ffs(all) - 1, first = 0;
    if (all != 0 && lane == leader) {
        first = atomicAdd(count, (u32)__popc(all));
    }
    first = __shfl_sync(ALL, first, leader);
    if (keeps) {
        kept[first + __popc(all & ((1u << lane) - 1))] = x[i];
    }
}

// What the compiler copies as it stands, with a scope of its own, and guards.
KERNEL written(const u32 *x, u32 *out) {
    u32 i = GLOBAL_ID, own = x[i], result, lane, below;
    asm("{ .reg .pred p, q;\n\t"
        "  .reg .b32 t;\n\t"
        "  setp.gt.u32 p, %1, 500;\n\t"
        "  setp.lt.and.u32 q, %1, 900, p;\n\t"
        "  mov.u32 t, 7;\n\t"
        "  @p add.u32 t, t, %1;\n\t"
        "  @!q shl.b32 t, t, 1;\n\t"
        "  mov.u32 %0, t; }"
        : "=r"(result)
        : "r"(own));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    out[i] = result + 1000 * lane + 100000 * __popc(below);
}

// How often each lane's value is there in its warp, which lane has it first, and whether all thousands are the same.
KERNEL groups(const u32 *x, u32 *out) {
    u32 i = GLOBAL_ID, *mine = out + 4 * i;
    int same;
    u32 equal = __match_any_sync(ALL, x[i]);
    mine[0] = __popc(equal);
    mine[1] = __ffs(equal) - 1;
    mine[2] = __match_all_sync(ALL, x[i] / 1000, &same);
    mine[3] = same;
}

// The sum, the highest and all bits of a warp: by instructions of machines that have them, by shuffles on others.
KERNEL reductions(const u32 *x, u32 *out) {
    u32 i = GLOBAL_ID, own = x[i], *mine = out + 4 * i;
#if __CUDA_ARCH__ >= 800
    mine[0] = __reduce_add_sync(ALL, own);
    mine[1] = __reduce_max_sync(ALL, own);
    mine[2] = __reduce_or_sync(ALL, own);
#else
    u32 sum = own, most = own, any = own;
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        sum += __shfl_xor_sync(ALL, sum, lanes);
        most = max(most, __shfl_xor_sync(ALL, most, lanes));
        any |= __shfl_xor_sync(ALL, any, lanes);
    }
    mine[0] = sum;
    mine[1] = most;
    mine[2] = any;
#endif
    mine[3] = own;
}
