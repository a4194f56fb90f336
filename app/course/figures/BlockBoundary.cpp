#include "figures/BlockBoundary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "faults/OutputCoverage.h"
#include "figures/StencilShape.h"
#include "figures/WeightedSum.h"
#include "language/Text.h"
#include "provenance/OutputTrace.h"
#include "recording/GridShape.h"
#include "simt/Executor.h"

namespace haloscope::figures {
namespace {

using experiment::Experiment;
using recording::GridPoint;
using recording::GridShape;

/// Number of outputs next to the border that are traced to see what replaces the points outside.
constexpr std::size_t kMostFollowed = 64;

auto placeOf(const GridPoint& at) { return std::tuple(at.z, at.y, at.x); }

bool has(const std::vector<std::int64_t>& sorted, std::int64_t element) {
  return element >= 0 && std::ranges::binary_search(sorted, element);
}

class Surveyor {
 public:
  Surveyor(const Experiment& experiment, const std::stop_token& stop)
      : experiment_(experiment),
        footprint_(experiment.footprint),
        program_(*experiment.program),
        stop_(stop),
        input_(footprint_.inputExtents),
        output_(footprint_.outputExtents) {}

  BlockBoundary survey() {
    found_.block = experiment_.block;
    if (footprint_.output == kNone || footprint_.input == kNone) {
      found_.reason = trf("Block {} {} no array: it lies outside the grid, or does no work.", text(experiment_.block),
                          footprint_.output == kNone ? tr("writes") : tr("loads"));
      return std::move(found_);
    }
    if (footprint_.inputExtents.size() > 3 || footprint_.inputExtents.size() != footprint_.outputExtents.size()) {
      found_.reason = trf("{} and {} have different axes, so their points do not correspond.",
                          program_.objects[footprint_.input].name, program_.objects[footprint_.output].name);
      found_.stencil = false;
      return std::move(found_);
    }
    const StencilShape shape = stencilShape(experiment_, stop_);
    if (!shape.reason.empty()) {
      found_.reason = shape.reason;
      found_.stencil = false;
      return std::move(found_);
    }
    found_.input = program_.objects[footprint_.input].name;
    found_.output = program_.objects[footprint_.output].name;
    found_.extents = footprint_.inputExtents;
    found_.outputExtents = footprint_.outputExtents;
    found_.outputShift = footprint_.outputShift;
    found_.outputs = footprint_.outputs;
    for (const recording::PointView& point : footprint_.loadPoints) {
      (point.role == recording::Role::Interior ? found_.interior : found_.halo).push_back(point.element);
    }
    findKept();
    findHeld();
    findNeeded(shape);
    findBox();
    return std::move(found_);
  }

 private:
  void throwIfStopped() const {
    if (stop_.stop_requested()) { throw experiment::Cancelled{}; }
  }

  [[nodiscard]] Launch freshLaunch() const { return experiment::initialLaunch(experiment_); }

  /// Outputs that no block writes.
  void findKept() {
    Launch launch = freshLaunch();
    faults::OutputCoverage coverage(program_, launch, footprint_.output);
    const std::array<simt::Observer*, 1> observers{&coverage};
    simt::ExecuteOptions options;
    options.order = experiment_.choice.order;
    options.orderSeed = experiment_.choice.orderSeed;
    options.stop = stop_;
    simt::execute(program_, launch, observers, options);
    throwIfStopped();
    found_.kept = coverage.unwritten();
  }

  GhostCell& ghost(const GridPoint& at) {
    return ghosts_.try_emplace(placeOf(at), GhostCell{at, false, false}).first->second;
  }

  /// Cells of shared memory and registers that represent points outside, at the end of any barrier interval.
  void findHeld() {
    recording::Cursor cursor(experiment_.recording);
    for (const recording::Interval& interval : experiment_.recording->intervals) {
      throwIfStopped();
      cursor.goTo(interval.endStep);
      const recording::BlockView view = recording::viewBlock(cursor, footprint_, experiment_.carriers);
      for (const recording::CarrierView& carrier : view.carriers) {
        for (const recording::CarrierCell& cell : carrier.cells) {
          if (cell.placed && cell.role == recording::Role::Ghost && !input_.contains(cell.at)) {
            ghost(cell.at).held = true;
          }
        }
      }
    }
  }

  /// Points outside the array that the formula of this block's outputs refers to.
  void findNeeded(const StencilShape& shape) {
    std::vector<std::int64_t> borderOutputs;
    for (const std::int64_t element : footprint_.outputs) {
      bool inside = true;
      for (const ShapePoint& point : shape.points) {
        const GridPoint at = output_.point(element) + footprint_.outputShift + point.offset;
        if (input_.contains(at)) { continue; }
        inside = false;
        ghost(at).needed = true;
      }
      if (!inside) { borderOutputs.push_back(element); }
    }
    if (!borderOutputs.empty()) { found_.convention = conventionOf(shape, borderOutputs); }
  }

  [[nodiscard]] GhostConvention conventionOf(const StencilShape& shape,
                                             const std::vector<std::int64_t>& borderOutputs) const {
    const provenance::TraceOptions options{experiment_.choice.order, experiment_.choice.orderSeed, stop_};
    const Launch launch = freshLaunch();
    const provenance::TracedBlock traced(program_, launch, experiment_.block, options);
    const std::size_t stride = borderOutputs.size() / kMostFollowed + 1;
    for (std::size_t i = 0; i < borderOutputs.size(); i += stride) {
      throwIfStopped();
      const auto trace = traced.trace(footprint_.output, borderOutputs[i]);
      if (!trace || !countsAsZero(shape, launch, *trace)) { return GhostConvention::Otherwise; }
    }
    return GhostConvention::Zero;
  }

  /// Whether the output is exactly the sum over the points inside, each with its usual weight.
  [[nodiscard]] bool countsAsZero(const StencilShape& shape, const Launch& launch,
                                  const provenance::OutputTrace& trace) const {
    const WeightedSum sum = weightedSum(program_, launch.arrays, trace, {footprint_.input});
    if (!sum.linear || !shape.linear || std::abs(sum.rest) > sum.tolerance) { return false; }
    const GridPoint centre = output_.point(trace.element) + footprint_.outputShift;
    std::size_t inside = 0;
    for (const ShapePoint& point : shape.points) { inside += input_.contains(centre + point.offset) ? 1 : 0; }
    return sum.elements.size() == inside && std::ranges::all_of(sum.elements, [&](const WeightedElement& element) {
             const ShapePoint* point = shape.at(input_.point(element.element) - centre);
             return point != nullptr && (shape.weightsVary || point->weight == element.weight);
           });
  }

  void findBox() {
    found_.lowest = footprint_.lowest;
    found_.highest = footprint_.highest;
    for (const auto& [place, cell] : ghosts_) {
      const GridPoint& at = cell.at;
      found_.lowest = {std::min(found_.lowest.z, at.z), std::min(found_.lowest.y, at.y),
                       std::min(found_.lowest.x, at.x)};
      found_.highest = {std::max(found_.highest.z, at.z), std::max(found_.highest.y, at.y),
                        std::max(found_.highest.x, at.x)};
      found_.ghosts.push_back(cell);
    }
  }

  const Experiment& experiment_;
  const recording::Footprint& footprint_;
  const Program& program_;
  std::stop_token stop_;
  GridShape input_, output_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, GhostCell> ghosts_;
  BlockBoundary found_;
};

}  // namespace

LoadedAs BlockBoundary::loadedAs(const GridPoint& at) const {
  const GridShape shape(extents);
  const std::int64_t element = shape.element(at);
  if (element < 0) { return ghostAt(at) != nullptr ? LoadedAs::Ghost : LoadedAs::Nothing; }
  return has(interior, element) ? LoadedAs::Interior : has(halo, element) ? LoadedAs::Halo : LoadedAs::Nothing;
}

WrittenBy BlockBoundary::writtenBy(const GridPoint& at) const {
  const std::int64_t element = GridShape(outputExtents).element(at - outputShift);
  if (element < 0) { return WrittenBy::Outside; }
  return has(outputs, element) ? WrittenBy::ThisBlock : has(kept, element) ? WrittenBy::NoBlock : WrittenBy::OtherBlock;
}

const GhostCell* BlockBoundary::ghostAt(const GridPoint& at) const {
  const auto found =
      std::ranges::lower_bound(ghosts, placeOf(at), {}, [](const GhostCell& cell) { return placeOf(cell.at); });
  return found != ghosts.end() && found->at == at ? &*found : nullptr;
}

std::int64_t BlockBoundary::middlePlane() const {
  if (outputs.empty()) { return (lowest.z + highest.z) / 2; }
  const GridShape shape(outputExtents);
  return (shape.point(outputs.front()).z + shape.point(outputs.back()).z) / 2 + outputShift.z;
}

std::size_t BlockBoundary::neededGhosts() const {
  return static_cast<std::size_t>(std::ranges::count_if(ghosts, &GhostCell::needed));
}

std::size_t BlockBoundary::keptInHalo() const {
  const GridShape shape(extents);
  return static_cast<std::size_t>(std::ranges::count_if(
      halo, [&](std::int64_t element) { return writtenBy(shape.point(element)) == WrittenBy::NoBlock; }));
}

BlockBoundary blockBoundary(const Experiment& experiment, const std::stop_token& stop) {
  return Surveyor(experiment, stop).survey();
}

BoundaryCounts countAll(const BlockBoundary& boundary) {
  return {boundary.interior.size(), boundary.halo.size(), boundary.ghosts.size(),
          boundary.outputs.size(),  boundary.kept.size(), boundary.keptInHalo()};
}

BoundaryCounts countPlane(const BlockBoundary& boundary, std::int64_t plane) {
  const GridShape input(boundary.extents);
  const GridShape output(boundary.outputExtents);
  const auto inputs = [&](const std::vector<std::int64_t>& elements) {
    return static_cast<std::size_t>(
        std::ranges::count_if(elements, [&](std::int64_t element) { return input.point(element).z == plane; }));
  };
  const auto outputs = [&](const std::vector<std::int64_t>& elements) {
    return static_cast<std::size_t>(std::ranges::count_if(
        elements, [&](std::int64_t element) { return output.point(element).z + boundary.outputShift.z == plane; }));
  };
  const auto ghosts = static_cast<std::size_t>(
      std::ranges::count_if(boundary.ghosts, [&](const GhostCell& cell) { return cell.at.z == plane; }));
  const auto haloKept = static_cast<std::size_t>(std::ranges::count_if(boundary.halo, [&](std::int64_t element) {
    const GridPoint at = input.point(element);
    return at.z == plane && boundary.writtenBy(at) == WrittenBy::NoBlock;
  }));
  return {inputs(boundary.interior), inputs(boundary.halo),  ghosts,
          outputs(boundary.outputs), outputs(boundary.kept), haloKept};
}

std::string ghostSentence(const BlockBoundary& boundary) {
  const std::size_t needed = boundary.neededGhosts();
  switch (boundary.convention) {
    case GhostConvention::Zero:
      return trf("{} of the ghost cells are used in sums of this block and count as zero.", needed);
    case GhostConvention::Otherwise:
      return trf("{} points of this block's sums lie outside; they do not count as zero: other values replace them.",
                 needed);
    case GhostConvention::None:
      break;
  }
  return boundary.ghosts.empty() ? tr("No output of this block uses points outside the array.")
                                 : tr("Its tile extends beyond the array, but no output uses points outside.");
}

}  // namespace haloscope::figures
