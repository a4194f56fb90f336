#pragma once

#include <string>
#include <string_view>

#include "frontend/Frontend.h"

/// assert() of <assert.h>, which counts unless NDEBUG is defined where that is included. Texts that do not include it
/// have it, too: nvcc includes it before them.
namespace haloscope::frontend {

inline constexpr char kAssertHeader[] = R"cuda(
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) haloscope_assert(static_cast<bool>(condition), #condition)
#endif
)cuda";

[[nodiscard]] inline bool isAssertHeader(std::string_view name) { return name == "assert.h" || name == "cassert"; }

/// What a text begins with, under NDEBUG as it is given.
[[nodiscard]] inline std::string assertBefore(const CompileOptions& options) {
  return (options.defines.contains("NDEBUG") ? "#define NDEBUG 1\n" : "") + std::string(kAssertHeader);
}

}  // namespace haloscope::frontend
