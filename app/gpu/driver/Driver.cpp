#include "driver/Driver.h"

#include <fmt/format.h>

#include "driver/Device.h"
#include "language/Text.h"

namespace haloscope::gpu {

namespace {

SharedLibrary openDriver(const std::string& file) {
  if (!file.empty()) { return SharedLibrary(file); }
  SharedLibrary library("libcuda.so.1");
  if (!library.opened()) {
    // The driver's location under Windows Subsystem for Linux; not on the search path of every distribution.
    SharedLibrary ofWsl("/usr/lib/wsl/lib/libcuda.so.1");
    if (ofWsl.opened()) { return ofWsl; }
  }
  return library;
}

}  // namespace

Driver::Driver(const std::string& file) : library(openDriver(file)) {
  if (!library.opened()) {
    throw Unavailable(trf("no NVIDIA driver ({} not found)", file.empty() ? std::string("libcuda.so.1") : file));
  }
  std::string missing;
  const auto need = [&](auto& function, const char* name) {
    if (!library.load(function, name) && missing.empty()) { missing = name; }
  };
  need(getErrorString, "cuGetErrorString");
  need(init, "cuInit");
  need(driverGetVersion, "cuDriverGetVersion");
  need(deviceGetCount, "cuDeviceGetCount");
  need(deviceGet, "cuDeviceGet");
  need(deviceGetName, "cuDeviceGetName");
  need(deviceTotalMem, "cuDeviceTotalMem_v2");
  need(deviceGetAttribute, "cuDeviceGetAttribute");
  need(devicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  need(devicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  need(ctxSetCurrent, "cuCtxSetCurrent");
  need(memGetInfo, "cuMemGetInfo_v2");
  need(memAlloc, "cuMemAlloc_v2");
  need(memFree, "cuMemFree_v2");
  need(memHostAlloc, "cuMemHostAlloc");
  need(memFreeHost, "cuMemFreeHost");
  need(memcpyHtoD, "cuMemcpyHtoD_v2");
  need(memcpyDtoH, "cuMemcpyDtoH_v2");
  need(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
  need(memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2");
  need(memsetD8Async, "cuMemsetD8Async");
  need(moduleLoadData, "cuModuleLoadData");
  need(moduleUnload, "cuModuleUnload");
  need(moduleGetFunction, "cuModuleGetFunction");
  need(moduleGetGlobal, "cuModuleGetGlobal_v2");
  need(funcGetAttribute, "cuFuncGetAttribute");
  need(funcSetAttribute, "cuFuncSetAttribute");
  need(occupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  need(launchKernel, "cuLaunchKernel");
  need(streamCreate, "cuStreamCreate");
  need(streamDestroy, "cuStreamDestroy_v2");
  need(streamQuery, "cuStreamQuery");
  need(streamSynchronize, "cuStreamSynchronize");
  need(eventCreate, "cuEventCreate");
  need(eventDestroy, "cuEventDestroy_v2");
  need(eventRecord, "cuEventRecord");
  need(eventQuery, "cuEventQuery");
  need(eventElapsedTime, "cuEventElapsedTime");
  if (!missing.empty()) {
    throw Unavailable(trf("the NVIDIA driver lacks {}: it is too old, or not NVIDIA's", missing));
  }
  library.load(deviceGetUuid, "cuDeviceGetUuid_v2");  // optional: recognises the GPU in later runs
  library.load(launchKernelEx, "cuLaunchKernelEx");
  library.load(tensorMapEncodeTiled, "cuTensorMapEncodeTiled");
  library.load(deviceGetPciBusId, "cuDeviceGetPCIBusId");
  // Interop may be missing; fields are then copied through the host.
  library.load(graphicsGLRegisterBuffer, "cuGraphicsGLRegisterBuffer");
  library.load(graphicsUnregisterResource, "cuGraphicsUnregisterResource");
  library.load(graphicsMapResources, "cuGraphicsMapResources");
  library.load(graphicsUnmapResources, "cuGraphicsUnmapResources");
  library.load(graphicsResourceGetMappedPointer, "cuGraphicsResourceGetMappedPointer_v2");
  library.load(glGetDevices, "cuGLGetDevices_v2");
}

void Driver::check(Result result, const std::string& call) const {
  if (result != kSuccess) { throw Error(call + ": " + describe(result), result); }
}

std::string Driver::describe(Result result) const {
  const char* words = nullptr;
  if (getErrorString(result, &words) != kSuccess || words == nullptr) { words = tr("unknown error"); }
  return fmt::format("{} ({})", words, result);
}

}  // namespace haloscope::gpu
