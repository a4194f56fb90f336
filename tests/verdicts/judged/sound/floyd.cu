// dist: n x n, launched once per k = 0 .. n - 1
__global__ void floyd(int* dist, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n || i == k || j == k) return;
    int d = dist[i * n + k] + dist[k * n + j];
    if (d < dist[i * n + j]) dist[i * n + j] = d;
}
