#include "opening/NamedKernel.h"

namespace haloscope::opening {

NamedKernel namedKernel(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !text.substr(0, colon).ends_with(".cu")) { return {text, ""}; }
  return {text.substr(0, colon), std::string(text.substr(colon + 1))};
}

}  // namespace haloscope::opening
