#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "catalogue/KernelFile.h"
#include "live/ProgramRunner.h"
#include "measuring/GpuSpecs.h"
#include "running/FirstLaunches.h"
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

/// Executes a program again up to one of its launches, to see what its arrays hold there.
class LaunchDataRunner : public work::Worker<WantedLaunch, running::FetchedLaunchData> {
 public:
  LaunchDataRunner(work::Pool& pool, ProgramRunner::Execution execution);
};

}  // namespace haloscope
