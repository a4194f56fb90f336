/// How a kernel differs from a function of its program, tap by tap.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "experiment/InputData.h"
#include "experiment/TapDifference.h"
#include "language/Text.h"
#include "running/OwnFunction.h"
#include "work/Deadline.h"

namespace haloscope::running {

/// Where both are known to stand for one step.
void OwnFunctions::ask(std::size_t verdict, const Match& match, const ComputedDifference& difference) {
  const bool oneStep = match.onOtherData || match.steps;
  const ArrayData& result = match.of->arrays[match.output.of].before;
  if (!oneStep) { return; }
  for (std::size_t i = 0; i < match.pairs.inputs.size(); ++i) {
    const ComputedArray& array = match.of->arrays[match.pairs.inputs[i].of];
    if (array.writes || array.isVariable || isFloating(array.before.element) != isFloating(result.element) ||
        2 * array.before.elementCount() < result.elementCount()) {
      continue;
    }
    // The host's array may be the smaller one.
    const ComputedArray& others = match.other->arrays[match.pairs.inputs[i].other];
    const std::int64_t count = std::min(array.before.elementCount(), others.before.elementCount());
    questions_.push_back({.verdict = verdict,
                          .match = match,
                          .input = i,
                          .elements = experiment::impulsesFor(difference.wrong, difference.count, count)});
    return;
  }
}

namespace {

/// Of the elements to change, those in the middle half: near a border a neighbour may be missing.
std::int64_t changedElement(std::size_t which, std::int64_t count) {
  constexpr std::int64_t kStep = 7919;
  return count / 4 + static_cast<std::int64_t>(which) * kStep % std::max<std::int64_t>(count / 2, 1);
}

/// By turns the largest and the smallest value of the array; what it is already becomes the other one.
double changedValue(const ArrayData& array, std::int64_t at, std::size_t which) {
  double low = experiment::valueAt(array, 0);
  double high = low;
  for (std::int64_t i = 1; i < array.elementCount(); ++i) {
    low = std::min(low, experiment::valueAt(array, i));
    high = std::max(high, experiment::valueAt(array, i));
  }
  const double own = experiment::valueAt(array, at);
  return which % 2 == 0 ? (own == high ? low : high) : (own == low ? high : low);
}

}  // namespace

/// All inputs are zero, and all coefficients differ; or the inputs are others, with one element changed.
void OwnFunctions::prepare(Question& question) {
  Match& match = question.match;
  match.data = otherData(*match.of, *match.other, match.pairs);
  if (match.steps) { match.data.numbersOther[*match.steps] = 1; }
  const auto clear = [](std::map<std::size_t, ArrayData>& arrays) {
    for (auto& [index, array] : arrays) {
      if (isFloating(array.element) && array.elementCount() > kMostInFilter) { array = experiment::zeros(array); }
    }
  };
  const OtherData whole = match.data;
  if (!question.changes) {
    clear(match.data.of);
    clear(match.data.other);
  }
  // An array on the stack may seem to be as long as what is left of it.
  for (const Correspondence::Pair& one : match.pairs.inputs) {
    const auto of = whole.of.find(one.of);
    const auto other = whole.other.find(one.other);
    if (of == whole.of.end() || other == whole.other.end()) { continue; }
    if (std::min(of->second.elementCount(), other->second.elementCount()) <= kMostInFilter) {
      match.data.of[one.of] = of->second;
      match.data.other[one.other] = other->second;
    }
  }
  const Correspondence::Pair& pair = match.pairs.inputs[question.input];
  match.data.of.try_emplace(pair.of, match.of->arrays[pair.of].before);  // of integers there are no others
  match.data.other.try_emplace(pair.other, match.other->arrays[pair.other].before);
  ArrayData& of = match.data.of.at(pair.of);
  ArrayData& other = match.data.other.at(pair.other);
  if (!question.changes) {
    of = experiment::zeros(of);
    other = experiment::zeros(other);
  } else if (!whole.of.contains(pair.of) && of.element == other.element) {
    constexpr std::uint64_t kSeed = 17;
    const ArrayData own = of;
    experiment::fillFrom(of, own, kSeed);
    experiment::fillFrom(other, own, kSeed);
  }
  if (question.asked == 0) { return; }
  const std::int64_t at = question.elements[question.asked - 1];
  const double value = question.changes ? changedValue(of, at, question.asked) : 1;
  experiment::setValue(of, at, value);
  experiment::setValue(other, at, value);
}

/// What the kernel makes of the data of a question.
std::optional<ArrayData> OwnFunctions::resultFor(const Question& question) const {
  const Match& match = question.match;
  const work::Deadline deadline(limit_.until - std::chrono::steady_clock::now(), limit_.stop);
  auto all = executeAgain(kernels_[match.kernel], match.data.of, match.data.numbersOf, deadline.token());
  return all ? std::optional(std::move((*all)[match.output.of])) : std::nullopt;
}

experiment::TapNames OwnFunctions::namesFor(const Question& question) const {
  const Match& match = question.match;
  experiment::TapNames names{.array = match.of->arrays[match.pairs.inputs[question.input].of].name,
                             .sizes = {},
                             .other = verdicts_[question.verdict].function};
  for (std::size_t i = 0; i < match.of->numbers.size(); ++i) {
    const ComputedNumber& number = match.of->numbers[i];
    const auto other = match.data.numbersOf.find(i);
    if (other == match.data.numbersOf.end()) {
      if (!isFloating(number.type)) { names.sizes.push_back(static_cast<std::int64_t>(valueOf(number))); }
    } else {
      ComputedNumber changed = number;
      changed.bits = other->second;
      names.coefficients.push_back({number.name, valueOf(changed)});
    }
  }
  for (const auto& [index, array] : match.data.of) {
    const bool isInput = index == match.pairs.inputs[question.input].of || array.elementCount() > kMostInFilter;
    if (isInput || !isFloating(array.element)) { continue; }
    for (std::int64_t i = 0; i < array.elementCount(); ++i) {
      names.coefficients.push_back(
          {fmt::format("{}[{}]", match.of->arrays[index].name, i), experiment::valueAt(array, i)});
    }
  }
  return names;
}

/// Whether the question is settled: it is explained, or cannot be.
bool OwnFunctions::explain(Question& question, const ArrayData& expected) {
  // Another function may have been found to compute the same.
  if (!verdicts_[question.verdict].finding) { return true; }
  if (question.changes) { return explainByChanges(question, expected); }
  auto found = resultFor(question);
  if (!found) { return true; }
  if (question.asked == 0) {
    question.expected = expected;
    question.found = std::move(found);
    return question.elements.empty();
  }
  const std::int64_t at = question.elements[question.asked - 1];
  const experiment::TapNames names = namesFor(question);
  const experiment::Response once{*question.found, *found};
  const auto taps = experiment::tapDifference(once, {*question.expected, expected}, at, names);
  question.few = question.few && (!taps || taps->few);
  const auto goOnWithChanges = [&] {
    const Correspondence::Pair& input = question.match.pairs.inputs[question.input];
    const std::int64_t count = std::min(question.match.of->arrays[input.of].before.elementCount(),
                                        question.match.other->arrays[input.other].before.elementCount());
    question.changes = true;
    question.asked = 0;
    question.elements.clear();
    for (std::size_t i = 0; i < kChanges; ++i) { question.elements.push_back(changedElement(i, count)); }
    return false;
  };
  if (!taps || taps->text.empty()) { return question.asked == question.elements.size() ? goOnWithChanges() : false; }
  experiment::setValue(question.match.data.of.at(question.match.pairs.inputs[question.input].of), at, 3);
  const auto threefold = resultFor(question);
  if (!threefold) { return true; }
  if (!experiment::isLinear(once, *threefold)) { return goOnWithChanges(); }
  OwnVerdict& verdict = verdicts_[question.verdict];
  // Its own may be alike, or zero.
  const bool others = taps->numbers && !names.coefficients.empty();
  verdict.finding->message += others ? trf("; with coefficients that all differ, {}", taps->text) : "; " + taps->text;
  verdict.finding->explained = true;
  verdict.meant = verdict.meant || question.few;
  verdict.isOther = taps->isOther || taps->isFactor;
  verdict.isOtherRule = taps->isFactor;
  return true;
}

/// Whether the points that are wrong on the program's data and those on other data are not the same ones: a rule
/// differs wherever its data are of a kind, a mistake at the edge of a tile or of the grid only there.
bool OwnFunctions::differsAnywhere(const Question& question, const ArrayData& expected, const ArrayData& found) const {
  const Match& match = question.match;
  if (match.steps || !match.onOtherData) { return false; }
  const auto changed = match.data.other.find(match.output.other);
  const ComputedArray& own = match.other->arrays[match.output.other];
  const ArrayData& before = changed == match.data.other.end() ? own.before : changed->second;
  const ComputedDifference first = differenceOf(own.before, own.after, match.of->arrays[match.output.of].after, limit_);
  const ComputedDifference second = differenceOf(before, expected, found, limit_);
  std::vector<std::int64_t> both;
  std::ranges::set_intersection(first.wrong, second.wrong, std::back_inserter(both));
  // By chance as many of the first are among the second as of all points; of fewer that says little.
  constexpr double kByChance = 2;
  constexpr std::size_t kFewest = 8;
  return first.wrong.size() >= kFewest && second.wrong.size() >= kFewest &&
         static_cast<double>(both.size()) * static_cast<double>(second.compared) <=
             kByChance * static_cast<double>(first.wrong.size()) * static_cast<double>(second.wrong.size());
}

/// Whether the two take other neighbours, or the same ones to another result.
bool OwnFunctions::explainByChanges(Question& question, const ArrayData& expected) {
  auto found = resultFor(question);
  if (!found) { return true; }
  if (question.asked == 0) {
    question.isAnywhere = differsAnywhere(question, expected, *found);
    question.expected = expected;
    question.found = std::move(found);
    return false;
  }
  const std::int64_t at = question.elements[question.asked - 1];
  question.onKernel.add(at, *question.found, *found);
  question.onFunction.add(at, *question.expected, expected);
  if (question.asked < question.elements.size()) { return false; }
  if (question.onKernel.distances().empty() || question.onFunction.distances().empty()) { return true; }
  OwnVerdict& verdict = verdicts_[question.verdict];
  const std::string text = experiment::neighbourDifference(question.onKernel, question.onFunction, namesFor(question));
  if (!text.empty()) {
    verdict.finding->message += "; " + text;
    verdict.finding->explained = true;
    verdict.meant = true;
  }
  verdict.isOtherRule = text.empty() && question.isAnywhere;
  return true;
}

}  // namespace haloscope::running
