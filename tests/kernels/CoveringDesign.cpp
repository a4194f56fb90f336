#include "CoveringDesign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "KernelCatalogue.h"
#include "Sampled.h"
#include "program/SourceLocation.h"

namespace haloscope::test {

namespace {

using Level = std::pair<std::size_t, std::size_t>;  // factor, level
using Pairs = std::set<std::pair<Level, Level>>;

Pairs allPairs(const std::vector<std::size_t>& levels) {
  Pairs all;
  for (std::size_t a = 0; a < levels.size(); ++a) {
    for (std::size_t b = a + 1; b < levels.size(); ++b) {
      for (std::size_t i = 0; i < levels[a]; ++i) {
        for (std::size_t j = 0; j < levels[b]; ++j) { all.insert({{a, i}, {b, j}}); }
      }
    }
  }
  return all;
}

/// The level of a factor that makes most new pairs with those that are chosen.
Level bestOf(std::size_t factor, std::size_t levels, const std::map<std::size_t, std::size_t>& chosen,
             const Pairs& left) {
  Level best{factor, 0};
  std::size_t most = 0;
  for (std::size_t level = 0; level < levels; ++level) {
    const Level own{factor, level};
    std::size_t fresh = 0;
    for (const auto& [otherFactor, otherLevel] : chosen) {
      const Level other{otherFactor, otherLevel};
      fresh += left.contains(other < own ? std::pair(other, own) : std::pair(own, other)) ? 1 : 0;
    }
    if (fresh > most) {
      most = fresh;
      best = own;
    }
  }
  return best;
}

bool isLaunchable(const KernelFile& file, const Bindings& bindings) {
  try {
    static_cast<void>(file.configuration(file.bind(bindings)));
    return true;
  } catch (const InputError&) {
    return false;  // there is no such block
  }
}

std::vector<std::int64_t> fiveOf(const std::vector<std::int64_t>& values, std::size_t turn) {
  constexpr std::size_t kInner = 3;
  if (values.size() <= kInner + 2) { return values; }
  const std::size_t inner = values.size() - 2;
  std::set<std::int64_t> some{values.front(), values.back()};
  for (std::size_t i = 0; i < kInner; ++i) { some.insert(values[1 + (turn + i * inner / kInner) % inner]); }
  return {some.begin(), some.end()};
}

}  // namespace

std::vector<std::vector<std::size_t>> pairsOf(const std::vector<std::size_t>& levels) {
  std::vector<std::vector<std::size_t>> rows;
  if (levels.size() == 1) {
    for (std::size_t level = 0; level < levels[0]; ++level) { rows.push_back({level}); }
  }
  for (Pairs left = allPairs(levels); !left.empty();) {
    std::map<std::size_t, std::size_t> row{left.begin()->first, left.begin()->second};
    for (std::size_t factor = 0; factor < levels.size(); ++factor) {
      if (!row.contains(factor)) { row.insert(bestOf(factor, levels[factor], row, left)); }
    }
    for (auto a = row.begin(); a != row.end(); ++a) {
      for (auto b = std::next(a); b != row.end(); ++b) { left.erase({Level(*a), Level(*b)}); }
    }
    std::vector<std::size_t>& chosen = rows.emplace_back();
    for (const auto& [factor, level] : row) { chosen.push_back(level); }
  }
  return rows;
}

std::vector<std::int64_t> tileSizesOf(const KernelFile& file, const Tunable& tunable) {
  std::vector<std::int64_t> values;
  for (std::int64_t value = tunable.minimum; value <= tunable.maximum; ++value) {
    if (value > 64 && (value + 1) % 64 > 2) { continue; }
    if (isLaunchable(file, {{tunable.name, value}})) { values.push_back(value); }
  }
  return values;
}

std::vector<Bindings> coveringLaunches(const KernelFile& file, std::size_t turn, const std::vector<std::int64_t>& edges,
                                       std::int64_t apart, bool types) {
  std::vector<std::vector<std::int64_t>> values{edges};
  for (const Tunable& tunable : file.tunables) { values.push_back(fiveOf(tileSizesOf(file, tunable), turn)); }
  if (types && file.precision) {
    for (std::vector<std::int64_t>& of = values.emplace_back(); const ValueType type : file.precision->types) {
      of.push_back(Precision::valueOf(type));
    }
  }
  std::vector<std::size_t> levels;
  for (const auto& of : values) { levels.push_back(of.size()); }
  std::vector<Bindings> launches;
  const std::vector<std::vector<std::size_t>> rows = pairsOf(levels);
  for (const std::vector<std::size_t>& row : rows) {
    Bindings bindings = file.defaults();
    std::int64_t edge = edges[row[0]];
    for (const SizeParameter& size : file.sizes) {
      bindings[size.name] = edge;
      edge += apart;
    }
    for (std::size_t i = 0; i < file.tunables.size(); ++i) {
      bindings[file.tunables[i].name] = values[1 + i][row[1 + i]];
    }
    if (types && file.precision) { bindings[file.precision->macro] = values.back()[row.back()]; }
    for (const Tunable& tunable : file.tunables) {
      if (isLaunchable(file, bindings)) { break; }
      bindings[tunable.name] = tunable.defaultValue;
    }
    if (isLaunchable(file, bindings)) { launches.push_back(std::move(bindings)); }
  }
  sayTried(launches.size(), rows.size(), "combinations, the others without a launch");
  return launches;
}

void eachLaunch(const std::vector<Bindings>& launches, const std::function<void(const Bindings&)>& launch) {
  std::size_t refused = 0;
  for (const Bindings& bindings : launches) {
    try {
      launch(bindings);
    } catch (const InputError& refusal) {
      if (std::string(refusal.what()).find("bytes of shared memory") == std::string::npos) { throw; }
      ++refused;
    }
  }
  EXPECT_LE(2 * refused, launches.size());
}

std::size_t turnOf(const KernelFile& file) {
  const std::vector<std::string> ids = catalogueIds();
  return static_cast<std::size_t>(std::ranges::find(ids, file.id) - ids.begin());
}

}  // namespace haloscope::test
