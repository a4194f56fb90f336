#include "frontend/TellingMacros.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "program/NvccMacros.h"

namespace haloscope::frontend {

namespace {

struct Telling {
  const char* name;
  std::array<const char*, 2> otherwise;  ///< what is defined instead, from behind the name on; the second may be null
};

/// What the compiler answers about itself, or knows of its run.
constexpr auto kTelling = std::to_array<Telling>({
    {"__CUDA_ARCH__", {" 750", " 1000"}},
    {"__cplusplus", {" 201703L", nullptr}},
    {"__has_builtin", {"(x) 0", nullptr}},
    {"__has_attribute", {"(x) 0", nullptr}},
    {"__has_cpp_attribute", {"(x) 0", nullptr}},
    {"__has_c_attribute", {"(x) 0", nullptr}},
    {"__has_include", {"(x) 1", nullptr}},
    {"__has_include_next", {"(x) 1", nullptr}},
    {"__FILE__", {" \"kernel\"", nullptr}},
    {"__FILE_NAME__", {" \"kernel\"", nullptr}},
    {"__BASE_FILE__", {" \"kernel\"", nullptr}},
    {"__INCLUDE_LEVEL__", {" 7", nullptr}},
    {"__COUNTER__", {" 1000", nullptr}},
    {"__DATE__", {" \"Jul 14 2031\"", nullptr}},
    {"__TIME__", {" \"23:51:07\"", nullptr}},
    {"__TIMESTAMP__", {" \"Mon Jul 14 23:51:07 2031\"", nullptr}},
});

}  // namespace

bool isTelling(const std::string& macro) {
  static const std::set<std::string> kNames = [] {
    const std::vector<std::string> clang = macrosOfClang();
    std::set<std::string> names(clang.begin(), clang.end());
    for (const NvccMacro& one : kMacrosOfNvcc) { names.insert(one.name); }
    for (const Telling& one : kTelling) { names.insert(one.name); }
    return names;
  }();
  // The prelude's own begin with this.
  return kNames.contains(macro) || macro.starts_with("HALOSCOPE");
}

std::vector<std::string> otherwise(const std::string& macro) {
  const std::string without = fmt::format("#undef {}\n", macro);
  const auto known = std::ranges::find_if(kTelling, [&](const Telling& one) { return macro == one.name; });
  if (known != kTelling.end()) {
    std::vector<std::string> lines;
    for (const char* other : known->otherwise) {
      if (other != nullptr) { lines.push_back(fmt::format("{}#define {}{}\n", without, macro, other)); }
    }
    return lines;
  }
  // As Clang has it.
  const auto ofNvcc = std::ranges::find_if(kMacrosOfNvcc, [&](const NvccMacro& one) { return macro == one.name; });
  const bool defined = ofNvcc != kMacrosOfNvcc.end() && ofNvcc->value != nullptr;
  const bool ours = macro.starts_with("HALOSCOPE_");
  return {defined || ours ? without : fmt::format("#define {} 1\n", macro)};
}

}  // namespace haloscope::frontend
