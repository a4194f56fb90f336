#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "program/Launch.h"

namespace haloscope::opening {

/// What a text says of the launch of a kernel that could not be executed.
struct WrittenLaunch {
  std::optional<Dim3> block{};
  bool oneBlock = false;  ///< its grid is 1
};

/// That of the first `kernel<<<…>>>` of a text, as far as its own integers make it: numbers, macros, `constants` (see
/// frontend::TextSummary), and variables that are given a value once.
[[nodiscard]] WrittenLaunch writtenLaunch(const std::string& text, const std::string& kernel,
                                          const std::map<std::string, std::int64_t>& constants);

}  // namespace haloscope::opening
