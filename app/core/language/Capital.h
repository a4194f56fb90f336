#pragma once

#include <string>

namespace haloscope {

/// With a capital first letter. Only letters of English are changed: the first byte of a Chinese character is none.
[[nodiscard]] inline std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

}  // namespace haloscope
