__device__ int root(const int* parent, int i) { while (parent[i] != i) i = parent[i]; return i; }
__global__ void compress(int* label, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int r = i;
        while (label[r] < r) r = label[r];
        atomicMin(&label[i], r);
    }
}
