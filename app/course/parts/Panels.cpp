#include "parts/Panels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

struct NamedTab {
  const char* name;
  Tab tab;
};
constexpr std::array kNamedTabs = {
#define HALOSCOPE_NAMED(name) NamedTab{#name, Tab::name},
    HALOSCOPE_PANELS(HALOSCOPE_NAMED)
#undef HALOSCOPE_NAMED
};

}  // namespace

Tab tabNamed(const std::string& name) {
  const auto same = [&](const NamedTab& one) {
    const std::string_view known = one.name;
    return std::ranges::equal(known, name, [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
  };
  const auto found = std::ranges::find_if(kNamedTabs, same);
  if (found != kNamedTabs.end()) { return found->tab; }
  std::vector<const char*> names;
  for (const NamedTab& one : kNamedTabs) { names.push_back(one.name); }
  throw InputError(trf("there is no panel {}; the panels are {}", name, fmt::join(names, ", ")));
}

std::string nameOf(Tab tab) { return kNamedTabs.at(static_cast<std::size_t>(tab)).name; }

}  // namespace haloscope
