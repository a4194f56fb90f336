#pragma once

#include <string>

namespace haloscope {

/// JSON as it was, but with \u202e for each character that is invisible or changes the direction of others.
[[nodiscard]] std::string visibleJson(std::string json);

/// A document of nlohmann's as text, `indent` blanks a level, or on one line (-1). A name of a file need not be UTF-8:
/// what is not becomes the replacement character.
template <typename Json>
[[nodiscard]] std::string jsonText(const Json& document, int indent = -1) {
  return visibleJson(document.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace haloscope
