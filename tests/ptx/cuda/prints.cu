// What a kernel says.
#include "prelude.h"

KERNEL say(const int *x) {
    u32 i = GLOBAL_ID;
    if (x[i] % 3 == 0) {
        printf("thread %u of block %d has %d, %.2f of it\n", threadIdx.x, (int)blockIdx.x, x[i], x[i] / 8.0);
    } else if (i == 1) {
        printf("no numbers here: 100%%\n");
    }
}

// A sum of what must not be negative.
KERNEL claim(const int *x, u32 *sum) {
    u32 i = GLOBAL_ID;
    assert(x[i] >= 0);
    atomicAdd(sum, (u32)x[i]);
}
