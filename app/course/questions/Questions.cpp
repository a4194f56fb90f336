#include "questions/Questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <functional>
#include <regex>
#include <span>
#include <utility>

#include "catalogue/Expression.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/Misspelling.h"
#include "program/NumberText.h"
#include "program/SourceLocation.h"
#include "questions/Execution.h"
#include "questions/Quantities.h"
#include "questions/Records.h"
#include "questions/SourceLines.h"

namespace haloscope::questions {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

constexpr std::string_view kAt = "at=";

bool inName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// A name in a query, with the brackets behind it.
struct Call {
  std::string name;
  std::size_t begin = 0, end = 0;  ///< in the query, with the brackets
  bool brackets = false;
  std::size_t inside = 0;  ///< where the text in the brackets begins
  std::string text;        ///< in the brackets
};

/// The names of a query, from left to right. Brackets within `at=` count as all others do.
std::vector<Call> callsIn(const std::string& query) {
  std::vector<Call> calls;
  for (std::size_t at = 0; at < query.size();) {
    if (!inName(query[at])) {
      ++at;
      continue;
    }
    Call call;
    call.begin = at;
    while (at < query.size() && inName(query[at])) { ++at; }
    call.name = query.substr(call.begin, at - call.begin);
    call.end = at;
    const std::size_t open = query.find_first_not_of(" \t", at);
    if (open != std::string::npos && query[open] == '(') {
      int depth = 0;
      for (std::size_t close = open; close < query.size(); ++close) {
        if (query[close] == '(') { ++depth; }
        if (query[close] == ')' && --depth == 0) {
          call.brackets = true;
          call.inside = open + 1;
          call.text = query.substr(open + 1, close - open - 1);
          call.end = close + 1;
          break;
        }
      }
    }
    if (std::isdigit(static_cast<unsigned char>(call.name.front())) == 0) { calls.push_back(std::move(call)); }
  }
  return calls;
}

/// The name that is the whole query, with its brackets. Text after `at=` may have brackets without a partner.
std::optional<Call> onlyCall(const std::string& query) {
  const std::vector<Call> calls = callsIn(query);
  if (calls.empty() || calls.front().begin != 0) { return std::nullopt; }
  Call call = calls.front();
  if (call.brackets && call.text.starts_with(kAt)) {
    call.end = query.rfind(')') + 1;
    call.text = query.substr(call.inside, call.end - 1 - call.inside);
  }
  return call.end == query.size() ? std::optional(std::move(call)) : std::nullopt;
}

/// What takes an array as its first argument.
constexpr const char* kOfArrays[] = {"value", "elements", "extent", "bytes"};
/// What an expression can call besides.
constexpr const char* kFunctions[] = {"count", "times", "recorded", "gpu",    "ceil", "floor", "min",
                                      "max",   "sqrt",  "abs",      "sizeof", "log2", "round"};

bool isOfArray(const std::string& name) { return std::ranges::find(kOfArrays, name) != std::end(kOfArrays); }

class Asker {
 public:
  Asker(Execution& execution, const std::map<std::string, double>& variables)
      : execution_(execution), variables_(variables) {}

  Answer answer(const std::string& query) {
    Answer answer;
    answer.kind = kindOf(query);
    const std::string text = trimmed(query);
    switch (answer.kind) {
      case AnswerKind::Lines: {
        const NamedLines& lines = *findLines(text);
        answer.lines = lines.lines(execution_);
        origins_.insert(lines.origin);
        break;
      }
      case AnswerKind::Cells:
        answer.cells = cells(*onlyCall(text));
        break;
      case AnswerKind::Number:
        answer.number = number(text);
        break;
    }
    answer.origins = std::move(origins_);
    return answer;
  }

 private:
  CellSet cells(const Call& call) {
    const NamedSet* const set = findSet(call.name);
    if (set == nullptr) { throw unknown(call.name, 1, call.text); }
    SetArguments arguments;
    const std::string text = trimmed(call.text);
    if (text.starts_with(kAt)) {
      arguments.at = trimmed(text.substr(kAt.size()));
    } else if (!text.empty()) {
      std::size_t begin = 0;
      int depth = 0;
      for (std::size_t at = 0; at <= text.size(); ++at) {
        const char c = at < text.size() ? text[at] : ',';
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth == 0) {
          arguments.numbers.push_back(number(trimmed(text.substr(begin, at - begin))));
          begin = at + 1;
        }
      }
    }
    const bool given = !arguments.numbers.empty() || !arguments.at.empty();
    if (given == std::string_view(set->arguments).empty()) {
      throw InputError(trf("write {}{}", set->name, set->arguments));
    }
    CellSet found = set->cells(execution_, arguments);
    note(Origin::Executed);
    return found;
  }

  double number(const std::string& text) {
    const Expression expression(withoutArrays(text));
    const auto first = [](std::span<const double> numbers) { return numbers.empty() ? 0 : numbers[0]; };
    const std::vector<ExpressionFunction> functions = {
        {"value", [this](std::span<const double> numbers) { return value(numbers); }},
        {"elements", [this](std::span<const double> numbers) { return elements(numbers); }},
        {"extent", [this](std::span<const double> numbers) { return extent(numbers); }},
        {"bytes", [this](std::span<const double> numbers) { return static_cast<double>(array(numbers).bytes.size()); }},
        {"count", first},
        {"times", first},
        {"recorded", first},
        {"gpu", first},
    };
    const double result = expression.evaluateAsking(
        [&](const std::string& name, std::size_t character) { return valueOf(text, name, character); }, functions);
    if (!std::isfinite(result)) { throw InputError(trf("\"{}\" is not a number: it divides by zero", text)); }
    return result;
  }

  /// The expression with a number in place of each array and each set, padded so that places stay.
  std::string withoutArrays(const std::string& text) {
    std::string result = text;
    const auto replace = [&](std::size_t begin, std::size_t length, std::string by) {
      by.resize(std::max(length, by.size()), ' ');
      result.replace(begin, length, by);
    };
    const std::vector<Call> calls = callsIn(text);
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      // What stands in other brackets is looked at with those; the indices of an array are formulas like this one.
      const bool within = std::ranges::any_of(calls, [&](const Call& outer) {
        return outer.brackets && !isOfArray(outer.name) && outer.inside <= call->begin && call->end < outer.end;
      });
      if (!call->brackets || within) { continue; }
      if (call->name == "count") {
        const std::optional<Call> set = onlyCall(trimmed(call->text));
        if (!set) { throw InputError(trf("in \"{}\": write count(SET), as in count(halo_cells)", text)); }
        replace(call->inside, call->text.size(), std::to_string(cells(*set).cells.size()));
      } else if (call->name == "times") {
        const std::size_t times = timesAt(execution_.recorded(), trimmed(call->text));
        origins_.insert(Origin::Executed);
        replace(call->inside, call->text.size(), std::to_string(times));
      } else if (call->name == "recorded" || call->name == "gpu") {
        const bool recorded = call->name == "recorded";
        origins_.insert(recorded ? Origin::Recorded : Origin::DataSheet);
        const double found = recorded ? recordedNumber(call->text) : dataSheetNumber(call->text);
        replace(call->inside, call->text.size(), fmt::format("{:.12f}", found));
      } else if (isOfArray(call->name)) {
        const std::size_t comma = call->text.find(',');
        const std::string name = trimmed(call->text.substr(0, comma));
        origins_.insert(call->name == "value" ? Origin::Executed : Origin::Launch);
        replace(call->inside, std::min(comma, call->text.size()), std::to_string(arrayNumber(name)));
      } else if (std::ranges::find(kFunctions, call->name) == std::end(kFunctions)) {
        throw unknown(call->name, call->begin + 1, text);
      } else {
        // What stands in the brackets of a function is looked at as well.
        replace(call->inside, call->text.size(), withoutArrays(call->text));
      }
    }
    return result;
  }

  double valueOf(const std::string& text, const std::string& name, std::size_t character) {
    if (const auto found = variables_.find(name); found != variables_.end()) { return found->second; }
    if (const Quantity* const quantity = findQuantity(name)) {
      const double value = quantity->value(execution_);
      note(quantity->origin);
      return value;
    }
    if (const auto found = execution_.bindings().find(name); found != execution_.bindings().end()) {
      origins_.insert(Origin::Launch);
      return static_cast<double>(found->second);
    }
    throw unknown(name, character, text);
  }

  InputError unknown(const std::string& name, std::size_t character, const std::string& text) {
    const std::string place = trf("in \"{}\", character {}: ", text, character);
    if (findSet(name) != nullptr || findLines(name) != nullptr) {
      return InputError(trf("{}{} is not a number; count({}) is how many cells a set has", place, name, name));
    }
    std::vector<std::string> known;
    for (const Quantity& one : quantities()) { known.emplace_back(one.name); }
    for (const NamedSet& one : namedSets()) { known.emplace_back(one.name); }
    for (const NamedLines& one : namedLines()) { known.emplace_back(one.name); }
    for (const auto& [one, value] : execution_.bindings()) { known.push_back(one); }
    for (const auto& [one, value] : variables_) { known.push_back(one); }
    known.insert(known.end(), std::begin(kOfArrays), std::end(kOfArrays));
    known.insert(known.end(), std::begin(kFunctions), std::end(kFunctions));
    return InputError(
        trf("{}there is no quantity \"{}\"{}; haloscope ask --list names all", place, name, nearest(name, known)));
  }

  /// "; did you mean block.halo?"; empty if no name is near.
  static std::string nearest(const std::string& name, const std::vector<std::string>& known) {
    const auto apart = [&](const std::string& one) { return editDistance(name, one); };
    const auto found = std::ranges::min_element(known, {}, apart);
    // Half of the letters may be right by chance.
    const bool near = found != known.end() && 2 * static_cast<std::size_t>(apart(*found)) <= name.size();
    return near ? trf("; did you mean {}?", *found) : std::string();
  }

  std::size_t arrayNumber(const std::string& name) {
    const Program& program = execution_.program();
    std::vector<std::string> known;
    for (ObjectId object = 0; object < program.objects.size(); ++object) {
      const MemorySpace space = program.objects[object].space;
      if (space != MemorySpace::Global && space != MemorySpace::Constant) { continue; }
      if (program.objects[object].name == name) { return object; }
      known.push_back(program.objects[object].name);
    }
    throw InputError(trf("{} has no array \"{}\" in global or constant memory; it has {}", execution_.file().id, name,
                         fmt::join(known, ", ")));
  }

  const ArrayData& array(std::span<const double> numbers) {
    return execution_.counted().launch->arrays.at(static_cast<std::size_t>(numbers[0]));
  }

  double elements(std::span<const double> numbers) { return static_cast<double>(array(numbers).elementCount()); }

  double extent(std::span<const double> numbers) {
    const ArrayData& data = array(numbers);
    if (numbers.size() != 2 || numbers[1] < 0 || numbers[1] >= static_cast<double>(data.extents.size())) {
      throw InputError(
          trf("extent(ARRAY, axis): the array has axes 0 to {}, the slowest first", data.extents.size() - 1));
    }
    return static_cast<double>(data.extents[static_cast<std::size_t>(numbers[1])]);
  }

  double value(std::span<const double> numbers) {
    const ArrayData& data = array(numbers);
    const std::span<const double> indices = numbers.subspan(1);
    const bool linear = indices.size() == 1;
    if (indices.empty() || (!linear && indices.size() != data.extents.size())) {
      throw InputError(trf("value(ARRAY, i, …): the array has {} axes", data.extents.size()));
    }
    double element = 0;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      const auto extent = static_cast<double>(linear ? data.elementCount() : data.extents[axis]);
      if (indices[axis] < 0 || indices[axis] >= extent || indices[axis] != std::floor(indices[axis])) {
        throw InputError(trf("value(): index {} is outside 0 to {}", indices[axis], extent - 1));
      }
      element = element * extent + indices[axis];
    }
    return experiment::valueAt(data, static_cast<std::int64_t>(element));
  }

  /// After what it is the origin of was asked for.
  void note(Origin origin) { origins_.insert(execution_.takeByDefinition() ? Origin::Definition : origin); }

  Execution& execution_;
  const std::map<std::string, double>& variables_;
  Origins origins_;
};

/// Half of the last digit's place of a typed number; 0 of a calculation, which is not rounded.
double roundingOf(const std::string& typed) {
  std::string text = trimmed(typed);
  double place = 0.5;
  if (text.ends_with('%')) {
    text = trimmed(text.substr(0, text.size() - 1));
    place /= 100;
  }
  if (text.find_first_not_of("+-.0123456789") != std::string::npos || text.find_last_of("+-") + 1 > 1) { return 0; }
  const std::size_t point = text.find('.');
  return point == std::string::npos ? place : place * std::pow(10, -static_cast<double>(text.size() - point - 1));
}

}  // namespace

AnswerKind kindOf(const std::string& query) {
  const std::optional<Call> call = onlyCall(trimmed(query));
  if (call && findSet(call->name) != nullptr) { return AnswerKind::Cells; }
  return call && findLines(call->name) != nullptr ? AnswerKind::Lines : AnswerKind::Number;
}

std::map<std::string, double> recordsIn(const std::string& query) {
  std::map<std::string, double> numbers;
  for (const Call& call : callsIn(query)) {
    const bool recorded = call.name == "recorded";
    if (!call.brackets || !(recorded || call.name == "gpu")) { continue; }
    numbers[fmt::format("{}({})", call.name, call.text)] =
        recorded ? recordedNumber(call.text) : dataSheetNumber(call.text);
  }
  return numbers;
}

Answer answer(const std::string& query, Execution& execution, const std::map<std::string, double>& variables) {
  if (trimmed(query).empty()) { throw InputError(tr("an empty expression has no value")); }
  return Asker(execution, variables).answer(query);
}

bool agrees(double answer, const std::string& typed, std::optional<double> tolerance) {
  constexpr double kCoarsest = 0.01, kFinest = 1e-6;  // of the answer; a computed float has 6 digits or 7
  const double apart = std::abs(answer - predictionOf(typed));
  if (tolerance) { return apart <= *tolerance * std::abs(answer); }
  constexpr double kRounding = 1e-12;  // of 0.1 * 30
  if (answer == std::round(answer)) { return apart <= kRounding * std::abs(answer); }
  const double digits = std::min(roundingOf(typed), kCoarsest * std::abs(answer));
  return apart <= std::max(digits, kFinest * std::abs(answer));
}

double predictionOf(const std::string& typed) {
  std::string text = trimmed(typed);
  double factor = 1;
  if (text.ends_with('%')) {
    text.pop_back();
    factor = 0.01;
  }
  if (text.empty()) { throw InputError(tr("type a number")); }
  static const std::regex kGrouped(R"([-−]?\d{1,3}(,\d{3})+(\.\d+)?)");
  if (std::regex_match(text, kGrouped)) { std::erase(text, ','); }
  const double number = Expression(text).evaluateReal({}) * factor;
  if (!std::isfinite(number)) { throw InputError(trf("\"{}\" is not a number", typed)); }
  return number;
}

std::string numberText(double number) {
  constexpr double kExact = 9e15, kLong = 10'000;  // from here on thousands are grouped
  if (number == std::round(number) && std::abs(number) < kExact) {
    if (std::abs(number) < kLong) { return fmt::format("{:.0f}", number); }
    return (number < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::abs(number)));
  }
  return fmt::format("{:.6g}", number);
}

std::string cellText(const CellSet& set, const recording::GridPoint& cell) {
  switch (set.of) {
    case CellSet::Of::Threads:
      return fmt::format("({},{},{})", cell.x, cell.y, cell.z);
    case CellSet::Of::Lanes:
      return fmt::format("{}", cell.x);
    case CellSet::Of::Array:
      break;
  }
  std::string indices = fmt::format("[{}]", cell.x);
  if (set.extents.size() > 1) { indices = fmt::format("[{}]", cell.y) + indices; }
  if (set.extents.size() > 2) { indices = fmt::format("[{}]", cell.z) + indices; }
  return set.array + indices;
}

}  // namespace haloscope::questions
