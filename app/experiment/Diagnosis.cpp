#include "experiment/Diagnosis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "experiment/InputData.h"
#include "experiment/MacroHazard.h"
#include "experiment/Reference.h"

namespace haloscope::experiment {
namespace {

using Offset = std::array<int, 3>;  ///< slowest axis first
using Point = std::array<std::int64_t, 3>;

/// One summand of what a point may hold: weights[weight] * input[p + offset].
struct Term {
  std::size_t weight = 0;
  Offset offset{};
};
using Terms = std::vector<Term>;

/// A supposed mistake: what the points would hold then, and how to tell it.
struct Hypothesis {
  Terms terms;
  std::string message;
  std::optional<std::size_t> weight;  ///< the one whose load is the place; none: the store to the output
};

constexpr std::size_t kSamples = 48;      ///< wrong points on which a hypothesis is tried
constexpr std::size_t kOutputsTold = 64;  ///< of a finding's wrong cells
constexpr std::size_t kMostTaps = 150;    ///< hypotheses about pairs of taps grow with their square
constexpr double kAgreement = 1e-5;       ///< in units of the sum's summands

/// The arrays of the computation, and which of its points are wrong.
class Evidence {
 public:
  Evidence(const KernelFile& file, const Bindings& bindings, const Program& program, const Launch& before,
           const Launch& after)
      : computes_(*file.computes),
        program_(program),
        outputId_(program.findObject(computes_.output)),
        input_(before.arrays[program.findObject(computes_.input)]),
        weights_(before.arrays[program.findObject(computes_.weights)]),
        initial_(before.arrays[outputId_]),
        output_(after.arrays[outputId_]),
        taps_(file.taps(bindings)) {
    for (std::size_t axis = 0; axis < input_.extents.size(); ++axis) {
      extents_[3 - input_.extents.size() + axis] = input_.extents[axis];
    }
    for (std::int64_t element = 0; element < output_.elementCount(); ++element) {
      if (agrees(element, expectedTerms(element))) { continue; }
      (untouched(element) ? unwritten_ : wrong_).push_back(element);
    }
    const std::size_t stride = wrong_.size() / kSamples + 1;
    for (std::size_t at = 0; at < wrong_.size(); at += stride) { samples_.push_back(wrong_[at]); }
  }

  [[nodiscard]] const std::vector<Offset>& taps() const { return taps_; }
  [[nodiscard]] const std::vector<std::int64_t>& wrong() const { return wrong_; }
  [[nodiscard]] const std::vector<std::int64_t>& unwritten() const { return unwritten_; }
  [[nodiscard]] std::size_t rank() const { return input_.extents.size(); }
  [[nodiscard]] const Computes& computes() const { return computes_; }
  [[nodiscard]] double computed(std::int64_t element) const { return valueAt(output_, element); }
  [[nodiscard]] double expected(std::int64_t element) const { return predict(element, expectedTerms(element)).first; }

  /// Whether all wrong points that are tried hold what the terms make of the input.
  [[nodiscard]] bool explainedBy(const Terms& terms) const {
    return !samples_.empty() &&
           std::all_of(samples_.begin(), samples_.end(), [&](std::int64_t element) { return agrees(element, terms); });
  }
  /// The factor by which all wrong points differ from what they should hold, if it is one.
  [[nodiscard]] std::optional<double> commonFactor() const {
    std::optional<double> factor;
    for (const std::int64_t element : samples_) {
      const auto [value, magnitude] = predict(element, expectedTerms(element));
      if (std::abs(value) < 1e-2 * magnitude || !std::isfinite(computed(element))) { continue; }
      const double ratio = computed(element) / value;
      if (factor && std::abs(ratio - *factor) > 1e-3 * std::abs(*factor)) { return std::nullopt; }
      if (!factor) { factor = ratio; }
    }
    return samples_.size() > 3 ? factor : std::nullopt;
  }
  /// An axis along which all wrong points have one coordinate, though the array has more.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::int64_t>> commonPlane() const {
    for (std::size_t axis = 3 - rank(); axis < 3; ++axis) {
      const std::int64_t coordinate = pointOf(wrong_.front())[axis];
      if (wrong_.size() > 1 && std::all_of(wrong_.begin(), wrong_.end(), [&](std::int64_t element) {
            return pointOf(element)[axis] == coordinate;
          })) {
        return std::pair(axis, coordinate);
      }
    }
    return std::nullopt;
  }
  /// Whether every wrong point has a tap outside the array.
  [[nodiscard]] bool onlyAtBorder() const {
    return std::all_of(wrong_.begin(), wrong_.end(), [&](std::int64_t element) { return !allInside(element); });
  }
  /// "out[3][0]"
  [[nodiscard]] std::string name(std::int64_t element) const {
    const Point point = pointOf(element);
    std::string text = computes_.output;
    for (std::size_t axis = 3 - rank(); axis < 3; ++axis) { text += fmt::format("[{}]", point[axis]); }
    return text;
  }
  /// "in[i][j - 1][k]"
  [[nodiscard]] std::string neighbour(const Offset& offset) const {
    static constexpr std::array<std::array<const char*, 3>, 4> kNames{
        {{"", "", ""}, {"", "", "i"}, {"", "row", "col"}, {"i", "j", "k"}}};
    std::string text = computes_.input;
    for (std::size_t axis = 3 - rank(); axis < 3; ++axis) {
      const int d = offset[axis];
      text += d == 0 ? fmt::format("[{}]", kNames[rank()][axis])
                     : fmt::format("[{} {} {}]", kNames[rank()][axis], d < 0 ? '-' : '+', std::abs(d));
    }
    return text;
  }
  /// "c[3]" or "filter[0][2]"
  [[nodiscard]] std::string weight(std::size_t index) const {
    std::string text;
    auto rest = static_cast<std::int64_t>(index);
    for (std::size_t axis = weights_.extents.size(); axis-- > 0;) {
      text.insert(0, fmt::format("[{}]", rest % weights_.extents[axis]));
      rest /= weights_.extents[axis];
    }
    return computes_.weights + text;
  }

  [[nodiscard]] analysis::Finding finding(std::string message, std::optional<std::size_t> weight) const {
    analysis::Finding made;
    made.kind = analysis::FindingKind::WrongResult;
    made.message = std::move(message);
    made.object = outputId_;
    const ObjectId weights = program_.findObject(computes_.weights);
    for (const Instruction& code : program_.code) {
      if (code.op == Opcode::Store && code.aux == outputId_ && !made.where.valid()) { made.where = code.range; }
      if (weight && code.op == Opcode::Load && code.aux == weights) {
        const Register& address = program_.registers[code.a];
        const std::int64_t at = static_cast<std::int64_t>(*weight) * sizeInMemory(program_.objects[weights].element);
        if (address.kind == RegisterKind::Constant && PackedPointer::byteOffset(address.bits) == at) {
          made.where = code.range;
          break;
        }
      }
    }
    if (!made.where.valid()) { made.where = program_.kernelRange; }
    const std::vector<std::int64_t>& cells = wrong_.empty() ? unwritten_ : wrong_;
    made.index = cells.front();
    made.occurrences = made.outputCount = cells.size();
    for (std::size_t at = 0; at < std::min(cells.size(), kOutputsTold); ++at) {
      made.outputs.push_back({outputId_, cells[at]});
    }
    return made;
  }

 private:
  [[nodiscard]] Point pointOf(std::int64_t element) const {
    return {element / extents_[2] / extents_[1], element / extents_[2] % extents_[1], element % extents_[2]};
  }
  /// The linear index of a neighbour, or -1 outside.
  [[nodiscard]] std::int64_t at(const Point& point, const Offset& offset) const {
    std::int64_t element = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t coordinate = point[axis] + offset[axis];
      if (coordinate < 0 || coordinate >= extents_[axis]) { return -1; }
      element = element * extents_[axis] + coordinate;
    }
    return element;
  }
  [[nodiscard]] bool allInside(std::int64_t element) const {
    const Point point = pointOf(element);
    return std::all_of(taps_.begin(), taps_.end(), [&](const Offset& tap) { return at(point, tap) >= 0; });
  }
  /// No terms: the point keeps the input's value.
  [[nodiscard]] Terms expectedTerms(std::int64_t element) const {
    Terms terms;
    if (computes_.border == Computes::Border::Keeps && !allInside(element)) { return terms; }
    for (std::size_t t = 0; t < taps_.size(); ++t) { terms.push_back({t, taps_[t]}); }
    return terms;
  }
  /// The sum, and the sum of its summands' magnitudes.
  [[nodiscard]] std::pair<double, double> predict(std::int64_t element, const Terms& terms) const {
    if (terms.empty()) { return {valueAt(input_, element), std::abs(valueAt(input_, element))}; }
    const Point point = pointOf(element);
    double sum = 0;
    double magnitude = 0;
    for (const Term& term : terms) {
      const std::int64_t neighbour = at(point, term.offset);
      if (neighbour < 0) { continue; }
      const double product = valueAt(weights_, static_cast<std::int64_t>(term.weight)) * valueAt(input_, neighbour);
      sum += product;
      magnitude += std::abs(product);
    }
    return {sum, magnitude};
  }
  [[nodiscard]] bool agrees(std::int64_t element, const Terms& terms) const {
    const auto [value, magnitude] = predict(element, terms);
    const double rounding = isFloating(output_.element) ? 0 : 1;  // a sum that is stored as a whole number
    return std::abs(computed(element) - value) <= kAgreement * magnitude + rounding;
  }
  [[nodiscard]] bool untouched(std::int64_t element) const {
    const auto size = static_cast<std::size_t>(sizeInMemory(output_.element));
    const std::size_t offset = static_cast<std::size_t>(element) * size;
    return std::memcmp(output_.bytes.data() + offset, initial_.bytes.data() + offset, size) == 0;
  }

  const Computes& computes_;
  const Program& program_;
  ObjectId outputId_;
  const ArrayData& input_;
  const ArrayData& weights_;
  const ArrayData& initial_;
  const ArrayData& output_;
  std::vector<Offset> taps_;
  Point extents_{1, 1, 1};
  std::vector<std::int64_t> wrong_, unwritten_, samples_;
};

Terms plain(const std::vector<Offset>& taps) {
  Terms terms;
  for (std::size_t t = 0; t < taps.size(); ++t) { terms.push_back({t, taps[t]}); }
  return terms;
}

int reach(const std::vector<Offset>& taps) {
  int radius = 0;
  for (const Offset& tap : taps) {
    for (const int d : tap) { radius = std::max(radius, std::abs(d)); }
  }
  return radius;
}

/// Calls visit(offset) for all offsets of a box of this radius over the array's axes.
void forEachOffset(std::size_t rank, int radius, const std::function<void(const Offset&)>& visit) {
  for (int z = rank > 2 ? -radius : 0; z <= (rank > 2 ? radius : 0); ++z) {
    for (int y = rank > 1 ? -radius : 0; y <= (rank > 1 ? radius : 0); ++y) {
      for (int x = -radius; x <= radius; ++x) { visit({z, y, x}); }
    }
  }
}

/// Mistakes that concern the whole filter.
std::vector<Hypothesis> filterMistakes(const Evidence& evidence) {
  std::vector<Hypothesis> found;
  const std::vector<Offset>& taps = evidence.taps();
  const auto moved = [&](const std::function<Offset(const Offset&)>& move) {
    Terms terms = plain(taps);
    for (Term& term : terms) { term.offset = move(term.offset); }
    return terms;
  };
  const std::string& weights = evidence.computes().weights;
  found.push_back({moved([](const Offset& o) { return Offset{o[0], o[2], o[1]}; }),
                   fmt::format("the result is right if {} is transposed: its rows are used as columns", weights),
                   {}});
  found.push_back({moved([](const Offset& o) { return Offset{-o[0], -o[1], -o[2]}; }),
                   fmt::format("the result is right if {} is flipped: each weight meets the neighbour on the opposite "
                               "side",
                               weights),
                   {}});
  if (evidence.computes().border == Computes::Border::Keeps) {
    found.push_back({plain(taps),
                     fmt::format("border points should keep their value, but the kernel computes them, as if {} were 0 "
                                 "outside",
                                 evidence.computes().input),
                     {}});
  }
  const int radius = reach(taps);
  forEachOffset(evidence.rank(), radius, [&](const Offset& shift) {
    if (shift == Offset{}) { return; }
    const auto text = evidence.neighbour(shift);
    const bool byRadius = std::all_of(shift.begin(), shift.end(), [&](int d) { return d == 0 || d == radius; });
    found.push_back(
        {moved([&](const Offset& o) { return Offset{o[0] + shift[0], o[1] + shift[1], o[2] + shift[2]}; }),
         fmt::format("all taps are shifted: the filter is centred on {} instead of {}{}", text, evidence.neighbour({}),
                     byRadius ? "; the radius is not subtracted from the index" : ""),
         {}});
  });
  if (!evidence.computes().window.empty() && evidence.rank() == 2) {
    const int width = 2 * taps.back()[2] + 1;
    for (int stride = 0; stride < 2 * width; ++stride) {
      Terms terms;
      bool inside = stride != width;
      for (std::size_t t = 0; t < taps.size(); ++t) {
        const std::size_t used = t / static_cast<std::size_t>(width) * static_cast<std::size_t>(stride) +
                                 t % static_cast<std::size_t>(width);
        inside = inside && used < taps.size();
        terms.push_back({used, taps[t]});
      }
      if (!inside) { continue; }
      found.push_back({terms,
                       fmt::format("the rows of {} lie {} elements apart, but the kernel steps by {} from row to row",
                                   weights, width, stride),
                       {}});
    }
  }
  return found;
}

/// Mistakes that concern one or two taps.
std::vector<Hypothesis> tapMistakes(const Evidence& evidence) {
  std::vector<Hypothesis> found;
  const std::vector<Offset>& taps = evidence.taps();
  if (taps.size() > kMostTaps) { return found; }
  for (std::size_t a = 0; a < taps.size(); ++a) {
    for (std::size_t b = a + 1; b < taps.size(); ++b) {
      Terms terms = plain(taps);
      std::swap(terms[a].offset, terms[b].offset);
      found.push_back(
          {terms,
           fmt::format("the result is right if {} and {} are exchanged: the kernel multiplies {} by {}",
                       evidence.weight(a), evidence.weight(b), evidence.neighbour(taps[a]), evidence.weight(b)),
           a});
    }
  }
  for (std::size_t t = 0; t < taps.size(); ++t) {
    Terms omitted = plain(taps);
    omitted.erase(omitted.begin() + static_cast<std::ptrdiff_t>(t));
    found.push_back({omitted,
                     fmt::format("{} is left out: {} * {} is missing from the sum", evidence.weight(t),
                                 evidence.weight(t), evidence.neighbour(taps[t])),
                     {}});
    for (std::size_t other = 0; other < taps.size(); ++other) {
      if (other == t) { continue; }
      Terms terms = plain(taps);
      terms[t].weight = other;
      found.push_back(
          {terms,
           fmt::format("{} is used twice and {} never: the kernel multiplies {} by {}", evidence.weight(other),
                       evidence.weight(t), evidence.neighbour(taps[t]), evidence.weight(other)),
           other});
    }
    forEachOffset(evidence.rank(), reach(taps) + 1, [&](const Offset& offset) {
      if (offset == taps[t]) { return; }
      Terms terms = plain(taps);
      terms[t].offset = offset;
      found.push_back({terms,
                       fmt::format("{} is multiplied by {} where it should be by {}", evidence.weight(t),
                                   evidence.neighbour(offset), evidence.neighbour(taps[t])),
                       t});
    });
  }
  return found;
}

std::string unexplained(const Evidence& evidence) {
  const std::int64_t first = evidence.wrong().front();
  std::string message = fmt::format("{} point{} of {} {} wrong; the first is {}: computed {:.6g}, expected {:.6g}",
                                    evidence.wrong().size(), evidence.wrong().size() == 1 ? "" : "s",
                                    evidence.computes().output, evidence.wrong().size() == 1 ? "is" : "are",
                                    evidence.name(first), evidence.computed(first), evidence.expected(first));
  if (const auto plane = evidence.commonPlane()) {
    const char* axis = plane->first == 2 ? "last" : plane->first == 3 - evidence.rank() ? "first" : "middle";
    message += fmt::format("; all of them have {} as their {} index", plane->second, axis);
  } else if (evidence.onlyAtBorder()) {
    message += evidence.computes().border == Computes::Border::Keeps
                   ? "; all of them lie on the border, which should keep its value"
                   : "; all of them lie at the border, where ghost cells should count as zero";
  }
  return message;
}

}  // namespace

std::vector<analysis::Finding> diagnose(const KernelFile& file, const Bindings& bindings, const Program& program,
                                        const Launch& before, const Launch& after, bool onlyNamed) {
  if (!file.computes) { return {}; }
  if (compareWithReference(file, bindings, program, before.arrays, after.arrays).pass()) { return {}; }
  const Evidence evidence(file, bindings, program, before, after);
  if (evidence.wrong().empty() && evidence.unwritten().empty()) { return {}; }
  if (const auto macro = findMacroHazard(file.text)) {
    analysis::Finding finding = evidence.finding(
        fmt::format(
            "the macro {} stands for {} without parentheses, and is multiplied on line {}: only a part of it is",
            macro->name, macro->replacement, macro->used.line),
        {});
    finding.where = macro->where;
    finding.other = macro->used;
    return {finding};
  }
  if (evidence.wrong().empty()) { return {}; }
  for (const auto& hypotheses : {filterMistakes(evidence), tapMistakes(evidence)}) {
    for (const Hypothesis& hypothesis : hypotheses) {
      if (evidence.explainedBy(hypothesis.terms)) { return {evidence.finding(hypothesis.message, hypothesis.weight)}; }
    }
  }
  if (onlyNamed) { return {}; }
  if (const auto factor = evidence.commonFactor()) {
    return {evidence.finding(*factor == 0 ? "every wrong point holds 0"
                                          : fmt::format("every wrong point is {:.4g} times what it should be", *factor),
                             {})};
  }
  return {evidence.finding(unexplained(evidence), {})};
}

}  // namespace haloscope::experiment
