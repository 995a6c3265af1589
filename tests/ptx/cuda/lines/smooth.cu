// Sums of neighbours with weights: a function of another file is inlined, and another one of it is called.
#include "../prelude.h"
#include "ends.h"

KERNEL smooth(int n, int reach, const int *in, int *out) {
    int i = GLOBAL_ID;
    if (i >= n) {
        return;
    }
    int sum = 0;
    for (int by = -reach; by <= reach; by++) {
        int value = in[inside(i + by, n)];
        sum += weight(by < 0 ? -by : by) * value;
    }
    out[i] = sum;
}
