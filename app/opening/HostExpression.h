#pragma once

#include <map>
#include <optional>
#include <string>

#include "opening/HostCode.h"
#include "opening/HostTokens.h"

namespace haloscope::opening {

/// One evaluation. Throws nothing: it fails if a value cannot be determined.
class HostExpression {
 public:
  struct Value {
    double value = 0;
    bool whole = true;
  };

  HostExpression(const HostCode& code, const HostCode::Given& given) : code_(code), given_(given) {}

  std::optional<Value> evaluate(const HostTokens& tokens, const std::map<std::string, Value>& bound = {});

 private:
  [[nodiscard]] std::string peek(std::size_t ahead = 0) const;
  bool take(const char* token);
  Value fail();
  Value ternary();
  Value comparison();
  Value shift();
  Value sum();
  Value product();
  Value unary();
  Value primary();

  static Value converted(Value value, const HostTokens& type);
  Value numeral(std::string token);
  Value sizeOf();
  Value call(const std::string& name);
  Value member(const std::string& name);

  /// The value of an initialiser, whose failure does not make this evaluation fail.
  std::optional<Value> separately(const HostTokens& initializer);

  Value named(const std::string& name);

  const HostCode& code_;
  const HostCode::Given& given_;
  const HostTokens* tokens_ = nullptr;
  std::size_t at_ = 0;
  const std::map<std::string, Value>* bound_ = nullptr;
  bool failed_ = false;
  int depth_ = 0, nesting_ = 0, steps_ = 0;
};

}  // namespace haloscope::opening
