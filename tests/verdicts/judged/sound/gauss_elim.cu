// step k of the elimination of an n x n system without pivoting
__global__ void eliminate(double* A, double* b, const double* m, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + k, i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
    if (i >= n || j >= n) return;
    A[i * n + j] -= m[i] * A[k * n + j];
    if (j == k) b[i] -= m[i] * b[k];
}
