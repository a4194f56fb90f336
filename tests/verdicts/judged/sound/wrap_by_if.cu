__global__ void conv_periodic(const float* in, float* out, const float* w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = 0; k < 5; ++k) {
        int j = i + k - 2;
        if (j < 0) j += n;
        if (j >= n) j -= n;
        s += w[k] * in[j];
    }
    out[i] = s;
}
