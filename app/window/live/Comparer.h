#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "state/AppState.h"
#include "state/ComparedBlock.h"
#include "work/Worker.h"

namespace haloscope {

/// Variants to be compared, and the cell.
struct ComparisonRequest {
  std::vector<ComparedRequest> variants;
  CommonCell cell;
};

struct ComparisonResult {
  std::size_t variant = 0;  ///< index into the request's variants
  ComparedBlock block;
};

/// Makes compared blocks one after the other in the background.
class ComparisonRunner : public work::Worker<ComparisonRequest, ComparisonResult> {
 public:
  explicit ComparisonRunner(work::Pool& pool);
};

/// Keeps the variants side by side up to date with the one in focus: their sizes and tunables, the common cell, their
/// blocks, which are made on a worker, and the places of their cursors.
class Comparer {
 public:
  explicit Comparer(work::Pool& pool) : runner_(pool) {}

  /// Once a frame, after the cursor in focus has moved. Never blocks.
  void update(AppState& state);
  /// Waits until all variants are there.
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return runner_.busy(); }

 private:
  /// What a variant's block is made of, but for the cell.
  struct Made {
    experiment::Choice choice;  ///< without a block
    std::uint64_t revision = 0, launch = 0;
    bool operator==(const Made&) const = default;
  };

  static void goBack(AppState& state);
  void followChoice(AppState& state);
  void followExperiment(AppState& state);
  void followCell(AppState& state);
  void ask(AppState& state);
  void receive(AppState& state);
  void lineUp(AppState& state);
  void followTime(AppState& state);

  ComparisonRunner runner_;
  std::vector<Made> asked_;
  std::optional<CommonCell> askedCell_;
  std::shared_ptr<const experiment::Experiment> askedFor_;  ///< the one in focus at that time
  std::vector<recording::Lockstep::Sections> sections_;
};

}  // namespace haloscope
