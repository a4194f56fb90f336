// xs is sorted ascending, m >= 2 points; linear interpolation
__global__ void interp1(const float* xs, const float* ys, int m, const float* q, float* res, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = q[i];
    int lo = 0, hi = m - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) >> 1;
        if (xs[mid] <= v) lo = mid; else hi = mid;
    }
    float t = (v - xs[lo]) / (xs[hi] - xs[lo]);
    res[i] = ys[lo] + t * (ys[hi] - ys[lo]);
}
