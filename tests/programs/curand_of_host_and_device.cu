// expects: exited 0
// expects: launches 3
// expects: prints pi 3.1
// expects: prints uniform in (0, 1], mean 0.50
// expects: prints normal, mean 0.0, deviation 1.0
// expects: prints philox 2.. 0.50 1.0
// expects: prints the same again
// expects: prints odd refused
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

#include <curand.h>
#include <curand_kernel.h>

__global__ void seed(curandState *states, unsigned long long key) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(key, i, 0, &states[i]);
}

__global__ void throwDarts(curandState *states, unsigned int *hits, int darts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState own = states[i];
  unsigned int inside = 0;
  for (int k = 0; k < darts; ++k) {
    const float x = curand_uniform(&own), y = curand_uniform(&own);
    if (x * x + y * y <= 1.0f) ++inside;
  }
  states[i] = own;
  atomicAdd(hits, inside);
}

__global__ void philox(float *uniform, float *normal, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t state;
  curand_init(1234ULL, i, 0, &state);
  uniform[i] = curand_uniform(&state);
  const float4 four = curand_uniform4(&state);
  normal[i] = four.x > 0 ? curand_normal(&state) : (float)curand_uniform_double(&state);
}

static void momentsOf(const std::vector<float> &v, double &mean, double &deviation) {
  mean = deviation = 0;
  for (const float one : v) mean += one / v.size();
  for (const float one : v) deviation += (one - mean) * (one - mean) / v.size();
  deviation = std::sqrt(deviation);
}

int main() {
  const int threads = 1024, darts = 16, n = 8192;
  curandState *states;
  unsigned int *hits, count;
  cudaMalloc(&states, threads * sizeof(curandState)), cudaMalloc(&hits, sizeof *hits);
  cudaMemset(hits, 0, sizeof *hits);
  seed<<<threads / 128, 128>>>(states, 42);
  throwDarts<<<threads / 128, 128>>>(states, hits, darts);
  cudaMemcpy(&count, hits, sizeof count, cudaMemcpyDeviceToHost);
  printf("pi %.2f\n", 4.0 * count / (threads * darts));

  curandGenerator_t generator;
  if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS) return 1;
  curandSetPseudoRandomGeneratorSeed(generator, 7ULL);
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  std::vector<float> v(n), other(n);
  double mean, deviation;
  curandGenerateUniform(generator, d, n);
  cudaMemcpy(v.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  momentsOf(v, mean, deviation);
  bool inside = true;
  for (const float one : v) inside = inside && one > 0 && one <= 1;
  printf("uniform %s, mean %.2f\n", inside ? "in (0, 1]" : "elsewhere", mean);
  curandGenerateNormal(generator, d, n, 0.0f, 1.0f);
  cudaMemcpy(other.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  momentsOf(other, mean, deviation);
  printf("normal, mean %.1f, deviation %.1f\n", std::fabs(mean), deviation);
  curandSetPseudoRandomGeneratorSeed(generator, 7ULL);
  curandGenerateUniform(generator, d, n);
  cudaMemcpy(other.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  puts(v == other ? "the same again" : "others");
  if (curandGenerateNormal(generator, d, 3, 0.0f, 1.0f) == CURAND_STATUS_LENGTH_NOT_MULTIPLE) puts("odd refused");
  curandDestroyGenerator(generator);
  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MT19937);
  double onHost[2];
  curandGenerateNormalDouble(generator, onHost, 2, 0.0, 1.0);
  curandDestroyGenerator(generator);

  float *normal;
  cudaMalloc(&normal, n * sizeof(float));
  philox<<<n / 256, 256>>>(d, normal, n);
  cudaMemcpy(v.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(other.data(), normal, n * sizeof(float), cudaMemcpyDeviceToHost);
  double uniformMean;
  momentsOf(v, uniformMean, deviation);
  momentsOf(other, mean, deviation);
  printf("philox 2.. %.2f %.1f\n", uniformMean, deviation);
  cudaFree(states), cudaFree(hits), cudaFree(d), cudaFree(normal);
}
