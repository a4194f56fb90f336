#include "measuring/TileSearch.h"

#include <algorithm>
#include <cstddef>
#include <optional>
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

/// `from` with the next value of one tunable up (1) or down (-1) that is possible, at least `factor` away; nothing
/// beyond the last one.
std::optional<Bindings> stepped(const KernelFile& file, const Bindings& from, const std::string& axis, int direction,
                                std::int64_t factor = 1) {
  const std::int64_t own = from.at(axis);
  std::vector<std::int64_t> values = triedValues(*file.findTunable(axis), own);
  if (direction < 0) { std::ranges::reverse(values); }
  for (const std::int64_t value : values) {
    const bool beyond = direction > 0 ? value > own && value >= own * factor : value < own && value * factor <= own;
    Bindings to = from;
    to[axis] = value;
    if (beyond && isPossible(file, to)) { return to; }
  }
  return std::nullopt;
}

class Climb {
 public:
  Climb(const KernelFile& file, const Bindings& begin, int candidates, const TimeTiles& time)
      : file_(file), axes_(tuningAxes(file)), candidates_(candidates), time_(time), search_{.best = begin} {}

  TileSearch run() {
    tryAll({search_.best});
    while (left() > 0 && (alongEachAxis() || alongTwoAxes())) {}
    return search_;
  }

 private:
  [[nodiscard]] int left() const { return std::max(candidates_ - search_.tried, 0); }

  /// Whether one of them is faster than the best one so far, whose place it takes.
  bool tryAll(const std::vector<Bindings>& wanted) {
    std::vector<Bindings> all;
    for (const Bindings& one : wanted) {
      const bool first = search_.tried == 0;
      if (static_cast<int>(all.size()) < std::max(left(), first ? 1 : 0) && isPossible(file_, one) &&
          tried_.insert(one).second) {
        all.push_back(one);
      }
    }
    if (all.empty()) { return false; }
    const std::vector<double> times = time_(all);
    search_.tried += static_cast<int>(all.size());
    bool better = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (times[i] <= 0 || (search_.milliseconds > 0 && times[i] >= search_.milliseconds)) { continue; }
      search_.best = all[i];
      search_.milliseconds = times[i];
      better = true;
    }
    return better;
  }

  /// The next values of each tunable in turn: those beside its own, and from a better one on as long as they help.
  bool alongEachAxis() {
    bool better = false;
    for (const std::string& axis : axes_) {
      const std::int64_t own = search_.best.at(axis);
      std::vector<Bindings> beside;
      for (const int direction : {1, -1}) {
        if (auto one = stepped(file_, search_.best, axis, direction)) { beside.push_back(*std::move(one)); }
      }
      if (!tryAll(beside)) { continue; }
      better = true;
      const int direction = search_.best.at(axis) > own ? 1 : -1;
      for (auto next = stepped(file_, search_.best, axis, direction); next && tryAll({*next});) {
        next = stepped(file_, search_.best, axis, direction);
      }
    }
    return better;
  }

  /// Two tunables at once, where neither alone helps, such as half the rows a thread in a block twice as high.
  bool alongTwoAxes() {
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      for (std::size_t b = a + 1; b < axes_.size(); ++b) {
        std::vector<Bindings> both;
        for (const int first : {1, -1}) {
          const auto one = stepped(file_, search_.best, axes_[a], first, 2);
          for (const int second : {-1, 1}) {
            if (auto two = one ? stepped(file_, *one, axes_[b], second, 2) : std::nullopt) {
              both.push_back(*std::move(two));
            }
          }
        }
        if (tryAll(both)) { return true; }
      }
    }
    return false;
  }

  const KernelFile& file_;
  std::vector<std::string> axes_;
  int candidates_;
  const TimeTiles& time_;
  TileSearch search_;
  std::set<Bindings> tried_;
};

}  // namespace

TileSearch searchTiles(const KernelFile& file, const Bindings& begin, int candidates, const TimeTiles& time) {
  return Climb(file, begin, candidates, time).run();
}

}  // namespace haloscope::measuring
