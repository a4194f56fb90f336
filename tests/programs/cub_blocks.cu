// expects: exited 0
// expects: launches 4
// expects: prints sum 4096, largest 999
// expects: prints scan 0 1 2 3, all 256
// expects: prints warps 496 1520, scanned 31
// expects: prints mirrored 255 0
#include <cub/cub.cuh>
#include <cstdio>

typedef cub::BlockReduce<int, 256> Reduce;

__global__ void sum(const int *in, int *out, int n) {
  __shared__ typename Reduce::TempStorage temp;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  int all = Reduce(temp).Sum(v);
  if (threadIdx.x == 0) atomicAdd(&out[0], all);
  __syncthreads();
  int largest = Reduce(temp).Reduce(v + (i == 77 ? 998 : 0), cub::Max());
  if (threadIdx.x == 0) atomicMax(&out[1], largest);
}

template <int Threads> __global__ void scan(const int *in, int *out, int *all) {
  using Scan = cub::BlockScan<int, Threads>;
  __shared__ typename Scan::TempStorage temp;
  int before, total;
  Scan(temp).ExclusiveSum(in[threadIdx.x], before, total);
  out[threadIdx.x] = before;
  if (threadIdx.x == 0) *all = total;
}

__global__ void warps(int *sums, int *scanned) {
  typedef cub::WarpReduce<int> WarpReduce;
  typedef cub::WarpScan<int> WarpScan;
  __shared__ WarpReduce::TempStorage temp[2];
  __shared__ WarpScan::TempStorage scans[2];
  const int warp = threadIdx.x / 32;
  const int all = WarpReduce(temp[warp]).Sum((int)threadIdx.x);
  if (threadIdx.x % 32 == 0) sums[warp] = all;
  int with;
  WarpScan(scans[warp]).InclusiveSum(1, with);
  scanned[threadIdx.x] = with;
}

__global__ void mirror(const int *in, int *out, int n) {
  typedef cub::BlockLoad<int, 64, 4> Load;
  typedef cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_DIRECT> Store;
  __shared__ union {
    typename Load::TempStorage load;
    typename cub::BlockReduce<int, 64>::TempStorage reduce;
    typename Store::TempStorage store;
  } temp;
  int items[4], turned[4];
  Load(temp.load).Load(in, items, n, 0);
  __syncthreads();
  for (int i = 0; i < 4; ++i) turned[i] = n - 1 - items[i];
  Store(temp.store).Store(out, turned, n);
}

int main() {
  const int n = 4096;
  int *in, *out, *sums, host[n], result[2];
  cudaMalloc(&in, n * sizeof(int)), cudaMalloc(&out, n * sizeof(int)), cudaMalloc(&sums, 2 * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = 1;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 2 * sizeof(int));
  sum<<<n / 256, 256>>>(in, out, n);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("sum %d, largest %d\n", result[0], result[1]);

  scan<256><<<1, 256>>>(in, out, sums);
  cudaMemcpy(host, out, 256 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(result, sums, sizeof(int), cudaMemcpyDeviceToHost);
  printf("scan %d %d %d %d, all %d\n", host[0], host[1], host[2], host[3], result[0]);

  warps<<<1, 64>>>(sums, out);
  cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("warps %d %d, scanned %d\n", result[0], result[1], host[30]);

  for (int i = 0; i < 256; ++i) host[i] = i;
  cudaMemcpy(in, host, 256 * sizeof(int), cudaMemcpyHostToDevice);
  mirror<<<1, 64>>>(in, out, 256);
  cudaMemcpy(host, out, 256 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("mirrored %d %d\n", host[0], host[255]);
  cudaFree(in), cudaFree(out), cudaFree(sums);
}
