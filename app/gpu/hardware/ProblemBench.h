#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/Kernel.h"
#include "driver/LaunchArrays.h"
#include "driver/Memory.h"
#include "driver/Spread.h"
#include "hardware/Bench.h"
#include "hardware/CopyTest.h"
#include "hardware/Counters.h"
#include "hardware/DeviceFields.h"
#include "hardware/LaunchTimer.h"
#include "hardware/Sensors.h"

namespace haloscope::hardware {

/// One problem on the GPU, given to one kernel after another: all read the same input, what each leaves is compared,
/// and copies of as many bytes are timed along with them.
class ProblemBench {
 public:
  /// Input and output have so many elements of a floating-point type. Throws Error if they do not fit.
  ProblemBench(std::shared_ptr<const gpu::Device> device, ValueType element, std::int64_t elements);
  /// What the constructor allocates on the device.
  [[nodiscard]] static double bytesNeeded(ValueType element, std::int64_t elements);

  /// A kernel with what it needs besides the two arrays. Refers to its members' owners, which must outlive it.
  class Candidate {
   public:
    /// `input` and `output` are objects of `program`; their data in `launch` is ignored and may be missing.
    Candidate(gpu::Kernel& kernel, const Program& program, const Launch& launch, ObjectId input, ObjectId output);

   private:
    friend class ProblemBench;
    void launch(gpu::DeviceAddress from, gpu::DeviceAddress to, const gpu::Stream& stream) const;

    gpu::Kernel& kernel_;
    const Program& program_;
    LaunchConfiguration configuration_;
    ObjectId input_, output_;
    gpu::LaunchArrays others_;
  };

  /// Takes what this kernel leaves, applied so many times, as the expected output.
  void expectFrom(const Candidate& candidate, std::int64_t times);
  /// Elements of the expected output.
  [[nodiscard]] std::vector<double> expectedAt(const std::vector<std::uint64_t>& elements);
  /// How far one launch of this kernel is from it. Border points are there before it begins.
  [[nodiscard]] DeviceFields::Difference differenceOf(const Candidate& candidate, double tolerance);

  struct Timing {
    gpu::Spread time;
    int warmups = 0;
    Conditions conditions;  ///< while the kernel ran
  };
  /// Times launches round by round; copies in between.
  Timing time(const Candidate& candidate, const BenchOptions& options);
  /// Hardware counters of one launch. Throws Unavailable.
  [[nodiscard]] Counters counters(const Candidate& candidate);
  /// The fastest kind of copy so far: as many bytes as input and output have, read and written.
  [[nodiscard]] CopyTimes::Best bestCopy() const { return copies_.best(); }

 private:
  std::shared_ptr<const gpu::Device> device_;
  ValueType element_;
  gpu::DeviceMemory input_, output_, expected_;
  DeviceFields fields_;
  Sensors sensors_;
  std::shared_ptr<const CopyTest> copy_;
  LaunchTimer timer_;  ///< its destructor waits for work that uses the arrays
  CopyTimes copies_;
};

}  // namespace haloscope::hardware
