#include "lessons/Course.h"

#include <algorithm>
#include <cstdlib>

#include "language/Text.h"
#include "program/Misspelling.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

const Lesson* Course::find(const std::string& id) const {
  if (!id.empty() && id == test.id) { return &test; }
  const auto found = std::ranges::find(lessons, id, &Lesson::id);
  return found == lessons.end() ? nullptr : &*found;
}

const Lesson& Course::at(const std::string& id) const {
  if (const Lesson* lesson = find(id)) { return *lesson; }
  const auto meant = std::ranges::find_if(lessons, [&](const Lesson& one) { return isMisspelling(id, one.id); });
  throw InputError(trf("there is no lesson \"{}\"; {}\"haloscope lesson\" lists all {}", id,
                       meant == lessons.end() ? "" : trf("did you mean {}? ", meant->id), lessons.size()));
}

const Lesson* Course::neighbour(const std::string& id, int by) const {
  const auto found = std::ranges::find(lessons, id, &Lesson::id);
  if (found == lessons.end()) { return nullptr; }
  const auto index = found - lessons.begin() + by;
  return index < 0 || index >= static_cast<std::ptrdiff_t>(lessons.size()) ? nullptr
                                                                           : &lessons[static_cast<std::size_t>(index)];
}

std::vector<Chapter> chapters(const Course& course) {
  std::vector<Chapter> list;
  for (const Lesson& lesson : course.lessons) {
    int number = list.empty() ? 0 : list.back().number;
    if (!lesson.section.empty() && lesson.section[0] >= '0' && lesson.section[0] <= '9') {
      number = std::atoi(lesson.section.c_str());
    }
    if (list.empty() || (list.back().number != number && list.back().number != 0)) { list.push_back({number, {}}); }
    if (list.back().number == 0) { list.back().number = number; }
    list.back().lessons.push_back(&lesson);
  }
  return list;
}

std::string titleOf(const Chapter& chapter) {
  return chapter.number == 7   ? tr("Chapter 7: convolution")
         : chapter.number == 8 ? tr("Chapter 8: stencils")
                               : trf("Chapter {}", chapter.number);
}

}  // namespace haloscope::lessons
