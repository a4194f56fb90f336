#include "driver/Driver.h"

#include <cstdlib>

#include "GpuSupport.h"

#if HALOSCOPE_HAS_CUDA && __has_include(<cuda.h>)
#include <cuda.h>
#include <cudaGL.h>
#define HALOSCOPE_COMPARES_DRIVER 1
#endif

/// The table of driver functions: what is missing is named, and its declarations are those of <cuda.h>.
namespace haloscope::gpu {
namespace {

TEST(DriverTest, AMissingDriverIsNamed) {
  const DeviceSearch search = findDevice({.ordinal = 0, .driver = "libcuda-that-is-not-there.so.1"});
  EXPECT_EQ(search.device, nullptr);
  EXPECT_EQ(search.missing, "no NVIDIA driver (libcuda-that-is-not-there.so.1 not found)");
}

TEST(DriverTest, ALibraryThatIsNoDriverIsNamedBySymbol) {
  const DeviceSearch search = findDevice({.ordinal = 0, .driver = "libm.so.6"});
  EXPECT_EQ(search.device, nullptr);
  EXPECT_NE(search.missing.find("lacks cuGetErrorString"), std::string::npos) << search.missing;
}

TEST(DriverTest, TheEnvironmentHidesTheGpu) {
  setenv("HALOSCOPE_NO_GPU", "1", 1);
  const DeviceSearch search = findDevice();
  unsetenv("HALOSCOPE_NO_GPU");
  EXPECT_EQ(search.device, nullptr);
  EXPECT_NE(search.missing.find("HALOSCOPE_NO_GPU"), std::string::npos);
}

#ifdef HALOSCOPE_COMPARES_DRIVER

/// Same number of parameters, each of the same size: enough for a call to pass its arguments rightly.
template <typename... Ours, typename... Theirs>
constexpr bool sameShape(int (*)(Ours...), CUresult (*)(Theirs...)) {
  if constexpr (sizeof...(Ours) == sizeof...(Theirs)) {
    return ((sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>) && ...);
  } else {
    return false;
  }
}

#define EXPECT_SAME(member, function) \
  static_assert(sameShape(decltype(Driver::member){}, decltype(&function){}), #function " is declared differently")

EXPECT_SAME(getErrorString, cuGetErrorString);
EXPECT_SAME(init, cuInit);
EXPECT_SAME(driverGetVersion, cuDriverGetVersion);
EXPECT_SAME(deviceGetCount, cuDeviceGetCount);
EXPECT_SAME(deviceGet, cuDeviceGet);
EXPECT_SAME(deviceGetName, cuDeviceGetName);
EXPECT_SAME(deviceTotalMem, cuDeviceTotalMem);
EXPECT_SAME(deviceGetAttribute, cuDeviceGetAttribute);
EXPECT_SAME(deviceGetUuid, cuDeviceGetUuid_v2);
EXPECT_SAME(deviceGetPciBusId, cuDeviceGetPCIBusId);
EXPECT_SAME(devicePrimaryCtxRetain, cuDevicePrimaryCtxRetain);
EXPECT_SAME(devicePrimaryCtxRelease, cuDevicePrimaryCtxRelease);
EXPECT_SAME(ctxSetCurrent, cuCtxSetCurrent);
EXPECT_SAME(memGetInfo, cuMemGetInfo);
EXPECT_SAME(memAlloc, cuMemAlloc);
EXPECT_SAME(memFree, cuMemFree);
EXPECT_SAME(memHostAlloc, cuMemHostAlloc);
EXPECT_SAME(memFreeHost, cuMemFreeHost);
EXPECT_SAME(memcpyHtoD, cuMemcpyHtoD);
EXPECT_SAME(memcpyDtoH, cuMemcpyDtoH);
EXPECT_SAME(memcpyDtoHAsync, cuMemcpyDtoHAsync);
EXPECT_SAME(memcpyDtoDAsync, cuMemcpyDtoDAsync);
EXPECT_SAME(moduleLoadData, cuModuleLoadData);
EXPECT_SAME(moduleUnload, cuModuleUnload);
EXPECT_SAME(moduleGetFunction, cuModuleGetFunction);
EXPECT_SAME(moduleGetGlobal, cuModuleGetGlobal);
EXPECT_SAME(funcGetAttribute, cuFuncGetAttribute);
EXPECT_SAME(funcSetAttribute, cuFuncSetAttribute);
EXPECT_SAME(occupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor);
EXPECT_SAME(launchKernel, cuLaunchKernel);
EXPECT_SAME(launchKernelEx, cuLaunchKernelEx);
EXPECT_SAME(tensorMapEncodeTiled, cuTensorMapEncodeTiled);
EXPECT_SAME(streamCreate, cuStreamCreate);
EXPECT_SAME(streamDestroy, cuStreamDestroy);
EXPECT_SAME(streamQuery, cuStreamQuery);
EXPECT_SAME(streamSynchronize, cuStreamSynchronize);
EXPECT_SAME(eventCreate, cuEventCreate);
EXPECT_SAME(eventDestroy, cuEventDestroy);
EXPECT_SAME(eventRecord, cuEventRecord);
EXPECT_SAME(eventQuery, cuEventQuery);
EXPECT_SAME(eventElapsedTime, cuEventElapsedTime);
EXPECT_SAME(graphicsGLRegisterBuffer, cuGraphicsGLRegisterBuffer);
EXPECT_SAME(graphicsUnregisterResource, cuGraphicsUnregisterResource);
EXPECT_SAME(graphicsMapResources, cuGraphicsMapResources);
EXPECT_SAME(graphicsUnmapResources, cuGraphicsUnmapResources);
EXPECT_SAME(graphicsResourceGetMappedPointer, cuGraphicsResourceGetMappedPointer);
EXPECT_SAME(glGetDevices, cuGLGetDevices);

TEST(DriverTest, ItsNumbersAreThoseOfTheHeader) {
  EXPECT_EQ(Driver::kNotReady, CUDA_ERROR_NOT_READY);
  EXPECT_EQ(Driver::kStreamNonBlocking, CU_STREAM_NON_BLOCKING);
  EXPECT_EQ(Driver::kGlDevicesAll, CU_GL_DEVICE_LIST_ALL);
  EXPECT_EQ(Driver::kSharedBytesPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  EXPECT_EQ(Driver::kClockKHz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  EXPECT_EQ(Driver::kMultiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(Driver::kMemoryClockKHz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  EXPECT_EQ(Driver::kMemoryBusBits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  EXPECT_EQ(Driver::kL2Bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  EXPECT_EQ(Driver::kThreadsPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  EXPECT_EQ(Driver::kMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  EXPECT_EQ(Driver::kMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_EQ(Driver::kSharedBytesPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  EXPECT_EQ(Driver::kRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  EXPECT_EQ(Driver::kMaxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  EXPECT_EQ(Driver::kSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  EXPECT_EQ(Driver::kConstantBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  EXPECT_EQ(Driver::kLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  EXPECT_EQ(Driver::kRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
}

#endif

}  // namespace
}  // namespace haloscope::gpu
