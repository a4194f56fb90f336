#include "lessons/Setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "catalogue/Expression.h"
#include "catalogue/Precision.h"
#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

namespace {

std::optional<std::int64_t> integerOf(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) { return std::nullopt; }
  return number;
}

}  // namespace

void assign(Setting& setting, const std::string& name, const std::string& value, const KernelFile& file) {
  const bool array = std::ranges::any_of(file.arrays, [&](const ArrayDeclaration& one) { return one.name == name; });
  if (array || name.find('@') != std::string::npos) {
    inputs::ChosenData checked;
    inputs::choose(checked, name, value);
    setting.data[name] = value;
    return;
  }
  const std::optional<std::int64_t> number = integerOf(value);
  if (!number && file.isPrecision(name)) {
    setting.with[name] = Precision::valueOf(realTypeNamed(value));
    return;
  }
  if (!number) { throw InputError(trf("{}: {} is not a whole number", name, value)); }
  const bool known = file.findSize(name) != nullptr || file.findTunable(name) != nullptr || file.isPrecision(name);
  (known ? setting.with : setting.free)[name] = *number;
}

Setting within(const Setting& outer, const Setting& inner) {
  Setting setting = inner;
  if (inner.kernel.empty() || inner.kernel == outer.kernel) {
    setting.kernel = outer.kernel;
    setting.with.insert(outer.with.begin(), outer.with.end());
    setting.data.insert(outer.data.begin(), outer.data.end());
    if (!setting.block) { setting.block = outer.block; }
  }
  setting.free.insert(outer.free.begin(), outer.free.end());
  return setting;
}

experiment::Choice choiceOf(const Setting& setting) {
  experiment::Choice choice;
  choice.kernel = setting.kernel;
  choice.bindings = setting.with;
  choice.block = setting.block;
  for (const auto& [array, spec] : setting.data) { inputs::choose(choice.data, array, spec); }
  return choice;
}

std::string withNumbers(const std::string& text, const Setting& setting, const KernelFile& file) {
  std::string result;
  std::size_t from = 0;
  Bindings names = file.bind(setting.with);
  names.insert(setting.free.begin(), setting.free.end());
  for (std::size_t begin = text.find("{{"); begin != std::string::npos; begin = text.find("{{", from)) {
    const std::size_t end = text.find("}}", begin);
    if (end == std::string::npos) { break; }
    const Expression expression(text.substr(begin + 2, end - begin - 2));
    result += text.substr(from, begin - from) + std::to_string(expression.evaluateInteger(names));
    from = end + 2;
  }
  return result + text.substr(from);
}

}  // namespace haloscope::lessons
