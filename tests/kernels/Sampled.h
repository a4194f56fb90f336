#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// What a test tries of many things that resemble each other: some at a desk, all before a release.
namespace haloscope::test {

/// Whether all is tried: run_tests.py --thorough.
inline bool isThorough() { return std::getenv("HALOSCOPE_THOROUGH") != nullptr; }

/// Says on standard output how many were tried; run_tests.py adds it up and says it at the end.
inline void sayTried(std::size_t some, std::size_t all, const std::string& what) {
  if (some < all) { fmt::print("[ SAMPLED  ] {} of {} {}\n", some, all, what); }
}

/// Every `step`-th of those in each folder, or all: at least one of each. `pathOf`: of one.
template <typename T, typename PathOf>
std::vector<T> everyNthOfEachFolder(const std::vector<T>& all, std::size_t step, const std::string& what,
                                    const PathOf& pathOf) {
  if (isThorough()) { return all; }
  std::vector<T> some;
  std::map<std::filesystem::path, std::size_t> met;
  for (const T& one : all) {
    const std::filesystem::path path = pathOf(one);
    if (met[path.parent_path()]++ % step == 0) { some.push_back(one); }
  }
  sayTried(some.size(), all.size(), what);
  return some;
}

}  // namespace haloscope::test
