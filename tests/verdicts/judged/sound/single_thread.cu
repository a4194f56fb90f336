__global__ void thomas(const double* a, const double* b, double* c, double* d, double* x, int n)
{
    // launched <<<1, 1>>>
    c[0] /= b[0];
    d[0] /= b[0];
    for (int i = 1; i < n; ++i) {
        double m = 1.0 / (b[i] - a[i] * c[i - 1]);
        c[i] *= m;
        d[i] = (d[i] - a[i] * d[i - 1]) * m;
    }
    x[n - 1] = d[n - 1];
    for (int i = n - 2; i >= 0; --i) x[i] = d[i] - c[i] * x[i + 1];
}
