#pragma once

#include <span>

namespace haloscope::ui {

/// A term used in the window and its definition.
struct GlossaryTerm {
  const char* word;
  const char* meaning;
};

/// Terms that a student may not know, in alphabetical order. Where authors differ, the definition says which is used.
[[nodiscard]] std::span<const GlossaryTerm> glossary();

}  // namespace haloscope::ui
