#include "figures/OpPerByteCurve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "experiment/Experiment.h"
#include "figures/ProblemText.h"
#include "language/Text.h"
#include "measuring/TuningMap.h"

namespace haloscope::figures {

namespace {

constexpr std::int64_t kAllValues = 40;    ///< up to this many values, every one is executed
constexpr std::int64_t kBeyondRange = 4;   ///< limits are searched up to this multiple of the range
constexpr std::int64_t kEveryValue = 256;  ///< up to this many values, the formula is sampled at every one
constexpr std::int64_t kFiner = 24;        ///< ... beyond, at steps of this fraction of the value

std::optional<double> formulaAt(const KernelFile& file, const Bindings& bindings) {
  if (!file.opPerByte) { return std::nullopt; }
  try {
    const double value = file.opPerByte->evaluate(bindings);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  } catch (const InputError&) { return std::nullopt; }
}

std::vector<std::int64_t> valuesOf(const Tunable& tunable, std::int64_t chosen) {
  if (tunable.maximum - tunable.minimum >= kAllValues) { return measuring::triedValues(tunable, chosen); }
  std::vector<std::int64_t> values;
  for (std::int64_t value = tunable.minimum; value <= tunable.maximum; ++value) { values.push_back(value); }
  return values;
}

/// Where the line has a corner: no dot lies between two of them, on whatever scale the plot is drawn.
std::set<std::int64_t> sampledValues(const OpPerByteCurve& curve) {
  std::set<std::int64_t> values = {curve.highest};
  const bool every = curve.highest - curve.lowest <= kEveryValue;
  for (std::int64_t value = curve.lowest; value <= curve.highest;) {
    values.insert(value);
    value += every ? 1 : std::max<std::int64_t>(1, value / kFiner);
  }
  for (const OpPerBytePoint& point : curve.points) { values.insert(point.value); }
  return values;
}

void sampleFormula(OpPerByteCurve& curve) {
  curve.line.clear();
  if (!curve.file->opPerByte) { return; }
  const auto limited = [&](std::int64_t value) {
    return std::ranges::any_of(curve.walls, [&](const LaunchWall& wall) { return value > wall.last; });
  };
  for (const std::int64_t value : sampledValues(curve)) {
    const OpPerBytePoint* point = curve.at(value);
    // Beyond a limit the formula still shows what a larger tile would give.
    if (point != nullptr && point->done && !point->formula && !limited(value)) { continue; }
    Bindings bindings = curve.bindings;
    bindings[curve.tunable] = value;
    const bool possible = std::ranges::all_of(
        curve.file->conditions, [&](const Expression& condition) { return condition.evaluate(bindings) != 0; });
    const std::optional<double> opPerByte = formulaAt(*curve.file, bindings);
    if (possible && opPerByte && nothingComputed(*curve.file, bindings).empty()) {
      curve.line.push_back({value, *opPerByte, formulaBound(*curve.file, bindings)});
    }
  }
}

/// Clears everything about a value that the variant does not allow.
void refuse(OpPerBytePoint& point, std::string reason) {
  point.done = true;
  point.refused = std::move(reason);
  point.formula.reset();
  point.bound.reset();
}

}  // namespace

std::string OpPerBytePoint::otherSizes(const KernelFile& file) const {
  std::string text;
  for (const SizeParameter& size : file.sizes) {
    const std::int64_t executed = count ? count->block.bindings.at(size.name) : bindings.at(size.name);
    if (executed == bindings.at(size.name)) { continue; }
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", size.name, executed);
  }
  return text;
}

const OpPerBytePoint* OpPerByteCurve::at(std::int64_t value) const {
  const auto found = std::ranges::find(points, value, &OpPerBytePoint::value);
  return found == points.end() ? nullptr : &*found;
}

std::optional<std::size_t> OpPerByteCurve::next() const {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].done) { continue; }
    if (points[i].value == bindings.at(tunable)) { return i; }
    if (!first) { first = i; }
  }
  return first;
}

std::string defaultTunable(const KernelFile& file) {
  if (file.tunables.empty()) { return {}; }
  const std::vector<std::string> axes = measuring::tuningAxes(file);
  return axes.empty() ? file.tunables.front().name : axes.front();
}

std::optional<double> formulaBound(const KernelFile& file, const Bindings& bindings) {
  Bindings far = bindings;
  Bindings farther = bindings;
  for (const std::string& name : measuring::tuningAxes(file)) {
    far[name] = std::int64_t{1} << 20;
    farther[name] = std::int64_t{1} << 24;
  }
  const std::optional<double> a = formulaAt(file, far);
  const std::optional<double> b = formulaAt(file, farther);
  // A quantity with a limit is 16 times closer to it at the second value.
  if (!a || !b || std::abs(*b - *a) > 1e-3 * std::abs(*b)) { return std::nullopt; }
  return *b + (*b - *a) / 15;
}

OpPerByteCurve planOpPerByte(const std::shared_ptr<const KernelFile>& file, const Bindings& bindings,
                             const std::string& tunable) {
  OpPerByteCurve curve;
  curve.file = file;
  curve.bindings = bindings;
  const Tunable* known = file->findTunable(tunable);
  if (known == nullptr) {
    curve.problem = tr("This kernel has no adjustable tile size, block width or radius.");
    return curve;
  }
  curve.tunable = tunable;
  for (const std::int64_t value : valuesOf(*known, bindings.at(tunable))) {
    OpPerBytePoint point;
    point.value = value;
    point.bindings = bindings;
    point.bindings[tunable] = value;
    try {
      static_cast<void>(file->configuration(file->bind(point.bindings)));
      point.formula = formulaAt(*file, point.bindings);
      point.bound = formulaBound(*file, point.bindings);
      if (std::string nothing = nothingComputed(*file, point.bindings); !nothing.empty()) {
        refuse(point, std::move(nothing));
      }
    } catch (const InputError& error) { refuse(point, problemText(*file, error)); }
    curve.points.push_back(std::move(point));
  }
  curve.lowest = known->minimum;
  curve.highest = known->maximum;
  sampleFormula(curve);
  return curve;
}

void findWalls(OpPerByteCurve& curve, const std::string& gpu, const std::string& computeCapability) {
  const Tunable* known = curve.file->findTunable(curve.tunable);
  if (known == nullptr) { return; }
  const std::int64_t farthest = known->maximum * kBeyondRange;
  curve.walls = launchWalls(*curve.file, curve.bindings, curve.tunable, farthest, gpu, computeCapability);
  curve.highest = known->maximum;
  for (const LaunchWall& wall : curve.walls) { curve.highest = std::max(curve.highest, wall.last + 1); }
  sampleFormula(curve);
}

void execute(const KernelFile& file, OpPerBytePoint& point, const std::stop_token& stop) {
  point.done = true;
  try {
    const Bindings bindings = file.bind(point.bindings);
    const LaunchConfiguration configuration = file.configuration(bindings);
    if (std::string nothing = nothingComputed(file, bindings); !nothing.empty()) {
      return refuse(point, std::move(nothing));
    }
    const Program program = experiment::compile(file, bindings);
    point.sharedBytes = program.sharedBytes() + configuration.dynamicSharedBytes;
    if (point.sharedBytes > configuration.sharedBytesLimit) {
      return refuse(point, trf("A block needs {} bytes of shared memory; the maximum is {}.", point.sharedBytes,
                               configuration.sharedBytesLimit));
    }
    point.count = countInterior(file, bindings, program, stop);
    if (!point.count) { point.refused = tr("No size in this kernel's range has an interior block."); }
    if (point.count && point.count->outputs == 0) {
      point.count.reset();
      refuse(point, tr("The executed block computes no point."));
    }
  } catch (const UserError& error) { refuse(point, problemText(file, error)); }
}

void putBack(OpPerByteCurve& curve, std::size_t index, OpPerBytePoint point) {
  const bool sampled = curve.points[index].formula.has_value();
  curve.points[index] = std::move(point);
  if (sampled && !curve.points[index].formula) { sampleFormula(curve); }
}

}  // namespace haloscope::figures
