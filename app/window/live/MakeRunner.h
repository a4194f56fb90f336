#pragma once

#include <memory>
#include <string>

#include "language/Language.h"
#include "making/MadeKernel.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// A solution to be judged.
struct AskedSolution {
  Solution solution;
  Language language = Language::English;  ///< of the verdict
  bool operator==(const AskedSolution&) const = default;
};

/// The verdict on it.
struct JudgedSolution {
  Solution solution;
  making::MadeKernel made;
};

/// Judges solutions of tasks in the background, when the user asks for it.
class MakeRunner {
 public:
  explicit MakeRunner(work::Pool& pool) : pool_(pool) {}

  /// Once a frame.
  void update(AppState& state);
  /// The same, waiting for the verdict.
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return worker_ != nullptr && worker_->busy(); }

 private:
  using Worker = work::Worker<AskedSolution, JudgedSolution>;
  void ask(const AppState& state);

  work::Pool& pool_;
  std::unique_ptr<Worker> worker_;  ///< made when it is first needed: it keeps the tasks and the catalogue
};

}  // namespace haloscope
