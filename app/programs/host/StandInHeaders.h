#pragma once

/// Small stand-ins for headers of libraries around CUDA, as the host half of a program sees them.
namespace haloscope::host {

/// OpenMP on one thread: its directives are comments here.
inline constexpr char kOpenMpHeader[] = R"cuda(#pragma once
#include <time.h>
typedef int omp_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto } omp_sched_t;
#ifdef __cplusplus
#define HALOSCOPE_OPENMP inline
#else
#define HALOSCOPE_OPENMP static inline
#endif
HALOSCOPE_OPENMP int omp_get_max_threads(void) { return 1; }
HALOSCOPE_OPENMP int omp_get_num_threads(void) { return 1; }
HALOSCOPE_OPENMP int omp_get_thread_num(void) { return 0; }
HALOSCOPE_OPENMP int omp_get_num_procs(void) { return 1; }
HALOSCOPE_OPENMP int omp_in_parallel(void) { return 0; }
HALOSCOPE_OPENMP void omp_set_num_threads(int n) { (void)n; }
HALOSCOPE_OPENMP void omp_set_dynamic(int on) { (void)on; }
HALOSCOPE_OPENMP void omp_set_nested(int on) { (void)on; }
HALOSCOPE_OPENMP void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind, (void)chunk; }
HALOSCOPE_OPENMP void omp_init_lock(omp_lock_t *lock) { *lock = 0; }
HALOSCOPE_OPENMP void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
HALOSCOPE_OPENMP void omp_set_lock(omp_lock_t *lock) { *lock = 1; }
HALOSCOPE_OPENMP void omp_unset_lock(omp_lock_t *lock) { *lock = 0; }
HALOSCOPE_OPENMP double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
HALOSCOPE_OPENMP double omp_get_wtick(void) { return 1e-9; }
)cuda";

/// libstdc++'s <bits/specfun.h> without Bessel functions and their like, which take a tenth of the time of a small
/// program and which hardly any program calls. <cmath> promises what the real one includes.
inline constexpr char kNoSpecialFunctions[] = R"cuda(#pragma once
#include <bits/stl_algobase.h>
#include <limits>
#include <type_traits>
)cuda";
/// Words of their names.
inline constexpr const char* kSpecialFunctions[] = {"laguerre", "legendre",          "beta",      "ellint",
                                                    "bessel",   "neumann",           "expint",    "hermite",
                                                    "riemann",  "special_functions", "SPEC_FUNCS"};

/// Ranges and marks for a profiler, which is not there.
inline constexpr char kNvtxHeader[] = R"cuda(#pragma once
typedef unsigned long long nvtxRangeId_t;
typedef struct nvtxDomainRegistration *nvtxDomainHandle_t;
struct nvtxMessageValue_t { const char *ascii; };
struct nvtxEventAttributes_t {
  unsigned short version, size; unsigned int category; int colorType; unsigned int color; int payloadType, reserved0;
  union { unsigned long long ullValue; double dValue; } payload; int messageType; nvtxMessageValue_t message;
};
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((unsigned short)sizeof(nvtxEventAttributes_t))
#define NVTX_COLOR_ARGB 1
#define NVTX_MESSAGE_TYPE_ASCII 1
inline int nvtxRangePush(const char *) { return 0; }
inline int nvtxRangePushA(const char *) { return 0; }
inline int nvtxRangePushEx(const nvtxEventAttributes_t *) { return 0; }
inline int nvtxRangePop() { return 0; }
inline nvtxRangeId_t nvtxRangeStart(const char *) { return 0; }
inline nvtxRangeId_t nvtxRangeStartA(const char *) { return 0; }
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *) { return 0; }
inline void nvtxRangeEnd(nvtxRangeId_t) {}
inline void nvtxMark(const char *) {}
inline void nvtxMarkA(const char *) {}
inline void nvtxNameOsThread(unsigned int, const char *) {}
)cuda";

/// Names of the driver's own interface. A program that calls one ends there, with a message.
inline constexpr char kDriverHeader[] = R"cuda(#pragma once
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef CUstream_st *CUstream;
typedef CUevent_st *CUevent;
typedef enum cudaError_enum {
  CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_UNKNOWN = 999
} CUresult;
struct haloscope_driver_call {
  const char *name;
  haloscope_place at;
  template <class... T> CUresult operator()(T &&...) const { haloscope_unsupported(name, at); }
};
#define HALOSCOPE_DRIVER(NAME) haloscope_driver_call{NAME " (CUDA's driver API)", HALOSCOPE_HERE}
#define cuInit HALOSCOPE_DRIVER("cuInit")
#define cuDeviceGet HALOSCOPE_DRIVER("cuDeviceGet")
#define cuDeviceGetCount HALOSCOPE_DRIVER("cuDeviceGetCount")
#define cuDeviceGetName HALOSCOPE_DRIVER("cuDeviceGetName")
#define cuDeviceGetAttribute HALOSCOPE_DRIVER("cuDeviceGetAttribute")
#define cuDeviceTotalMem HALOSCOPE_DRIVER("cuDeviceTotalMem")
#define cuDriverGetVersion HALOSCOPE_DRIVER("cuDriverGetVersion")
#define cuCtxCreate HALOSCOPE_DRIVER("cuCtxCreate")
#define cuCtxDestroy HALOSCOPE_DRIVER("cuCtxDestroy")
#define cuCtxSynchronize HALOSCOPE_DRIVER("cuCtxSynchronize")
#define cuModuleLoad HALOSCOPE_DRIVER("cuModuleLoad")
#define cuModuleLoadData HALOSCOPE_DRIVER("cuModuleLoadData")
#define cuModuleUnload HALOSCOPE_DRIVER("cuModuleUnload")
#define cuModuleGetFunction HALOSCOPE_DRIVER("cuModuleGetFunction")
#define cuMemAlloc HALOSCOPE_DRIVER("cuMemAlloc")
#define cuMemFree HALOSCOPE_DRIVER("cuMemFree")
#define cuMemcpyHtoD HALOSCOPE_DRIVER("cuMemcpyHtoD")
#define cuMemcpyDtoH HALOSCOPE_DRIVER("cuMemcpyDtoH")
#define cuLaunchKernel HALOSCOPE_DRIVER("cuLaunchKernel")
#define cuGetErrorString HALOSCOPE_DRIVER("cuGetErrorString")
#define cuGetErrorName HALOSCOPE_DRIVER("cuGetErrorName")
)cuda";

/// Libraries that students' programs use and that are not here, by the beginning of a header's path.
struct MissingLibrary {
  const char* header;
  const char* name;
};
inline constexpr MissingLibrary kMissingLibraries[] = {
    {"cublas", "this part of cuBLAS (it has what cublas_v2.h declares)"},
    {"cudnn", "cuDNN"},
    {"cufft", "cuFFT"},
    {"curand", "this part of cuRAND (it has what curand.h and curand_kernel.h declare)"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"nvrtc", "NVRTC"},
    {"npp", "NPP"},
    {"cub/", "this part of CUB"},
    {"thrust/", "this part of thrust"},
    {"cuda/", "this part of libcu++"},
    {"cutlass", "CUTLASS"},
    {"opencv", "OpenCV"},
    {"cv.h", "OpenCV"},
    {"highgui.h", "OpenCV"},
    {"stb_", "this header of stb (put it beside the program)"},
    {"png", "libpng"},
    {"jpeglib", "libjpeg"},
    {"tiff", "libtiff"},
    {"hdf5", "HDF5"},
    {"netcdf", "NetCDF"},
    {"fftw3", "FFTW"},
    {"Eigen/", "Eigen"},
    {"boost/", "Boost"},
    {"GL/", "OpenGL"},
    {"GLFW/", "GLFW"},
    {"SDL", "SDL"},
    {"SFML/", "SFML"},
    {"gtest/", "GoogleTest"},
    {"helper_gl", "OpenGL"},
    {"cuda_gl_interop", "CUDA's OpenGL interoperation"},
    {"wb.h", "libwb"},
    {"tbb/", "oneTBB"},
    {"Windows.h", "Windows"},
    {"windows.h", "Windows"},
    {"conio.h", "Windows"},
};

/// The names of cooperative groups that declarations of a program use; its kernels' bodies are not read.
inline constexpr char kCooperativeGroupsHeader[] = R"cuda(#pragma once
namespace cooperative_groups {
struct thread_block {};
struct grid_group {};
struct cluster_group {};
struct thread_group {};
struct coalesced_group {};
template <unsigned int Size, class Parent = void> struct thread_block_tile {};
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ cluster_group this_cluster();
}
)cuda";

/// What declarations of a program use of <cuda/barrier>, <cuda/pipeline>, <cuda/ptx> and <cuda_pipeline.h>; a program
/// may name several of them. Behind kThreadScopes.
inline constexpr char kAsyncCopyHeader[] = R"cuda(#ifndef HALOSCOPE_ASYNC_COPIES
#define HALOSCOPE_ASYNC_COPIES
namespace cuda {
namespace ptx {}
namespace device {
namespace experimental {}
}
template <size_t Alignment> struct aligned_size_t { size_t value; };
template <thread_scope Scope> class barrier { unsigned long long haloscope_state; };
template <thread_scope Scope> class pipeline { unsigned int haloscope_state[3]; };
template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state {
  unsigned long long haloscope_state[2 * Stages + 1];
};
enum class pipeline_role { producer, consumer };
}
#endif
)cuda";

/// __half as the host sees it: converted to and from float by the compiler's own 16-bit type.
inline constexpr char kHalfHeader[] = R"cuda(#pragma once
struct __align__(2) __half {
  unsigned short bits;
  __half() = default;
  HALOSCOPE_BOTH __half(float x) { _Float16 h = (_Float16)x; __builtin_memcpy(&bits, &h, 2); }
  HALOSCOPE_BOTH __half(double x) : __half((float)x) {}
  HALOSCOPE_BOTH __half(int x) : __half((float)x) {}
  HALOSCOPE_BOTH operator float() const { _Float16 h; __builtin_memcpy(&h, &bits, 2); return (float)h; }
};
struct __align__(4) __half2 { __half x, y; };
typedef __half half;
typedef __half2 half2;
HALOSCOPE_BOTH __half __float2half(float x) { return __half(x); }
HALOSCOPE_BOTH __half __float2half_rn(float x) { return __half(x); }
HALOSCOPE_BOTH __half __double2half(double x) { return __half(x); }
HALOSCOPE_BOTH float __half2float(__half x) { return (float)x; }
HALOSCOPE_BOTH __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
HALOSCOPE_BOTH __half2 make_half2(__half x, __half y) { return {x, y}; }
HALOSCOPE_BOTH __half2 __halves2half2(__half x, __half y) { return {x, y}; }
HALOSCOPE_BOTH __half2 __half2half2(__half x) { return {x, x}; }
HALOSCOPE_BOTH __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
HALOSCOPE_BOTH __half2 __float22half2_rn(float2 x) { return {__half(x.x), __half(x.y)}; }
HALOSCOPE_BOTH float2 __half22float2(__half2 x) { return {(float)x.x, (float)x.y}; }
HALOSCOPE_BOTH __half __int2half_rn(int x) { return __half(x); }
HALOSCOPE_BOTH int __half2int_rz(__half x) { return (int)(float)x; }
HALOSCOPE_BOTH int __half2int_rn(__half x) { return (int)__builtin_rintf((float)x); }
HALOSCOPE_BOTH __half __low2half(__half2 x) { return x.x; }
HALOSCOPE_BOTH __half __high2half(__half2 x) { return x.y; }
HALOSCOPE_BOTH float __low2float(__half2 x) { return (float)x.x; }
HALOSCOPE_BOTH float __high2float(__half2 x) { return (float)x.y; }
)cuda";

/// What the samples' helper headers give: checks of errors, the choice of a device and a timer.
inline constexpr char kHelperHeader[] = R"cuda(#ifndef HALOSCOPE_HELPER
#define HALOSCOPE_HELPER
#include <stdio.h>
#include <stdlib.h>
inline void haloscope_check(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, (int)error, cudaGetErrorName(error), call);
  exit(EXIT_FAILURE);
}
inline void haloscope_check_last(const char *message, const char *file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s(%d): getLastCudaError() CUDA error: %s: (%d) %s.\n", file, line, message, (int)error, cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) haloscope_check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) haloscope_check_last(message, __FILE__, __LINE__)
inline int findCudaDevice(int, const char **) { return 0; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
struct StopWatchInterface { double started, total; };
inline double haloscope_seconds() { timespec now; clock_gettime(CLOCK_MONOTONIC, &now); return now.tv_sec + now.tv_nsec * 1e-9; }
inline bool sdkCreateTimer(StopWatchInterface **timer) { *timer = new StopWatchInterface{0, 0}; return true; }
inline bool sdkDeleteTimer(StopWatchInterface **timer) { delete *timer; *timer = nullptr; return true; }
inline bool sdkStartTimer(StopWatchInterface **timer) { (*timer)->started = haloscope_seconds(); return true; }
inline bool sdkStopTimer(StopWatchInterface **timer) { (*timer)->total += haloscope_seconds() - (*timer)->started; return true; }
inline bool sdkResetTimer(StopWatchInterface **timer) { (*timer)->total = 0; return true; }
inline float sdkGetTimerValue(StopWatchInterface **timer) { return (float)((*timer)->total * 1e3); }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) { return sdkGetTimerValue(timer); }
inline const char *haloscope_flag(int argc, const char **argv, const char *name) {
  for (int i = 1; i < argc; ++i) {
    const char *text = argv[i];
    while (*text == '-') ++text;
    const size_t length = strlen(name);
    if (text != argv[i] && !strncmp(text, name, length) && (!text[length] || text[length] == '=')) return text + length;
  }
  return nullptr;
}
inline bool checkCmdLineFlag(int argc, const char **argv, const char *name) { return haloscope_flag(argc, argv, name) != nullptr; }
inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name) {
  const char *text = haloscope_flag(argc, argv, name);
  return text && *text == '=' ? atoi(text + 1) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name) {
  const char *text = haloscope_flag(argc, argv, name);
  return text && *text == '=' ? (float)atof(text + 1) : 0.0f;
}
inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value) {
  const char *text = haloscope_flag(argc, argv, name);
  *value = text && *text == '=' ? (char *)text + 1 : nullptr;
  return *value != nullptr;
}
inline char *sdkFindFilePath(const char *name, const char *) {
  FILE *file = fopen(name, "rb");
  if (!file) return nullptr;
  fclose(file);
  return strdup(name);
}
template <class T> inline bool haloscope_compare(const T *a, const T *b, size_t n, double epsilon) {
  double difference = 0, norm = 0;
  for (size_t i = 0; i < n; ++i) difference += ((double)a[i] - b[i]) * ((double)a[i] - b[i]), norm += (double)a[i] * a[i];
  return norm > 0 ? sqrt(difference / norm) < epsilon : difference == 0;
}
inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned int n, float epsilon) { return haloscope_compare(reference, data, n, epsilon); }
#endif
)cuda";

}  // namespace haloscope::host
