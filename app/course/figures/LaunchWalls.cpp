#include "figures/LaunchWalls.h"

#include <fmt/format.h>

#include <functional>

#include "driver/Occupancy.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "program/NumberText.h"

namespace haloscope::figures {

namespace {

using Quantity = std::function<std::optional<std::int64_t>(std::int64_t value)>;

/// The largest value in [lowest, highest] at which an increasing quantity is within its limit; lowest - 1 if none is.
std::int64_t lastWithin(std::int64_t lowest, std::int64_t highest, std::int64_t limit, const Quantity& quantity) {
  std::int64_t good = lowest - 1;
  std::int64_t bad = highest + 1;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    const std::optional<std::int64_t> amount = quantity(middle);
    (amount && *amount <= limit ? good : bad) = middle;
  }
  return good;
}

std::string kilobytes(std::int64_t bytes) { return fmt::format("{} KB", bytes / 1024); }

}  // namespace

std::vector<LaunchWall> launchWalls(const KernelFile& file, const Bindings& bindings, const std::string& tunable,
                                    std::int64_t highest, const std::string& gpu,
                                    const std::string& computeCapability) {
  const Tunable* known = file.findTunable(tunable);
  if (known == nullptr) { return {}; }
  const auto at = [&](std::int64_t value) {
    Bindings changed = bindings;
    changed[tunable] = value;
    return changed;
  };
  const Quantity threads = [&](std::int64_t value) -> std::optional<std::int64_t> {
    try {
      std::int64_t product = 1;
      for (const Expression& extent : file.block) { product *= extent.evaluateInteger(at(value)); }
      return product;
    } catch (const InputError&) { return std::nullopt; }  // TILE / 2 of an odd tile
  };
  const Quantity shared = [&](std::int64_t value) -> std::optional<std::int64_t> {
    try {
      const Bindings changed = at(value);
      const std::int64_t dynamic = file.dynamicSharedBytes ? file.dynamicSharedBytes->evaluateInteger(changed) : 0;
      return experiment::compile(file, changed).sharedBytes() + dynamic;
    } catch (const UserError&) { return std::nullopt; }
  };
  std::vector<LaunchWall> walls;
  const auto add = [&](std::int64_t limit, const std::string& name, const std::string& what, const std::string& most,
                       const Quantity& quantity) {
    const std::int64_t last = lastWithin(known->minimum, highest, limit, quantity);
    if (last >= highest) { return; }
    const std::optional<std::int64_t> next = quantity(last + 1);
    if (!next) { return; }  // no larger value is known
    walls.push_back({last < known->minimum ? 0 : last, name,
                     trf("{} = {} would take {} {} per block; {}.", tunable, last + 1,
                         grouped(static_cast<std::uint64_t>(*next)), what, most)});
  };
  add(static_cast<std::int64_t>(kMaxThreadsPerBlock), tr("1,024 threads"), "threads", tr("the maximum is 1,024"),
      threads);
  const std::optional<std::int64_t> least = shared(known->minimum);
  const std::optional<std::int64_t> largest = shared(highest);
  if (least && largest && *least == *largest) { return walls; }  // this tunable does not change it
  const std::string bytes = tr("bytes of shared memory");
  add(kMaxSharedBytesPerBlock, trf("{} shared", kilobytes(kMaxSharedBytesPerBlock)), bytes,
      tr("at most 49,152 can be declared statically"), shared);
  if (const auto limits = gpu::limitsOf(computeCapability)) {
    const std::int64_t limit = limits->sharedBytes - limits->reservedSharedBytes;
    add(limit, trf("{} shared", kilobytes(limit)), bytes,
        trf("{} is the maximum per block on {}", grouped(static_cast<std::uint64_t>(limit)), gpu), shared);
  }
  return walls;
}

}  // namespace haloscope::figures
