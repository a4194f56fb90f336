#pragma once

#include <stdexcept>
#include <string>

#include "program/SourceLocation.h"

namespace haloscope::frontend {

/// Something the lowering cannot express. Caught in compile(), which knows the file's name.
class LoweringError : public std::runtime_error {
 public:
  LoweringError(SourceRange where, const std::string& message) : std::runtime_error(message), where_(where) {}
  [[nodiscard]] const SourceRange& where() const { return where_; }

 private:
  SourceRange where_;
};

}  // namespace haloscope::frontend
