// Threads that take turns.
#include "prelude.h"

// The section is inside of the loop, at the end of which all lanes meet.
KERNEL careful(u32 *lock, u32 *sum, u32 *in_vain) {
    u32 tries = 0;
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0u, 1u) != 0) {
            tries++;
        } else {
            *(volatile u32 *)sum += GLOBAL_ID;
            __threadfence();
            atomicExch(lock, 0u);
            done = true;
        }
    }
    in_vain[GLOBAL_ID] = tries;
}

// That of textbooks: a lane that has it waits behind the loop.
KERNEL naive(u32 *lock, u32 *sum) {
    while (atomicCAS(lock, 0u, 1u) != 0) {
    }
    *(volatile u32 *)sum += GLOBAL_ID;
    __threadfence();
    atomicExch(lock, 0u);
}

// By one lane of each warp, for which no lane of its own waits.
KERNEL a_lane_a_warp(u32 *lock, u32 *sum) {
    if (threadIdx.x % warpSize == 0) {
        while (atomicCAS(lock, 0u, 1u) != 0) {
        }
        *(volatile u32 *)sum += blockDim.x;
        __threadfence();
        atomicExch(lock, 0u);
    }
}

// In the order in which threads came: `lock[0]` is the next ticket, `lock[1]` the one that is served.
KERNEL tickets(u32 *lock, u32 *entered, u32 *entries, u32 *waited) {
    u32 ticket = atomicAdd(&lock[0], 1u);
    u32 turns = 0;
    bool done = false;
    while (!done) {
        if (atomicAdd(&lock[1], 0u) != ticket) {
            turns++;
        } else {
            volatile u32 *at = entries;
            ((volatile u32 *)entered)[*at] = ticket;
            *at += 1;
            __threadfence();
            atomicExch(&lock[1], ticket + 1);
            done = true;
        }
    }
    waited[ticket] = turns;
}
