#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "program/SourceLocation.h"

namespace haloscope::lowering {

/// A construct that cannot be lowered. Caught in compile(), which knows the name of the file.
class LoweringError : public std::runtime_error {
 public:
  LoweringError(SourceRange where, const std::string& message, std::string header = {})
      : std::runtime_error(message), where_(where), header_(std::move(header)) {}
  [[nodiscard]] const SourceRange& where() const { return where_; }
  /// As Diagnostic::header.
  [[nodiscard]] const std::string& header() const { return header_; }

 private:
  SourceRange where_;
  std::string header_;
};

}  // namespace haloscope::lowering
