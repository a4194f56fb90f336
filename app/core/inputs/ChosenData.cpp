#include "inputs/ChosenData.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::inputs {

namespace {

constexpr const char* kForms = trMark(
    "impulse, impulse@I,J,K, ramp, checkerboard, constant:V, random:SEED, formula:F, numbers separated by commas, "
    "@FILE, default");

/// "3,4". Nothing for any other text.
std::optional<ElementIndex> indexOf(std::string_view text) {
  ElementIndex index;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0 || (next != end && *next != ',')) { return std::nullopt; }
    index.push_back(value);
    if (next == end) { return index; }
    at = next + 1;
  }
}

ElementIndex expectIndex(std::string_view text) {
  if (auto index = indexOf(text)) { return *std::move(index); }
  throw InputError(trf("\"{}\" is not an element: write I,J,K, slowest axis first", text));
}

double expectNumber(std::string_view text) {
  if (const auto number = numberOf(text)) { return *number; }
  throw InputError(trf("\"{}\" is not a number", text));
}

ArrayChoice numbers(NumberTable table, std::string file) {
  ArrayChoice choice;
  choice.pattern = Pattern::Numbers;
  choice.numbers = std::make_shared<const NumberTable>(std::move(table));
  choice.file = std::move(file);
  return choice;
}

ArrayChoice parseSpec(const std::string& spec) {
  constexpr std::string_view kImpulse = "impulse";
  constexpr std::string_view kConstant = "constant:";
  constexpr std::string_view kRandom = "random:";
  constexpr std::string_view kFormula = "formula:";
  ArrayChoice choice;
  const std::string_view text = spec;
  if (text == "default") { return choice; }
  if (text == kImpulse || text.starts_with("impulse@")) {
    choice.pattern = Pattern::Impulse;
    if (text != kImpulse) { choice.at = expectIndex(text.substr(kImpulse.size() + 1)); }
  } else if (text == "ramp") {
    choice.pattern = Pattern::Ramp;
  } else if (text == "checkerboard") {
    choice.pattern = Pattern::Checkerboard;
  } else if (text.starts_with(kConstant)) {
    choice.pattern = Pattern::Constant;
    choice.constant = expectNumber(text.substr(kConstant.size()));
  } else if (text.starts_with(kFormula)) {
    choice.pattern = Pattern::Formula;
    choice.formula = text.substr(kFormula.size());
  } else if (text.starts_with(kRandom)) {
    choice.pattern = Pattern::Random;
    const std::string_view digits = text.substr(kRandom.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), choice.seed);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      throw InputError(trf("\"{}\" is not a seed: write a whole number from 0 on", digits));
    }
  } else if (text.starts_with('@')) {
    return numbers(readNumbers(spec.substr(1)), spec.substr(1));
  } else if (numberOf(text.substr(0, text.find_first_of(",/")))) {
    return numbers(parseList(spec), {});
  } else if (text.empty() || text.find_first_of(",/") == std::string_view::npos) {
    throw InputError(trf("\"{}\" is none of {}", spec, tr(kForms)));
  } else {
    static_cast<void>(parseList(spec));  // says which is not a number
  }
  return choice;
}

std::string listText(const NumberTable& table) {
  std::string text;
  const auto columns = static_cast<std::size_t>(table.extents.back());
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    if (i > 0) { text += i % columns == 0 ? '/' : ','; }
    text += typed(table.values[i]);
  }
  return text;
}

std::string specOf(const ArrayChoice& choice) {
  switch (choice.pattern) {
    case Pattern::Default:
      return "default";
    case Pattern::Impulse:
      return choice.at.empty() ? "impulse" : fmt::format("impulse@{}", fmt::join(choice.at, ","));
    case Pattern::Ramp:
      return "ramp";
    case Pattern::Checkerboard:
      return "checkerboard";
    case Pattern::Constant:
      return "constant:" + typed(choice.constant);
    case Pattern::Random:
      return fmt::format("random:{}", choice.seed);
    case Pattern::Formula:
      return "formula:" + choice.formula;
    case Pattern::Numbers:
      return choice.file.empty() ? listText(*choice.numbers) : "@" + choice.file;
  }
  return {};
}

}  // namespace

bool ArrayChoice::operator==(const ArrayChoice& other) const {
  const bool sameNumbers =
      numbers == other.numbers || (numbers != nullptr && other.numbers != nullptr && *numbers == *other.numbers);
  return pattern == other.pattern && at == other.at && constant == other.constant && seed == other.seed &&
         formula == other.formula && file == other.file && cells == other.cells && sameNumbers;
}

void choose(ChosenData& data, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) { throw InputError(trf("{}: write NAME=SPEC", text)); }
  choose(data, text.substr(0, equals), text.substr(equals + 1));
}

void choose(ChosenData& data, const std::string& name, const std::string& spec) {
  try {
    const std::size_t cell = name.find('@');
    if (cell == std::string::npos) {
      ArrayChoice choice = parseSpec(spec);
      if (choice.isDefault()) {
        data.erase(name);
      } else {
        data[name] = std::move(choice);
      }
      return;
    }
    ElementIndex index = expectIndex(std::string_view(name).substr(cell + 1));
    const double value = expectNumber(spec);
    data[name.substr(0, cell)].cells.insert_or_assign(std::move(index), value);
  } catch (const InputError& error) { throw InputError(fmt::format("{}: {}", name, error.what())); }
}

std::vector<std::string> texts(const ChosenData& data) {
  std::vector<std::string> all;
  for (const auto& [name, choice] : data) {
    if (choice.pattern != Pattern::Default) { all.push_back(fmt::format("{}={}", name, specOf(choice))); }
    for (const auto& [index, value] : choice.cells) {
      all.push_back(fmt::format("{}@{}={}", name, fmt::join(index, ","), typed(value)));
    }
  }
  return all;
}

std::string describe(const ArrayChoice& choice) {
  constexpr std::size_t kShown = 5;
  switch (choice.pattern) {
    case Pattern::Impulse:
      return choice.at.empty() ? tr("impulse in the middle")
                               : trf("impulse at [{}]", fmt::format("{}", fmt::join(choice.at, "][")));
    case Pattern::Constant:
      return trf("all {}", typed(choice.constant));
    case Pattern::Random:
      return trf("random, seed {}", choice.seed);
    case Pattern::Formula:
      return choice.formula;
    case Pattern::Numbers: {
      if (!choice.file.empty()) { return choice.file; }
      std::vector<std::string> shown;
      const std::vector<double>& values = choice.numbers->values;
      for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i) { shown.push_back(typed(values[i])); }
      return fmt::format("{}{}", fmt::join(shown, ", "), values.size() > kShown ? ", …" : "");
    }
    case Pattern::Ramp:
      return tr("ramp");
    case Pattern::Checkerboard:
      return tr("checkerboard");
    case Pattern::Default:
      return tr("default");
  }
  return {};
}

std::string typed(double value) { return fmt::format("{}", value); }

}  // namespace haloscope::inputs
