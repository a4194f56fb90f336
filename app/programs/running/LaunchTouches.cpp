#include "running/LaunchTouches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "running/LaunchDescription.h"

namespace haloscope::running {

namespace {

constexpr std::uint64_t kMostInstructions = 100'000'000;  ///< of one launch
constexpr std::size_t kMostRecent = 64;
constexpr std::size_t kMostNamed = 1000;
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{256} << 20;

std::uint64_t bytesOf(const Launch& launch) {
  std::uint64_t bytes = 0;
  for (const ArrayData& array : launch.arrays) { bytes += array.bytes.size(); }
  return bytes;
}

std::string keyOf(const ProgramLaunch& launch, const BoundLaunch& bound) {
  return fmt::format("{} {} {}", shapeOf(launch), bound.launch.arguments, bound.allocations);
}

}  // namespace

bool KnownTouches::followsFromArguments(const ProgramLaunch& launch, const Program& program) {
  const auto known = byArguments_.find(launch.symbol);
  if (known != byArguments_.end()) { return known->second; }
  const bool follows = touchesByArguments(program);
  if (byArguments_.size() < kMostNamed) { byArguments_[launch.symbol] = follows; }
  return follows;
}

std::shared_ptr<LaunchTouches> KnownTouches::of(const ProgramLaunch& launch, const BoundLaunch& bound, bool now) {
  const bool fits = bytesOf(bound.launch) <= options_.budget.besideBytes / 4;
  if (!followsFromArguments(launch, *bound.program)) {
    auto one = std::make_shared<LaunchTouches>(LaunchTouches{.program = programOf(launch, bound), .isKnown = true});
    if (now && fits) {
      Launch copy = bound.launch;
      findOut(one, copy);
    }
    return one;
  }
  const std::string key = keyOf(launch, bound);
  const auto known = std::ranges::find(recent_, key, [](const auto& one) { return one.first; });
  if (known != recent_.end()) { return known->second; }
  auto one = std::make_shared<LaunchTouches>(LaunchTouches{.program = programOf(launch, bound), .isKnown = !fits});
  Launch& kept = one->launch;
  kept.configuration = bound.launch.configuration;
  kept.arguments = bound.launch.arguments;
  kept.offsets = bound.launch.offsets;
  kept.mapped = bound.launch.mapped;
  for (const ArrayData& array : bound.launch.arrays) {
    kept.arrays.push_back({.element = array.element, .extents = array.extents, .bytes = {}});
    one->sizes.push_back(array.bytes.size());
  }
  if (recent_.size() == kMostRecent) { recent_.pop_front(); }
  recent_.emplace_back(key, one);
  return one;
}

std::shared_ptr<const Program> KnownTouches::programOf(const ProgramLaunch& launch, const BoundLaunch& bound) {
  if (programs_.size() >= kMostNamed) { return bound.program; }
  std::shared_ptr<const Program>& last = programs_[launch.symbol];
  if (last == nullptr || *last != *bound.program) { last = bound.program; }
  return last;
}

void KnownTouches::findOut(const std::shared_ptr<LaunchTouches>& one, Launch& launch) {
  const std::uint64_t most = std::min(kMostInstructions, instructionsLeft_), bytes = bytesOf(launch);
  if (most == 0 || bytes > bytesLeft_) { return; }
  Touches found =
      touchesOf(*one->program, launch, {.instructions = most, .workers = options_.workers, .stop = options_.stop});
  instructionsLeft_ -= std::min(instructionsLeft_, found.instructions);
  bytesLeft_ -= bytes;
  if (!found.objects) { return; }
  std::uint64_t cost = 0;
  for (const auto& [object, touched] : *found.objects) {
    cost += touched.reads.cost() + touched.writes.cost() + touched.shared.cost();
  }
  for (; keptBytes_ + cost > kMostKeptBytes && !kept_.empty(); kept_.pop_front()) {
    keptBytes_ -= kept_.front().second;
    if (const auto oldest = kept_.front().first.lock()) { oldest->touches.reset(); }
  }
  if (cost > 0) { kept_.emplace_back(one, cost); }
  keptBytes_ += cost;
  one->touches = std::move(found.objects);
}

const TouchedBytes* KnownTouches::find(const std::shared_ptr<LaunchTouches>& one, ObjectId object) {
  if (!std::exchange(one->isKnown, true)) {
    // Whatever the arrays hold.
    Launch launch = std::move(one->launch);
    for (std::size_t i = 0; i < launch.arrays.size(); ++i) {
      const auto spare = std::ranges::find(spare_, one->sizes[i], &std::vector<std::byte>::size);
      if (spare != spare_.end()) { launch.arrays[i].bytes = std::move(*spare); }
      launch.arrays[i].bytes.resize(one->sizes[i]);
    }
    spare_.clear();
    findOut(one, launch);
    for (ArrayData& array : launch.arrays) { spare_.push_back(std::move(array.bytes)); }
  }
  if (!one->touches) { return nullptr; }
  const auto found = one->touches->find(object);
  return found == one->touches->end() ? nullptr : &found->second;
}

}  // namespace haloscope::running
