#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/Counts.h"
#include "analysis/MemoryRequests.h"
#include "analysis/ZeroProducts.h"
#include "catalogue/Catalogue.h"
#include "catalogue/KernelFile.h"
#include "experiment/InputData.h"
#include "inputs/ChosenData.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "recording/BlockView.h"
#include "recording/CarrierPlanes.h"
#include "recording/Film.h"
#include "recording/OutputWrites.h"
#include "recording/Recording.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

/// One choice of variant, sizes, tunables and block, and everything obtained by executing it. The command line prints
/// it, the window draws it.
namespace haloscope::experiment {

/// An output whose value depends on a barrier.
struct OutputDifference {
  std::int64_t element = 0;
  std::uint64_t expected = 0;  ///< bits of its value with the barriers
  bool operator==(const OutputDifference&) const = default;
};

/// An order of the warps in which some outputs differ.
struct RevealingOrder {
  simt::WarpOrder order = simt::WarpOrder::InOrder;
  std::uint64_t seed = 0;       ///< for WarpOrder::Random
  std::size_t differences = 0;  ///< differing outputs of the block
};

/// The effect of removing barriers on a block's outputs: which ones differ from the run with the barriers, and a warp
/// order in which some differ. If the chosen order hides the race, others are tried.
struct BarrierEffect {
  std::vector<OutputDifference> differences;  ///< in the chosen warp order; ascending by element
  std::optional<RevealingOrder> revealing;    ///< if nothing differs: another warp order in which something does
  std::size_t ordersTried = 1;                ///< including the chosen one
};

/// One block of a launch, run with and without barriers.
struct BarrierTrial {
  const Program& with;
  const Program& without;  ///< the same program without some barriers (see withoutBarriers)
  const Launch& launch;    ///< in its initial state
  Dim3 block;
  ObjectId output = kNone;  ///< the compared global array
};

/// Runs the block with the barriers, then without them in the chosen order; if that gives the same outputs, also in
/// order, reversed, adversarial and in some random orders until one differs. Values are compared bit by bit. Empty if
/// a run does not finish.
[[nodiscard]] std::optional<BarrierEffect> barrierEffect(const BarrierTrial& trial, simt::WarpOrder order,
                                                         std::uint64_t seed, const std::stop_token& stop = {});

/// Lowers a variant at its bindings: its tunables become macros. `warnings`, if given, receives what the front end
/// ignored, one line each. Throws frontend::CompileError.
Program compile(const KernelFile& file, const Bindings& bindings, std::vector<std::string>* warnings = nullptr);

/// Thrown for a fault of the kernel during execution: an out-of-bounds access, a divergent barrier, an endless loop.
class FaultError : public SourceError {
 public:
  using SourceError::SourceError;
};

/// The first fault of an execution. The recording shows the steps up to it.
struct Fault {
  SourceRange where;
  std::string message;  ///< one sentence
};

/// The reason why a launch did not finish, or its first out-of-bounds access. Throws Cancelled if it was stopped.
[[nodiscard]] std::optional<Fault> faultOf(const simt::ExecuteResult& result);
/// Throws FaultError if there is one.
void throwIfFaulty(const KernelFile& file, const std::optional<Fault>& fault);

/// What to execute, as requested by the user.
struct Choice {
  std::string kernel{};             ///< catalogue id
  Bindings bindings{};              ///< sizes and tunables that differ from their defaults
  std::optional<Dim3> block{};      ///< the focused block; none: an interior one
  std::set<int> withoutBarriers{};  ///< lines whose `__syncthreads()` is removed; others have no effect
  simt::WarpOrder order = simt::WarpOrder::SideBySide;
  std::uint64_t orderSeed = 0;  ///< for WarpOrder::Random
  inputs::ChosenData data{};    ///< of single arrays, in place of made-up values
  bool operator==(const Choice&) const = default;
};

/// Floating-point operations per byte of global memory, determined in different ways. All but `withStores` count only
/// loads, as in the book; constant memory is not counted.
struct OpPerByte {
  std::optional<double> formula;  ///< the header's
  double executed = 0;            ///< whole grid, counted
  double interiorBlock = 0;       ///< one interior block, counted (of a larger grid if this one has none)
  double withStores = 0;          ///< whole grid, loads and stores
};

/// Totals of one launch.
struct LaunchCounts {
  std::uint64_t flops = 0;
  std::uint64_t globalLoadBytes = 0;
  std::uint64_t globalStoreBytes = 0;
  std::uint64_t constantLoadBytes = 0;
  std::uint64_t sharedLoadBytes = 0;
  std::uint64_t sharedStoreBytes = 0;
  std::uint64_t clusterLoadBytes = 0;  ///< from the shared memory of other blocks of the cluster
  std::uint64_t clusterStoreBytes = 0;
  std::int64_t sharedBytesPerBlock = 0;
  Bindings interiorBindings;    ///< sizes at which the interior block was executed; larger if this grid has none
  analysis::Products products;  ///< of the interior block
  /// Share of the interior block's loaded input points outside its output tile; empty if input and output are not
  /// known.
  std::optional<double> haloFraction{};
  double interiorLoadsPerOutput =
      0;  ///< of global memory, by the interior block; 0: there is none, or it stores nothing
};

/// A point of the roofline plot: a variant of the chosen one's family at the current tunables.
struct RooflinePoint {
  std::string id, title;
  Bindings bindings;              ///< the variant's; a tunable that rejects the current value keeps its default
  std::optional<double> formula;  ///< the header's
  double interiorBlock = 0;       ///< counted, loads only; 0 if there is no such block
};

/// Everything executed for one choice. Immutable; shared between threads.
struct Experiment {
  Choice choice;
  KernelFile file;
  Bindings bindings;  ///< complete
  std::shared_ptr<const Program> program;
  std::shared_ptr<const Program> withBarriers;  ///< the program before Choice::withoutBarriers were removed
  LaunchConfiguration configuration;
  Dim3 block;  ///< the focused one
  InputKind input = InputKind::Blobs;
  LaunchCounts counts;
  OpPerByte opPerByte;
  analysis::Counts grid;              ///< whole grid, with per-statement totals for the heat column
  analysis::MemoryRequests requests;  ///< whole grid: sectors, bank conflicts, broadcasts
  std::shared_ptr<const recording::Recording> recording;
  recording::Footprint footprint;
  std::vector<recording::Carrier> carriers;
  std::vector<recording::CarrierPlane> carrierPlanes;  ///< one for each of them
  std::shared_ptr<const recording::Film> film;         ///< null without a recording
  recording::OutputWrites writes;                      ///< of the footprint's output
  std::shared_ptr<const Launch> launch;                ///< inputs, weights, and outputs after one sweep by the emulator
  bool launchData = false;                             ///< the launch began with the arrays of KernelFile::data
  std::set<int> barriers;  ///< lines of the text on which a barrier begins, also of those left out
  std::vector<std::string> warnings;
  std::optional<BarrierEffect> barrierEffect;  ///< on the focused block, if barriers are removed
  std::optional<Fault> fault;                  ///< of the whole grid; a faulty kernel does not run on a GPU
  std::optional<simt::Outcome> outcome;        ///< of the whole grid; empty if it was not executed
  double compileSeconds = 0, executeSeconds = 0, recordSeconds = 0;  ///< 0 for parts taken from `known`
};

/// Which parts of an experiment to execute.
struct RunOptions {
  bool record = true;     ///< record the focused block
  bool countGrid = true;  ///< execute the whole grid and count
  unsigned workers = 0;   ///< 0: one per core
  InputKind input = InputKind::Blobs;
  std::stop_token stop;
  std::span<simt::Observer* const> observers{};  ///< additional observers of the whole grid
  /// An earlier experiment, or null. Everything unaffected by the change is taken from it: if only the block differs,
  /// the program and all counts over the whole grid; with the same block also the recording.
  std::shared_ptr<const Experiment> known{};
};

/// Executes one experiment on the calling thread. Throws InputError or SourceError (including CompileError), and
/// Cancelled when asked to stop.
std::shared_ptr<const Experiment> run(const KernelFile& file, const Choice& choice, const RunOptions& options = {});
/// As above, for a kernel of the catalogue.
std::shared_ptr<const Experiment> run(const Catalogue& catalogue, const Choice& choice, const RunOptions& options = {});

/// Thrown by whatever is asked to stop (RunOptions::stop); no std::exception, so that no handler of errors takes it.
struct Cancelled {};

/// The launch as it began: Experiment::launch holds the outputs.
[[nodiscard]] Launch initialLaunch(const Experiment& experiment);

/// OP/B of one variant for the roofline: without a recording, executing only the interior block.
RooflinePoint rooflinePoint(const KernelFile& file, const Bindings& bindings, const RunOptions& options = {});

/// The bindings of `from` that `file` declares and whose values it accepts, kept when the variant changes.
Bindings carryOver(const Bindings& from, const KernelFile& file);

}  // namespace haloscope::experiment
