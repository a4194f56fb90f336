// n is a power of two, launched with exactly n threads
__global__ void bitonic_step(float* v, int j, int k)
{
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    unsigned ixj = i ^ j;
    if (ixj > i) {
        float a = v[i], b = v[ixj];
        if ((i & k) == 0 ? a > b : a < b) { v[i] = b; v[ixj] = a; }
    }
}
