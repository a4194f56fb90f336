#pragma once

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
#include "experiment/BarrierEffect.h"
#include "experiment/InputData.h"
#include "program/Catalogue.h"
#include "program/KernelFile.h"
#include "recording/BlockView.h"
#include "recording/OutputWrites.h"
#include "recording/Recording.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

/// One choice of variant, sizes, tunables and block, and everything that executing it yields. The middle of the
/// program: the command line prints it, the window draws it, tests pin it.
namespace haloscope::experiment {

/// Lowers a variant at its bindings: its tunables become macros. `warnings`, when given, receives what the front end
/// passed over, one line each. Throws frontend::CompileError.
Program compile(const KernelFile& file, const Bindings& bindings, std::vector<std::string>* warnings = nullptr);

/// An execution that came upon a fault of the kernel: an access out of bounds, a divergent barrier, an endless loop.
class FaultError : public SourceError {
 public:
  using SourceError::SourceError;
};

/// What an execution came upon first. The recording still shows how it got there.
struct Fault {
  SourceRange where;
  std::string message;  ///< one sentence
};

/// What kept a launch from its end, or let it leave its arrays. Throws Cancelled where it was stopped.
[[nodiscard]] std::optional<Fault> faultOf(const simt::ExecuteResult& result);
/// Throws FaultError if there is one.
void throwIfFaulty(const KernelFile& file, const std::optional<Fault>& fault);

/// What a person asks for.
struct Choice {
  std::string kernel;               ///< catalogue id
  Bindings bindings;                ///< sizes and tunables that differ from their defaults
  std::optional<Dim3> block;        ///< the focused block; none: an interior one
  std::set<int> withoutBarriers{};  ///< lines of the text whose `__syncthreads()` is left out; others have no effect
  simt::WarpOrder order = simt::WarpOrder::SideBySide;
  std::uint64_t orderSeed = 0;  ///< of WarpOrder::Random
  bool operator==(const Choice&) const = default;
};

/// Floating-point operations per byte of global memory, counted in different ways. All but `withStores` count loads
/// only, as the book does; constant memory is not global memory.
struct OpPerByte {
  std::optional<double> formula;  ///< the header's
  double executed = 0;            ///< whole grid, counted
  double interiorBlock = 0;       ///< one interior block, counted (of a larger grid where this one has none)
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
  std::int64_t sharedBytesPerBlock = 0;
  Bindings interiorBindings;    ///< sizes at which the interior block was executed: larger ones if this grid has none
  analysis::Products products;  ///< of the interior block
  /// Of the interior block: share of loaded input points outside its output tile; nothing where no two arrays are
  /// known.
  std::optional<double> haloFraction{};
};

/// A point of the roofline plot: one variant of the chosen one's family at the current tunables.
struct RooflinePoint {
  std::string id, title;
  Bindings bindings;  ///< the point's own: a tile size that the chosen one does not fit stays at its default
  std::optional<double> formula;  ///< the header's
  double interiorBlock = 0;       ///< counted, loads only; 0 if there is no such block
};

/// Everything executed from one choice. Immutable once made; shared between threads.
struct Experiment {
  Choice choice;
  KernelFile file;
  Bindings bindings;  ///< all of them
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
  recording::OutputWrites writes;        ///< of the footprint's output
  std::shared_ptr<const Launch> launch;  ///< inputs, weights, and outputs after one sweep by the emulator
  std::set<int> barriers;                ///< lines of the text on which a barrier begins, also of those left out
  std::vector<std::string> warnings;
  std::optional<BarrierEffect> barrierEffect;  ///< on the focused block, where barriers are taken out
  std::optional<Fault> fault;                  ///< of the whole grid; a faulty kernel is not given to a GPU
  std::optional<simt::Outcome> outcome;        ///< of the whole grid; none: it was not executed
  double compileSeconds = 0, executeSeconds = 0, recordSeconds = 0;  ///< 0 for what an earlier experiment provided
};

/// How much of an experiment to make.
struct RunOptions {
  bool record = true;     ///< record the focused block
  bool countGrid = true;  ///< execute the whole grid and count
  unsigned workers = 0;   ///< 0: one per core
  InputKind input = InputKind::Blobs;
  std::stop_token stop;
  std::span<simt::Observer* const> beside{};  ///< what else observes the whole grid
  /// An earlier experiment, or null. What cannot have changed since is taken from it: where only the block differs, the
  /// program and everything counted over the whole grid; with the same block, the recording too.
  std::shared_ptr<const Experiment> known{};
};

/// Makes one experiment, on the calling thread. Throws InputError or SourceError (CompileError among them); throws
/// Cancelled when asked to stop.
std::shared_ptr<const Experiment> run(const KernelFile& file, const Choice& choice, const RunOptions& options = {});
/// As above, of the catalogue's kernel.
std::shared_ptr<const Experiment> run(const Catalogue& catalogue, const Choice& choice, const RunOptions& options = {});

struct Cancelled {};

/// OP/B of one variant, without a recording and with the interior block alone executed: what the roofline needs.
RooflinePoint rooflinePoint(const KernelFile& file, const Bindings& bindings, const RunOptions& options = {});

/// The bindings of `from` that `file` knows and whose values it can take: what carries over when the variant changes.
Bindings carryOver(const Bindings& from, const KernelFile& file);

}  // namespace haloscope::experiment
