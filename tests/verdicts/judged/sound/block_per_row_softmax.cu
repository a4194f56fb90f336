__global__ void softmax(const float* x, float* y, int cols)
{
    __shared__ float red[256];
    const float* r = x + blockIdx.x * (size_t)cols;
    float m = -INFINITY;
    for (int c = threadIdx.x; c < cols; c += 256) m = fmaxf(m, r[c]);
    red[threadIdx.x] = m; __syncthreads();
    for (int o = 128; o; o >>= 1) { if (threadIdx.x < o) red[threadIdx.x] = fmaxf(red[threadIdx.x], red[threadIdx.x + o]); __syncthreads(); }
    m = red[0]; __syncthreads();
    float s = 0;
    for (int c = threadIdx.x; c < cols; c += 256) s += expf(r[c] - m);
    red[threadIdx.x] = s; __syncthreads();
    for (int o = 128; o; o >>= 1) { if (threadIdx.x < o) red[threadIdx.x] += red[threadIdx.x + o]; __syncthreads(); }
    s = red[0];
    for (int c = threadIdx.x; c < cols; c += 256) y[blockIdx.x * (size_t)cols + c] = expf(r[c] - m) / s;
}
