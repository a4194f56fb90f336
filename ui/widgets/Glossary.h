#pragma once

#include <span>

namespace haloscope::ui {

/// A term used in the window and its definition.
struct Term {
  const char* word;
  const char* meaning;
};

/// Terms that a student may not know, in alphabetical order. Where authors differ, the definition says which is used.
[[nodiscard]] std::span<const Term> glossary();

}  // namespace haloscope::ui
