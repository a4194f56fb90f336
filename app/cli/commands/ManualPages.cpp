#include "commands/ManualPages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "language/Language.h"
#include "language/Text.h"
#include "program/Misspelling.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

std::vector<std::string> topicsOf(const lessons::Course& manual) {
  std::vector<std::string> topics;
  for (const lessons::Lesson& page : manual.lessons) {
    topics.push_back(page.id);
    topics.insert(topics.end(), page.commands.begin(), page.commands.end());
  }
  return topics;
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
                       fmt::join(nearestNames(topic, topicsOf(manual)), tr(", ")), manual.lessons.size()));
}

}  // namespace haloscope
