#include "running/FirstLaunches.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "language/Text.h"
#include "program/NumberText.h"
#include "running/LaunchDescription.h"

namespace haloscope::running {

namespace {

/// Of all kernels together. Larger arrays are fetched when their launch is selected.
constexpr std::size_t kMaxFirstBytes = std::size_t{64} << 20;

/// Of all arrays: an experiment keeps several copies of them.
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

}  // namespace

FetchedLaunchData launchDataOf(const ProgramRun& run, const std::string& name) {
  if (run.kept == nullptr) { return {nullptr, tr("Executed again, the program did not come to this launch.")}; }
  return launchDataOf(*run.kept, name);
}

FetchedLaunchData launchDataOf(const KeptLaunch& kept, const std::string& name) {
  for (const BoundPointer& pointer : kept.pointers) {
    const auto same = [&](const BoundPointer& other) {
      return &other != &pointer && other.place && pointer.place && other.place->allocation == pointer.place->allocation;
    };
    if (std::ranges::any_of(kept.pointers, same)) {
      return {nullptr,
              tr("Two parameters of this launch point into one array, which is not shown with its own data yet.")};
    }
    if (!pointer.place || pointer.place->offset != 0) {
      return {nullptr, trf("{} does not point to the beginning of an array, so this launch is not shown with its own "
                           "data yet.",
                           pointer.parameter)};
    }
  }
  LaunchData data;
  data.launch = name;
  std::size_t bytes = 0;
  for (const ObjectId array : kept.arrays) {
    bytes += kept.launch.arrays[array].bytes.size();
    if (bytes > kMaxBytes) {
      return {nullptr, tr("The arrays of this launch are too large to be shown with their data.")};
    }
    const std::string& object = kept.program->objects[array].name;
    data.arrays[object] = kept.launch.arrays[array].bytes;
    if (auto words = unwrittenWords(data.arrays[object])) { data.undefined[object] = std::move(words); }
  }
  return {std::make_shared<const LaunchData>(std::move(data)), {}};
}

void FirstLaunches::begin(const ProgramLaunch& launch, const BoundLaunch& bound) {
  const Kernel kernel(launch.file, launch.symbol);
  if (!seen_.insert(kernel).second) { return; }
  std::size_t bytes = 0;
  for (const ArrayData& array : bound.launch.arrays) { bytes += array.bytes.size(); }
  if (bytes_ + bytes > kMaxFirstBytes) { return; }
  FetchedLaunchData data = launchDataOf(keptOf(bound), {});
  if (data.data == nullptr) { return; }
  kept_.emplace(kernel, *data.data);
  bytes_ += bytes;
}

std::map<std::size_t, std::shared_ptr<const LaunchData>> FirstLaunches::of(const ProgramRun& run) && {
  std::map<std::size_t, std::shared_ptr<const LaunchData>> all;
  if (!run.sizes.empty()) { return all; }
  for (auto& [kernel, data] : kept_) {
    const auto launch = std::ranges::find_if(
        run.launches, [&](const ProgramLaunch& one) { return Kernel(one.file, one.symbol) == kernel; });
    if (launch == run.launches.end() || !launch->executed) { continue; }
    const auto index = static_cast<std::size_t>(launch - run.launches.begin());
    data.launch = trf("launch {} of {}", grouped(index + 1), grouped(run.launches.size()));
    all[index] = std::make_shared<const LaunchData>(std::move(data));
  }
  return all;
}

}  // namespace haloscope::running
