#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "driver/KernelProcess.h"
#include "driver/SweepRunner.h"
#include "experiment/Experiment.h"
#include "measuring/GpuGate.h"
#include "render/FieldGrid.h"

namespace haloscope::field {

/// The arrays that a field consists of, all of one shape.
struct FieldArrays {
  std::vector<ObjectId> objects;
  /// By place in `objects`: the place whose values this array has after a sweep; its own if it stays.
  std::vector<std::size_t> successors{};
  /// Arrays that begin with the values of another one, so that points that no kernel writes are the same in both.
  std::vector<std::pair<std::size_t, std::size_t>> copies;
  std::size_t shown = 0;
  std::string
      noTimeStep;  ///< why a sweep is no step in time, so that each begins with the same input; empty: it is one
  std::string alternating{};  ///< a parameter that is 0 and 1 in turn; empty: none

  /// Whether another kernel's arrays can hold the values of these.
  [[nodiscard]] bool hold(const FieldArrays& other) const {
    return successors == other.successors && shown == other.shown && alternating == other.alternating &&
           noTimeStep.empty() == other.noTimeStep.empty();
  }
  /// Two arrays that change places.
  [[nodiscard]] bool isPair() const { return objects.size() == 2 && successors[0] == 1 && alternating.empty(); }
};

/// Those of the header's problem; else its input and output or, where it names none, the only const and the only other
/// array of equal shape. Throws InputError saying why this kernel cannot be run sweep after sweep.
FieldArrays findFieldArrays(const KernelFile& file, const Bindings& bindings, const Program& program,
                            const Launch& launch, bool sameInput = false);

/// The values of a field, by place in FieldArrays::objects.
using FieldValues = std::vector<std::shared_ptr<const std::vector<std::byte>>>;

/// Everything that takes long before a field can be swept, done on a worker thread.
struct PreparedField {
  std::shared_ptr<const experiment::Experiment> experiment;
  render::FieldGrid grid;
  FieldArrays arrays;
  std::string key;                              ///< FieldControls::key
  double sweepBytes = 0;                        ///< experiment::effectiveBytes() of a sweep
  Launch launch;                                ///< without the bytes of the arrays
  FieldValues initial;                          ///< before the first sweep
  std::unique_ptr<gpu::SweepRunner> runner;     ///< null: in a child process, or on the emulator
  std::shared_ptr<gpu::KernelProcess> process;  ///< null: not in a child process
  std::string problem;                          ///< why the GPU cannot run it, if it was asked to
  bool generated = false;                       ///< made for a size of its own, not the experiment's input
};

/// How a kernel is run on a GPU in a child process, see gpu::KernelProcess.
struct ChildProcessOptions {
  gpu::DeviceOptions device;
  std::filesystem::path program;  ///< Haloscope's executable; empty: this one
  gpu::ProcessLimits limits;
};

/// What to prepare a field for.
struct FieldRequest {
  std::shared_ptr<const experiment::Experiment> experiment;
  std::string key{};
  bool sameInput = false;  ///< each sweep begins with the same input, whatever the kernel computes
  std::int64_t size = 0;   ///< replaces the sizes of the experiment (all of them, within their ranges); 0 keeps them
  std::shared_ptr<const gpu::Device> device{};        ///< null: none in this process
  std::optional<ChildProcessOptions> childProcess{};  ///< instead of `device`; without either, `size` is ignored
  bool insisted = false;                              ///< with `childProcess`: also a kernel that the gate refuses
  measuring::AskGpuGate gate{};
  std::stop_token stop{};  ///< of the gate's check
  /// A generated field that need not be made again if the new one has its shape.
  render::FieldGrid knownGrid{};
  FieldValues known{};
};

/// Slow. Throws InputError, SourceError, Cancelled; experiment::FaultError for a kernel that is not cleared for the
/// GPU, unless `insisted` is set.
PreparedField prepareField(const FieldRequest& request);

}  // namespace haloscope::field
