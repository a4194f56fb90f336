#include "checking/Evidence.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "experiment/InputData.h"
#include "experiment/Reference.h"

namespace haloscope::checking {
namespace {

constexpr std::size_t kSamplePoints = 48;   ///< points on which a hypothesis is tried
constexpr std::size_t kOutputsListed = 64;  ///< of a finding's wrong cells

std::vector<std::int64_t> some(const std::vector<std::int64_t>& all) {
  std::vector<std::int64_t> chosen;
  const std::size_t stride = all.size() / kSamplePoints + 1;
  for (std::size_t at = 0; at < all.size(); at += stride) { chosen.push_back(all[at]); }
  return chosen;
}

}  // namespace

Evidence::Evidence(const KernelFile& file, const Bindings& bindings, const Program& program, const Launch& before,
                   const Launch& after)
    : computes_(*file.computes),
      program_(program),
      outputId_(program.findObject(computes_.output)),
      oneStep_(file.steps(bindings) == 1),
      input_(experiment::inputOfLastStep(file, bindings, program, before.arrays)),
      inputAfter_(after.arrays[program.findObject(computes_.input)]),
      weights_(experiment::weightsOf(file, bindings, program, before.arrays)),
      initial_(before.arrays[outputId_]),
      output_(after.arrays[outputId_]),
      taps_(file.taps(bindings)),
      agreement_(experiment::kLooseTolerance) {
  const std::vector<std::int64_t> grid = experiment::gridOf(file, bindings, input_);
  for (std::size_t axis = 0; axis < input_.extents.size(); ++axis) {
    extents_[3 - input_.extents.size() + axis] = input_.extents[axis];
    grid_[3 - input_.extents.size() + axis] = grid[axis];
  }
  judge();
  if (!wrong_.empty() || !unwritten_.empty()) { return; }
  // Only where no point is as far off as a hypothesis may be, the reference's own tolerance counts.
  agreement_ = std::min(experiment::kLooseTolerance, experiment::toleranceOf(taps_.size(), output_.element));
  judge();
}

void Evidence::judge() {
  std::vector<std::int64_t> right;
  for (std::int64_t element = 0; element < output_.elementCount(); ++element) {
    if (!inside(pointOf(element))) { continue; }  // padding
    if (agrees(element, expected(element))) {
      right.push_back(element);
    } else {
      (untouched(element) ? unwritten_ : wrong_).push_back(element);
    }
  }
  samples_ = some(wrong_);
  rightSamples_ = some(right);
}

double Evidence::computed(std::int64_t element) const { return experiment::valueAt(output_, element); }
double Evidence::input(std::int64_t element) const { return experiment::valueAt(input_, element); }
double Evidence::weightValue(std::size_t index) const {
  return experiment::valueAt(weights_, static_cast<std::int64_t>(index));
}

Point Evidence::pointOf(std::int64_t element) const {
  return {element / extents_[2] / extents_[1], element / extents_[2] % extents_[1], element % extents_[2]};
}

std::int64_t Evidence::elementAt(const Point& point) const {
  return (point[0] * extents_[1] + point[1]) * extents_[2] + point[2];
}

bool Evidence::inside(const Point& point) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (point[axis] < 0 || point[axis] >= grid_[axis]) { return false; }
  }
  return true;
}

bool Evidence::allInside(std::int64_t element) const {
  const Point point = pointOf(element);
  return std::ranges::all_of(
      taps_, [&](const Offset& tap) { return inside({point[0] + tap[0], point[1] + tap[1], point[2] + tap[2]}); });
}

Prediction Evidence::sum(std::int64_t element, const WeightedTaps& terms) const {
  if (terms.empty()) { return {input(element), std::abs(input(element))}; }
  const Point point = pointOf(element);
  Prediction made;
  for (const WeightedTap& term : terms) {
    const Point at{point[0] + term.offset[0], point[1] + term.offset[1], point[2] + term.offset[2]};
    if (!inside(at)) { continue; }
    const double product = weightValue(term.weight) * input(elementAt(at));
    made.value += product;
    made.magnitude += std::abs(product);
  }
  return made;
}

Prediction Evidence::expected(std::int64_t element) const {
  if (computes_.border == Computes::Border::Keeps && !allInside(element)) { return {input(element), 0}; }
  WeightedTaps terms;
  for (std::size_t t = 0; t < taps_.size(); ++t) { terms.push_back({t, taps_[t]}); }
  return sum(element, terms);
}

bool Evidence::agrees(std::int64_t element, const Prediction& predicted) const {
  const double rounding = isFloating(output_.element) ? 0 : 1;  // a sum that is stored as an integer
  return std::abs(computed(element) - predicted.value) <= agreement_ * predicted.magnitude + rounding;
}

bool Evidence::untouched(std::int64_t element) const {
  const auto size = static_cast<std::size_t>(sizeInMemory(output_.element));
  const std::size_t offset = static_cast<std::size_t>(element) * size;
  return std::memcmp(output_.bytes.data() + offset, initial_.bytes.data() + offset, size) == 0;
}

bool Evidence::explainedBy(const Predict& predict) const {
  return !samples_.empty() && std::ranges::all_of(samples_, [&](std::int64_t element) {
    const std::optional<Prediction> predicted = predict(element);
    return predicted && agrees(element, *predicted);
  });
}

bool Evidence::sparesNothing(const Predict& predict) const {
  return std::ranges::all_of(rightSamples_, [&](std::int64_t element) {
    const std::optional<Prediction> predicted = predict(element);
    return !predicted || agrees(element, *predicted);
  });
}

std::optional<double> Evidence::commonFactor() const {
  std::optional<double> factor;
  for (const std::int64_t element : samples_) {
    const auto [value, magnitude] = expected(element);
    if (std::abs(value) < 1e-2 * magnitude || !std::isfinite(computed(element))) { continue; }
    const double ratio = computed(element) / value;
    if (factor && std::abs(ratio - *factor) > 1e-3 * std::abs(*factor)) { return std::nullopt; }
    if (!factor) { factor = ratio; }
  }
  return samples_.size() > 3 ? factor : std::nullopt;
}

std::optional<double> Evidence::commonSurplus() const {
  if (samples_.size() < 4) { return std::nullopt; }
  const double surplus = computed(samples_.front()) - expected(samples_.front()).value;
  for (const std::int64_t element : samples_) {
    const auto [value, magnitude] = expected(element);
    const double difference = std::abs(computed(element) - value - surplus);
    if (!(difference <= agreement_ * (magnitude + std::abs(surplus)))) { return std::nullopt; }
  }
  return surplus;
}

std::optional<std::pair<std::size_t, std::int64_t>> Evidence::commonPlane() const {
  for (std::size_t axis = 3 - rank(); axis < 3; ++axis) {
    const std::int64_t coordinate = pointOf(wrong_.front())[axis];
    if (wrong_.size() > 1 &&
        std::ranges::all_of(wrong_, [&](std::int64_t element) { return pointOf(element)[axis] == coordinate; })) {
      return std::pair(axis, coordinate);
    }
  }
  return std::nullopt;
}

bool Evidence::onlyAtBorder() const {
  return std::ranges::none_of(wrong_, [&](std::int64_t element) { return allInside(element); });
}

bool Evidence::wentToTheInput() const {
  if (!oneStep_ || !wrong_.empty() || unwritten_.empty()) { return false; }
  std::int64_t changed = 0;
  std::int64_t exact = 0;
  for (std::int64_t element = 0; element < output_.elementCount(); ++element) {
    if (experiment::valueAt(inputAfter_, element) == input(element)) { continue; }
    if (!std::ranges::binary_search(unwritten_, element)) { return false; }
    ++changed;
    const Prediction predicted = expected(element);
    exact += std::abs(experiment::valueAt(inputAfter_, element) - predicted.value) <= agreement_ * predicted.magnitude
                 ? 1
                 : 0;
  }
  // The first threads still read what the launch began with; those after them what the others left.
  return 10 * changed >= 9 * static_cast<std::int64_t>(unwritten_.size()) && exact > 0;
}

std::string Evidence::name(std::int64_t element) const {
  const Point point = pointOf(element);
  std::string text = computes_.output;
  for (std::size_t axis = 3 - rank(); axis < 3; ++axis) { text += fmt::format("[{}]", point[axis]); }
  return text;
}

std::string Evidence::neighbour(const Offset& offset) const {
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

std::string Evidence::weight(std::size_t index) const {
  if (!computes_.coefficients.empty()) { return computes_.coefficients[index].text(); }
  std::string text;
  auto rest = static_cast<std::int64_t>(index);
  for (std::size_t axis = weights_.extents.size(); axis-- > 0;) {
    const std::string factor = computes_.factors.empty() ? "" : computes_.factors[axis];
    text.insert(
        0, fmt::format("{}{}[{}]", factor.empty() || axis == 0 ? "" : " * ", factor, rest % weights_.extents[axis]));
    rest /= weights_.extents[axis];
  }
  return computes_.weights + text;
}

faults::Finding Evidence::finding(std::string message, std::optional<std::size_t> weight) const {
  faults::Finding made;
  made.kind = faults::FindingKind::WrongResult;
  made.message = std::move(message);
  made.object = outputId_;
  const ObjectId weights = program_.findObject(computes_.weights);
  for (const Instruction& code : program_.code) {
    if (code.op == Opcode::Store && code.aux == outputId_ && !made.where.valid()) { made.where = code.range; }
    if (weight && weights != kNone && code.op == Opcode::Load && code.aux == weights) {
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
  made.occurrences = cells.size();
  for (const std::int64_t element : cells) { made.reach({outputId_, element}, kOutputsListed); }
  return made;
}

}  // namespace haloscope::checking
