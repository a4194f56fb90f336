// expects: exited 0
// expects: launches 21
// expects: prints 2 GPUs: equal
// A stencil over several GPUs: slabs along z, whose halo planes travel between sweeps through NCCL. The planes at a slab's
// ends are computed first, in a stream of their own, and travel while the rest of the slab is computed.
// nvcc -O3 slabs_over_gpus.cu -lnccl; ./a.out [x] [planes] [sweeps] [repetitions]
#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                \
  do {                                                                             \
    if (const cudaError_t e = (call)) {                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (0)
#define CHECK_NCCL(call)                                                           \
  do {                                                                             \
    if (const ncclResult_t e = (call)) {                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, ncclGetErrorString(e)); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (0)

constexpr int kMarch = 8;  // planes of a block

// Planes first, first + 1, ... last - 1 of a slab; with `ends`, these two alone: first and last - 1.
__global__ void sweep(const float *in, float *out, int nx, int ny, int first, int last, bool ends) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
  const size_t plane = (size_t)nx * ny;
  const int begin = ends ? (blockIdx.z == 0 ? first : last - 1) : first + blockIdx.z * kMarch;
  const int end = ends ? begin + 1 : min(last, begin + kMarch);
  size_t i = begin * plane + (size_t)y * nx + x;
  float below = in[i - plane], here = in[i];
  for (int z = begin; z < end; ++z, i += plane) {
    const float above = in[i + plane];
    out[i] = 0.4f * here + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
    below = here, here = above;
  }
}

struct Slab {
  int device = 0;
  int begin = 0, planes = 0;  // of the whole domain; the slab has one more on either side
  float *in = nullptr, *out = nullptr;
  cudaStream_t border, interior;
  cudaEvent_t bordersDone, interiorDone;
  ncclComm_t comm = nullptr;
};

void launch(const Slab &slab, cudaStream_t stream, int nx, int ny, int first, int last, bool ends) {
  if (first >= last) return;
  const dim3 block(64, 4);
  const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
                  ends ? (last - first > 1 ? 2 : 1) : (last - first + kMarch - 1) / kMarch);
  sweep<<<grid, block, 0, stream>>>(slab.in, slab.out, nx, ny, first, last, ends);
  CHECK(cudaGetLastError());
}

class Domain {
 public:
  Domain(int devices, int nx, int ny, int planes) : nx_(nx), ny_(ny), planes_(planes), slabs_(devices) {
    std::vector<int> all(devices);
    std::vector<ncclComm_t> comms(devices);
    for (int d = 0; d < devices; ++d) all[d] = d;
    if (devices > 1) CHECK_NCCL(ncclCommInitAll(comms.data(), devices, all.data()));
    for (int d = 0; d < devices; ++d) {
      Slab &one = slabs_[d];
      one.device = d;
      one.begin = (int)((long long)planes * d / devices);
      one.planes = (int)((long long)planes * (d + 1) / devices) - one.begin;
      one.comm = comms[d];
      CHECK(cudaSetDevice(d));
      int least, greatest;
      CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
      CHECK(cudaStreamCreateWithPriority(&one.border, cudaStreamNonBlocking, greatest));
      CHECK(cudaStreamCreateWithPriority(&one.interior, cudaStreamNonBlocking, least));
      CHECK(cudaEventCreateWithFlags(&one.bordersDone, cudaEventDisableTiming));
      CHECK(cudaEventCreateWithFlags(&one.interiorDone, cudaEventDisableTiming));
      CHECK(cudaMalloc(&one.in, bytes(one)));
      CHECK(cudaMalloc(&one.out, bytes(one)));
    }
  }
  ~Domain() {
    for (Slab &one : slabs_) {
      cudaSetDevice(one.device);
      cudaFree(one.in), cudaFree(one.out);
      cudaStreamDestroy(one.border), cudaStreamDestroy(one.interior);
      cudaEventDestroy(one.bordersDone), cudaEventDestroy(one.interiorDone);
      if (one.comm) ncclCommDestroy(one.comm);
    }
  }

  void fill(const std::vector<float> &values) {
    for (Slab &one : slabs_) {
      const int from = std::max(0, one.begin - 1), to = std::min(planes_, one.begin + one.planes + 1);
      const size_t at = (size_t)(from - (one.begin - 1)) * plane(), count = (size_t)(to - from) * plane();
      CHECK(cudaSetDevice(one.device));
      for (float *array : {one.in, one.out}) {  // both have the border, which no sweep writes
        CHECK(cudaMemcpy(array + at, &values[from * plane()], count * sizeof(float), cudaMemcpyHostToDevice));
      }
    }
  }

  void run(int sweeps, bool overlap) {
    for (int s = 0; s < sweeps; ++s) step(overlap);
    wait();
  }

  void take(std::vector<float> &values) {
    for (Slab &one : slabs_) {
      CHECK(cudaSetDevice(one.device));
      CHECK(cudaMemcpy(&values[one.begin * plane()], one.in + plane(), one.planes * plane() * sizeof(float),
                       cudaMemcpyDeviceToHost));
    }
  }

 private:
  size_t plane() const { return (size_t)nx_ * ny_; }
  size_t bytes(const Slab &one) const { return (one.planes + 2) * plane() * sizeof(float); }

  void step(bool overlap) {
    for (Slab &one : slabs_) {
      // The slab's planes 1 to `planes` are its own; the domain's first and last plane are its border.
      const int first = one.begin == 0 ? 2 : 1;
      const int last = one.begin + one.planes == planes_ ? one.planes : one.planes + 1;
      CHECK(cudaSetDevice(one.device));
      if (!overlap) {
        launch(one, one.border, nx_, ny_, first, last, false);
        continue;
      }
      CHECK(cudaStreamWaitEvent(one.border, one.interiorDone, 0));
      launch(one, one.border, nx_, ny_, first, last, true);
      CHECK(cudaStreamWaitEvent(one.interior, one.bordersDone, 0));
      launch(one, one.interior, nx_, ny_, first + 1, last - 1, false);
      CHECK(cudaEventRecord(one.interiorDone, one.interior));
    }
    exchange();
    for (Slab &one : slabs_) {
      CHECK(cudaSetDevice(one.device));
      CHECK(cudaEventRecord(one.bordersDone, one.border));
      std::swap(one.in, one.out);
    }
  }

  // The planes at the slabs' ends become the neighbours' halo planes.
  void exchange() {
    const int count = (int)slabs_.size();
    if (count == 1) return;
    CHECK_NCCL(ncclGroupStart());
    for (int d = 0; d < count; ++d) {
      Slab &one = slabs_[d];
      if (d > 0) {
        CHECK_NCCL(ncclSend(one.out + plane(), plane(), ncclFloat, d - 1, one.comm, one.border));
        CHECK_NCCL(ncclRecv(one.out, plane(), ncclFloat, d - 1, one.comm, one.border));
      }
      if (d + 1 < count) {
        CHECK_NCCL(ncclSend(one.out + one.planes * plane(), plane(), ncclFloat, d + 1, one.comm, one.border));
        CHECK_NCCL(ncclRecv(one.out + (one.planes + 1) * plane(), plane(), ncclFloat, d + 1, one.comm, one.border));
      }
    }
    CHECK_NCCL(ncclGroupEnd());
  }

  void wait() {
    for (Slab &one : slabs_) {
      CHECK(cudaSetDevice(one.device));
      CHECK(cudaDeviceSynchronize());
    }
  }

  int nx_, ny_, planes_;
  std::vector<Slab> slabs_;
};

// Milliseconds of a sweep, fastest and slowest of some runs, and what they make of the values.
void timed(const char *what, Domain &domain, int sweeps, int repetitions, bool overlap) {
  std::vector<double> all;
  for (int r = 0; r < repetitions; ++r) {
    const auto began = std::chrono::steady_clock::now();
    domain.run(sweeps, overlap);
    all.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count() / sweeps);
  }
  std::sort(all.begin(), all.end());
  if (repetitions > 1) std::printf("%s: %.4f ms a sweep (%.4f to %.4f)\n", what, all[all.size() / 2], all.front(), all.back());
}

int main(int argc, char **argv) {
  const auto argument = [&](int i, int usual) { return argc > i ? std::atoi(argv[i]) : usual; };
  const int nx = argument(1, 20), ny = nx, planes = argument(2, 19), sweeps = argument(3, 3), repetitions = argument(4, 1);
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  std::vector<float> start((size_t)nx * ny * planes);
  for (size_t i = 0; i < start.size(); ++i) start[i] = (float)((i * 2654435761u) % 1000) / 1000;
  std::vector<float> expected(start), result(start);
  {
    Domain one(1, nx, ny, planes);
    one.fill(start);
    timed("one GPU", one, sweeps, repetitions, false);
    one.take(expected);
  }
  bool right = true;
  for (const bool overlap : {true, false}) {
    Domain several(devices, nx, ny, planes);
    several.fill(start);
    timed(overlap ? "all GPUs, overlapped" : "all GPUs, one after the other", several, sweeps, repetitions, overlap);
    several.take(result);
    right = right && std::memcmp(expected.data(), result.data(), result.size() * sizeof(float)) == 0;
  }
  std::printf("%d GPUs: %s\n", devices, right ? "equal" : "DIFFERENT");
  return right ? 0 : 1;
}
