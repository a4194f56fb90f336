#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/Device.h"

namespace haloscope::hardware {

/// One reading of a GPU's state from NVML, the driver's management library.
struct SensorReading {
  int smClockMHz = 0;                 ///< of the multiprocessors; 0: unknown
  double powerWatts = 0;              ///< 0: unknown
  std::uint64_t slowdowns = 0;        ///< reasons for a lowered clock, as NVML's bits
  std::vector<unsigned> competitors;  ///< ids of other processes that compute on this GPU
};

/// The conditions of a time measurement.
struct Conditions {
  int readings = 0;  ///< 0: no NVML data, all else is 0 or empty
  int lowestClockMHz = 0, medianClockMHz = 0, highestClockMHz = 0;
  double powerWatts = 0;  ///< mean of the readings
  /// What disturbed the measurement, as text; empty if nothing is known.
  std::string disturbance;
  bool competed = false;  ///< other processes computed on the GPU
};
[[nodiscard]] Conditions conditionsOf(const std::vector<SensorReading>& readings);

/// The sensors of one GPU. NVML is loaded at run time; without it there are no readings. A reading takes microseconds
/// to milliseconds: not for use in a frame. May be used from any thread, but only by one at a time.
class Sensors {
 public:
  /// `library`: file name of NVML; empty: libnvidia-ml.so.1. Never throws; see missing().
  explicit Sensors(const gpu::Device& device, const std::string& library = {});
  Sensors(const Sensors&) = delete;
  Sensors& operator=(const Sensors&) = delete;
  ~Sensors();

  /// Why there are no readings; otherwise empty.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// "580.95.05"; empty if unknown.
  [[nodiscard]] std::string driverVersion() const;
  [[nodiscard]] SensorReading read() const;

 private:
  struct Library;
  [[nodiscard]] std::vector<unsigned> competitors() const;

  std::unique_ptr<Library> library_;
  void* handle_ = nullptr;  ///< of the GPU
  std::string missing_;
};

}  // namespace haloscope::hardware
