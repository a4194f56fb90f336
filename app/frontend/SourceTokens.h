#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace haloscope::frontend {

/// Characters from `begin` to `end` of a text.
struct Stretch {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] bool contains(std::size_t at) const { return begin <= at && at < end; }
};

/// The tokens of a text as its characters have them, before any macro is expanded; its directives are kept apart.
class SourceTokens {
 public:
  explicit SourceTokens(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }

  struct Directive {
    Stretch where;     ///< with the lines it goes on for
    std::string word;  ///< "define", "include"
    std::string name;  ///< of the macro; of the file without its quotes
  };
  [[nodiscard]] const std::vector<Directive>& directives() const { return directives_; }

  /// `#pragma unroll 4`, `#pragma nounroll`, `_Pragma("unroll")`: hints that belong to the loop after them.
  [[nodiscard]] std::vector<Stretch> loopHints() const;

  /// The declaration around a token of it that is in no bracket of its own: from what ends the one before, to its
  /// semicolon or, if it is a function, the end of its body.
  [[nodiscard]] Stretch declaration(std::size_t at, bool function) const;
  /// From a macro's name to the end of its arguments, and a semicolon after them.
  [[nodiscard]] Stretch invocation(std::size_t at) const;

 private:
  [[nodiscard]] std::size_t indexOf(std::size_t offset) const;
  [[nodiscard]] std::string_view spelling(std::size_t index) const;
  /// The token after the bracket that closes the one at `index`.
  [[nodiscard]] std::size_t afterBrackets(std::size_t index) const;
  [[nodiscard]] std::size_t beginOf(std::size_t index) const;

  std::string text_;
  std::vector<Stretch> tokens_;
  std::vector<Directive> directives_;
};

}  // namespace haloscope::frontend
