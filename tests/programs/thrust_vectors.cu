// expects: exited 0
// expects: launches 2
// expects: prints saxpy 5 7 9
// expects: prints sum 4950, largest 99 at 99
// expects: prints product 285, difference 0
// expects: prints squares 30
// expects: prints sorted 1 2 3 4
// expects: prints smoothed 1.0
#include <cstdio>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

// What students take of thrust, around a kernel that is given its pointers.

struct saxpy {
  const float a;
  explicit saxpy(float a) : a(a) {}
  __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};

struct square {
  __device__ float operator()(float x) const { return x * x; }
};

struct absolute_difference {
  template <typename Tuple> __host__ __device__ float operator()(const Tuple &t) const {
    return fabsf(thrust::get<0>(t) - thrust::get<1>(t));
  }
};

__global__ void smooth(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}

int main() {
  thrust::host_vector<float> h(3);
  h[0] = 1, h[1] = 2, h[2] = 3;
  thrust::device_vector<float> x = h, y(3, 3.0f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy(2));
  printf("saxpy %g %g %g\n", (float)y[0], (float)y[1], (float)y[2]);

  thrust::device_vector<int> d(100);
  thrust::sequence(d.begin(), d.end());
  const auto largest = thrust::max_element(d.begin(), d.end());
  printf("sum %d, largest %d at %d\n", thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>()), (int)*largest,
         (int)(largest - d.begin()));

  thrust::device_vector<float> a(10), b(10);
  thrust::tabulate(thrust::device, a.begin(), a.end(), [] __device__(int i) { return (float)i; });
  thrust::copy(a.begin(), a.end(), b.begin());
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  printf("product %g, difference %g\n", thrust::inner_product(a.begin(), a.end(), b.begin(), 0.0f),
         thrust::transform_reduce(pairs, pairs + 10, absolute_difference(), 0.0f, thrust::maximum<float>()));
  printf("squares %g\n",
         thrust::transform_reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(5), square(), 0.0f,
                                  thrust::plus<float>()));

  int mixed[] = {3, 1, 4, 2};
  thrust::device_vector<int> s(mixed, mixed + 4);
  thrust::sort(s.begin(), s.end());
  printf("sorted");
  for (int i = 0; i < 4; ++i) printf(" %d", (int)s[i]);
  printf("\n");

  const int n = 1000;
  thrust::device_vector<float> in(n), out(n);
  thrust::fill(in.begin(), in.end(), 1.0f);
  float *raw = thrust::raw_pointer_cast(out.data());
  thrust::fill(thrust::device, raw, raw + n, 0.0f);
  for (int step = 0; step < 2; ++step) {
    smooth<<<(n + 127) / 128, 128>>>(thrust::raw_pointer_cast(&in[0]), raw, n);
  }
  cudaDeviceSynchronize();
  h = out;
  printf("smoothed %.1f\n", h[n / 2]);
}
