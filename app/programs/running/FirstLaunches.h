#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "catalogue/KernelFile.h"
#include "running/LaunchBinding.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

struct FetchedLaunchData {
  std::shared_ptr<const LaunchData> data;
  std::string missing;  ///< why there are none, a sentence
};

/// What a launch's arrays hold. `name`: see LaunchData::launch.
[[nodiscard]] FetchedLaunchData launchDataOf(const KeptLaunch& kept, const std::string& name);
/// The same of the launch that a run has kept.
[[nodiscard]] FetchedLaunchData launchDataOf(const ProgramRun& run, const std::string& name);

/// What the arrays of each kernel hold at its first launch, kept while a program runs: shown without executing it
/// again.
class FirstLaunches {
 public:
  /// A launch that is about to be executed. Copies its arrays if it is its kernel's first and they are small.
  void begin(const ProgramLaunch& launch, const BoundLaunch& bound);
  /// By the launch's index in the run. Empty if the program was executed with other sizes than its own.
  [[nodiscard]] std::map<std::size_t, std::shared_ptr<const LaunchData>> of(const ProgramRun& run) &&;

 private:
  using Kernel = std::pair<std::string, std::string>;  ///< its file and its symbol

  std::set<Kernel> seen_;
  std::map<Kernel, LaunchData> kept_;
  std::size_t bytes_ = 0;  ///< of them
};

}  // namespace haloscope::running
