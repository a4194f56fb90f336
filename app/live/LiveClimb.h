#pragma once

#include <memory>
#include <optional>
#include <string>

#include "figures/CodeReport.h"
#include "figures/RungCosts.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// Has the rungs of the chosen variant's ladder executed and compiled, one after another, while the tab of the climb is
/// in front. Only settle() waits.
class LiveClimb {
 public:
  explicit LiveClimb(work::Pool& pool);

  /// Once a frame.
  void update(AppState& state);
  /// Waits for all rungs, if the tab is in front.
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return count_.busy() || code_.busy(); }

 private:
  /// A rung, and what its numbers depend on.
  struct Job {
    std::shared_ptr<const KernelFile> file;
    Bindings bindings;
    figures::CodeTarget target{};  ///< to compile for
    bool operator==(const Job& other) const {
      return file->id == other.file->id && file->text == other.file->text && bindings == other.bindings &&
             target == other.target;
    }
  };
  struct Compiled {
    Job job;
    figures::CodeReport report;
    std::string missing;
  };

  void receive(AppState& state);
  static void followOwn(AppState& state);
  static void followDifference(AppState& state);
  void askForCosts(AppState& state, const Climb& climb);
  void askForCode(AppState& state, const Climb& climb);

  std::shared_ptr<const experiment::Experiment> own_;  ///< that AppState::climb has the costs of
  std::optional<figures::CodeReporter> reporter_;      ///< used by code_'s task alone
  work::Worker<Job, figures::RungCosts> count_;
  work::Worker<Job, Compiled> code_;
};

}  // namespace haloscope
