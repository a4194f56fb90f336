#include "measuring/TileSearch.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "measuring/TuningMap.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

bool isPossible(const KernelFile& file, const Bindings& bindings) {
  try {
    static_cast<void>(file.configuration(file.bind(bindings)));
    return true;
  } catch (const InputError&) { return false; }
}

/// `from` with the other values of one tunable, those closest to its own first, as many as may still be tried.
std::vector<Bindings> neighboursAlong(const KernelFile& file, const std::string& axis, const Bindings& from,
                                      const std::set<Bindings>& tried, std::size_t most) {
  const std::int64_t own = from.at(axis);
  std::vector<std::int64_t> values = triedValues(*file.findTunable(axis), own);
  const auto distance = [&](std::int64_t value) {
    return std::abs(std::log2(static_cast<double>(std::max<std::int64_t>(value, 1))) -
                    std::log2(static_cast<double>(std::max<std::int64_t>(own, 1))));
  };
  std::ranges::stable_sort(values, {}, distance);
  std::vector<Bindings> found;
  for (const std::int64_t value : values) {
    Bindings candidate = from;
    candidate[axis] = value;
    if (found.size() < most && !tried.contains(candidate) && isPossible(file, candidate)) {
      found.push_back(std::move(candidate));
    }
  }
  return found;
}

}  // namespace

TileSearch searchTiles(const KernelFile& file, const Bindings& begin, int candidates, const TimeTiles& time) {
  TileSearch search{.best = begin};
  std::set<Bindings> tried;
  const auto tryAll = [&](const std::vector<Bindings>& all) {
    if (all.empty()) { return false; }
    const std::vector<double> times = time(all);
    const Bindings before = search.best;
    for (std::size_t i = 0; i < all.size(); ++i) {
      tried.insert(all[i]);
      ++search.tried;
      if (times[i] <= 0 || (search.milliseconds > 0 && times[i] >= search.milliseconds)) { continue; }
      search.best = all[i];
      search.milliseconds = times[i];
    }
    return search.best != before;
  };
  tryAll({begin});
  for (bool better = true; better && search.tried < candidates;) {
    better = false;
    for (const std::string& axis : tuningAxes(file)) {
      const auto left = static_cast<std::size_t>(std::max(candidates - search.tried, 0));
      better |= tryAll(neighboursAlong(file, axis, search.best, tried, left));
    }
  }
  return search;
}

}  // namespace haloscope::measuring
