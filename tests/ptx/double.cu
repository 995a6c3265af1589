// Doubles numbers, and adds what stands at a distance to the odd ones.
__global__ void doubled(int *x, int distance) {
    int i = threadIdx.x;
    int value = 2 * x[i];
    if (i & 1) {
        value += x[i + distance];
    }
    x[i] = value;
}
