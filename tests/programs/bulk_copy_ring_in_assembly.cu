// expects: exited 0
// expects: launches 1
// expects: prints wrong: 0
#include <stdint.h>
#include <stdio.h>

#define N 1024
#define BLOCK 64

__device__ __forceinline__ uint32_t address(const void *shared) { return (uint32_t)__cvta_generic_to_shared(shared); }
__device__ __forceinline__ void wait(uint64_t *bar, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra DONE;\n"
      "bra WAIT;\n"
      "DONE:\n"
      "}" ::"r"(address(bar)), "r"(parity) : "memory");
}

// Chunks come through a ring of two, and go back in bulk.
__global__ void doubled(const float *in, float *out, int chunks) {
  __shared__ __align__(128) float ring[2][BLOCK], result[BLOCK];
  __shared__ uint64_t full[2];
  int first = blockIdx.x * chunks;
  auto fetch = [&](int chunk) {
    uint64_t *bar = &full[chunk % 2];
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(bar)),
                 "r"((uint32_t)sizeof(result)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     address(ring[chunk % 2])), "l"(in + (first + chunk) * BLOCK), "r"((uint32_t)sizeof(result)),
                 "r"(address(bar)) : "memory");
  };
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; s++) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(&full[s])));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) fetch(0);
  for (int chunk = 0; chunk < chunks; chunk++) {
    if (threadIdx.x == 0 && chunk + 1 < chunks) fetch(chunk + 1);
    wait(&full[chunk % 2], chunk / 2 % 2);
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncthreads();
    result[threadIdx.x] = 2.0f * ring[chunk % 2][threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + (first + chunk) * BLOCK),
                   "r"(address(result)), "r"((uint32_t)sizeof(result)) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, N * sizeof(float));
  cudaMallocManaged(&out, N * sizeof(float));
  for (int i = 0; i < N; i++) in[i] = (float)(i * 7 % 11);
  doubled<<<4, BLOCK>>>(in, out, N / BLOCK / 4);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += out[i] != 2.0f * in[i];
  printf("wrong: %d\n", wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong != 0;
}
