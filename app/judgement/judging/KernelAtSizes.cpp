#include "judging/KernelAtSizes.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "checking/ResizedLaunches.h"
#include "running/KernelTexts.h"

namespace haloscope::judging {

namespace {

using checking::SiblingRunner;

/// Of a program up to the launch in question.
constexpr std::chrono::seconds kLongest{5};
/// Of an array, for a launch that no program makes.
constexpr std::int64_t kMostProposed = std::int64_t{1} << 23;

/// None where pointers lead into the same array, or to none.
std::optional<SiblingRunner> runnerOf(const running::KeptLaunch& kept, const running::ProgramLaunch& launch) {
  if (launch.facts.sharesArrays) { return std::nullopt; }
  for (const running::BoundPointer& pointer : kept.pointers) {
    if (kept.launch.arrays[pointer.object].bytes.empty()) { return std::nullopt; }
  }
  return checking::runnerOf(kept.program, kept.launch);
}

}  // namespace

KernelAtSizes::KernelAtSizes(CheckedKernel& row, const ExecutedProgram* program) : row_(row), program_(program) {
  if (row.text) { sibling_ = {.file = &*row.text, .bindings = row.bindings, .report = &*row.report}; }
  if (program_ != nullptr) {
    const auto& launches = program_->run.launches;
    const auto first = std::ranges::find_if(launches, [&](const running::ProgramLaunch& one) {
      return one.program != nullptr && isOfRow(one, program_->files.folder, row);
    });
    if (first == launches.end()) {
      program_ = nullptr;
    } else {
      launch_ = static_cast<std::size_t>(first - launches.begin());
      executed_ = running::withSizes(program_->files.program, program_->run.sizes);
      arguments_ = running::withSizes(program_->options.arguments, program_->run.sizes);
      offered_ = running::offeredSizes(executed_, arguments_, running::Offered::Any);
      const auto kept = program_->first.find(first->symbol);
      if (kept != program_->first.end()) {
        own_ = runnerOf(*kept->second, *first);
        if (sibling_) {
          sibling_->own = &kept->second->launch;
          sibling_->ownProgram = kept->second->program;
        }
      }
    }
  }
  if (!own_ && sibling_) { own_ = checking::runnerOf(*sibling_, row.bindings); }
}

bool KernelAtSizes::isSize(const std::string& name) const { return row_.text && row_.text->findSize(name) != nullptr; }

std::optional<std::int64_t> KernelAtSizes::elements(const std::map<std::size_t, std::int64_t>& integers) const {
  if (!sibling_ || !own_) { return std::nullopt; }
  const auto first = static_cast<std::size_t>(std::ranges::find(own_->written, true) - own_->written.begin());
  const ArrayDeclaration* array = row_.text->findArray(own_->program().objects[own_->arrays[first]].name);
  if (array == nullptr) { return std::nullopt; }
  Bindings bindings = row_.bindings;
  for (const auto& [scalar, value] : integers) {
    const std::string& name = own_->program().parameters[own_->scalars.at(scalar)].name;
    if (isSize(name)) { bindings[name] = value; }
  }
  double count = 1;
  try {
    for (const std::int64_t extent : array->extents(bindings)) { count *= static_cast<double>(extent); }
  } catch (const InputError&) { return std::nullopt; }
  return count < 1e15 ? std::optional(static_cast<std::int64_t>(count)) : std::nullopt;
}

std::vector<SiblingRunner> KernelAtSizes::proposed(const std::map<std::size_t, std::int64_t>& integers) const {
  return elements(integers).value_or(kMostProposed + 1) <= kMostProposed
             ? checking::resizedLaunches(*sibling_, *own_, integers)
             : std::vector<SiblingRunner>{};
}

std::optional<SiblingRunner> KernelAtSizes::launchedWith(const std::vector<running::ChangedSize>& changes,
                                                         const std::stop_token& stop) const {
  running::RunOptions options = program_->options;
  options.arguments = running::withSizes(arguments_, changes);
  options.keepLaunch = launch_;
  options.stop = stop;
  options.budget.checkedLaunches = 0;
  options.budget.hostTime = std::min<std::chrono::milliseconds>(options.budget.hostTime, kLongest);
  options.budget.kernelTime = std::min<std::chrono::milliseconds>(options.budget.kernelTime, kLongest);
  const running::ProgramRun run = running::run(running::withSizes(executed_, changes), options);
  if (run.kept == nullptr || run.launches.size() <= launch_) { return std::nullopt; }
  const running::ProgramLaunch& launch = run.launches[launch_];
  // The symbol of a template's instance may have a size in it.
  const std::string& before = program_->run.launches[launch_].kernel;
  if (running::baseName(launch.kernel) != running::baseName(before)) { return std::nullopt; }
  return runnerOf(*run.kept, launch);
}

std::optional<SiblingRunner> KernelAtSizes::launched(const std::vector<WantedSize>& sizes,
                                                     const std::function<bool(const SiblingRunner&)>& isWanted,
                                                     const std::stop_token& stop) const {
  if (program_ == nullptr || sizes.empty()) { return std::nullopt; }
  std::vector<std::vector<running::ChangedSize>> tried;
  for (const bool byName : {true, false}) {
    std::vector<running::ChangedSize> changes;
    for (const WantedSize& size : sizes) {
      const auto hasValue = [&](const running::OfferedSize& one) { return one.value == size.from; };
      const auto hasName = [&](const running::OfferedSize& one) { return hasValue(one) && one.name == size.name; };
      const bool named = byName && std::ranges::any_of(offered_, hasName);
      if (std::ranges::none_of(offered_, hasValue)) { return std::nullopt; }
      for (const running::OfferedSize& one : offered_) {
        const auto isIt = [&](const running::ChangedSize& known) {
          return known.size.name == one.name && known.size.argument == one.argument && known.size.value == one.value;
        };
        const bool meant = named ? hasName(one) : hasValue(one);
        if (meant && std::ranges::none_of(changes, isIt)) { changes.push_back({one, size.to}); }
      }
    }
    if (std::ranges::find(tried, changes) != tried.end()) { break; }
    tried.push_back(changes);
    std::optional<SiblingRunner> runner = launchedWith(changes, stop);
    if (runner && isWanted(*runner)) { return runner; }
  }
  return std::nullopt;
}

}  // namespace haloscope::judging
