#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "catalogue/KernelFile.h"
#include "live/ProgramRunner.h"
#include "measuring/GpuSpecs.h"
#include "state/ProgramView.h"
#include "work/Worker.h"

namespace haloscope {

/// A launch of an executed program.
struct WantedLaunch {
  std::shared_ptr<const ShownProgram> program;
  std::size_t launch = 0;
  measuring::GpuSpec gpu{};  ///< that the program sees
  bool operator==(const WantedLaunch& other) const { return program == other.program && launch == other.launch; }
};

struct FetchedLaunchData {
  std::shared_ptr<const LaunchData> data;
  std::string missing;  ///< why there are none, a sentence
};

/// Executes a program again up to one of its launches, to see what its arrays hold there.
class LaunchDataRunner : public work::Worker<WantedLaunch, FetchedLaunchData> {
 public:
  LaunchDataRunner(work::Pool& pool, ProgramRunner::Execution execution);
};

/// What a launch's arrays hold. `name`: see LaunchData::launch.
[[nodiscard]] FetchedLaunchData launchDataOf(const running::KeptLaunch& kept, const std::string& name);
/// The same of the launch that a run has kept.
[[nodiscard]] FetchedLaunchData launchDataOf(const running::ProgramRun& run, const std::string& name);

}  // namespace haloscope
