#include "catalogue/Expression.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <regex>
#include <unordered_map>

#include "catalogue/ExpressionCode.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

/// What is wrong with an expression, as an InputError that names it.
template <typename Work>
auto explained(const std::string& text, Work work) {
  try {
    return work();
  } catch (const InputError& error) { throw InputError(trf("in the expression \"{}\": {}", text, error.what())); }
}

/// The values of the code's names. Throws InputError for one that has none.
template <typename Number>
std::vector<double> valuesOf(const ExpressionCode& code, const std::map<std::string, Number>& values) {
  std::vector<double> list;
  for (const ExpressionCode::Name& name : code.names()) {
    const auto value = values.find(name.text);
    if (value == values.end()) { throw InputError(trf("the name \"{}\" is not known", name.text)); }
    list.push_back(static_cast<double>(value->second));
  }
  return list;
}

/// Headers have the same few expressions, which are evaluated again and again.
const ExpressionCode& codeOf(const std::string& text) {
  constexpr std::size_t kMost = 256;
  static thread_local std::unordered_map<std::string, ExpressionCode> known;
  if (const auto found = known.find(text); found != known.end()) { return found->second; }
  if (known.size() >= kMost) { known.clear(); }
  return known.try_emplace(text, text).first->second;
}

template <typename Number>
double evaluated(const std::string& text, const std::map<std::string, Number>& values) {
  return explained(text, [&] {
    const ExpressionCode& code = codeOf(text);
    return code.evaluate(valuesOf(code, values));
  });
}

}  // namespace

double Expression::evaluate(const std::map<std::string, std::int64_t>& values) const {
  return evaluated(text_, values);
}

double Expression::evaluateReal(const std::map<std::string, double>& values) const { return evaluated(text_, values); }

double Expression::evaluateAsking(const std::function<double(const std::string&, std::size_t)>& valueOf,
                                  std::span<const ExpressionFunction> functions) const {
  const ExpressionCode code = explained(text_, [&] { return ExpressionCode(text_, functions); });
  std::vector<double> values;
  for (const ExpressionCode::Name& name : code.names()) { values.push_back(valueOf(name.text, name.character)); }
  return code.evaluate(values);
}

void Expression::evaluateOver(const std::array<std::int64_t, 3>& extents,
                              const std::map<std::string, std::int64_t>& values,
                              const std::function<void(double)>& visit) const {
  const ExpressionCode code = explained(text_, [&] { return codeOf(text_); });
  std::map<std::string, std::int64_t> all = values;
  for (const char* axis : {"x", "y", "z"}) { all[axis] = 0; }
  std::vector<double> numbers = explained(text_, [&] { return valuesOf(code, all); });
  const auto placeOf = [&](const char* name) {
    const auto found = std::ranges::find(code.names(), name, &ExpressionCode::Name::text);
    return static_cast<std::size_t>(found - code.names().begin());
  };
  const std::size_t x = placeOf("x"), y = placeOf("y"), z = placeOf("z");
  const auto set = [&](std::size_t place, std::int64_t value) {
    if (place < numbers.size()) { numbers[place] = static_cast<double>(value); }
  };
  for (std::int64_t plane = 0; plane < extents[0]; ++plane) {
    set(z, plane);
    for (std::int64_t row = 0; row < extents[1]; ++row) {
      set(y, row);
      for (std::int64_t column = 0; column < extents[2]; ++column) {
        set(x, column);
        visit(code.evaluate(numbers));
      }
    }
  }
}

std::int64_t Expression::evaluateInteger(const std::map<std::string, std::int64_t>& values) const {
  const double value = evaluate(values);
  if (!std::isfinite(value) || value != std::floor(value) || std::abs(value) > 9e15) {
    throw InputError(trf("the expression \"{}\" gives {}, but must give an integer", text_, value));
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
