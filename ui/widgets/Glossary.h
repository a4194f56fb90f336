#pragma once

#include <span>

namespace haloscope::ui {

/// A word of the window and what it means here.
struct Term {
  const char* word;
  const char* meaning;
};

/// Every word that a student may not know, once, in alphabetical order. Where texts differ, it is said whose meaning
/// counts.
[[nodiscard]] std::span<const Term> glossary();

}  // namespace haloscope::ui
