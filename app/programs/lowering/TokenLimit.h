#pragma once

#include <cstddef>

namespace clang {
class Preprocessor;
class Token;
}  // namespace clang

namespace haloscope::lowering {

/// Ends the text, with an error, when it exceeds the limits within which Clang is fast and safe.
class TokenLimit {
 public:
  explicit TokenLimit(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void operator()(const clang::Token& token);

 private:
  clang::Preprocessor& preprocessor_;
  std::size_t tokens_ = 0;
  unsigned operators_ = 0;
  unsigned subscripts_ = 0;      ///< in this statement
  unsigned bareStatements_ = 0;  ///< since the last brace
  unsigned elses_ = 0;
  unsigned comparisons_ = 0;  ///< since the last semicolon, comma or brace
  bool reported_ = false;
};

}  // namespace haloscope::lowering
