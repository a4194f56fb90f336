#include "live/FirstLaunches.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "language/Text.h"
#include "live/LaunchDataRunner.h"
#include "program/NumberText.h"
#include "running/LaunchDescription.h"

namespace haloscope {

namespace {

/// Of all kernels together. Larger arrays are fetched when their launch is selected.
constexpr std::size_t kMaxFirstBytes = std::size_t{64} << 20;

}  // namespace

void FirstLaunches::begin(const running::ProgramLaunch& launch, const running::BoundLaunch& bound) {
  const Kernel kernel(launch.file, launch.symbol);
  if (!seen_.insert(kernel).second) { return; }
  std::size_t bytes = 0;
  for (const ArrayData& array : bound.launch.arrays) { bytes += array.bytes.size(); }
  if (bytes_ + bytes > kMaxFirstBytes) { return; }
  FetchedLaunchData data = launchDataOf(running::keptOf(bound), {});
  if (data.data == nullptr) { return; }
  kept_.emplace(kernel, *data.data);
  bytes_ += bytes;
}

std::map<std::size_t, std::shared_ptr<const LaunchData>> FirstLaunches::of(const running::ProgramRun& run) && {
  std::map<std::size_t, std::shared_ptr<const LaunchData>> all;
  if (!run.sizes.empty()) { return all; }
  for (auto& [kernel, data] : kept_) {
    const auto launch = std::ranges::find_if(
        run.launches, [&](const running::ProgramLaunch& one) { return Kernel(one.file, one.symbol) == kernel; });
    if (launch == run.launches.end() || !launch->executed) { continue; }
    const auto index = static_cast<std::size_t>(launch - run.launches.begin());
    data.launch = trf("launch {} of {}", grouped(index + 1), grouped(run.launches.size()));
    all[index] = std::make_shared<const LaunchData>(std::move(data));
  }
  return all;
}

}  // namespace haloscope
