// one block of 256 threads relaxes its own small system until converged; n <= 256
__global__ void relax_block(const float* b, float* x, int n, float tol, int maxIter)
{
    __shared__ float cur[258];
    __shared__ float err;
    int t = threadIdx.x;
    if (t < 258) cur[t] = 0.f;
    if (t == 0) { cur[256] = 0.f; cur[257] = 0.f; }
    __syncthreads();
    for (int it = 0; it < maxIter; ++it) {
        if (t == 0) err = 0.f;
        __syncthreads();
        float nv = 0.f, d = 0.f;
        if (t < n) {
            nv = 0.5f * (cur[t] + cur[t + 2] + b[t]);
            d = fabsf(nv - cur[t + 1]);
        }
        __syncthreads();
        if (t < n) {
            cur[t + 1] = nv;
            if (d > tol) err = 1.f;
        }
        __syncthreads();
        if (err == 0.f) break;
        __syncthreads();
    }
    if (t < n) x[t] = cur[t + 1];
}
