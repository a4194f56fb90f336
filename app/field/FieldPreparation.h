#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "checking/GpuGate.h"
#include "experiment/Experiment.h"
#include "gpu/KernelProcess.h"
#include "gpu/SweepRunner.h"
#include "render/FieldGrid.h"

namespace haloscope::field {

/// The two arrays of a kernel that sweep after sweep change places.
struct FieldPair {
  ObjectId input = kNone, output = kNone;
};

/// The header's input and output, or, where it names none, the only const and the only other array of equal shape.
/// Throws InputError saying why this kernel cannot be run sweep after sweep.
FieldPair findFieldPair(const KernelFile& file, const Program& program, const Launch& launch);

/// Everything that takes long before a field can be swept, done on a worker thread.
struct PreparedField {
  std::shared_ptr<const experiment::Experiment> experiment;
  render::FieldGrid grid;
  FieldPair pair;
  double sweepBytes = 0;                                  ///< experiment::effectiveBytes() of a sweep
  Launch launch;                                          ///< without the bytes of the pair
  std::shared_ptr<const std::vector<std::byte>> initial;  ///< the field before the first sweep
  std::unique_ptr<gpu::SweepRunner> runner;               ///< null: in a child process, or on the emulator
  std::shared_ptr<gpu::KernelProcess> process;            ///< null: not in a child process
  std::string problem;                                    ///< why the GPU cannot run it, if it was asked to
  bool generated = false;                                 ///< made for a size of its own, not the experiment's input
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
  std::int64_t size = 0;  ///< replaces the sizes of the experiment (all of them, within their ranges); 0 keeps them
  std::shared_ptr<const gpu::Device> device;        ///< null: none in this process
  std::optional<ChildProcessOptions> childProcess;  ///< instead of `device`; without either, `size` is ignored
  bool insisted = false;                            ///< with `childProcess`: also a kernel that the gate refuses
  checking::AskGpuGate gate{};
  std::stop_token stop{};  ///< of the gate's check
  /// A generated field that need not be made again if the new one has its shape.
  render::FieldGrid knownGrid;
  std::shared_ptr<const std::vector<std::byte>> known;
};

/// Slow. Throws InputError, SourceError, Cancelled; experiment::FaultError for a kernel that is not cleared for the
/// GPU, unless `insisted` is set.
PreparedField prepareField(const FieldRequest& request);

}  // namespace haloscope::field
