#pragma once

#include <span>
#include <string_view>

namespace haloscope {

/// A term of the window or of the lessons, and its definition.
struct GlossaryTerm {
  const char* word;
  const char* meaning;
};

/// Terms that a student may not know, in alphabetical order. Where authors differ, the definition says which is used.
[[nodiscard]] std::span<const GlossaryTerm> glossary();
/// By its English word; nullptr: there is none.
[[nodiscard]] const GlossaryTerm* findTerm(std::string_view word);

}  // namespace haloscope
