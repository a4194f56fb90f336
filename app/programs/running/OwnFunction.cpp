#include "running/OwnFunction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include "experiment/FlatArray.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "provenance/WritingBlock.h"
#include "running/DeviceMemory.h"
#include "work/Deadline.h"

namespace haloscope::running {

namespace {

/// A function whose result differs at a larger share of the points may be meant for something else.
constexpr double kMostDiffering = 0.5;
/// The same of floating-point numbers, which seldom agree by chance.
constexpr double kMostNumbersDiffering = 0.75;
/// A function that leaves more of the points unchanged is not evidence enough.
constexpr double kLeastCompared = 0.1;
/// A function computes as many times the points of a border that it leaves alone.
constexpr std::int64_t kLeastTimesBorder = 4;
constexpr std::size_t kMostCallsAgain = 128;
/// Of all comparisons of a program.
constexpr std::chrono::seconds kLongest{10};

/// With the expected values where a result is what it was before.
ArrayData withoutKept(ArrayData result, const ArrayData& before, const ArrayData& expected) {
  const std::int64_t count = std::min({result.elementCount(), before.elementCount(), expected.elementCount()});
  for (std::int64_t i = 0; i < count; ++i) {
    if (experiment::valueAt(result, i) == experiment::valueAt(before, i)) {
      experiment::setValue(result, i, experiment::valueAt(expected, i));
    }
  }
  return result;
}

/// Other values everywhere.
ArrayData markedLike(ArrayData array) {
  constexpr std::byte kMark{0x2a};
  const std::int64_t count = array.elementCount();
  if (!isFloating(array.element)) {
    for (std::byte& byte : array.bytes) { byte ^= kMark; }
    return array;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = experiment::valueAt(array, i);
    experiment::setValue(array, i, std::isfinite(value) ? value + 1 + std::abs(value) : 1);
  }
  return array;
}

/// Whether an element is in memory that nothing was written to, and was left so.
bool isLeftUnwritten(const ArrayData& before, const ArrayData& after, std::int64_t element) {
  const auto size = static_cast<std::size_t>(sizeInMemory(after.element));
  const std::size_t at = static_cast<std::size_t>(element) * size;
  const std::size_t word = at / sizeof kUnwrittenWord * sizeof kUnwrittenWord;
  if (std::max(at + size, word + sizeof kUnwrittenWord) > std::min(before.bytes.size(), after.bytes.size())) {
    return false;
  }
  return std::memcmp(&before.bytes[word], &kUnwrittenWord, sizeof kUnwrittenWord) == 0 &&
         std::memcmp(&after.bytes[word], &kUnwrittenWord, sizeof kUnwrittenWord) == 0;
}

/// Numbers that may be lengths of rows and columns.
std::vector<std::int64_t> sizesOf(const Computation& computation) {
  std::vector<std::int64_t> sizes;
  for (const ComputedNumber& number : computation.numbers) {
    if (!isFloating(number.type)) { sizes.push_back(static_cast<std::int64_t>(valueOf(number))); }
  }
  return sizes;
}

bool saysEnough(const ComputedDifference& difference) {
  return difference.compared > 0 &&
         static_cast<double>(difference.compared) >= kLeastCompared * static_cast<double>(difference.points);
}

}  // namespace

OwnFunctions::OwnFunctions(std::vector<ExecutedKernel> kernels, std::vector<OwnCall> calls, std::uint64_t mostBytes,
                           std::stop_token stop)
    : kernels_(std::move(kernels)),
      calls_(std::move(calls)),
      mostBytes_(mostBytes),
      limit_{std::move(stop), std::chrono::steady_clock::now() + kLongest} {
  if (kernels_.empty()) { return; }
  for (const OwnCall& call : calls_) {
    if (!takes(computedBytes(call))) { break; }
    computed_.push_back(std::make_shared<const Computation>(computationOf(call)));
  }
  for (std::size_t kernel = 0; kernel < kernels_.size() && !limit_.isReached(); ++kernel) { compare(kernel); }
  computed_.clear();
}

bool OwnFunctions::takes(std::uint64_t bytes) {
  if (bytes > mostBytes_ - computedBytes_) { return false; }
  computedBytes_ += bytes;
  return true;
}

/// Finds the function that computes the same, or else the one that comes closest.
void OwnFunctions::compare(std::size_t kernel) {
  const ExecutedKernel& launched = kernels_[kernel];
  if (!takes(computedBytes(launched))) { return; }
  const auto of = std::make_shared<const Computation>(computationOf(launched));
  struct Closest {
    Match match;
    ComputedDifference difference;
    std::string where;
  };
  std::optional<Closest> closest;
  double smallest = 2;
  std::vector<Match> unclear;
  for (std::size_t i = 0; i < computed_.size(); ++i) {
    const OwnCall& call = calls_[i];
    const std::shared_ptr<const Computation>& other = computed_[i];
    const auto pairs = correspondence(*of, *other, limit_);
    if (!pairs) { continue; }
    if (std::ranges::any_of(unclear, &Match::isMarked)) { break; }
    for (const Correspondence::Pair& output : pairs->outputs) {
      Match match{.kernel = kernel, .call = i, .of = of, .other = other, .pairs = *pairs, .output = output};
      const ComputedArray& result = of->arrays[output.of];
      const ComputedArray& expected = other->arrays[output.other];
      ComputedDifference difference = differenceOf(expected.before, expected.after, result.after, limit_);
      const bool manySteps = difference.count > 0 && launched.launches > 1 && callsOf(call.function) == 1;
      if (manySteps) {
        // A function with a loop over time steps computes what all launches together do.
        const auto steps = std::ranges::find_if(other->numbers, [&](const ComputedNumber& number) {
          return !isFloating(number.type) && valueOf(number) == static_cast<double>(launched.launches);
        });
        if (steps != other->numbers.end()) { match.steps = static_cast<std::size_t>(steps - other->numbers.begin()); }
      }
      // What the array held before the launch, such as another kernel's result, says nothing of this one.
      const bool held =
          difference.count == 0 && differenceOf(expected.before, expected.after, result.before, limit_).count == 0;
      // Nor do inputs of one value: which of their elements is read makes no difference.
      const bool flat =
          difference.count == 0 && std::ranges::any_of(pairs->inputs, [&](const Correspondence::Pair& one) {
            const ArrayData& input = of->arrays[one.of].before;
            return input.elementCount() > kMostInFilter && isConstant(input);
          });
      if (!saysEnough(difference) || held || flat) {
        // Where the data is flat a stencil changes nothing: called with other data, the function says more.
        const bool first = std::ranges::none_of(
            unclear, [&](const Match& one) { return calls_[one.call].function.at == call.function.at; });
        if (first && difference.compared > 0 && (!manySteps || match.steps)) {
          match.onOwnData = difference;
          unclear.push_back(std::move(match));
        }
        continue;
      }
      std::string where = tr("on the program's data");
      ArrayData last = result.after;
      if (manySteps) {
        ArrayData copied{.element = result.after.element, .extents = {}, .bytes = launched.copied};
        copied.extents = {static_cast<std::int64_t>(copied.bytes.size()) / sizeInMemory(copied.element)};
        const bool whole =
            copied.elementCount() >= std::min(result.after.elementCount(), expected.after.elementCount());
        if (whole) {
          difference = differenceOf(expected.before, expected.after, copied, limit_);
          last = std::move(copied);
        }
        if (difference.compared == 0) { continue; }
        match.onOtherData = false;
        where = trf("after {} launches", launched.launches);
        if (match.steps && (!whole || difference.count > 0)) { matches_.push_back(match); }
        if (!whole) { continue; }
      }
      if (difference.count == 0) {
        if (const ComputedDifference border = overwrittenBorder(match, expected, last, difference); border.count > 0) {
          addWrong(match, border, tr("where that leaves its output as it was"));
          verdicts_.back().unlessAccepted = false;
          return;
        }
      }
      if (difference.count == 0 && !manySteps && isMoreThan(*of, expected, result)) {
        match.isMarked = true;
        unclear.assign(1, std::move(match));
        break;
      }
      if (difference.count == 0) {
        match.verdict = verdicts_.size();
        verdicts_.push_back(verdictOf(match));
        if (match.onOtherData || match.steps) { matches_.push_back(std::move(match)); }
        return;
      }
      const double share = static_cast<double>(difference.count) / static_cast<double>(difference.compared);
      if (match.steps || share >= smallest) { continue; }
      smallest = share;
      closest = Closest{std::move(match), std::move(difference), where};
    }
  }
  if (closest && std::ranges::none_of(unclear, &Match::isMarked)) {
    addWrong(closest->match, closest->difference, closest->where);
  } else {
    std::ranges::move(unclear, std::back_inserter(matches_));
  }
}

/// Whether a kernel sets points inside its array that the function has left at the value that they had: whether the
/// function has computed that value there is not known.
bool OwnFunctions::isMoreThan(const Computation& of, const ComputedArray& expected, const ComputedArray& result) const {
  const ComputedDifference beyond = changedBeyond(expected, result, limit_);
  return beyond.count > 0 && !experiment::lieAtBorder(beyond.wrong, result.after.elementCount(), sizesOf(of));
}

/// With what a function makes of a marked output: what is no longer marked it has set.
void OwnFunctions::decideMarked(Match match, const ArrayData& expected) {
  const ComputedArray& own = match.other->arrays[match.output.other];
  const ArrayData& marked = match.data.other.at(match.output.other);
  // A function that adds to what its output held says nothing of where it adds nothing.
  if (differenceOf(own.before, own.after, expected, limit_).count > 0) { return; }
  const ArrayData& result = match.of->arrays[match.output.of].after;
  const ComputedDifference difference = differenceOf(marked, expected, result, limit_);
  const bool allListed = static_cast<std::size_t>(difference.count) == difference.wrong.size();
  const bool atBorder =
      allListed && experiment::lieAtBorder(difference.wrong, result.elementCount(), sizesOf(*match.of));
  if (!saysEnough(difference) || atBorder) { return; }
  if (difference.count > 0) {
    addWrong(match, difference, tr("on the program's data"));
    return;
  }
  match.isMarked = false;
  match.verdict = verdicts_.size();
  verdicts_.push_back(verdictOf(match));
  matches_.push_back(std::move(match));
}

/// Where a result differs in a border that the function leaves as it was: that belongs to its result, too, whatever the
/// program compares. Nothing where the program goes on to change it.
ComputedDifference OwnFunctions::overwrittenBorder(const Match& match, const ComputedArray& expected,
                                                   const ArrayData& found, const ComputedDifference& inner) const {
  if (!calls_[match.call].unchanged) { return {}; }
  ComputedDifference border = overwrittenIn(expected, match.of->arrays[match.output.of].before, found, limit_);
  // A function that computes a sample leaves more alone than a border.
  if (kLeastTimesBorder * border.count > inner.compared) { return {}; }
  // A border that is copied from the input keeps its values in another way.
  const auto isCopied = [&](std::int64_t at) {
    return std::ranges::any_of(match.pairs.inputs, [&](const Correspondence::Pair& input) {
      const ArrayData& array = match.of->arrays[input.of].before;
      return at < array.elementCount() && experiment::valueAt(array, at) == experiment::valueAt(found, at);
    });
  };
  return std::ranges::all_of(border.wrong, isCopied) ? ComputedDifference{} : border;
}

/// What other data says where the program's own says too little: a function that computes the same comes before one
/// that does not.
void OwnFunctions::decide(const Match& match, const ComputedDifference& found) {
  const auto known = std::ranges::find(verdicts_, kernels_[match.kernel].launch, &OwnVerdict::launch);
  if (found.count == 0) {
    OwnVerdict& verdict = known == verdicts_.end() ? verdicts_.emplace_back() : *known;
    verdict = verdictOf(match);
    verdict.onOtherData = true;
  } else if (known == verdicts_.end()) {
    const bool seen = !match.steps && match.onOwnData->count > 0;
    addWrong(match, seen ? *match.onOwnData : found,
             seen          ? tr("on the program's data")
             : match.steps ? tr("in its first step on other data")
                           : tr("on other data"));
  }
}

void OwnFunctions::addWrong(const Match& match, const ComputedDifference& difference, const std::string& where) {
  verdicts_.push_back(verdictOf(match, difference, where));
  verdicts_.back().unlessAccepted = true;
  ask(verdicts_.size() - 1, match, difference);
}

std::size_t OwnFunctions::callsOf(const host::HostFunction& function) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(calls_, [&](const OwnCall& one) { return one.function.at == function.at; }));
}

OwnVerdict OwnFunctions::verdictOf(const Match& match) const {
  const host::HostFunction& function = calls_[match.call].function;
  return {.launch = kernels_[match.kernel].launch, .function = function.name, .at = function.at};
}

OwnVerdict OwnFunctions::verdictOf(const Match& match, const ComputedDifference& difference,
                                   const std::string& where) const {
  const KeptLaunch& kept = kernels_[match.kernel].before;
  const std::string& array = match.of->arrays[match.output.of].name;
  OwnVerdict verdict = verdictOf(match);
  const bool numbers = isFloating(match.of->arrays[match.output.of].before.element);
  verdict.meant = static_cast<double>(difference.count) <=
                  (numbers ? kMostNumbersDiffering : kMostDiffering) * static_cast<double>(difference.compared);
  const ArrayData& result = match.of->arrays[match.output.of].after;
  verdict.atBorder = static_cast<std::size_t>(difference.count) == difference.wrong.size() &&
                     experiment::lieAtBorder(difference.wrong, result.elementCount(), sizesOf(*match.of));
  faults::Finding& finding = verdict.finding.emplace();
  finding.kind = faults::FindingKind::WrongResult;
  const auto pointer = std::ranges::find(kept.pointers, array, &BoundPointer::parameter);
  if (pointer != kept.pointers.end()) { finding.object = pointer->object; }
  finding.index = difference.wrong.front();
  finding.where = kept.program->kernelRange;
  finding.where.endLine = finding.where.line;
  if (pointer != kept.pointers.end()) {
    const std::int64_t size = sizeInMemory(kept.program->objects[pointer->object].element);
    const std::int64_t element = finding.index + (pointer->place ? pointer->place->offset / size : 0);
    const work::Deadline deadline(limit_.until - std::chrono::steady_clock::now(), limit_.stop);
    finding.where = provenance::storeTo(*kept.program, kept.launch, pointer->object, element, deadline.token())
                        .value_or(finding.where);
  }
  finding.shownBy = {{verdict::Basis::OwnFunction,
                      verdict::Outcome::Differs,
                      {trf("{} (line {})", verdict.function, verdict.at.line)}}};
  finding.occurrences = static_cast<std::uint64_t>(difference.count);
  const ComputedArray& output = match.of->arrays[match.output.of];
  const std::string element = fmt::format("{}[{}]", array, finding.index);
  const std::string what = isLeftUnwritten(output.before, output.after, finding.index)
                               ? trf("nothing was written to {}", element)
                               : trf("{} is {:.6g}", element, difference.found);
  finding.message = trf(
      "the result differs from that of the program's own function {0} (line {1}) {2}, at {3} of {4} points: {5}, where "
      "{0} computes {6:.6g}",
      verdict.function, verdict.at.line, where, difference.count, difference.compared, what, difference.expected);
  return verdict;
}

std::optional<OwnFunctions::Request> OwnFunctions::next() {
  if (limit_.isReached() || ++asks_ > kMostCallsAgain) { return std::nullopt; }
  if (matches_.empty()) {
    if (questions_.empty()) { return std::nullopt; }
    prepare(questions_.back());
    return requestFor(questions_.back().match);
  }
  asked_ = std::move(matches_.back());
  matches_.pop_back();
  OtherData& data = asked_->data;
  if (asked_->isMarked) {
    const ComputedArray& output = asked_->other->arrays[asked_->output.other];
    data = {};
    data.other[asked_->output.other] = markedLike(output.before);
    return requestFor(*asked_);
  }
  if (asked_->onOtherData) {
    data = otherData(*asked_->of, *asked_->other, asked_->pairs, /*beyond=*/!asked_->onOwnData);
  }
  if (asked_->steps) { data.numbersOther[*asked_->steps] = 1; }
  return requestFor(*asked_);
}

/// The call of a match with its other data.
OwnFunctions::Request OwnFunctions::requestFor(const Match& match) const {
  const OwnCall& call = calls_[match.call];
  const OtherData& data = match.data;
  Request request{.list = {match.call}, .blocks = call.before};
  std::size_t array = 0;
  std::size_t number = 0;
  for (std::size_t i = 0; i < call.function.parameters.size(); ++i) {
    if (call.function.parameters[i].form == host::HostParameter::Form::Number) {
      const auto changed = data.numbersOther.find(number++);
      request.list.push_back(changed == data.numbersOther.end() ? call.arguments[i] : changed->second);
      continue;
    }
    request.list.push_back(0);
    const auto changed = data.other.find(array++);
    if (changed == data.other.end()) { continue; }
    std::ranges::copy(changed->second.bytes,
                      request.blocks[call.arguments[i]].begin() + static_cast<std::ptrdiff_t>(call.offsets[i]));
  }
  return request;
}

void OwnFunctions::answer(std::vector<std::vector<std::byte>> blocks) {
  if (!asked_ && questions_.empty()) { return; }
  Match match = asked_ ? std::move(*asked_) : questions_.back().match;
  const bool explains = !asked_;
  asked_.reset();
  // For this one computation the call has what it computed now.
  OwnCall& call = calls_[match.call];
  if (blocks.size() != call.after.size()) {
    if (explains) { questions_.pop_back(); }
    return;
  }
  std::swap(call.after, blocks);
  const Computation other = computationOf(call);
  std::swap(call.after, blocks);
  const ArrayData& expected = other.arrays[match.output.other].after;
  if (explains) {
    Question& question = questions_.back();
    const bool changed = question.changes;
    if (explain(question, expected)) {
      questions_.pop_back();
    } else if (question.changes == changed) {
      ++question.asked;
    }
    return;
  }
  if (match.isMarked) {
    decideMarked(std::move(match), expected);
    return;
  }
  const auto changed = match.data.other.find(match.output.other);
  const ArrayData& before =
      changed == match.data.other.end() ? match.other->arrays[match.output.other].before : changed->second;
  const auto difference = [&](const ArrayData& found) { return differenceOf(before, expected, found, limit_); };
  if (!match.onOtherData) {
    const ComputedDifference step = difference(match.of->arrays[match.output.of].after);
    if (!saysEnough(step)) { return; }
    if (step.count == 0) {
      const ComputedArray once{.name = {}, .before = before, .after = expected};
      const ComputedDifference border = overwrittenBorder(match, once, match.of->arrays[match.output.of].after, step);
      if (border.count > 0 && !match.verdict) {
        addWrong(match, border, tr("in its first step, where that leaves its output as it was"));
        return;
      }
      if (!match.verdict) {
        match.verdict = verdicts_.size();
        verdicts_.push_back(verdictOf(match));
      }
      match.onOtherData = true;
      matches_.push_back(std::move(match));
    } else if (!match.verdict) {
      addWrong(match, step, tr("in its first step"));
    }
    return;
  }
  const work::Deadline deadline(limit_.until - std::chrono::steady_clock::now(), limit_.stop);
  const auto results = executeAgain(kernels_[match.kernel], match.data.of, match.data.numbersOf, deadline.token());
  if (!results) { return; }
  const ArrayData& result = results->at(match.output.of);
  ComputedDifference found = difference(result);
  const auto own = match.data.of.find(match.output.of);
  const ArrayData& held = own == match.data.of.end() ? match.of->arrays[match.output.of].before : own->second;
  if (found.count > 0) {
    // What a border holds the program knows, and the kernel may rely on it where it leaves it alone.
    ComputedDifference inner = difference(withoutKept(result, held, expected));
    if (kLeastTimesBorder * (found.count - inner.count) <= found.compared) {
      // Where its own data say too little, it is not known whether it may.
      if (match.onOwnData && inner.count == 0) { return; }
      found = std::move(inner);
    }
  }
  if (!saysEnough(found) || (found.count == 0 && difference(held).count == 0)) { return; }
  if (match.onOwnData) {
    decide(match, found);
    return;
  }
  if (found.count == 0) {
    verdicts_[*match.verdict].onOtherData = !match.data.of.empty();
    return;
  }
  // A program that has no such picture need not be right for it; it is only not known to be.
  if (match.data.isBeyond) { return; }
  verdicts_[*match.verdict] = verdictOf(
      match, found, tr("on other data, with coefficients that all differ, although not on the program's own"));
  verdicts_[*match.verdict].meant = true;  // it is the same on the program's own
  ask(*match.verdict, match, found);
}

}  // namespace haloscope::running
