#include "commands/ManualPages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "language/Language.h"
#include "language/Text.h"
#include "program/Misspelling.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

/// What a topic that the manual does not have may have meant: those that contain it, or it them, then the least
/// misspelt.
std::vector<std::string> nearest(const lessons::Course& manual, const std::string& topic) {
  constexpr std::size_t kMost = 3;
  constexpr int kContained = -1;
  std::vector<std::pair<int, std::string>> names;
  const auto add = [&](const std::string& name) {
    const bool within = name.find(topic) != std::string::npos || topic.find(name) != std::string::npos;
    names.emplace_back(within ? kContained : editDistance(topic, name), name);
  };
  for (const lessons::Lesson& page : manual.lessons) {
    add(page.id);
    std::ranges::for_each(page.commands, add);
  }
  std::ranges::sort(names);
  std::vector<std::string> found;
  for (const auto& [distance, name] : names) {
    if (found.size() < kMost && std::ranges::find(found, name) == found.end()) { found.push_back(name); }
  }
  return found;
}

}  // namespace

lessons::Course readManual() {
  return lessons::Course::readManual(resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "manual",
                                     languageCode(language()));
}

const lessons::Lesson* pageAbout(const lessons::Course& manual, const std::string& topic) {
  if (const lessons::Lesson* const page = manual.find(topic)) { return page; }
  const auto found = std::ranges::find_if(manual.lessons, [&](const lessons::Lesson& page) {
    return std::ranges::find(page.commands, topic) != page.commands.end();
  });
  return found == manual.lessons.end() ? nullptr : &*found;
}

const lessons::Lesson& pageAt(const lessons::Course& manual, const std::string& topic) {
  if (const lessons::Lesson* const page = pageAbout(manual, topic)) { return *page; }
  throw InputError(trf("the manual has no page \"{}\"; the nearest are {}; \"haloscope help\" lists all {}", topic,
                       fmt::join(nearest(manual, topic), tr(", ")), manual.lessons.size()));
}

}  // namespace haloscope
