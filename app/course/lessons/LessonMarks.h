#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "lessons/Lesson.h"

/// {{…}} may contain what Markdown would take for its own, | for a column of a table. So MD4C sees a mark instead,
/// which no text of a file contains.
namespace haloscope::lessons {

inline constexpr const char* kCommentBegin = "<!--";

/// Takes a value that was read, and what stands behind its |; returns its index into Lesson::values.
using ValueTaker = std::function<std::size_t(Value value, const LinkPairs& given)>;
using ProblemTaker = std::function<void(int line, const std::string& message)>;

/// The text, which begins in the given line, as MD4C is to see it: with marks for the values, and destinations of links
/// in a form that it takes for one. Lines stay where they are.
[[nodiscard]] std::string marked(std::string_view source, int line, const ValueTaker& take,
                                 const ProblemTaker& problem);

/// The words between the marks of a text, and the index of each value, in their order.
void forEachPart(std::string_view text, const std::function<void(std::string_view)>& words,
                 const std::function<void(std::size_t)>& value);

/// A formula with \text{…} in place of its marks.
[[nodiscard]] std::string withValues(std::string_view formula, const std::function<std::string(std::size_t)>& value);

}  // namespace haloscope::lessons
