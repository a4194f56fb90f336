#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace haloscope::lowering {

class ClangSession;

/// The user's integer constants by name: macros, and variables and enumerators at namespace scope.
[[nodiscard]] std::map<std::string, std::int64_t> integerConstants(const ClangSession& session);

}  // namespace haloscope::lowering
