#include "hardware/Cupti.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "driver/Device.h"
#include "driver/SharedLibrary.h"
#include "language/Text.h"

namespace haloscope::hardware {

namespace {

/// Folders in which CUPTI may be: NVIDIA's library folders, and those of toolkits among them.
std::vector<std::string> cuptiFolders() {
  std::vector<std::string> all;
  for (const std::string& folder : gpu::libraryFolders()) {
    all.push_back(folder);
    if (folder.empty()) { continue; }
    all.push_back((std::filesystem::path(folder).parent_path() / "extras" / "CUPTI" / "lib64").string());
  }
  return all;
}

}  // namespace

Cupti::Cupti(int driverVersion, const std::string& file) {
  std::string missing;
  if (!file.empty()) {
    if (!open(file, missing)) { throw gpu::Unavailable(trf("CUPTI not found ({})", file)); }
  } else {
    const int newest = std::min(driverVersion / 1000, 13);
    bool found = false;
    for (int major = newest; major >= 12 && !found; --major) {
      for (const std::string& folder : cuptiFolders()) {
        const std::string name = fmt::format("libcupti.so.{}", major);
        std::string lacking;
        if (!open((std::filesystem::path(folder) / name).string(), lacking)) { continue; }
        missing = lacking;
        found = lacking.empty();
        if (found) { break; }
      }
    }
    if (!found && missing.empty()) {
      throw gpu::Unavailable(
          trf("CUPTI not found (libcupti.so.{} or older, down to 12): install the CUDA toolkit, or put the "
              "library with its libnvperf_host and libnvperf_target next to the program",
              newest));
    }
  }
  if (!missing.empty()) {
    throw gpu::Unavailable(trf("CUPTI lacks {}: hardware counters need the CUPTI of CUDA 12.6 or newer", missing));
  }
}

bool Cupti::open(const std::string& path, std::string& missing) {
  gpu::SharedLibrary opened(path);
  if (!opened.opened()) { return false; }
  const auto need = [&](auto& function, const char* name) {
    if (!opened.load(function, name) && missing.empty()) { missing = name; }
  };
  need(getResultString, "cuptiGetResultString");
  need(initialize, "cuptiProfilerInitialize");
  need(deviceGetChipName, "cuptiDeviceGetChipName");
  need(getCounterAvailability, "cuptiProfilerGetCounterAvailability");
  need(hostInitialize, "cuptiProfilerHostInitialize");
  need(hostDeinitialize, "cuptiProfilerHostDeinitialize");
  need(hostAddMetrics, "cuptiProfilerHostConfigAddMetrics");
  need(hostGetConfigSize, "cuptiProfilerHostGetConfigImageSize");
  need(hostGetConfig, "cuptiProfilerHostGetConfigImage");
  need(hostEvaluate, "cuptiProfilerHostEvaluateToGpuValues");
  need(enable, "cuptiRangeProfilerEnable");
  need(disable, "cuptiRangeProfilerDisable");
  need(start, "cuptiRangeProfilerStart");
  need(stop, "cuptiRangeProfilerStop");
  need(pushRange, "cuptiRangeProfilerPushRange");
  need(popRange, "cuptiRangeProfilerPopRange");
  need(decode, "cuptiRangeProfilerDecodeData");
  need(getDataSize, "cuptiRangeProfilerGetCounterDataSize");
  need(initializeData, "cuptiRangeProfilerCounterDataImageInitialize");
  need(setConfig, "cuptiRangeProfilerSetConfig");
  need(getRangeInfo, "cuptiRangeProfilerCounterDataGetRangeInfo");
  library = std::move(opened);
  return true;
}

void Cupti::check(Result result, const std::string& call) const {
  if (result != kSuccess) { throw gpu::Unavailable(describe(result, call)); }
}

std::string Cupti::describe(Result result, const std::string& call) const {
  switch (result) {
    case kInsufficientPrivileges:
      return tr(
          "the driver permits only administrators to read hardware counters: run haloscope as root, or write "
          "\"options "
          "nvidia NVreg_RestrictProfilingToAdminUsers=0\" to a file in /etc/modprobe.d and restart the machine");
    case kVirtualDeviceInsufficientPrivileges:
      return tr(
          "this virtual machine may not read its GPU's hardware counters: the host's administrator can permit it");
    case kHardwareBusy:
      return tr("another profiler is reading this GPU's hardware counters: end it first");
    case kVirtualDeviceNotSupported:
      return tr("a virtual GPU provides no hardware counters");
    case kConfidentialComputing:
      return tr("a GPU in confidential-computing mode provides no hardware counters");
    case kMultiInstanceDevice:
      return tr("a MIG instance provides no hardware counters");
    case kSliDevice:
      return tr("GPUs linked by SLI provide no hardware counters: disable SLI");
    case kWslDevice:
      return tr(
          "hardware counters are not permitted under Windows Subsystem for Linux: permit them in NVIDIA's control "
          "panel in Windows");
    case kMiningDevice:
      return tr("a mining GPU provides no hardware counters");
    case kNotSupported:
    case kInvalidChipName:
      return tr("this CUPTI does not know the GPU's hardware counters: install a newer CUDA toolkit");
    default:
      break;
  }
  const char* words = nullptr;
  if (getResultString == nullptr || getResultString(result, &words) != kSuccess || words == nullptr) {
    words = tr("unknown error");
  }
  return trf("the hardware counters cannot be read: {}: {} ({})", call, words, result);
}

}  // namespace haloscope::hardware
