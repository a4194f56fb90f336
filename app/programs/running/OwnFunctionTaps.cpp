/// How a kernel differs from a function of its program, tap by tap.

#include <fmt/format.h>

#include <algorithm>
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

/// All inputs are zero, and all coefficients differ.
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
  clear(match.data.of);
  clear(match.data.other);
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
  for (ArrayData* const input : {&match.data.of.at(pair.of), &match.data.other.at(pair.other)}) {
    *input = experiment::zeros(*input);
  }
  if (question.asked == 0) { return; }
  const std::int64_t at = question.elements[question.asked - 1];
  experiment::setValue(match.data.of.at(pair.of), at, 1);
  experiment::setValue(match.data.other.at(pair.other), at, 1);
}

/// Whether the question is settled: it is explained, or cannot be.
bool OwnFunctions::explain(Question& question, const ArrayData& expected) {
  // Another function may have been found to compute the same.
  if (!verdicts_[question.verdict].finding) { return true; }
  const Match& match = question.match;
  const ExecutedKernel& kernel = kernels_[match.kernel];
  const work::Deadline deadline(limit_.until - std::chrono::steady_clock::now(), limit_.stop);
  const auto result = [&]() -> std::optional<ArrayData> {
    auto all = executeAgain(kernel, match.data.of, match.data.numbersOf, deadline.token());
    return all ? std::optional(std::move((*all)[match.output.of])) : std::nullopt;
  };
  auto found = result();
  if (!found) { return true; }
  if (question.asked == 0) {
    question.expected = expected;
    question.found = std::move(found);
    return question.elements.empty();
  }
  const std::int64_t at = question.elements[question.asked - 1];
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
  const experiment::Response once{*question.found, *found};
  const auto taps = experiment::tapDifference(once, {*question.expected, expected}, at, names);
  question.few = question.few && (!taps || taps->few);
  if (!taps || taps->text.empty()) { return question.asked == question.elements.size(); }
  experiment::setValue(question.match.data.of.at(match.pairs.inputs[question.input].of), at, 3);
  const auto threefold = result();
  if (!threefold || !experiment::isLinear(once, *threefold)) { return true; }
  faults::Finding& finding = *verdicts_[question.verdict].finding;
  // Its own may be alike, or zero.
  const bool others = taps->numbers && !names.coefficients.empty();
  finding.message += others ? trf("; with coefficients that all differ, {}", taps->text) : "; " + taps->text;
  finding.explained = true;
  verdicts_[question.verdict].meant = verdicts_[question.verdict].meant || question.few;
  verdicts_[question.verdict].isOther = taps->isOther || taps->isFactor;
  return true;
}

}  // namespace haloscope::running
