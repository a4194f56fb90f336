#include "program/Expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <regex>

#include "program/SourceLocation.h"

namespace haloscope {

double Expression::evaluate(const std::map<std::string, std::int64_t>& values) const {
  try {
    mu::Parser parser;
    // grid.nx: the field of a struct.
    parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    parser.DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
    parser.DefineFun("floor", static_cast<double (*)(double)>(std::floor));
    parser.DefineFun("sizeof", +[](double bytes) { return bytes; });  // a type's value is its size
    for (const auto& [name, value] : values) { parser.DefineConst(name, static_cast<double>(value)); }
    parser.SetExpr(text_);
    return parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    std::string message = error.GetMsg();
    while (!message.empty() && (message.back() == '.' || message.back() == '\n')) { message.pop_back(); }
    throw InputError(fmt::format("in the expression \"{}\": {}", text_, message));
  }
}

std::int64_t Expression::evaluateInteger(const std::map<std::string, std::int64_t>& values) const {
  const double value = evaluate(values);
  if (!std::isfinite(value) || value != std::floor(value) || std::abs(value) > 9e15) {
    throw InputError(fmt::format("the expression \"{}\" gives {}, where a whole number is needed", text_, value));
  }
  return static_cast<std::int64_t>(value);
}

std::vector<std::string> Expression::sizedTypes() const {
  static const std::regex kSizeof(R"(\bsizeof\s*\(\s*([^)]*?)\s*\))");
  std::vector<std::string> names;
  for (std::sregex_iterator at(text_.begin(), text_.end(), kSizeof); at != std::sregex_iterator(); ++at) {
    names.push_back((*at)[1]);
  }
  return names;
}

}  // namespace haloscope
