#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
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

/// Every `step`-th of them, or all.
template <typename T>
std::vector<T> everyNth(const std::vector<T>& all, std::size_t step, const std::string& what) {
  if (isThorough()) { return all; }
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += step) { some.push_back(all[i]); }
  sayTried(some.size(), all.size(), what);
  return some;
}

}  // namespace haloscope::test
