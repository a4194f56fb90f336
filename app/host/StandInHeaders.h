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
    {"cublas", "cuBLAS"},
    {"cudnn", "cuDNN"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"nvrtc", "NVRTC"},
    {"nccl", "NCCL"},
    {"npp", "NPP"},
    {"cub/", "CUB"},
    {"thrust/", "this part of thrust"},
    {"cuda/", "libcu++"},
    {"cutlass", "CUTLASS"},
    {"mpi", "MPI"},
    {"opencv", "OpenCV"},
    {"cv.h", "OpenCV"},
    {"highgui.h", "OpenCV"},
    {"stb_", "stb (put its header beside the program)"},
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

}  // namespace haloscope::host
