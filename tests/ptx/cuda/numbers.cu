// Numbers of all widths: doubles, integers of 64 bits, bits, conversions.
#include "prelude.h"

// Roots of x^2 + p x + q, the larger first.
KERNEL roots(const double *p, const double *q, double *out) {
    u32 i = GLOBAL_ID;
    double half = -0.5 * p[i], inside = half * half - q[i];
    if (inside < 0.0) {
        out[2 * i] = out[2 * i + 1] = -1.0;
        return;
    }
    double root = sqrt(inside);
    double first = half < 0.0 ? half - root : half + root;
    double second = first == 0.0 ? 0.0 : q[i] / first;
    out[2 * i] = first > second ? first : second;
    out[2 * i + 1] = first > second ? second : first;
}

// A cube root by Newton's method: until it does not change, and at most so often.
KERNEL cube_roots(const double *x, double *out, u32 *rounds) {
    u32 i = GLOBAL_ID;
    double root = x[i] / 3.0, last = 0.0;
    u32 round = 0;
#pragma unroll 1
    while (fabs(root - last) > 1e-14 * fabs(root) && round < 100) {
        last = root;
        root = (2.0 * last + x[i] / (last * last)) / 3.0;
        round++;
    }
    out[i] = root;
    rounds[i] = round;
}

// Fused, as by definition, and rounded twice.
KERNEL fused(const float *x, float *once, float *twice, double *wide) {
    u32 i = GLOBAL_ID;
    float a = x[i], b = x[i + 1], c = x[i + 2];
    once[i] = fmaf(a, b, c);
    twice[i] = a * b + c;
    wide[i] = fma((double)a, (double)b, 1.0 / (double)c);
}

// Division and rest, signed and not, in 64 and 32 bits.
KERNEL divide(const long long *x, const long long *y, long long *out) {
    u32 i = GLOBAL_ID;
    long long a = x[i], b = y[i];
    long long *mine = out + 6 * i;
    mine[0] = a / b;
    mine[1] = a % b;
    mine[2] = (long long)((u64)a / (u64)b);
    mine[3] = (long long)((u64)a % (u64)b);
    mine[4] = (int)a / ((int)b | 1);
    mine[5] = (long long)((u32)a % ((u32)b | 1));
}

KERNEL bits(const u32 *x, u32 *out) {
    u32 i = GLOBAL_ID, a = x[i], b = x[i + 1];
    u32 *mine = out + 8 * i;
    mine[0] = __popc(a);
    mine[1] = __clz(a);
    mine[2] = __ffs(a);
    mine[3] = __brev(a);
    mine[4] = __umulhi(a, b);
    mine[5] = __funnelshift_l(a, b, i);
    u64 both = (u64)a << 32 | b;
    mine[6] = __popcll(both * both);
    mine[7] = (u32)(__umul64hi(both, both) >> 32);
}

// To integers and back: cut off, and between widths with signs.
KERNEL convert(const double *x, long long *out) {
    u32 i = GLOBAL_ID;
    double value = x[i];
    long long *mine = out + 8 * i;
    mine[0] = (long long)value;
    mine[1] = (int)value;
    mine[2] = (signed char)(int)value;
    mine[3] = (u16)(int)value;
    mine[4] = __float_as_int((float)value);
    mine[5] = (long long)floor(value);
    mine[6] = (long long)(float)(long long)(value * 1048577.0);
    mine[7] = (long long)(double)(u64)(long long)value;
}
