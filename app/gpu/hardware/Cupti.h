#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "driver/SharedLibrary.h"

struct CUctx_st;

namespace haloscope::hardware {

/// The range profiler of CUPTI, NVIDIA's profiling library (CUDA 12.6 and newer), which reads hardware counters. Loaded
/// at run time and declared here rather than included, so that a program built without the toolkit can use it; CUPTI
/// versions these structures by size, and tests/gpu/CuptiTest.cpp compares them with the headers if available.
/// Enumerations are passed as int.
struct Cupti {
  using Result = int;
  struct Host;   ///< opaque: turns metric names into a configuration, and counts into values
  struct Range;  ///< opaque: the profiler of one context

  static constexpr Result kSuccess = 0;
  static constexpr Result kHardwareBusy = 26;
  static constexpr Result kNotSupported = 27;
  static constexpr Result kVirtualDeviceNotSupported = 33;
  static constexpr Result kInsufficientPrivileges = 35;
  static constexpr Result kVirtualDeviceInsufficientPrivileges = 40;
  static constexpr Result kConfidentialComputing = 41;
  static constexpr Result kMiningDevice = 42;
  static constexpr Result kMultiInstanceDevice = 43;
  static constexpr Result kSliDevice = 44;
  static constexpr Result kWslDevice = 45;
  static constexpr Result kInvalidChipName = 46;

  static constexpr int kRangeProfiler = 0;  ///< of HostInitialize::profiler
  static constexpr int kUserRange = 2;      ///< of SetConfig::range: delimited by the program
  static constexpr int kUserReplay = 3;     ///< of SetConfig::replay: the program repeats the work for each pass

  // Parameters of the functions. `size` states which fields CUPTI may access: up to and including the last one.
  struct Initialize {
    std::size_t size = sizeof(Initialize);
    void* priv = nullptr;
  };
  struct ChipName {
    std::size_t size = sizeof(ChipName);
    void* priv = nullptr;
    std::size_t device = 0;      ///< in: device index
    const char* name = nullptr;  ///< out
  };
  struct Availability {
    std::size_t size = sizeof(Availability);
    void* priv = nullptr;
    CUctx_st* context = nullptr;
    std::size_t bytes = 0;          ///< in and out
    std::uint8_t* image = nullptr;  ///< null: query `bytes` only
  };
  struct HostInitialize {
    std::size_t size = sizeof(HostInitialize);
    void* priv = nullptr;
    int profiler = kRangeProfiler;
    const char* chip = nullptr;
    const std::uint8_t* availability = nullptr;
    Host* host = nullptr;  ///< out
  };
  struct HostDeinitialize {
    std::size_t size = sizeof(HostDeinitialize);
    void* priv = nullptr;
    Host* host = nullptr;
  };
  struct HostAddMetrics {
    std::size_t size = sizeof(HostAddMetrics);
    void* priv = nullptr;
    Host* host = nullptr;
    const char** names = nullptr;
    std::size_t count = 0;
  };
  struct HostConfigSize {
    std::size_t size = sizeof(HostConfigSize);
    void* priv = nullptr;
    Host* host = nullptr;
    std::size_t bytes = 0;  ///< out
  };
  struct HostConfig {
    std::size_t size = sizeof(HostConfig);
    void* priv = nullptr;
    Host* host = nullptr;
    std::size_t bytes = 0;
    std::uint8_t* image = nullptr;
  };
  struct HostEvaluate {
    std::size_t size = sizeof(HostEvaluate);
    void* priv = nullptr;
    Host* host = nullptr;
    const std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
    std::size_t range = 0;
    const char** names = nullptr;
    std::size_t count = 0;
    double* values = nullptr;
  };
  struct Enable {
    std::size_t size = sizeof(Enable);
    void* priv = nullptr;
    CUctx_st* context = nullptr;
    Range* range = nullptr;  ///< out
  };
  /// For calls without further parameters: disable, start, popRange.
  struct Plain {
    std::size_t size = sizeof(Plain);
    void* priv = nullptr;
    Range* range = nullptr;
  };
  struct Stop {
    static constexpr std::size_t kUsed = 5 * sizeof(std::size_t) + 1;
    std::size_t size = kUsed;
    void* priv = nullptr;
    Range* range = nullptr;
    std::size_t pass = 0;
    std::size_t level = 0;
    std::uint8_t allPassesSubmitted = 0;  ///< out
  };
  struct PushRange {
    std::size_t size = sizeof(PushRange);
    void* priv = nullptr;
    Range* range = nullptr;
    const char* name = nullptr;
  };
  struct Decode {
    std::size_t size = sizeof(Decode);
    void* priv = nullptr;
    Range* range = nullptr;
    std::size_t dropped = 0;  ///< out: ranges dropped for lack of room
  };
  struct DataSize {
    std::size_t size = sizeof(DataSize);
    void* priv = nullptr;
    Range* range = nullptr;
    const char** names = nullptr;
    std::size_t count = 0;
    std::size_t ranges = 0;
    std::uint32_t nodes = 0;
    std::size_t bytes = 0;  ///< out
  };
  struct DataInitialize {
    std::size_t size = sizeof(DataInitialize);
    void* priv = nullptr;
    Range* range = nullptr;
    std::size_t bytes = 0;
    std::uint8_t* data = nullptr;
  };
  struct SetConfig {
    static constexpr std::size_t kUsed = 11 * sizeof(std::size_t) + 2;
    std::size_t size = kUsed;
    void* priv = nullptr;
    Range* range = nullptr;
    std::size_t configBytes = 0;
    const std::uint8_t* config = nullptr;
    std::size_t dataBytes = 0;
    std::uint8_t* data = nullptr;
    int mode = kUserRange;
    int replay = kUserReplay;
    std::size_t ranges = 0;  ///< in a pass
    std::uint16_t levels = 1;
    std::uint16_t firstLevel = 1;
    std::size_t pass = 0;
    std::uint16_t level = 0;
  };
  struct RangeInfo {
    std::size_t size = sizeof(RangeInfo);
    void* priv = nullptr;
    const std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
    std::size_t index = 0;
    const char* delimiter = nullptr;
    const char* name = nullptr;  ///< out
  };

  Result (*getResultString)(Result, const char**) = nullptr;
  Result (*initialize)(Initialize*) = nullptr;
  Result (*deviceGetChipName)(ChipName*) = nullptr;
  Result (*getCounterAvailability)(Availability*) = nullptr;
  Result (*hostInitialize)(HostInitialize*) = nullptr;
  Result (*hostDeinitialize)(HostDeinitialize*) = nullptr;
  Result (*hostAddMetrics)(HostAddMetrics*) = nullptr;
  Result (*hostGetConfigSize)(HostConfigSize*) = nullptr;
  Result (*hostGetConfig)(HostConfig*) = nullptr;
  Result (*hostEvaluate)(HostEvaluate*) = nullptr;
  Result (*enable)(Enable*) = nullptr;
  Result (*disable)(Plain*) = nullptr;
  Result (*start)(Plain*) = nullptr;
  Result (*stop)(Stop*) = nullptr;
  Result (*pushRange)(PushRange*) = nullptr;
  Result (*popRange)(Plain*) = nullptr;
  Result (*decode)(Decode*) = nullptr;
  Result (*getDataSize)(DataSize*) = nullptr;
  Result (*initializeData)(DataInitialize*) = nullptr;
  Result (*setConfig)(SetConfig*) = nullptr;
  Result (*getRangeInfo)(RangeInfo*) = nullptr;

  gpu::SharedLibrary library;

  /// Opens the newest CUPTI that works with a driver of this CUDA version (13000 for 13.0), or `file`. Throws
  /// Unavailable naming what to install.
  explicit Cupti(int driverVersion, const std::string& file = {});

  /// Throws Unavailable unless `result` is success.
  void check(Result result, const std::string& call) const;
  /// One sentence: why the counters cannot be read, and the remedy.
  [[nodiscard]] std::string describe(Result result, const std::string& call) const;

 private:
  /// Whether the library could be opened; sets `missing` to a function that it lacks.
  bool open(const std::string& path, std::string& missing);
};

}  // namespace haloscope::hardware
