#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "analysis/BranchDivergence.h"
#include "analysis/ZeroProducts.h"
#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"
#include "figures/InteriorCount.h"
#include "figures/StencilShape.h"
#include "program/SourceLocation.h"
#include "recording/BlockView.h"
#include "simt/Observer.h"

namespace haloscope::figures {
struct CodeReport;
}

namespace haloscope::questions {

/// A kernel at one choice, executed only as far as it is asked about: each part runs when it is first asked for, and is
/// kept. For one thread at a time. Every function but the first three executes; they throw InputError or SourceError
/// for a launch that is not possible or a kernel that fails, and experiment::Cancelled when asked to stop.
class Execution {
 public:
  /// Throws InputError as KernelFile::bind and KernelFile::configuration. `known`: what it has in common with this
  /// experiment, such as the program, is not made again.
  Execution(const KernelFile& file, const experiment::Choice& choice, std::stop_token stop = {},
            std::shared_ptr<const experiment::Experiment> known = {});

  /// Another stop token for what is executed from now on.
  void stopWith(std::stop_token stop) { stop_ = std::move(stop); }

  [[nodiscard]] const KernelFile& file() const { return file_; }
  [[nodiscard]] const Bindings& bindings() const { return bindings_; }  ///< complete
  [[nodiscard]] const LaunchConfiguration& configuration() const { return configuration_; }
  /// The most of what was executed; nullptr: nothing yet.
  [[nodiscard]] std::shared_ptr<const experiment::Experiment> known() const {
    return counted_ ? counted_ : recorded_ ? recorded_ : lowered_;
  }

  /// With the whole grid counted.
  const experiment::Experiment& counted();
  /// With the chosen block recorded; the middle one if none was chosen.
  const experiment::Experiment& recorded();
  std::shared_ptr<const experiment::Experiment> keptRecording();  ///< the same, for use beyond this object's lifetime
  /// The same of the block that writes an element of the output. Throws InputError if none does.
  const experiment::Experiment& recordedBlockOf(std::int64_t element);
  /// An interior block, of a larger grid if this one has none.
  const figures::InteriorCount& interior();
  const Program& program() { return *lowered().program; }
  /// The array that the launch writes. Throws InputError if it writes none.
  ObjectId output();
  const std::vector<std::int64_t>& outputExtents();
  /// Elements of the output that no thread writes, ascending.
  const std::vector<std::int64_t>& kept();
  const analysis::Products& products();
  /// Of the whole grid; of the chosen block.
  const analysis::BranchDivergence& divergence();
  const analysis::BranchDivergence& divergenceOfBlock();
  /// By NVIDIA's compiler, for sm_90. Throws MissingError without one.
  const figures::CodeReport& code();
  /// Offsets of the points that an output is computed from: as traced here or, where the grid is too small for that, in
  /// a larger one; where neither can be traced, as the header states them. Throws InputError if it states none.
  const std::vector<recording::GridPoint>& taps();
  /// Points that a written output lacks: tap by tap, those that it was not computed from although a whole output is.
  /// Traced or, where the grid is too large for that, those of the header that lie outside the input.
  const std::vector<recording::GridPoint>& missingPoints();
  /// Whether, since it was last asked, taps() or missingPoints() said what the header states instead of what was
  /// traced.
  [[nodiscard]] bool takeByDefinition() { return std::exchange(byDefinition_, false); }

 private:
  /// Points, and whether they were traced.
  struct Points {
    std::vector<recording::GridPoint> list;
    bool traced = true;
  };
  const std::vector<recording::GridPoint>& told(const Points& points);
  /// Nothing if the grid is too small.
  std::optional<Points> tracedTaps();
  Points tracedTapsOfLargerGrid();
  Points definedTaps();
  Points tracedMissing();
  Points definedMissing();
  const experiment::Experiment& lowered();
  experiment::RunOptions options(bool record, bool count) const;
  /// Executes the grid or, if given, one block of it.
  void observe(simt::Observer& observer, std::optional<Dim3> block = std::nullopt);

  KernelFile file_;
  experiment::Choice choice_;
  std::stop_token stop_;
  Bindings bindings_;
  LaunchConfiguration configuration_;
  std::shared_ptr<const experiment::Experiment> before_;  ///< known from elsewhere
  std::shared_ptr<const experiment::Experiment> lowered_, counted_, recorded_, recordedOther_;
  std::optional<figures::InteriorCount> interior_;
  std::optional<std::vector<std::int64_t>> kept_;
  std::optional<analysis::Products> products_;
  std::optional<analysis::BranchDivergence> divergence_, divergenceOfBlock_;
  std::shared_ptr<const figures::CodeReport> code_;
  std::optional<Points> taps_, missing_;
  bool byDefinition_ = false;
};

/// A sentence of a figure as the message of an error.
[[nodiscard]] InputError errorOf(std::string sentence);

}  // namespace haloscope::questions
