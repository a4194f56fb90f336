#include "program/Launch.h"

#include <fmt/format.h>

namespace haloscope {

std::string text(const Dim3& index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

}  // namespace haloscope
