#include "checking/Uniformity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/ElementName.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "provenance/WritingBlock.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::checking {

namespace {

/// Of one execution, in warp instructions.
constexpr std::uint64_t kExecutionBudget = 100'000'000;
/// A kernel that computes a larger share of its points otherwise uses their position.
constexpr double kMostPositions = 0.5;
/// A mistake in a tile shows in at least this share of the blocks, and in how many of them it could show.
constexpr double kLeastBlocks = 0.5;
constexpr std::uint64_t kFewestBlocks = 3;
/// With fewer finite values the comparison decides nothing.
constexpr double kLeastFinite = 0.5;
/// Points nearer to the grid's border than this may be computed in another way: a stencil of no higher order is known.
constexpr std::int64_t kMostOrder = 8;
/// An axis that is shorter has no interior.
constexpr std::int64_t kShortestAxis = 12;

using Extents = std::vector<std::int64_t>;

/// The arrays of a kernel that reads some of one shape and writes one.
struct Grid {
  std::vector<ObjectId> inputs;
  ObjectId output = kNone;
  Extents extents;
};

bool isTiled(const Program& program) {
  return std::ranges::any_of(program.objects,
                             [](const MemoryObject& one) { return one.space == MemorySpace::Shared; }) ||
         std::ranges::any_of(program.code, [](const Instruction& one) { return one.op == Opcode::Shuffle; });
}

/// The number of axes along which threads or blocks differ.
std::size_t axesOf(const Program& program) {
  std::array<bool, 3> axes{};
  for (const Register& one : program.registers) {
    if (one.kind != RegisterKind::Builtin) { continue; }
    const bool x = one.builtin == Builtin::ThreadIdxX || one.builtin == Builtin::BlockIdxX;
    const bool y = one.builtin == Builtin::ThreadIdxY || one.builtin == Builtin::BlockIdxY;
    const bool z = one.builtin == Builtin::ThreadIdxZ || one.builtin == Builtin::BlockIdxZ;
    axes = {axes[0] || x, axes[1] || y, axes[2] || z};
  }
  return static_cast<std::size_t>(std::ranges::count(axes, true));
}

/// Whether an array with one extent may have rows all the same, whose length only the kernel knows.
bool mayHaveRows(const Program& program, const Launch& launch, std::int64_t count) {
  for (const Instruction& one : program.code) {
    if ((one.op == Opcode::Rem || one.op == Opcode::Div) && !isFloating(one.type)) { return true; }
  }
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.object != kNone || isFloating(parameter.type)) { continue; }
    const auto value = static_cast<std::int32_t>(launch.arguments[i]);
    if (value > kMostOrder && value < count / 2) { return true; }
  }
  return false;
}

std::optional<Grid> gridOf(const Program& program, const Launch& launch) {
  std::vector<bool> read(program.objects.size(), false);
  std::vector<bool> written = writtenObjects(program);
  for (const Instruction& one : program.code) {
    if (!isAccess(one.op)) { continue; }
    if (one.aux == kNone) { return std::nullopt; }
    read[one.aux] = read[one.aux] || readsMemory(one.op);
  }
  Grid grid;
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space != MemorySpace::Global || !written[object]) { continue; }
    if (grid.output != kNone || read[object]) { return std::nullopt; }
    grid.output = object;
  }
  if (grid.output == kNone) { return std::nullopt; }
  grid.extents = launch.arrays[grid.output].extents;
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space != MemorySpace::Global || !read[object]) { continue; }
    if (launch.arrays[object].extents == grid.extents) { grid.inputs.push_back(object); }
  }
  const std::size_t rank = grid.extents.size();
  const bool known =
      rank >= axesOf(program) && (rank > 1 || !mayHaveRows(program, launch, launch.arrays[grid.output].elementCount()));
  return grid.inputs.empty() || !known ? std::nullopt : std::optional(std::move(grid));
}

std::int64_t strideOf(const Extents& extents, std::size_t axis) {
  std::int64_t stride = 1;
  for (std::size_t i = axis + 1; i < extents.size(); ++i) { stride *= extents[i]; }
  return stride;
}

/// Moved by one point along an axis; what comes in at the border is new.
ArrayData moved(const ArrayData& array, std::int64_t stride) {
  ArrayData to = array;
  for (std::int64_t i = stride; i < array.elementCount(); ++i) {
    experiment::setValue(to, i, experiment::valueAt(array, i - stride));
  }
  return to;
}

/// Whether a point is so far from each border that a stencil has all its neighbours there.
bool isInterior(const Extents& extents, std::int64_t point) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    const std::int64_t at = point % extents[axis];
    point /= extents[axis];
    if (extents[axis] == 1) { continue; }
    const std::int64_t margin = std::min(kMostOrder, extents[axis] / 4) + 1;
    if (at < margin || at >= extents[axis] - margin) { return false; }
  }
  return true;
}

/// Whether a point is in the inner half of the grid along each axis. Border layers of their own, such as sponges, end
/// further out.
bool isCentral(const Extents& extents, std::int64_t point) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    const std::int64_t at = point % extents[axis];
    point /= extents[axis];
    if (at < extents[axis] / 4 || at >= extents[axis] - extents[axis] / 4) { return false; }
  }
  return true;
}

/// Which block wrote each element of the output, the last one where there were several; counted from 1, 0 is none.
class Writers final : public simt::Observer {
 public:
  Writers(const Program& program, ObjectId output, std::int64_t count)
      : program_(program), output_(output), blocks_(static_cast<std::size_t>(count), 0) {}

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    return writesMemory(program_.code[instruction].op) && program_.code[instruction].aux == output_;
  }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<Writers>(program_, output_, static_cast<std::int64_t>(blocks_.size()));
  }
  void join(Observer& worker) override {
    const auto& other = static_cast<Writers&>(worker).blocks_;
    for (std::size_t i = 0; i < blocks_.size(); ++i) { blocks_[i] = std::max(blocks_[i], other[i]); }
  }
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override {
    const int bytes = sizeInMemory(access.element);
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::int64_t at = access.index[static_cast<std::size_t>(std::countr_zero(rest))] * bytes;
      const auto element = static_cast<std::size_t>(at / sizeInMemory(program_.objects[output_].element));
      // The last bytes may be less than an element.
      if (element < blocks_.size()) { blocks_[element] = std::max(blocks_[element], context.blockLinear + 1); }
    }
  }

  [[nodiscard]] std::uint64_t of(std::int64_t element) const { return blocks_[static_cast<std::size_t>(element)]; }
  /// The points along an axis that the block in the middle of the grid writes, if it writes more points than it has
  /// threads; otherwise 0.
  [[nodiscard]] std::int64_t marchOf(const Extents& extents, std::size_t axis, std::uint64_t threads) const {
    std::int64_t middle = 0;
    for (const std::int64_t extent : extents) { middle = middle * extent + extent / 2; }
    const std::uint64_t block = of(middle);
    if (block == 0 || static_cast<std::uint64_t>(std::ranges::count(blocks_, block)) <= threads) { return 0; }
    const std::int64_t stride = strideOf(extents, axis);
    std::int64_t at = middle - (extents[axis] / 2) * stride;
    std::int64_t points = 0;
    for (std::int64_t i = 0; i < extents[axis]; ++i, at += stride) { points += of(at) == block ? 1 : 0; }
    return points;
  }

 private:
  const Program& program_;
  ObjectId output_;
  std::vector<std::uint64_t> blocks_;
};

std::optional<ArrayData> resultOf(const Program& program, Launch launch, ObjectId output,
                                  const std::vector<simt::Observer*>& observers, const std::stop_token& stop) {
  simt::ExecuteOptions options;
  options.launchBudget = kExecutionBudget;
  options.stop = stop;
  const simt::ExecuteResult result = simt::execute(program, launch, observers, options);
  if (result.outcome == simt::Outcome::Stopped) { throw experiment::Cancelled{}; }
  if (result.outcome != simt::Outcome::Finished || result.outOfBounds > 0) { return std::nullopt; }
  return std::move(launch.arrays[output]);
}

struct Deviation {
  std::int64_t points = 0;    ///< inside the grid
  std::int64_t compared = 0;  ///< of these, those whose values are numbers
  std::int64_t count = 0, first = -1;
  std::uint64_t blocks = 0, blocksShowing = 0;  ///< that wrote central points, and those of them that differ at some

  [[nodiscard]] bool saysEnough() const {
    return compared > 0 && static_cast<double>(compared) >= kLeastFinite * static_cast<double>(points);
  }
  /// Whether it recurs from block to block, as the effect of a tile does, but not that of a place in the grid.
  [[nodiscard]] bool recurs() const {
    return blocks >= kFewestBlocks && static_cast<double>(blocksShowing) >= kLeastBlocks * static_cast<double>(blocks);
  }
};

/// `stride`: of how many elements it was moved. `both`: the point that comes to another place is inside the grid, too.
Deviation deviationOf(const ArrayData& still, const ArrayData& after, const Writers& writers, const Extents& extents,
                      std::int64_t stride, bool both = false) {
  double largest = 0;
  for (std::int64_t i = 0; i < still.elementCount(); ++i) {
    const double value = std::abs(experiment::valueAt(still, i));
    if (std::isfinite(value)) { largest = std::max(largest, value); }
  }
  const double tolerance = (still.element == ValueType::F16 ? 1e-2 : 1e-5) * largest;
  Deviation deviation;
  std::map<std::uint64_t, bool> showing;  // by block
  for (std::int64_t i = stride; i < still.elementCount(); ++i) {
    if (!isInterior(extents, i) || (both && !isInterior(extents, i - stride))) { continue; }
    ++deviation.points;
    const double a = experiment::valueAt(still, i - stride);
    const double b = experiment::valueAt(after, i);
    if (!std::isfinite(a) && !std::isfinite(b)) { continue; }
    ++deviation.compared;
    const bool differs = !(std::abs(a - b) <= tolerance);
    if (isCentral(extents, i) && writers.of(i) != 0) {
      bool& shows = showing[writers.of(i)];
      shows = shows || differs;
    }
    if (differs && deviation.count++ == 0) { deviation.first = i; }
  }
  deviation.blocks = showing.size();
  deviation.blocksShowing =
      static_cast<std::uint64_t>(std::ranges::count_if(showing, [](const auto& one) { return one.second; }));
  return deviation;
}

faults::Finding unevenFinding(const Program& program, const Launch& launch, ObjectId output, const Deviation& deviation,
                              const std::stop_token& stop) {
  faults::Finding finding;
  finding.kind = faults::FindingKind::WrongResult;
  finding.where = provenance::storeTo(program, launch, output, deviation.first, stop).value_or(program.kernelRange);
  finding.object = output;
  finding.index = deviation.first;
  finding.occurrences = static_cast<std::uint64_t>(deviation.count);
  finding.message = trf(
      "the points are not computed alike: when its input moves by one point, the result does not move with it at {} of "
      "the {} points compared, {} the first of them, in {} of {} blocks in the middle of the grid, as with a halo that "
      "is not loaded or a wrong index of a tile",
      deviation.count, deviation.compared, analysis::elementName(program, output, deviation.first),
      deviation.blocksShowing, deviation.blocks);
  return finding;
}

/// "y and x", of axes counted from the slowest one.
std::string namesOf(const std::vector<std::size_t>& axes, std::size_t rank) {
  std::vector<std::string> names;
  for (const std::size_t axis : axes) {
    names.push_back(rank > 3 ? trf("axis {}", axis) : std::string(1, "xyz"[rank - 1 - axis]));
  }
  return fmt::format("{}", fmt::join(names, names.size() == 2 ? tr(" and ") : ", "));
}

/// What was tried, along how much of the grid.
std::string uniformSentence(const Grid& grid, const std::vector<std::size_t>& along,
                            const std::vector<std::size_t>& tooShort, const std::vector<Deviation>& deviations,
                            std::int64_t points) {
  const std::size_t rank = grid.extents.size();
  std::int64_t compared = points;
  std::int64_t leftOut = 0;
  for (const Deviation& one : deviations) {
    compared = std::min(compared, one.compared);
    leftOut = std::max(leftOut, one.points - one.compared);
  }
  std::string text = trf(
      "What it should compute is not known. Random input that is moved by one point along {} moves the result by one "
      "point too, "
      "compared at {} of {} points; those near the borders are left out",
      namesOf(along, rank), compared, points);
  if (leftOut > 0) { text += trf(", and {} with values that are not finite", leftOut); }
  if (!tooShort.empty()) {
    text += trf("; {} has fewer than {} points and was not tried", namesOf(tooShort, rank), kShortestAxis);
  }
  return text + ".";
}

/// An axis along which each block computes some points one after the other, and along which the result moves with the
/// input only if both are moved by as many points.
struct March {
  std::size_t axis = 0;
  std::int64_t points = 0;
  Deviation deviation;  ///< of data that are moved by one point
};

faults::Finding marchFinding(const Program& program, const Launch& launch, const Grid& grid, const March& march,
                             const std::stop_token& stop) {
  faults::Finding finding;
  finding.kind = faults::FindingKind::WrongResult;
  finding.where =
      provenance::storeTo(program, launch, grid.output, march.deviation.first, stop).value_or(program.kernelRange);
  finding.object = grid.output;
  finding.index = march.deviation.first;
  finding.occurrences = static_cast<std::uint64_t>(march.deviation.count);
  const std::string axis = namesOf({march.axis}, grid.extents.size());
  finding.message = trf(
      "the points are not computed alike: each block computes {} points along {} one after the other, and the result "
      "at a "
      "point depends on which of these it is. When its input moves by one point along {}, the result does not move "
      "with "
      "it at {} of the {} points compared, {} the first of them; when it moves by {}, it does, as with a plane that is "
      "not loaded anew or not passed on from step to step",
      march.points, axis, axis, march.deviation.count, march.deviation.compared,
      analysis::elementName(program, grid.output, march.deviation.first), march.points);
  return finding;
}

class Moves {
 public:
  Moves(const Program& program, const Launch& launch, const Grid& grid, const std::stop_token& stop)
      : program_(program), launch_(launch), grid_(grid), stop_(stop) {}

  /// What comes of input that is moved along an axis.
  [[nodiscard]] std::optional<ArrayData> by(std::size_t axis, std::int64_t points) const {
    Launch other = launch_;
    const std::int64_t stride = points * strideOf(grid_.extents, axis);
    for (const ObjectId input : grid_.inputs) { other.arrays[input] = moved(launch_.arrays[input], stride); }
    return resultOf(program_, std::move(other), grid_.output, {}, stop_);
  }

  /// Whether the points of an axis depend on their place in a march. What repeats more often, such as the colours of
  /// pixels, has another reason.
  [[nodiscard]] std::optional<March> marchAlong(std::size_t axis, const Deviation& deviation, const ArrayData& still,
                                                const Writers& writers) const {
    constexpr std::int64_t kFewestPoints = 3, kFewestCompared = 16;
    const std::int64_t points = writers.marchOf(grid_.extents, axis, launch_.configuration.block.count());
    if (points < kFewestPoints || 2 * points > grid_.extents[axis]) { return std::nullopt; }
    const auto moves = [&](std::int64_t by) {
      const std::optional<ArrayData> after = this->by(axis, by);
      if (!after) { return false; }
      const Deviation one =
          deviationOf(still, *after, writers, grid_.extents, by * strideOf(grid_.extents, axis), true);
      return one.compared >= kFewestCompared && one.count == 0;
    };
    if (!moves(points)) { return std::nullopt; }
    for (std::int64_t divisor = 2; divisor <= points / 2; ++divisor) {
      if (points % divisor == 0 && moves(points / divisor)) { return std::nullopt; }
    }
    return March{.axis = axis, .points = points, .deviation = deviation};
  }

 private:
  const Program& program_;
  const Launch& launch_;
  const Grid& grid_;
  const std::stop_token& stop_;
};

}  // namespace

void checkUniformity(const KernelFile& file, const Bindings& bindings, CheckReport& report,
                     const std::stop_token& stop) {
  if (report.program == nullptr || !report.notChecked.empty()) { return; }
  const Program& program = *report.program;
  Launch launch;
  try {
    launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  } catch (const InputError&) { return; } catch (const SourceError&) {
    return;
  }
  const std::optional<Grid> grid = gridOf(program, launch);
  if (!grid) { return; }
  // A point that is not written keeps its value, which does not move with the input.
  ArrayData& output = launch.arrays[grid->output];
  for (std::int64_t i = 0; i < output.elementCount(); ++i) {
    experiment::setValue(output, i, std::floor(200 * experiment::randomUnit(977, i)));
  }
  Writers writers(program, grid->output, output.elementCount());
  const std::optional<ArrayData> still = resultOf(program, launch, grid->output, {&writers}, stop);
  if (!still) { return; }
  const Moves moves(program, launch, *grid, stop);
  std::vector<Deviation> deviations;
  std::vector<std::size_t> axes, tooShort;
  for (std::size_t axis = 0; axis < grid->extents.size(); ++axis) {
    if (grid->extents[axis] < kShortestAxis) {
      if (grid->extents[axis] > 1) { tooShort.push_back(axis); }
      continue;
    }
    const std::optional<ArrayData> after = moves.by(axis, 1);
    if (!after) { return; }
    const Deviation deviation = deviationOf(*still, *after, writers, grid->extents, strideOf(grid->extents, axis));
    if (deviation.points == 0) { continue; }
    if (!deviation.saysEnough()) { return; }
    axes.push_back(axis);
    deviations.push_back(deviation);
  }
  if (deviations.empty()) { return; }
  const Deviation& worst = *std::ranges::max_element(deviations, {}, &Deviation::count);
  if (worst.count == 0) {
    report.evidence.add({verdict::Basis::MovedData});
    report.compared = uniformSentence(*grid, axes, tooShort, deviations, still->elementCount());
  } else if (isTiled(program) && worst.recurs() &&
             static_cast<double>(worst.count) <= kMostPositions * static_cast<double>(worst.compared)) {
    report.findings.push_back(unevenFinding(program, launch, grid->output, worst, stop));
  } else if (std::ranges::count_if(deviations, [](const Deviation& one) { return one.count > 0; }) == 1) {
    const std::size_t axis = axes[static_cast<std::size_t>(&worst - deviations.data())];
    if (const auto march = moves.marchAlong(axis, worst, *still, writers)) {
      report.findings.push_back(marchFinding(program, launch, *grid, *march, stop));
    }
  }
}

}  // namespace haloscope::checking
