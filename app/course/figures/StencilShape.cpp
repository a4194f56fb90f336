#include "figures/StencilShape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "analysis/Recorder.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "figures/InteriorCount.h"
#include "figures/WeightedSum.h"
#include "language/Text.h"
#include "provenance/OutputTrace.h"
#include "recording/GridShape.h"

namespace haloscope::figures {
namespace {

using experiment::Experiment;
using recording::Footprint;
using recording::GridPoint;
using recording::GridShape;

using Offset = std::array<std::int64_t, 3>;  ///< a sortable GridPoint

Offset offsetOf(const GridPoint& at) { return {at.z, at.y, at.x}; }
GridPoint pointOf(const Offset& at) { return {at[0], at[1], at[2]}; }

/// The operands of one output.
struct FollowedOutput {
  std::int64_t element = 0;
  GridPoint at;  ///< of the input: the computed point
  std::map<Offset, WeightedElement> points;
  std::vector<std::pair<ObjectId, std::pair<Offset, WeightedElement>>> others;
  bool linear = true;
  std::int64_t fromCentre = 0;  ///< squared distance from the array's centre
};

class Finder {
 public:
  Finder(const Experiment& experiment, const std::stop_token& stop)
      : experiment_(experiment),
        program_(*experiment.program),
        stop_(stop),
        launch_(experiment::initialLaunch(experiment)),
        footprint_(footprint()),
        input_(footprint_.inputExtents),
        output_(footprint_.outputExtents) {}

  StencilShape find() {
    if (std::string nothing = nothingComputed(experiment_.file, experiment_.bindings); !nothing.empty()) {
      shape_.reason = std::move(nothing);
      shape_.computed = false;
      return std::move(shape_);
    }
    if (footprint_.output == kNone) { return refused(tr("no traced block writes an array")); }
    if (footprint_.input == kNone) {
      return refused(trf("{} is computed without reading any array", arrayName(footprint_.output)));
    }
    shape_.input = arrayName(footprint_.input);
    shape_.output = arrayName(footprint_.output);
    shape_.extents = footprint_.inputExtents;
    if (footprint_.inputExtents.size() != footprint_.outputExtents.size() || shape_.extents.size() > 3) {
      return refused(trf("{} has {} and {} has {}, so their points do not correspond", shape_.input,
                         axes(footprint_.inputExtents.size()), shape_.output, axes(footprint_.outputExtents.size())));
    }
    points_ = {footprint_.input};
    for (ObjectId object = 0; object < program_.objects.size(); ++object) {
      const bool global = program_.objects[object].space == MemorySpace::Global;
      if (global && object != footprint_.input && launch_.arrays[object].extents == footprint_.inputExtents) {
        points_.push_back(object);
      }
    }
    for (const Dim3& block : blocks()) { follow(block); }
    if (followed_.empty()) { return refused(trf("an element of {} could not be traced", shape_.output)); }
    chooseShown();
    return judged();
  }

 private:
  [[nodiscard]] static std::string axes(std::size_t rank) { return trn("{} axis", "{} axes", rank, rank); }
  [[nodiscard]] std::string arrayName(ObjectId object) const { return program_.objects[object].name; }
  [[nodiscard]] std::string outputName(std::int64_t element) const {
    return recording::formatElement(shape_.output, footprint_.outputExtents, element);
  }

  StencilShape refused(std::string why) {
    shape_.reason = trf("The accesses of this kernel do not form a stencil: {}.", std::move(why));
    return std::move(shape_);
  }

  [[nodiscard]] std::vector<Dim3> blocks() const {
    const Dim3& grid = experiment_.configuration.grid;
    std::vector<Dim3> blocks = {{grid.x / 2, grid.y / 2, grid.z / 2},
                                {(grid.x - 1) / 2, (grid.y - 1) / 2, (grid.z - 1) / 2}};
    if (blocks[0] == blocks[1]) { blocks.pop_back(); }
    if (std::ranges::find(blocks, experiment_.block) == blocks.end()) { blocks.push_back(experiment_.block); }
    return blocks;
  }

  /// Outputs of the focused block or, if it writes nothing, of the middle one.
  [[nodiscard]] Footprint footprint() const {
    if (experiment_.footprint.output != kNone && experiment_.footprint.input != kNone) { return experiment_.footprint; }
    analysis::RecordOptions options;
    options.stop = stop_;
    return recording::findFootprint(*analysis::record(experiment_.program, launch_, blocks().front(), options));
  }

  void follow(const Dim3& block) {
    if (stop_.stop_requested()) { throw experiment::Cancelled{}; }
    const provenance::TraceOptions options{experiment_.choice.order, experiment_.choice.orderSeed, stop_};
    const provenance::TracedBlock traced(program_, launch_, block, options);
    for (const std::int64_t element : chosen(traced.written(footprint_.output))) {
      if (stop_.stop_requested()) { throw experiment::Cancelled{}; }
      if (const auto trace = traced.trace(footprint_.output, element)) { add(*trace); }
    }
  }

  /// Some of a block's outputs: the one nearest to the array's centre, and others spread over the block.
  [[nodiscard]] std::vector<std::int64_t> chosen(const std::vector<std::int64_t>& written) const {
    if (written.empty()) { return {}; }
    const std::size_t last = written.size() - 1;
    std::set<std::int64_t> chosen;
    for (const std::size_t at : {std::size_t{0}, last / 3, last / 2, last * 2 / 3, last}) {
      chosen.insert(written[at]);
    }
    chosen.insert(*std::ranges::min_element(written, {}, [&](std::int64_t element) { return fromCentre(element); }));
    return {chosen.begin(), chosen.end()};
  }

  [[nodiscard]] std::int64_t fromCentre(std::int64_t element) const {
    const GridPoint at = output_.point(element);
    const std::int64_t z = 2 * at.z - output_.planes() + 1;
    const std::int64_t y = 2 * at.y - output_.rows() + 1;
    const std::int64_t x = 2 * at.x - output_.columns() + 1;
    return z * z + y * y + x * x;
  }

  void add(const provenance::OutputTrace& trace) {
    FollowedOutput output;
    output.element = trace.element;
    output.at = output_.point(trace.element) + footprint_.outputShift;
    output.fromCentre = fromCentre(trace.element);
    const WeightedSum sum = weightedSum(program_, launch_.arrays, trace, points_);
    output.linear = sum.linear;
    for (const WeightedElement& element : sum.elements) {
      const Offset offset = offsetOf(input_.point(element.element) - output.at);
      if (element.object == footprint_.input) {
        output.points.emplace(offset, element);
      } else {
        output.others.emplace_back(element.object, std::pair(offset, element));
      }
    }
    followed_.push_back(std::move(output));
  }

  /// Puts the output with most points first; of several, the one nearest to the array's centre.
  void chooseShown() {
    std::ranges::stable_sort(followed_, [](const FollowedOutput& a, const FollowedOutput& b) {
      if (a.points.size() != b.points.size()) { return a.points.size() > b.points.size(); }
      return a.fromCentre < b.fromCentre;
    });
  }

  [[nodiscard]] bool allInside(const FollowedOutput& output) const {
    return std::ranges::all_of(followed_.front().points,
                               [&](const auto& point) { return input_.contains(output.at + pointOf(point.first)); });
  }

  StencilShape judged() {
    const FollowedOutput& shown = followed_.front();
    for (const FollowedOutput& output : followed_) { shape_.traced.push_back(output.element); }
    if (shown.points.empty()) {
      return refused(trf("{} uses no element of {}", outputName(shown.element), shape_.input));
    }
    const FollowedOutput* strange = nullptr;
    for (const FollowedOutput& output : followed_) {
      const bool inside = allInside(output);
      const bool same = std::ranges::equal(output.points, shown.points, {}, &Point::first, &Point::first);
      shape_.inside += inside ? 1 : 0;
      shape_.fewerAtBorder += !inside && !same ? 1 : 0;
      const bool other =
          std::ranges::any_of(output.points, [&](const Point& point) { return !shown.points.contains(point.first); });
      if (!same && (inside || other) && (strange == nullptr || inside)) { strange = &output; }
      if (same && std::ranges::any_of(output.points, [&](const Point& point) {
            const WeightedElement& mine = shown.points.at(point.first);
            return mine.name != point.second.name || mine.weight != point.second.weight;
          })) {
        shape_.weightsVary = true;
      }
    }
    // At the border other points may replace those outside, unless the outputs agree only at the border.
    if (strange != nullptr && (allInside(*strange) || shape_.inside < 2)) {
      return refused(difference(shown, *strange));
    }
    describe(shown);
    return std::move(shape_);
  }

  using Point = std::pair<const Offset, WeightedElement>;

  [[nodiscard]] std::string difference(const FollowedOutput& a, const FollowedOutput& b) const {
    const auto lacks = [](const FollowedOutput& one, const FollowedOutput& other) {
      return std::ranges::find_if(one.points, [&](const Point& point) { return !other.points.contains(point.first); });
    };
    const bool first = lacks(a, b) != a.points.end();
    const FollowedOutput& has = first ? a : b;
    const FollowedOutput& lacking = first ? b : a;
    const Point& point = *lacks(has, lacking);
    const GridPoint missing = lacking.at + pointOf(point.first);
    const std::string where = input_.contains(missing) ? recording::formatElement(shape_.input, footprint_.inputExtents,
                                                                                  input_.element(missing))
                                                       : tr("the point at that distance, which lies outside the array");
    return trf("{} uses {}, but {} does not use {}", outputName(has.element),
               recording::formatElement(shape_.input, footprint_.inputExtents, point.second.element),
               outputName(lacking.element), where);
  }

  /// An output that is no weighted sum has no coefficients, even if the arithmetic of a point looks like one.
  [[nodiscard]] std::string coefficientOf(const WeightedElement& element) const {
    return shape_.linear ? element.name : std::string();
  }

  void describe(const FollowedOutput& shown) {
    shape_.linear = shown.linear;
    for (const auto& [offset, element] : shown.points) {
      shape_.points.push_back({pointOf(offset), coefficientOf(element), element.weight});
      shape_.updated = shape_.updated || element.updated;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const int along = static_cast<int>(offset[axis]);
        shape_.before[axis] = std::max(shape_.before[axis], -along);
        shape_.after[axis] = std::max(shape_.after[axis], along);
      }
    }
    for (const auto& [object, point] : shown.others) {
      shape_.others.push_back(
          {arrayName(object), pointOf(point.first), coefficientOf(point.second), point.second.weight});
    }
    shape_.form = formOf();
    if (shown.linear) { findFilter(shown); }
    // An output with room for another point on each side that does not use it proves that the shape ends there.
    shape_.complete = std::ranges::any_of(followed_, [&](const FollowedOutput& output) {
      const GridPoint low = {shape_.before[0] + 1, shape_.before[1] + 1, shape_.before[2] + 1};
      const GridPoint high = {shape_.after[0] + 1, shape_.after[1] + 1, shape_.after[2] + 1};
      const GridPoint least = output.at - low;
      const GridPoint most = output.at + high;
      const std::size_t rank = shape_.rank();
      return least.x >= 0 && most.x < input_.columns() && (rank < 2 || (least.y >= 0 && most.y < input_.rows())) &&
             (rank < 3 || (least.z >= 0 && most.z < input_.planes()));
    });
  }

  [[nodiscard]] ShapeForm formOf() const {
    std::int64_t star = 0, box = 1, axes = 0, steps = 0, most = 0;
    bool onAxes = true, centre = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int reach = shape_.before[axis] + shape_.after[axis];
      star += reach;
      box *= reach + 1;
      axes += reach > 0 ? 1 : 0;
      most = std::max<std::int64_t>(most, std::max(shape_.before[axis], shape_.after[axis]));
    }
    std::int64_t mostAxes = 0;
    for (const ShapePoint& point : shape_.points) {
      const Offset at = offsetOf(point.offset);
      const auto apart = std::ranges::count_if(at, [](std::int64_t d) { return d != 0; });
      onAxes = onAxes && apart <= 1;
      centre = centre || apart == 0;
      mostAxes = std::max<std::int64_t>(mostAxes, apart);
      steps = std::max<std::int64_t>(steps, std::abs(at[0]) + std::abs(at[1]) + std::abs(at[2]));
    }
    const auto count = static_cast<std::int64_t>(shape_.points.size());
    if (count == 1) { return ShapeForm::Point; }
    if (axes == 1) { return ShapeForm::Row; }
    if (onAxes && count == star + (centre ? 1 : 0)) { return ShapeForm::Star; }
    if (count == box) { return ShapeForm::Box; }
    const bool even = shape_.before == shape_.after;
    if (even && axes == 3 && most == 1 && mostAxes == 2 && count == 19) { return ShapeForm::BoxWithoutCorners; }
    if (even && steps == most && count == diamondPoints(axes, most)) { return ShapeForm::Diamond; }
    return ShapeForm::Other;
  }

  /// Number of points at most `steps` steps away along this many axes.
  [[nodiscard]] static std::int64_t diamondPoints(std::int64_t axes, std::int64_t steps) {
    if (axes == 0) { return 1; }
    std::int64_t count = 0;
    for (std::int64_t d = -steps; d <= steps; ++d) { count += diamondPoints(axes - 1, steps - std::abs(d)); }
    return count;
  }

  /// An array whose elements are the coefficients, one per point, in the order of the points.
  void findFilter(const FollowedOutput& shown) {
    if (shape_.form != ShapeForm::Box && shape_.form != ShapeForm::Row) { return; }
    for (ObjectId object = 0; object < program_.objects.size(); ++object) {
      const std::vector<std::int64_t>& extents = shapeOf(program_, launch_.arrays, object);
      const std::int64_t count = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
      if (extents.empty() || count != static_cast<std::int64_t>(shown.points.size())) { continue; }
      std::int64_t element = 0;
      const bool all = std::ranges::all_of(shown.points, [&](const Point& point) {
        return point.second.name == recording::formatElement(arrayName(object), extents, element++);
      });
      if (!all) { continue; }
      shape_.filter = arrayName(object);
      shape_.window = extents.size() == shape_.rank() && shape_.rank() > 1;
      const std::optional<Computes>& computes = experiment_.file.computes;
      shape_.sweep = computes && !computes->guessed && computes->border == Computes::Border::Keeps;
    }
  }

  const Experiment& experiment_;
  const Program& program_;
  std::stop_token stop_;
  Launch launch_;
  Footprint footprint_;
  GridShape input_, output_;
  std::vector<ObjectId> points_;
  std::vector<FollowedOutput> followed_;
  StencilShape shape_;
};

/// Its extent, as text.
std::string reach(const StencilShape& shape) {
  static constexpr std::array<const char*, 3> kAxisNames = {"z", "y", "x"};
  const std::size_t rank = shape.rank();
  bool same = true;
  std::string each;
  for (std::size_t axis = 3 - rank; axis < 3; ++axis) {
    same = same && shape.before[axis] == shape.order() && shape.after[axis] == shape.order();
    if (shape.before[axis] + shape.after[axis] == 0) { continue; }
    each += each.empty() ? "" : ", ";
    if (shape.before[axis] == shape.after[axis]) {
      each += trf("{} on each side along {}", shape.before[axis], kAxisNames[axis]);
    } else {
      each += trf("{} before and {} after along {}", shape.before[axis], shape.after[axis], kAxisNames[axis]);
    }
  }
  const int order = shape.order();
  return same ? trn("{} grid point on each side", "{} grid points on each side", static_cast<std::uint64_t>(order),
                    order)
              : trf("grid points: {}", each);
}

}  // namespace

const char* name(ShapeForm form) {
  switch (form) {
    case ShapeForm::Point:
      return trMark("point");
    case ShapeForm::Row:
      return trMark("row");
    case ShapeForm::Star:
      return trMark("star");
    case ShapeForm::Box:
      return trMark("box");
    case ShapeForm::BoxWithoutCorners:
      return trMark("box without its corners");
    case ShapeForm::Diamond:
      return trMark("diamond");
    case ShapeForm::Other:
      break;
  }
  return trMark("neither star nor box");
}

int StencilShape::order() const { return std::max(std::ranges::max(before), std::ranges::max(after)); }

std::size_t StencilShape::zeros() const {
  return static_cast<std::size_t>(std::ranges::count_if(points, [&](const ShapePoint& one) { return isZero(one); }));
}

const ShapePoint* StencilShape::at(const GridPoint& offset) const {
  const auto found = std::ranges::find(points, offset, &ShapePoint::offset);
  return found != points.end() ? &*found : nullptr;
}

StencilShape stencilShape(const Experiment& experiment, const std::stop_token& stop) {
  return Finder(experiment, stop).find();
}

std::string title(const StencilShape& shape) {
  if (!shape.computed) { return tr("No point is computed"); }
  if (!shape.reason.empty()) { return tr("No stencil"); }
  const std::size_t rank = shape.rank();
  if (shape.form == ShapeForm::Point) {
    const bool centre = shape.points.front().offset == GridPoint{};
    return trf(
        "{}D, 1 point: {}", rank,
        centre ? tr("each output uses only its own point") : pointName(shape.input, rank, shape.points.front().offset));
  }
  if (shape.window && shape.sweep) {
    return trf("{}D {}-point box stencil, order {}: {}", rank, shape.points.size(), shape.order(), reach(shape));
  }
  if (shape.window) {
    std::string filter;
    for (std::size_t axis = 3 - rank; axis < 3; ++axis) {
      filter += fmt::format("{}{}", filter.empty() ? "" : " × ", shape.before[axis] + shape.after[axis] + 1);
    }
    return trf("{}D {}-point convolution (a {} filter of radius {}): {}", rank, shape.points.size(), filter,
               shape.order(), reach(shape));
  }
  if (!shape.filter.empty()) { return trf("{}D {}-point convolution: {}", rank, shape.points.size(), reach(shape)); }
  return trf("{}D {}-point stencil, order {}: {}", rank, shape.points.size(), shape.order(), reach(shape));
}

std::vector<std::string> notes(const StencilShape& shape) {
  std::vector<std::string> notes;
  const std::size_t outputs = shape.traced.size();
  notes.push_back(trf("A {}, found by tracing {} of {} back to the loads for {}.", tr(name(shape.form)),
                      outputs == 1 ? tr("one element") : trf("{} elements", outputs), shape.output,
                      outputs == 1 ? tr("it") : tr("each")));
  if (!shape.filter.empty() && !shape.window) {
    notes.push_back(trf("{} holds its coefficients in the order of the points: a convolution filter of radius {}.",
                        shape.filter, shape.order()));
  }
  if (!shape.linear) { notes.emplace_back(tr("The output is not a weighted sum of these points.")); }
  if (shape.zeros() > 0) {
    notes.push_back(trn("{} of {} coefficients is not zero.", "{} of {} coefficients are not zero.",
                        static_cast<std::uint64_t>(shape.points.size() - shape.zeros()),
                        shape.points.size() - shape.zeros(), shape.points.size()));
  }
  if (shape.fewerAtBorder > 0) {
    notes.push_back(trf("{} of these outputs are at the border and use other or fewer points.", shape.fewerAtBorder));
  }
  if (shape.linear && shape.weightsVary) {
    notes.emplace_back(tr("The coefficients vary between outputs; those of one output are shown."));
  }
  if (shape.updated) {
    notes.push_back(trf("Some points of {} were overwritten by another thread before they were read.", shape.input));
  }
  if (!shape.complete) {
    notes.emplace_back(tr("The grid is too small to determine whether points further out belong to the stencil."));
  }
  return notes;
}

std::string pointName(const std::string& array, std::size_t rank, const GridPoint& offset) {
  const auto index = [](const char* axis, std::int64_t d) {
    return d == 0 ? fmt::format("[{}]", axis) : fmt::format("[{} {} {}]", axis, d < 0 ? '-' : '+', std::abs(d));
  };
  std::string text = array;
  if (rank > 2) { text += index("z", offset.z); }
  if (rank > 1) { text += index("y", offset.y); }
  return text + index("x", offset.x);
}

}  // namespace haloscope::figures
