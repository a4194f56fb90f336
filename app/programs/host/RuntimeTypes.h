#pragma once

namespace haloscope::host {

/// The types and constants of CUDA's runtime, for the host half of a program.
inline constexpr char kRuntimeTypes[] = R"cuda(#pragma once
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
  ERROR(ErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
  ERROR(ErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture") \
  ERROR(ErrorStreamCaptureUnmatched, 903, "stream capture was not started in this stream") \
  ERROR(ErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work") \
  ERROR(ErrorStreamCaptureImplicit, 906, "operation would make the legacy stream depend on a capturing blocking stream") \
  ERROR(ErrorInvalidClusterSize, 912, "invalid cluster size") \
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
)cuda";

}  // namespace haloscope::host
