__global__ void pi_series(double* partial, long terms)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double s = 0;
    for (long k = 0; k < 2000000; ++k) {
        double sign = (k & 1) ? -1.0 : 1.0;
        s += sign / (2.0 * k + 1.0);
    }
    partial[t] = s + terms;
}
