#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "figures/CodeReport.h"
#include "figures/RungCosts.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// Has the rungs of the chosen variant's climb executed and compiled, one after another, and their sources compared,
/// while the tab of the climb is in front. Only settle() waits.
class LiveClimb {
 public:
  explicit LiveClimb(work::Pool& pool);

  /// Once a frame.
  void update(AppState& state);
  /// Waits for all rungs, if the tab is in front.
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return count_.busy() || code_.busy() || compare_.busy(); }

 private:
  /// A rung, and what its numbers depend on.
  struct Job {
    std::shared_ptr<const KernelFile> file;
    Bindings bindings;
    figures::CodeTarget target{};                         ///< to compile for
    std::shared_ptr<const experiment::Experiment> own{};  ///< of an opened file, already executed
    bool operator==(const Job& other) const {
      return file->id == other.file->id && file->text == other.file->text && bindings == other.bindings &&
             target == other.target && own == other.own;
    }
  };
  struct Compiled {
    Job job;
    figures::CodeReport report;
    std::string missing;
  };

  /// What the rows are made from, so that they are made once for each change.
  struct Inputs {
    std::string chosen, own;
    std::map<std::string, std::shared_ptr<const figures::RungCosts>> costs;
    std::map<std::string, std::shared_ptr<const measuring::HardwareReading>> readings;
    std::size_t compiled = 0, measured = 0, recorded = 0;
    int gpu = 0;  ///< chosen
    bool operator==(const Inputs&) const = default;
  };
  struct Compared {
    SourceDifference::Source below, above;
    bool operator==(const Compared&) const = default;
  };

  void receive(AppState& state);
  /// Whether they are others than the last time, or a text is.
  bool inputsChanged(const AppState& state);
  void followDifference(AppState& state);
  void askForOwn(AppState& state);
  void askForCosts(AppState& state, const Climb& climb);
  void askForCode(AppState& state, const Climb& climb);

  std::shared_ptr<const experiment::Experiment> own_;  ///< that the costs were asked of
  std::optional<Inputs> shown_;                        ///< of AppState::climb's rows
  std::vector<std::string> texts_;                     ///< of the catalogue then
  std::size_t compiled_ = 0;                           ///< reports that were received
  std::optional<figures::CodeReporter> reporter_;      ///< used by code_'s task alone
  work::Worker<Job, figures::RungCosts> count_;
  work::Worker<Job, Compiled> code_;
  work::Worker<Compared, SourceDifference> compare_;
};

}  // namespace haloscope
