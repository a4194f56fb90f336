#pragma once

#include <cstddef>
#include <string>

namespace haloscope {

/// The search in the source that is read.
struct SourceSearch {
  bool open = false;
  bool focus = false;  ///< its field is to get the keys; consumed by it
  std::string query{};
  std::ptrdiff_t shown = 0;  ///< which occurrence, from 0; beyond either end it goes on at the other
};

}  // namespace haloscope
