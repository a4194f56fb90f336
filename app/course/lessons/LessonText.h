#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lessons/Course.h"
#include "lessons/Lesson.h"

namespace haloscope::lessons {

/// What stands for a value in a text: the computed number, or nullptr.
using ComputedValue = std::function<const ShownValue*(std::size_t value)>;
/// Its text; "…" while there is none.
[[nodiscard]] std::string textOf(const ShownValue* value);

/// A text about as wide as the value's can become: a line is broken as if it stood there, so that words stay on their
/// lines when the number comes.
[[nodiscard]] std::string roomFor(const Value& value);

/// Spans for a terminal: formulas in one line, code between backticks, links as their words.
[[nodiscard]] std::string plainText(const Spans& spans, const ComputedValue& values);

/// A whole lesson for a terminal, wrapped. `question` prints one; blocks of steps are named.
[[nodiscard]] std::string plainText(const Lesson& lesson, const Course& course, const ComputedValue& values,
                                    const std::function<std::string(std::size_t question)>& question);

/// A page of the manual for a terminal, wrapped, without its pictures; at its end the pages that it refers to.
[[nodiscard]] std::string plainPage(const Lesson& page);

inline constexpr std::size_t kColumns = 80;  ///< of a terminal

/// Text wrapped at so many columns of a terminal, each line after an indent.
[[nodiscard]] std::string wrapped(const std::string& text, const std::string& indent, const std::string& first,
                                  std::size_t most = kColumns);

/// The widths of a table's columns: what each needs, or, where all together have no room, less for those that need more
/// than the others leave them.
[[nodiscard]] std::vector<float> fittedColumns(const std::vector<float>& needs, float room);

}  // namespace haloscope::lessons
