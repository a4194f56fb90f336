#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/Device.h"

namespace haloscope::gpu {

/// What NVML, the driver's management library, tells of a GPU at one moment.
struct SensorReading {
  int smClockMHz = 0;                 ///< of the multiprocessors; 0: not told
  double powerWatts = 0;              ///< 0: not told
  std::uint64_t slowdowns = 0;        ///< why the clock is lower than it could be: NVML's bits
  std::vector<unsigned> competitors;  ///< process numbers of others that compute on this GPU
};

/// Under what a time was measured.
struct Conditions {
  int readings = 0;  ///< 0: NVML told nothing, all else is 0 or empty
  int lowestClockMHz = 0, medianClockMHz = 0, highestClockMHz = 0;
  double powerWatts = 0;  ///< mean of the readings
  /// What was in the way of a time that means something, in words; empty: nothing known.
  std::string disturbance;
};
[[nodiscard]] Conditions conditionsOf(const std::vector<SensorReading>& readings);

/// The sensors of one GPU. NVML is opened at run time; without it there are no readings. A reading takes from some
/// microseconds to milliseconds: not for use in a frame. May be used from any thread, by one at a time.
class Sensors {
 public:
  /// `library`: file name of NVML; empty: libnvidia-ml.so.1. Never throws: missing() tells.
  explicit Sensors(const Device& device, const std::string& library = {});
  Sensors(const Sensors&) = delete;
  Sensors& operator=(const Sensors&) = delete;
  ~Sensors();

  /// Why there are no readings; empty when there are.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// "580.95.05"; empty where it is not told.
  [[nodiscard]] std::string driverVersion() const;
  [[nodiscard]] SensorReading read() const;

 private:
  struct Library;
  [[nodiscard]] std::vector<unsigned> competitors() const;

  std::unique_ptr<Library> library_;
  void* handle_ = nullptr;  ///< of the GPU
  std::string missing_;
};

}  // namespace haloscope::gpu
