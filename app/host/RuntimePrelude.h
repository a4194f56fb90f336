#pragma once

/// What takes the place of CUDA's headers where the host half of a program is compiled: the runtime's types, and its
/// functions as calls of those in Runtime.h. Most have a last parameter, `haloscope_place`, that the compiler fills in
/// with the place of the call.
namespace haloscope::host {

inline constexpr char kRuntimePrelude[] = R"cuda(#pragma once
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device, annotate("haloscope_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define CUDART_CB
#define CUDARTAPI
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define CUDART_INF_F __builtin_huge_valf()
#define CUDART_INF __builtin_huge_val()

// Those that CUDA's own header brings into every program.
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <new>
#include <utility>

// What destructors of global objects are registered with.
extern "C" __attribute__((weak, visibility("hidden"))) void *__dso_handle = nullptr;

#define HALOSCOPE_BOTH __host__ __device__ inline
typedef unsigned char uchar;
#define HALOSCOPE_VECTORS(T, NAME, A2, A4) \
  struct NAME##1 { T x; }; \
  struct __align__(A2) NAME##2 { T x, y; }; \
  struct NAME##3 { T x, y, z; }; \
  struct __align__(A4) NAME##4 { T x, y, z, w; }; \
  HALOSCOPE_BOTH NAME##1 make_##NAME##1(T x) { return {x}; } \
  HALOSCOPE_BOTH NAME##2 make_##NAME##2(T x, T y) { return {x, y}; } \
  HALOSCOPE_BOTH NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; } \
  HALOSCOPE_BOTH NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
HALOSCOPE_VECTORS(signed char, char, 2, 4)
HALOSCOPE_VECTORS(unsigned char, uchar, 2, 4)
HALOSCOPE_VECTORS(short, short, 4, 8)
HALOSCOPE_VECTORS(unsigned short, ushort, 4, 8)
HALOSCOPE_VECTORS(int, int, 8, 16)
HALOSCOPE_VECTORS(unsigned int, uint, 8, 16)
HALOSCOPE_VECTORS(long, long, 16, 16)
HALOSCOPE_VECTORS(unsigned long, ulong, 16, 16)
HALOSCOPE_VECTORS(long long, longlong, 16, 16)
HALOSCOPE_VECTORS(unsigned long long, ulonglong, 16, 16)
HALOSCOPE_VECTORS(float, float, 8, 16)
HALOSCOPE_VECTORS(double, double, 16, 16)
#undef HALOSCOPE_VECTORS
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#define HALOSCOPE_ERRORS(ERROR) \
  ERROR(Success, 0, "no error") \
  ERROR(ErrorInvalidValue, 1, "invalid argument") \
  ERROR(ErrorMemoryAllocation, 2, "out of memory") \
  ERROR(ErrorInitializationError, 3, "initialization error") \
  ERROR(ErrorInvalidConfiguration, 9, "invalid configuration argument") \
  ERROR(ErrorInvalidPitchValue, 12, "invalid pitch argument") \
  ERROR(ErrorInvalidSymbol, 13, "invalid device symbol") \
  ERROR(ErrorInvalidHostPointer, 16, "invalid host pointer") \
  ERROR(ErrorInvalidDevicePointer, 17, "invalid device pointer") \
  ERROR(ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  ERROR(ErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
  ERROR(ErrorMissingConfiguration, 52, "__global__ function call is not configured") \
  ERROR(ErrorInvalidDeviceFunction, 98, "invalid device function") \
  ERROR(ErrorNoDevice, 100, "no CUDA-capable device is detected") \
  ERROR(ErrorInvalidDevice, 101, "invalid device ordinal") \
  ERROR(ErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
  ERROR(ErrorInvalidResourceHandle, 400, "invalid resource handle") \
  ERROR(ErrorNotReady, 600, "device not ready") \
  ERROR(ErrorIllegalAddress, 700, "an illegal memory access was encountered") \
  ERROR(ErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  ERROR(ErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
  ERROR(ErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
  ERROR(ErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
  ERROR(ErrorAssert, 710, "device-side assert triggered") \
  ERROR(ErrorMisalignedAddress, 716, "misaligned address") \
  ERROR(ErrorLaunchFailure, 719, "unspecified launch failure") \
  ERROR(ErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
  ERROR(ErrorNotPermitted, 800, "operation not permitted") \
  ERROR(ErrorNotSupported, 801, "operation not supported") \
  ERROR(ErrorUnknown, 999, "unknown error")
typedef enum cudaError {
#define HALOSCOPE_ERROR(NAME, VALUE, TEXT) cuda##NAME = VALUE,
  HALOSCOPE_ERRORS(HALOSCOPE_ERROR)
#undef HALOSCOPE_ERROR
} cudaError_t;
HALOSCOPE_BOTH const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define HALOSCOPE_ERROR(NAME, VALUE, TEXT) case cuda##NAME: return "cuda" #NAME;
    HALOSCOPE_ERRORS(HALOSCOPE_ERROR)
#undef HALOSCOPE_ERROR
  }
  return "unrecognized error code";
}
HALOSCOPE_BOTH const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define HALOSCOPE_ERROR(NAME, VALUE, TEXT) case cuda##NAME: return TEXT;
    HALOSCOPE_ERRORS(HALOSCOPE_ERROR)
#undef HALOSCOPE_ERROR
  }
  return "unrecognized error code";
}

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
} cudaMemcpyKind;
struct cudaPos { size_t x, y, z; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
typedef struct cudaArray *cudaArray_t;
struct cudaMemcpy3DParms {
  cudaArray_t srcArray; cudaPos srcPos; cudaPitchedPtr srcPtr;
  cudaArray_t dstArray; cudaPos dstPos; cudaPitchedPtr dstPtr;
  cudaExtent extent; cudaMemcpyKind kind;
};
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t w, size_t h) { return {p, pitch, w, h}; }
struct cudaUUID_t { char bytes[16]; };
struct cudaDeviceProp {
  char name[256]; cudaUUID_t uuid;
  size_t totalGlobalMem, sharedMemPerBlock; int regsPerBlock, warpSize; size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate; size_t totalConstMem; int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int maxTexture1D, maxTexture2D[2], maxTexture3D[3], concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID;
  int tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
  int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported;
  int localL1CacheSupported; size_t sharedMemPerMultiprocessor; int regsPerMultiprocessor, managedMemory, isMultiGpuBoard;
  int multiGpuBoardGroupID, hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
  int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
  int cooperativeMultiDeviceLaunch; size_t sharedMemPerBlockOptin; int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2, cudaDevAttrMaxBlockDimY = 3, cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5, cudaDevAttrMaxGridDimY = 6, cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrTotalConstantMemory = 9, cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12, cudaDevAttrClockRate = 13, cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMemoryClockRate = 36, cudaDevAttrGlobalMemoryBusWidth = 37, cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39, cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82, cudaDevAttrManagedMemory = 83, cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrMemoryPoolsSupported = 115
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaSharedCarveout { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0, cudaSharedmemCarveoutMaxShared = 100 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaLimit {
  cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
struct cudaPointerAttributes { cudaMemoryType type; int device; void *devicePointer, *hostPointer; };
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc { int x, y, z, w; cudaChannelFormatKind f; };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
typedef const struct haloscope_texture *cudaTextureObject_t;
typedef const struct haloscope_texture *cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8
struct cudaArray { void *texels; cudaChannelFormatDesc format; cudaExtent extent; size_t texel; };
inline size_t haloscope_texel_bytes(const cudaChannelFormatDesc &f) { return (size_t)(f.x + f.y + f.z + f.w) / 8; }
inline cudaPitchedPtr haloscope_rows_of(const cudaArray *p) {
  return {p->texels, p->extent.width * p->texel, p->extent.width * p->texel, p->extent.height ? p->extent.height : 1};
}
inline size_t haloscope_array_bytes(const cudaArray *p) {
  const cudaPitchedPtr rows = haloscope_rows_of(p);
  return rows.pitch * rows.ysize * (p->extent.depth ? p->extent.depth : 1);
}
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaOccupancyDefault 0
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

// The place of a call. As a default argument, the built-ins give the caller's.
struct haloscope_place { const char *file; int line; };
#define HALOSCOPE_AT haloscope_place at = {__builtin_FILE(), __builtin_LINE()}
struct haloscope_rows { void *destination; size_t destinationPitch; const void *source; size_t sourcePitch, width, height; };
extern "C" {
void *haloscope_allocate(size_t bytes, int memory, haloscope_place at);
int haloscope_fail(int error);
int haloscope_failure(void);
void haloscope_register(void *memory, size_t bytes, haloscope_place at);
int haloscope_free(void *memory, int host, haloscope_place at);
int haloscope_copy(const haloscope_rows *rows, int kind, int asynchronous, haloscope_place at);
int haloscope_fill(void *memory, size_t pitch, int value, size_t width, size_t height, int asynchronous, haloscope_place at);
int haloscope_symbol_copy(const void *symbol, void *host, size_t bytes, size_t offset, int toSymbol, int kind, haloscope_place at);
void *haloscope_symbol_address(const void *symbol, haloscope_place at);
void haloscope_configure(const unsigned *grid, const unsigned *block, size_t shared, void *stream, haloscope_place at);
int haloscope_launch(const void *kernel, const unsigned *grid, const unsigned *block, void **arguments, size_t shared,
                     void *stream, int cooperative, haloscope_place at);
int haloscope_synchronize(int what, const void *object, haloscope_place at);
void *haloscope_create(int what, haloscope_place at);
int haloscope_destroy(int what, void *object, haloscope_place at);
int haloscope_record(void *event, void *stream, haloscope_place at);
int haloscope_elapsed(float *milliseconds, void *start, void *end, haloscope_place at);
int haloscope_error(int clear, haloscope_place at);
int haloscope_set_attribute(const void *kernel, int attribute, int value, haloscope_place at);
long long haloscope_kernel_property(const void *kernel, const char *name, long long threads, long long shared);
long long haloscope_property(const char *name);
void haloscope_device_name(char *name, size_t bytes);
int haloscope_memory_kind(const void *memory);
[[noreturn]] void haloscope_unsupported(const char *function, haloscope_place at);
}
#define HALOSCOPE_CALL inline __attribute__((always_inline))
#define HALOSCOPE_RUNTIME HALOSCOPE_CALL cudaError_t

// An error that no other process needs to know of.
inline cudaError_t haloscope_failed(cudaError_t error) { return (cudaError_t)haloscope_fail(error); }

// Memory. 0: on the device, 1: managed, 2: the host's, page-locked.
HALOSCOPE_RUNTIME haloscope_allocated(void **p, size_t bytes, int memory, haloscope_place at) {
  *p = haloscope_allocate(bytes, memory, at);
  return *p || !bytes ? cudaSuccess : (cudaError_t)haloscope_failure();
}
#define HALOSCOPE_ALLOCATING(NAME, PARAMETERS, MEMORY) \
  HALOSCOPE_RUNTIME NAME(void **p, size_t bytes PARAMETERS, HALOSCOPE_AT) { return haloscope_allocated(p, bytes, MEMORY, at); } \
  template <class T> HALOSCOPE_RUNTIME NAME(T **p, size_t bytes PARAMETERS, HALOSCOPE_AT) { \
    return haloscope_allocated((void **)p, bytes, MEMORY, at); }
#define HALOSCOPE_NOTHING
#define HALOSCOPE_STREAM , cudaStream_t
#define HALOSCOPE_FLAGS , unsigned int
#define HALOSCOPE_NO_FLAGS , unsigned int = 0
#define HALOSCOPE_ATTACH , unsigned int = cudaMemAttachGlobal
HALOSCOPE_ALLOCATING(cudaMalloc, HALOSCOPE_NOTHING, 0)
HALOSCOPE_ALLOCATING(cudaMallocAsync, HALOSCOPE_STREAM, 0)
HALOSCOPE_ALLOCATING(cudaMallocManaged, HALOSCOPE_ATTACH, 1)
HALOSCOPE_ALLOCATING(cudaMallocHost, HALOSCOPE_NO_FLAGS, 2)
HALOSCOPE_ALLOCATING(cudaHostAlloc, HALOSCOPE_FLAGS, 2)
constexpr size_t haloscope_pitch(size_t width) { return (width + 511) / 512 * 512; }
template <class T> HALOSCOPE_RUNTIME cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height, HALOSCOPE_AT) {
  *pitch = haloscope_pitch(width);
  return haloscope_allocated((void **)p, *pitch * height, 0, at);
}
HALOSCOPE_RUNTIME cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent, HALOSCOPE_AT) {
  p->pitch = haloscope_pitch(extent.width), p->xsize = extent.width, p->ysize = extent.height;
  return haloscope_allocated(&p->ptr, p->pitch * extent.height * extent.depth, 0, at);
}
HALOSCOPE_RUNTIME cudaFree(void *p, HALOSCOPE_AT) { return (cudaError_t)haloscope_free(p, 0, at); }
HALOSCOPE_RUNTIME cudaFreeAsync(void *p, cudaStream_t, HALOSCOPE_AT) { return (cudaError_t)haloscope_free(p, 0, at); }
HALOSCOPE_RUNTIME cudaFreeHost(void *p, HALOSCOPE_AT) { return (cudaError_t)haloscope_free(p, 1, at); }
HALOSCOPE_RUNTIME cudaHostRegister(void *p, size_t bytes, unsigned int, HALOSCOPE_AT) { return haloscope_register(p, bytes, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaHostUnregister(void *p, HALOSCOPE_AT) { return (cudaError_t)haloscope_free(p, 1, at); }
template <class T> HALOSCOPE_RUNTIME cudaHostGetDevicePointer(T **p, void *host, unsigned int) { return *p = (T *)host, cudaSuccess; }
HALOSCOPE_RUNTIME cudaMemGetInfo(size_t *free, size_t *total) {
  return *total = (size_t)haloscope_property("totalGlobalMem"), *free = *total - *total / 32, cudaSuccess;
}
HALOSCOPE_RUNTIME cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p) {
  *attributes = {(cudaMemoryType)haloscope_memory_kind(p), 0, (void *)p, (void *)p};
  if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = nullptr;
  if (attributes->type == cudaMemoryTypeUnregistered) attributes->devicePointer = nullptr;
  return cudaSuccess;
}

HALOSCOPE_RUNTIME haloscope_copied(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                                   int kind, int asynchronous, haloscope_place at) {
  haloscope_rows rows = {to, toPitch, from, fromPitch, width, height};
  return (cudaError_t)haloscope_copy(&rows, kind, asynchronous, at);
}
HALOSCOPE_RUNTIME cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, HALOSCOPE_AT) {
  return haloscope_copied(to, bytes, from, bytes, bytes, 1, kind, 0, at);
}
HALOSCOPE_RUNTIME cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t = 0, HALOSCOPE_AT) {
  return haloscope_copied(to, bytes, from, bytes, bytes, 1, kind, 1, at);
}
HALOSCOPE_RUNTIME cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes, HALOSCOPE_AT) {
  return haloscope_copied(to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice, 0, at);
}
HALOSCOPE_RUNTIME cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t = 0, HALOSCOPE_AT) {
  return haloscope_copied(to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice, 1, at);
}
HALOSCOPE_RUNTIME cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                               cudaMemcpyKind kind, HALOSCOPE_AT) {
  if (width > toPitch || width > fromPitch) return haloscope_failed(cudaErrorInvalidPitchValue);
  return haloscope_copied(to, toPitch, from, fromPitch, width, height, kind, 0, at);
}
HALOSCOPE_RUNTIME cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                                    cudaMemcpyKind kind, cudaStream_t = 0, HALOSCOPE_AT) {
  if (width > toPitch || width > fromPitch) return haloscope_failed(cudaErrorInvalidPitchValue);
  return haloscope_copied(to, toPitch, from, fromPitch, width, height, kind, 1, at);
}
inline cudaError_t haloscope_copied_3d(const cudaMemcpy3DParms *p, int asynchronous, haloscope_place at) {
  // Of an array positions are in texels, and if there is one, so is the width.
  const cudaPitchedPtr from = p->srcArray ? haloscope_rows_of(p->srcArray) : p->srcPtr;
  const cudaPitchedPtr to = p->dstArray ? haloscope_rows_of(p->dstArray) : p->dstPtr;
  const size_t fromTexel = p->srcArray ? p->srcArray->texel : 1, toTexel = p->dstArray ? p->dstArray->texel : 1;
  const size_t width = p->extent.width * (p->srcArray ? fromTexel : toTexel);
  for (size_t z = 0; z < p->extent.depth; ++z) {
    const cudaError_t error = haloscope_copied(
        (char *)to.ptr + ((p->dstPos.z + z) * to.ysize + p->dstPos.y) * to.pitch + p->dstPos.x * toTexel, to.pitch,
        (char *)from.ptr + ((p->srcPos.z + z) * from.ysize + p->srcPos.y) * from.pitch + p->srcPos.x * fromTexel, from.pitch,
        width, p->extent.height, p->kind, asynchronous, at);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
HALOSCOPE_RUNTIME cudaMemcpy3D(const cudaMemcpy3DParms *p, HALOSCOPE_AT) { return haloscope_copied_3d(p, 0, at); }
HALOSCOPE_RUNTIME cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t = 0, HALOSCOPE_AT) { return haloscope_copied_3d(p, 1, at); }
HALOSCOPE_RUNTIME cudaMemset(void *p, int value, size_t bytes, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p, bytes, value, bytes, 1, 0, at);
}
HALOSCOPE_RUNTIME cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t = 0, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p, bytes, value, bytes, 1, 1, at);
}
HALOSCOPE_RUNTIME cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p, pitch, value, width, height, 0, at);
}
HALOSCOPE_RUNTIME cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_fill(p.ptr, p.pitch, value, extent.width, extent.height * extent.depth, 0, at);
}
template <class T> HALOSCOPE_RUNTIME cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_symbol_copy((const void *)&symbol, (void *)from, bytes, offset, 1, kind, at);
}
template <class T> HALOSCOPE_RUNTIME cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = 0, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_symbol_copy((const void *)&symbol, (void *)from, bytes, offset, 1, kind, at);
}
template <class T> HALOSCOPE_RUNTIME cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_symbol_copy((const void *)&symbol, to, bytes, offset, 0, kind, at);
}
template <class T> HALOSCOPE_RUNTIME cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t = 0, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_symbol_copy((const void *)&symbol, to, bytes, offset, 0, kind, at);
}
template <class P, class T> HALOSCOPE_RUNTIME cudaGetSymbolAddress(P **p, const T &symbol, HALOSCOPE_AT) {
  return (*p = (P *)haloscope_symbol_address((const void *)&symbol, at)) ? cudaSuccess : cudaErrorInvalidSymbol;
}
template <class T> HALOSCOPE_RUNTIME cudaGetSymbolSize(size_t *bytes, const T &) { return *bytes = sizeof(T), cudaSuccess; }

// Launches.
extern "C" {
inline unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0, HALOSCOPE_AT) {
  haloscope_configure(&grid.x, &block.x, shared, stream, at);
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
// The functions that launch a kernel call this one, and Clang looks for it by its name.
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
}
template <class F> HALOSCOPE_RUNTIME haloscope_launched(haloscope_place at, int cooperative, F *kernel, dim3 grid, dim3 block,
                                                        void **arguments, size_t shared = 0, cudaStream_t stream = 0) {
  return (cudaError_t)haloscope_launch((const void *)kernel, &grid.x, &block.x, arguments, shared, stream, cooperative, at);
}
#define HALOSCOPE_HERE haloscope_place{__builtin_FILE(), __builtin_LINE()}
#define cudaLaunchKernel(...) haloscope_launched(HALOSCOPE_HERE, 0, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) haloscope_launched(HALOSCOPE_HERE, 1, __VA_ARGS__)
template <class T> struct haloscope_itself { typedef T type; };
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6, cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
  char pad[64]; int cooperative, priority, programmaticStreamSerializationAllowed;
  struct { unsigned int x, y, z; } clusterDim;
};
struct cudaLaunchAttribute { cudaLaunchAttributeID id; char pad[4]; cudaLaunchAttributeValue val; };
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream; cudaLaunchAttribute *attrs; unsigned int numAttrs;
};
template <class... P> inline cudaError_t haloscope_launched_with(haloscope_place at, const cudaLaunchConfig_t *config,
                                                                 void (*kernel)(P...), typename haloscope_itself<P>::type... arguments) {
  int cooperative = 0;
  for (unsigned int i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id == cudaLaunchAttributeCooperative) cooperative = config->attrs[i].val.cooperative;
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) haloscope_unsupported("a launch with clusters", at);
  }
  void *pointers[] = {(void *)&arguments..., nullptr};
  return haloscope_launched(at, cooperative, kernel, config->gridDim, config->blockDim, pointers, config->dynamicSmemBytes,
                            config->stream);
}
#define cudaLaunchKernelEx(...) haloscope_launched_with(HALOSCOPE_HERE, __VA_ARGS__)
template <class F> HALOSCOPE_RUNTIME cudaFuncSetAttribute(F *kernel, cudaFuncAttribute attribute, int value, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_set_attribute((const void *)kernel, attribute, value, at);
}
template <class F> HALOSCOPE_RUNTIME cudaFuncSetCacheConfig(F *, cudaFuncCache) { return cudaSuccess; }
template <class F> HALOSCOPE_RUNTIME cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig) { return cudaSuccess; }
template <class F> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *kernel) {
  *attributes = {};
  attributes->sharedSizeBytes = (size_t)haloscope_kernel_property((const void *)kernel, "sharedSizeBytes", 0, 0);
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->binaryVersion = attributes->ptxVersion =
      (int)(haloscope_property("major") * 10 + haloscope_property("minor"));
  return cudaSuccess;
}
template <class F> HALOSCOPE_RUNTIME cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *kernel, int threads, size_t shared) {
  return *blocks = (int)haloscope_kernel_property((const void *)kernel, "blocksPerMultiprocessor", threads, (long long)shared), cudaSuccess;
}
template <class F> HALOSCOPE_RUNTIME cudaOccupancyMaxPotentialBlockSize(int *grid, int *threads, F *kernel, size_t shared = 0, int limit = 0) {
  *threads = limit > 0 && limit < 1024 ? limit : 1024;
  *grid = (int)(haloscope_property("multiProcessorCount") *
                haloscope_kernel_property((const void *)kernel, "blocksPerMultiprocessor", *threads, (long long)shared));
  return cudaSuccess;
}

// Waiting. 0: for the device, 1: a stream, 2: an event.
HALOSCOPE_RUNTIME cudaDeviceSynchronize(HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(0, nullptr, at); }
HALOSCOPE_RUNTIME cudaThreadSynchronize(HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(0, nullptr, at); }
HALOSCOPE_RUNTIME cudaStreamSynchronize(cudaStream_t stream, HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(1, stream, at); }
HALOSCOPE_RUNTIME cudaStreamQuery(cudaStream_t stream, HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(1, stream, at); }
HALOSCOPE_RUNTIME cudaEventSynchronize(cudaEvent_t event, HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(2, event, at); }
HALOSCOPE_RUNTIME cudaEventQuery(cudaEvent_t event, HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(2, event, at); }
HALOSCOPE_RUNTIME cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0) { return cudaSuccess; }
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
// What is in a stream is done when it is asked for: its host functions are called at once.
HALOSCOPE_RUNTIME cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data, HALOSCOPE_AT) {
  const cudaError_t error = (cudaError_t)haloscope_synchronize(1, stream, at);
  return function(data), error;
}
HALOSCOPE_RUNTIME cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned int, HALOSCOPE_AT) {
  const cudaError_t error = (cudaError_t)haloscope_synchronize(1, stream, at);
  return function(stream, error, data), cudaSuccess;
}
HALOSCOPE_RUNTIME cudaStreamCreate(cudaStream_t *stream, HALOSCOPE_AT) { return *stream = (cudaStream_t)haloscope_create(1, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int, HALOSCOPE_AT) { return *stream = (cudaStream_t)haloscope_create(1, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int, int, HALOSCOPE_AT) { return *stream = (cudaStream_t)haloscope_create(1, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaStreamDestroy(cudaStream_t stream, HALOSCOPE_AT) { return (cudaError_t)haloscope_destroy(1, stream, at); }
HALOSCOPE_RUNTIME cudaEventCreate(cudaEvent_t *event, HALOSCOPE_AT) { return *event = (cudaEvent_t)haloscope_create(2, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int, HALOSCOPE_AT) { return *event = (cudaEvent_t)haloscope_create(2, at), cudaSuccess; }
HALOSCOPE_RUNTIME cudaEventDestroy(cudaEvent_t event, HALOSCOPE_AT) { return (cudaError_t)haloscope_destroy(2, event, at); }
HALOSCOPE_RUNTIME cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0, HALOSCOPE_AT) { return (cudaError_t)haloscope_record(event, stream, at); }
HALOSCOPE_RUNTIME cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end, HALOSCOPE_AT) {
  return (cudaError_t)haloscope_elapsed(milliseconds, start, end, at);
}
HALOSCOPE_RUNTIME cudaGetLastError(HALOSCOPE_AT) { return (cudaError_t)haloscope_error(1, at); }
HALOSCOPE_RUNTIME cudaPeekAtLastError(HALOSCOPE_AT) { return (cudaError_t)haloscope_error(0, at); }

// The device.
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
  if (device != 0) return haloscope_failed(cudaErrorInvalidDevice);
  *p = {};
  haloscope_device_name(p->name, sizeof p->name);
#define HALOSCOPE_PROPERTY(NAME) p->NAME = (decltype(p->NAME))haloscope_property(#NAME)
  HALOSCOPE_PROPERTY(totalGlobalMem); HALOSCOPE_PROPERTY(sharedMemPerBlock); HALOSCOPE_PROPERTY(regsPerBlock);
  HALOSCOPE_PROPERTY(clockRate); HALOSCOPE_PROPERTY(major); HALOSCOPE_PROPERTY(minor);
  HALOSCOPE_PROPERTY(multiProcessorCount); HALOSCOPE_PROPERTY(memoryClockRate); HALOSCOPE_PROPERTY(memoryBusWidth);
  HALOSCOPE_PROPERTY(l2CacheSize); HALOSCOPE_PROPERTY(maxThreadsPerMultiProcessor);
  HALOSCOPE_PROPERTY(sharedMemPerMultiprocessor); HALOSCOPE_PROPERTY(regsPerMultiprocessor);
  HALOSCOPE_PROPERTY(sharedMemPerBlockOptin); HALOSCOPE_PROPERTY(maxBlocksPerMultiProcessor);
#undef HALOSCOPE_PROPERTY
  p->warpSize = 32, p->maxThreadsPerBlock = 1024, p->totalConstMem = 65536, p->memPitch = 2147483647;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->textureAlignment = 512, p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->managedMemory = 1;
  p->concurrentManagedAccess = p->cooperativeLaunch = p->deviceOverlap = 1, p->asyncEngineCount = 2;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  const cudaError_t error = cudaGetDeviceProperties(&p, device);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = (int)p.sharedMemPerMultiprocessor; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrManagedMemory: case cudaDevAttrConcurrentManagedAccess: case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    default: *value = 0;
  }
  return error;
}
HALOSCOPE_RUNTIME cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }
HALOSCOPE_RUNTIME cudaSetDevice(int device) { return device == 0 ? cudaSuccess : haloscope_failed(cudaErrorInvalidDevice); }
HALOSCOPE_RUNTIME cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
HALOSCOPE_RUNTIME cudaChooseDevice(int *device, const cudaDeviceProp *) { return *device = 0, cudaSuccess; }
HALOSCOPE_RUNTIME cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceReset(HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(3, nullptr, at); }
HALOSCOPE_RUNTIME cudaThreadExit(HALOSCOPE_AT) { return (cudaError_t)haloscope_synchronize(3, nullptr, at); }
HALOSCOPE_RUNTIME cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceGetLimit(size_t *value, cudaLimit) { return *value = 1024, cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { return *least = *greatest = 0, cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceCanAccessPeer(int *can, int, int) { return *can = 0, cudaSuccess; }
HALOSCOPE_RUNTIME cudaDeviceEnablePeerAccess(int, unsigned int) { return haloscope_failed(cudaErrorInvalidDevice); }
HALOSCOPE_RUNTIME cudaRuntimeGetVersion(int *version) { return *version = CUDART_VERSION, cudaSuccess; }
HALOSCOPE_RUNTIME cudaDriverGetVersion(int *version) { return *version = CUDA_VERSION, cudaSuccess; }
inline void cudaProfilerStart() {}
inline void cudaProfilerStop() {}

// Refused by name, at the call.
#define HALOSCOPE_REFUSED(NAME) \
  template <class... T> inline cudaError_t haloscope_refused_##NAME(haloscope_place at, T &&...) { haloscope_unsupported(#NAME, at); }
HALOSCOPE_REFUSED(cudaMallocMipmappedArray) HALOSCOPE_REFUSED(cudaMemcpy2DArrayToArray)
HALOSCOPE_REFUSED(cudaStreamBeginCapture) HALOSCOPE_REFUSED(cudaGraphLaunch)
HALOSCOPE_REFUSED(cudaGraphInstantiate) HALOSCOPE_REFUSED(cudaGraphCreate)
HALOSCOPE_REFUSED(cudaIpcGetMemHandle)
#define cudaMallocMipmappedArray(...) haloscope_refused_cudaMallocMipmappedArray(HALOSCOPE_HERE, __VA_ARGS__)
#define cudaMemcpy2DArrayToArray(...) haloscope_refused_cudaMemcpy2DArrayToArray(HALOSCOPE_HERE, __VA_ARGS__)
#define cudaStreamBeginCapture(...) haloscope_refused_cudaStreamBeginCapture(HALOSCOPE_HERE, __VA_ARGS__)
#define cudaGraphLaunch(...) haloscope_refused_cudaGraphLaunch(HALOSCOPE_HERE, __VA_ARGS__)
#define cudaGraphInstantiate(...) haloscope_refused_cudaGraphInstantiate(HALOSCOPE_HERE, __VA_ARGS__)
#define cudaGraphCreate(...) haloscope_refused_cudaGraphCreate(HALOSCOPE_HERE, __VA_ARGS__)
#define cudaIpcGetMemHandle(...) haloscope_refused_cudaIpcGetMemHandle(HALOSCOPE_HERE, __VA_ARGS__)

// Device built-ins that the host half names: in default arguments, templates and __host__ __device__ functions.
extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const dim3 blockDim;
extern __device__ const dim3 gridDim;
constexpr int warpSize = 32;
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned int = 0xffffffff);
#define HALOSCOPE_MINMAX(T) \
  HALOSCOPE_BOTH T min(T a, T b) { return b < a ? b : a; } HALOSCOPE_BOTH T max(T a, T b) { return a < b ? b : a; }
HALOSCOPE_MINMAX(int) HALOSCOPE_MINMAX(unsigned int) HALOSCOPE_MINMAX(long) HALOSCOPE_MINMAX(unsigned long)
HALOSCOPE_MINMAX(long long) HALOSCOPE_MINMAX(unsigned long long) HALOSCOPE_MINMAX(float) HALOSCOPE_MINMAX(double)
#undef HALOSCOPE_MINMAX
#define HALOSCOPE_MINMAX(R, A, B) \
  HALOSCOPE_BOTH R min(A a, B b) { return min((R)a, (R)b); } HALOSCOPE_BOTH R min(B a, A b) { return min((R)a, (R)b); } \
  HALOSCOPE_BOTH R max(A a, B b) { return max((R)a, (R)b); } HALOSCOPE_BOTH R max(B a, A b) { return max((R)a, (R)b); }
HALOSCOPE_MINMAX(unsigned int, int, unsigned int) HALOSCOPE_MINMAX(unsigned long, long, unsigned long)
HALOSCOPE_MINMAX(unsigned long long, long long, unsigned long long) HALOSCOPE_MINMAX(double, float, double)
#undef HALOSCOPE_MINMAX
HALOSCOPE_BOTH float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
HALOSCOPE_BOTH double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
HALOSCOPE_BOTH float rsqrt(float x) { return rsqrtf(x); }
HALOSCOPE_BOTH float fdividef(float a, float b) { return a / b; }
HALOSCOPE_BOTH float __fdividef(float a, float b) { return a / b; }
HALOSCOPE_BOTH float __saturatef(float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x; }
HALOSCOPE_BOTH int __mul24(int a, int b) { return a * b; }
template <class T> HALOSCOPE_BOTH T __ldg(const T *p) { return *p; }
)cuda";

/// The names of cooperative groups that declarations of a program use; its kernels' bodies are not read.
inline constexpr char kCooperativeGroupsHeader[] = R"cuda(#pragma once
namespace cooperative_groups {
struct thread_block {};
struct grid_group {};
struct thread_group {};
struct coalesced_group {};
template <unsigned int Size, class Parent = void> struct thread_block_tile {};
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
}
)cuda";

/// What declarations of a program use of <cuda/barrier>, <cuda/pipeline> and <cuda_pipeline.h>.
inline constexpr char kAsyncCopyHeader[] = R"cuda(#pragma once
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <size_t Alignment> struct aligned_size_t { size_t value; };
template <thread_scope Scope> class barrier { unsigned long long haloscope_state; };
template <thread_scope Scope> class pipeline { unsigned int haloscope_state[3]; };
template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state {
  unsigned long long haloscope_state[2 * Stages + 1];
};
enum class pipeline_role { producer, consumer };
}
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
