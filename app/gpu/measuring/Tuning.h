#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "measuring/TileSearch.h"
#include "measuring/TuningMap.h"

namespace haloscope::gpu {
class Device;
}

namespace haloscope::hardware {
class KernelBench;
struct SensorReading;
}  // namespace haloscope::hardware

namespace haloscope::work {
class Pool;
}

namespace haloscope::measuring {

class GpuGate;

struct CellCompiler;

/// The GPU that is tuned for: one that is there and is timed, or a kind whose multiprocessors are known.
struct TuningTarget {
  std::shared_ptr<const gpu::Device> device;  ///< null: nothing is timed
  std::string name;
  std::string computeCapability;  ///< "9.0"
  int multiprocessors = 0;
  double copyGBs = 0;   ///< measured; 0: not known
  std::string missing;  ///< why there is no device
};
/// Of a device that is there.
[[nodiscard]] TuningTarget targetOf(const std::shared_ptr<const gpu::Device>& device, double copyGBs);

struct TuningRequest {
  KernelFile file;
  Bindings bindings;  ///< all of them
  std::int64_t size =
      0;  ///< given to every size of the kernel; 0: fullSize() for a shipped variant; any other text keeps its own
  AxisChoice axes{};
  TuningTarget target{};
};

/// Called with every cell that is finished.
using TuningProgress = std::function<void(const TuningMap&)>;

/// A size at which the arrays are far larger than any cache: about 128 million points in 3D, 64 million in 2D.
[[nodiscard]] std::int64_t fullSize(const KernelFile& file);

/// Fills maps; what one took on the device is kept for the next.
class Tuner {
 public:
  /// The cells are compiled on the pool, some at a time; the gate clears them for the GPU. Both must outlive the tuner.
  Tuner(work::Pool& pool, GpuGate& gate);
  ~Tuner();
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;

  /// The map, its cells compiled and, with a device, timed, and the chosen bindings at other sizes. `known`: an earlier
  /// map of the same kernel, whose cells need not be made again if all but the chosen cell is the same. When asked to
  /// stop, what was finished so far, not complete. Takes seconds. Throws InputError where there is nothing to tune.
  TuningMap tune(const TuningRequest& request, const TuningProgress& progress = {}, const std::stop_token& stop = {},
                 const TuningMap* known = nullptr);

  /// The fastest tile and block sizes at exactly the request's sizes, found by at most so many timings on its device,
  /// which must be there. Takes a fraction of a second for each. Throws InputError.
  TileSearch search(const TuningRequest& request, int candidates, const std::stop_token& stop = {});

 private:
  /// Compiles and times these cells in turn, calling `finished` after each; until asked to stop.
  std::vector<hardware::SensorReading> timeCells(const TuningRequest& request, const CellCompiler& with,
                                                 std::vector<TuningCell>& cells, const std::function<void()>& finished);
  void fillCells(const TuningRequest& request, TuningMap& map, const TuningProgress& progress,
                 const std::stop_token& stop);
  void fillSizes(const TuningRequest& request, TuningMap& map, const TuningProgress& progress,
                 const std::stop_token& stop);
  hardware::KernelBench& bench(const TuningTarget& target);

  work::Pool& pool_;
  GpuGate& gate_;
  std::shared_ptr<const gpu::Device> device_;  ///< that bench_ works on
  std::unique_ptr<hardware::KernelBench> bench_;
};

}  // namespace haloscope::measuring
