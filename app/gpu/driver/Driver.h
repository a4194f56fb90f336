#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "driver/SharedLibrary.h"

struct CUctx_st;
struct CUevent_st;
struct CUfunc_st;
struct CUgraphicsResource_st;
struct CUmod_st;
struct CUstream_st;

namespace haloscope::gpu {

/// The functions of NVIDIA's driver API that Haloscope uses, loaded at run time. Declared here rather than included
/// from <cuda.h>, so that a program built without the toolkit can use a GPU; the interface is stable, and
/// tests/gpu/DriverTable.cpp compares it with <cuda.h> if available. Enumerations are passed as int.
struct Driver {
  using Result = int;
  using Device = int;
  using Address = unsigned long long;
  using Context = CUctx_st*;
  using Event = CUevent_st*;
  using Function = CUfunc_st*;
  using Module = CUmod_st*;
  using Resource = CUgraphicsResource_st*;
  using Stream = CUstream_st*;

  static constexpr Result kSuccess = 0;
  static constexpr Result kNotReady = 600;
  static constexpr Result kLaunchTimeout = 702;
  static constexpr Result kContextIsDestroyed = 709;
  static constexpr unsigned kStreamNonBlocking = 1;
  static constexpr unsigned kGlDevicesAll = 1;

  enum DeviceAttribute : int {
    kSharedBytesPerBlock = 8,
    kClockKHz = 13,
    kMultiprocessors = 16,
    kMemoryClockKHz = 36,
    kMemoryBusBits = 37,
    kL2Bytes = 38,
    kThreadsPerMultiprocessor = 39,
    kMajor = 75,
    kMinor = 76,
    kSharedBytesPerMultiprocessor = 81,
    kRegistersPerMultiprocessor = 82,
  };
  enum FunctionAttribute : int {
    kMaxThreadsPerBlock = 0,
    kSharedBytes = 1,
    kConstantBytes = 2,
    kLocalBytes = 3,
    kRegisters = 4,
    kMostDynamicSharedBytes = 8,
  };

  /// CUlaunchAttribute and CUlaunchConfig.
  struct LaunchAttribute {
    int id = 0;
    int padding = 0;
    unsigned value[16] = {};
  };
  static constexpr int kClusterDimension = 4;
  struct LaunchConfig {
    unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
    Stream stream;
    LaunchAttribute* attributes;
    unsigned attributeCount;
  };

  Result (*getErrorString)(Result, const char**) = nullptr;
  Result (*init)(unsigned) = nullptr;
  Result (*driverGetVersion)(int*) = nullptr;
  Result (*deviceGetCount)(int*) = nullptr;
  Result (*deviceGet)(Device*, int) = nullptr;
  Result (*deviceGetName)(char*, int, Device) = nullptr;
  Result (*deviceTotalMem)(std::size_t*, Device) = nullptr;
  Result (*deviceGetAttribute)(int*, int, Device) = nullptr;
  Result (*deviceGetUuid)(void*, Device) = nullptr;  ///< 16 bytes
  Result (*deviceGetPciBusId)(char*, int, Device) = nullptr;
  Result (*devicePrimaryCtxRetain)(Context*, Device) = nullptr;
  Result (*devicePrimaryCtxRelease)(Device) = nullptr;
  Result (*ctxSetCurrent)(Context) = nullptr;
  Result (*memGetInfo)(std::size_t*, std::size_t*) = nullptr;
  Result (*memAlloc)(Address*, std::size_t) = nullptr;
  Result (*memFree)(Address) = nullptr;
  Result (*memHostAlloc)(void**, std::size_t, unsigned) = nullptr;
  Result (*memFreeHost)(void*) = nullptr;
  Result (*memcpyHtoD)(Address, const void*, std::size_t) = nullptr;
  Result (*memcpyDtoH)(void*, Address, std::size_t) = nullptr;
  Result (*memcpyDtoHAsync)(void*, Address, std::size_t, Stream) = nullptr;
  Result (*memcpyDtoDAsync)(Address, Address, std::size_t, Stream) = nullptr;
  Result (*memsetD8Async)(Address, unsigned char, std::size_t, Stream) = nullptr;
  Result (*moduleLoadData)(Module*, const void*) = nullptr;
  Result (*moduleUnload)(Module) = nullptr;
  Result (*moduleGetFunction)(Function*, Module, const char*) = nullptr;
  Result (*moduleGetGlobal)(Address*, std::size_t*, Module, const char*) = nullptr;
  Result (*funcGetAttribute)(int*, int, Function) = nullptr;
  Result (*funcSetAttribute)(Function, int, int) = nullptr;
  Result (*occupancyMaxActiveBlocksPerMultiprocessor)(int*, Function, int, std::size_t) = nullptr;
  Result (*launchKernel)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**,
                         void**) = nullptr;
  Result (*launchKernelEx)(const LaunchConfig*, Function, void**, void**) = nullptr;  ///< null before CUDA 11.8
  /// Null before CUDA 12.
  Result (*tensorMapEncodeTiled)(void*, int, unsigned, void*, const std::uint64_t*, const std::uint64_t*,
                                 const std::uint32_t*, const std::uint32_t*, int, int, int, int) = nullptr;
  Result (*streamCreate)(Stream*, unsigned) = nullptr;
  Result (*streamDestroy)(Stream) = nullptr;
  Result (*streamQuery)(Stream) = nullptr;
  Result (*streamSynchronize)(Stream) = nullptr;
  Result (*eventCreate)(Event*, unsigned) = nullptr;
  Result (*eventDestroy)(Event) = nullptr;
  Result (*eventRecord)(Event, Stream) = nullptr;
  Result (*eventQuery)(Event) = nullptr;
  Result (*eventElapsedTime)(float*, Event, Event) = nullptr;
  Result (*graphicsGLRegisterBuffer)(Resource*, unsigned, unsigned) = nullptr;
  Result (*graphicsUnregisterResource)(Resource) = nullptr;
  Result (*graphicsMapResources)(unsigned, Resource*, Stream) = nullptr;
  Result (*graphicsUnmapResources)(unsigned, Resource*, Stream) = nullptr;
  Result (*graphicsResourceGetMappedPointer)(Address*, std::size_t*, Resource) = nullptr;
  Result (*glGetDevices)(unsigned*, Device*, unsigned, int) = nullptr;

  SharedLibrary library;

  /// Opens the driver. Throws Unavailable naming what is missing.
  explicit Driver(const std::string& file = {});

  /// Throws Error unless `result` is success. `call` is the function's name, with its arguments if helpful.
  void check(Result result, const std::string& call) const;
  /// "out of memory (2)"
  [[nodiscard]] std::string describe(Result result) const;
};

}  // namespace haloscope::gpu
