// anti-diagonal d of an (m+1) x (n+1) table, d = 2 .. m + n
__global__ void nw_diag(int* H, const char* a, const char* b, int m, int n, int d, int gap)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + max(1, d - n);
    if (i > min(m, d - 1)) return;
    int j = d - i, s = n + 1;
    int v = H[(i - 1) * s + j - 1] + (a[i - 1] == b[j - 1] ? 1 : -1);
    v = max(v, H[(i - 1) * s + j] - gap);
    v = max(v, H[i * s + j - 1] - gap);
    H[i * s + j] = v;
}
