#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "driver/Kernel.h"
#include "driver/Spread.h"
#include "hardware/Bench.h"
#include "hardware/CopyTest.h"
#include "hardware/Counters.h"
#include "hardware/Peaks.h"
#include "measuring/SampledCheck.h"
#include "measuring/SuitePlan.h"
#include "measuring/TunedTiles.h"
#include "measuring/Verify.h"
#include "program/Launch.h"

namespace haloscope::hardware {
class ProblemBench;
}

namespace haloscope::work {
class Pool;
}

namespace haloscope::measuring {

class GpuGate;

/// A rung of a class, timed and verified.
struct SuiteEntry {
  PlannedVariant variant;  ///< with the tile it was timed with
  TileSource tile = TileSource::Default;
  std::int64_t steps = 1;  ///< time steps of a launch
  std::string problem;     ///< why it was not timed, in a sentence; then the rest is empty

  /// No element differs from the root's by more than the tolerance. Of the root: it agrees with the reference.
  bool verified = false;
  double largestDifference = 0, tolerance = 0;
  std::uint64_t differing = 0;

  gpu::Spread time;
  int warmups = 0;
  hardware::Conditions conditions;
  double effectiveGBs = 0;    ///< experiment::effectiveBytes() / median
  double multiplyAdds = 0;    ///< 10^9 a second: one for each tap of a point and step
  double fractionOfCopy = 0;  ///< 0: not known
  double fractionOfMultiplyAdds = 0;
  gpu::KernelResources resources;
  double occupancy = 0;
  std::optional<hardware::Counters> counters;  ///< where they were asked for
  std::string countersMissing;                 ///< why there are none, a sentence

  /// By the measure of its class.
  [[nodiscard]] double fraction(LimitClass::Measure measure) const {
    return measure == LimitClass::Measure::Copy ? fractionOfCopy : fractionOfMultiplyAdds;
  }
};

/// What one class came to.
struct SuiteClass {
  LimitClass limit;
  std::vector<SuiteEntry> entries{};
  std::vector<LeftOut> leftOut{};
  std::string problem{};  ///< why there is nothing to measure
  /// Of the root, on emulator and GPU, against the reference at a small size.
  std::vector<Verification> rootChecks{};
  Bindings rootCheckedAt{};
  std::optional<SampledCheck> rootSampled{};  ///< ... at the class's size, at some of its points
  double points = 0;                          ///< of the output; see pointsOf()
  double sweepBytes = 0;                      ///< experiment::effectiveBytes() of the root, which computes one step
  bool complete = false;                      ///< no rung is missing because the run was stopped or the GPU was lost
  std::string lost{};                         ///< why the GPU cannot be used any more; empty: it can
  hardware::CopyTimes::Best copy{};
  double multiplyAdds = 0;  ///< that the GPU can do, measured; 10^9 a second

  /// The verified rung with the class's number of steps and the highest fraction; null: there is none.
  [[nodiscard]] const SuiteEntry* best() const;
  /// Points that a launch of this rung computes, each of its steps counted.
  [[nodiscard]] double pointsOf(const SuiteEntry& entry) const { return points * static_cast<double>(entry.steps); }
  [[nodiscard]] bool rootIsRight() const;
  /// The class was measured, at least one rung solves it, and everything that ran was right.
  [[nodiscard]] bool right() const;
};

struct SuiteOptions {
  int tuneCandidates = 0;  ///< timings with which each rung's tile is looked for first; 0: none
  bool counters = false;   ///< hardware counters are read, too
  bool inCache = false;    ///< also a problem whose input fits into the L2 cache; for tests
  std::stop_token stop{};  ///< between two timings
  std::function<void(const SuiteEntry&)> progress{};  ///< called with every rung before it is measured
  /// Checks the root; for tests without a GPU.
  std::function<std::vector<Verification>(const KernelFile&, const Bindings&, GpuGate&)> verify =
      [](const KernelFile& file, const Bindings& bindings, GpuGate& gate) {
        return measuring::verify(file, bindings, gate);
      };
};

/// Measures classes of a suite on one GPU.
class SuiteRun {
 public:
  /// Measures the GPU's rate of multiply-adds first. The gate and the pool must outlive it. Throws gpu::Error.
  SuiteRun(std::shared_ptr<const gpu::Device> device, GpuGate& gate, work::Pool& pool, TunedTiles tiles);

  /// What is wrong with one rung is said in its entry. Takes seconds.
  [[nodiscard]] SuiteClass measure(const PlannedClass& plan, const SuiteOptions& options = {});
  [[nodiscard]] const hardware::Peaks& peaks() const { return peaks_; }

 private:
  /// For arrays like this output. Throws InputError if they do not fit.
  [[nodiscard]] std::unique_ptr<hardware::ProblemBench> benchOf(const ArrayData& output) const;
  void tune(const KernelFile& file, const Bindings& bindings, const SuiteOptions& options);
  /// Throws as Kernel's constructor, and InputError.
  void measureRung(const PlannedVariant& variant, std::unique_ptr<hardware::ProblemBench>& bench, SuiteEntry& entry,
                   SuiteClass& result, const SuiteOptions& options);

  std::shared_ptr<const gpu::Device> device_;
  GpuGate& gate_;
  work::Pool& pool_;
  TunedTiles tiles_;
  hardware::Peaks peaks_;
};

}  // namespace haloscope::measuring
