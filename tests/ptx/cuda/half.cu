// Floats of 16 bits, alone and in pairs.
#include "prelude.h"

#ifdef __NVCC__
#include <cuda_fp16.h>
typedef __half half_t;
#else
typedef _Float16 half_t;
#endif

// A polynomial by Horner's rule, each step rounded to 16 bits.
KERNEL polynomial(const half_t *x, half_t *y) {
    u32 i = GLOBAL_ID;
    half_t at = x[i], sum = (half_t)0.25f;
    for (int k = 0; k < 3; k++) {
        sum = sum * at;
        sum = sum + (half_t)(k - 1.5f);
    }
    y[i] = sum;
}

// What fits goes to 16 bits and back; what does not is infinite, or nothing.
KERNEL narrow(const float *x, float *y, u32 *order) {
    u32 i = GLOBAL_ID;
    half_t own = (half_t)x[i], next = (half_t)x[i + 1];
    y[i] = (float)own;
    order[i] = (own < next) + 2 * (own == next) + 4 * (own != own);
}
