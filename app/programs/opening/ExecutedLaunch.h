#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "program/Launch.h"

namespace haloscope::opening {

/// A launch that the program made when it was executed: facts, where the text alone gives clues.
struct ExecutedLaunch {
  std::string symbol;    ///< the kernel's mangled name
  std::string instance;  ///< "heat::sweep<8>"
  LaunchConfiguration configuration;
  std::map<std::string, double> scalars{};         ///< by Parameter::name
  std::map<std::string, std::int64_t> elements{};  ///< behind each pointer, by Parameter::name
  /// A pointer that is not to the beginning of its array, or two to the same one: what a launch with an array for each
  /// parameter finds about accesses to memory need not hold for this one.
  bool sharesArrays = false;
  /// What its arrays of integers held as it began: sizes and offsets of the program's own. Null: nothing is known.
  std::shared_ptr<const std::map<std::string, std::vector<std::byte>>> integers{};
};

}  // namespace haloscope::opening
