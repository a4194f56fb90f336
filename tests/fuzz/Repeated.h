#pragma once

#include <string>

namespace haloscope::test {

/// `text`, `count` times.
inline std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) { all += text; }
  return all;
}

}  // namespace haloscope::test
