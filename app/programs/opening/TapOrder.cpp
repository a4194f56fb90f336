#include "opening/TapOrder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include <fmt/format.h>

#include "experiment/InputData.h"
#include "language/Text.h"
#include "machine/Execution.h"
#include "simt/Executor.h"

namespace haloscope::opening {
namespace {

using Offset = std::array<int, 3>;
using Point = std::array<std::int64_t, 3>;

constexpr std::int64_t kMostWeights = 128;
constexpr std::int64_t kMostPoints = 20'000'000;  ///< over all runs
constexpr std::uint64_t kBudget = 1'000'000;      ///< warp instructions per block
constexpr std::size_t kSamples = 96;
constexpr int kMaxDistance = 4;  ///< of neighbours, along an axis
constexpr std::size_t kMaxTapsListed = 9;

/// Whether the offsets are those of a star or a box around the point.
bool isStarOrBox(const std::vector<Offset>& taps, std::size_t rank) {
  const std::set<Offset> set(taps.begin(), taps.end());
  if (set.size() != taps.size() || taps.size() < 3) { return false; }
  int radius = 0;
  bool onAxes = true;
  for (const Offset& tap : taps) {
    int axes = 0;
    for (const int d : tap) {
      radius = std::max(radius, std::abs(d));
      axes += d != 0 ? 1 : 0;
    }
    onAxes = onAxes && axes <= 1;
  }
  const auto r = static_cast<std::size_t>(radius);
  if (onAxes && taps.size() == 1 + 2 * rank * r) { return true; }
  std::size_t box = 1;
  for (std::size_t axis = 0; axis < rank; ++axis) { box *= 2 * r + 1; }
  return taps.size() == box;
}

class Experimenter {
 public:
  Experimenter(const KernelFile& file, const Program& program, ObjectId input, ObjectId output, ObjectId weights)
      : program_(program),
        input_(input),
        output_(output),
        weights_(weights),
        launch_(experiment::makeLaunch(file, file.defaults(), program, experiment::InputKind::Random)) {
    std::ranges::fill(launch_.arrays[output_].bytes, std::byte{0xff});
    const std::vector<std::int64_t>& extents = launch_.arrays[input_].extents;
    rank_ = std::min<std::size_t>(extents.size(), 3);
    for (std::size_t axis = 0; axis < rank_; ++axis) { extents_[3 - rank_ + axis] = extents[axis]; }
  }

  std::optional<TapOrder> find() {
    const std::int64_t count = launch_.arrays[weights_].elementCount();
    const std::int64_t points = launch_.arrays[input_].elementCount();
    const bool sameShape = launch_.arrays[input_].extents == launch_.arrays[output_].extents;
    if (!sameShape || count < 3 || count > kMostWeights || points > kMostPoints / (count + 2)) { return std::nullopt; }
    chooseSamples();
    if (samples_.empty() || (rank_ == 1 && mayHaveRows(points))) { return std::nullopt; }
    const auto nothing = run([](std::int64_t) { return 0.0; });
    if (!nothing || !most([&](std::int64_t p) { return experiment::valueAt(*nothing, p) == 0; })) {
      return std::nullopt;
    }
    TapOrder order;
    std::vector<ArrayData> results;
    for (std::int64_t t = 0; t < count; ++t) {
      std::optional<ArrayData> result = run([t](std::int64_t weight) { return weight == t ? 1.0 : 0.0; });
      if (!result) { return std::nullopt; }
      const std::optional<Offset> tap = tapOf(*result);
      const bool idle = !tap && most([&](std::int64_t p) { return experiment::valueAt(*result, p) == 0; });
      if (!tap && !idle) { return std::nullopt; }
      if (tap && static_cast<std::int64_t>(order.taps.size()) != t) { return std::nullopt; }  // an unused one before it
      if (tap) {
        order.taps.push_back(*tap);
        results.push_back(std::move(*result));
      }
    }
    if (!isStarOrBox(order.taps, rank_) || !addsUp(order.taps)) { return std::nullopt; }
    const auto border = borderOf(order.taps, results);
    if (!border) { return std::nullopt; }
    order.border = *border;
    return order;
  }

 private:
  /// Whether an array with one extent may have rows all the same, at whose ends the kernel has another border.
  [[nodiscard]] bool mayHaveRows(std::int64_t points) const {
    const LaunchConfiguration& launched = launch_.configuration;
    if (launched.grid.y * launched.block.y > 1 || launched.grid.z * launched.block.z > 1) { return true; }
    const auto isRow = [&](std::int64_t length) {
      return length > kMaxDistance && length < points && points % length == 0;
    };
    for (const Instruction& one : program_.code) {
      if (one.op != Opcode::Rem || isFloating(one.type)) { continue; }
      const Register& divisor = program_.registers[one.b];
      if (divisor.kind == RegisterKind::Constant && isRow(static_cast<std::int64_t>(divisor.bits))) { return true; }
    }
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
      const Parameter& parameter = program_.parameters[i];
      if (parameter.object != kNone || isFloating(parameter.type)) { continue; }
      if (isRow(static_cast<std::int32_t>(launch_.arguments[i]))) { return true; }
    }
    return false;
  }

  [[nodiscard]] std::int64_t at(const Point& point, const Offset& offset) const {
    std::int64_t element = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t coordinate = point[axis] + offset[axis];
      if (coordinate < 0 || coordinate >= extents_[axis]) { return -1; }
      element = element * extents_[axis] + coordinate;
    }
    return element;
  }
  [[nodiscard]] Point pointOf(std::int64_t element) const {
    return {element / extents_[2] / extents_[1], element / extents_[2] % extents_[1], element % extents_[2]};
  }
  [[nodiscard]] double input(std::int64_t element) const {
    return experiment::valueAt(launch_.arrays[input_], element);
  }

  /// The output with these weights; nullopt if the kernel does not finish.
  template <class Weight>
  std::optional<ArrayData> run(const Weight& weight) {
    Launch launch = launch_;
    for (std::int64_t i = 0; i < launch.arrays[weights_].elementCount(); ++i) {
      experiment::setValue(launch.arrays[weights_], i, weight(i));
    }
    simt::ExecuteOptions options;
    options.instructionBudget = kBudget;
    const simt::ExecuteResult result = machine::execute(program_, launch, options);
    if (result.outcome != simt::Outcome::Finished) { return std::nullopt; }
    leavesArrays_ = leavesArrays_ || result.outOfBounds > 0;
    return std::move(launch.arrays[output_]);
  }

  /// Points well inside, spread over the array.
  void chooseSamples() {
    std::array<int, 3> reach{};
    for (std::size_t axis = 3 - rank_; axis < 3; ++axis) {
      reach[axis] = static_cast<int>(std::min<std::int64_t>(kMaxDistance, (extents_[axis] - 1) / 3));
    }
    reach_ = reach;
    std::vector<std::int64_t> inside;
    for (std::int64_t z = reach[0]; z < extents_[0] - reach[0]; ++z) {
      for (std::int64_t y = reach[1]; y < extents_[1] - reach[1]; ++y) {
        for (std::int64_t x = reach[2]; x < extents_[2] - reach[2]; ++x) { inside.push_back(at({z, y, x}, {})); }
      }
    }
    // A stride that is not a multiple of a tile edge.
    std::size_t stride = inside.size() / kSamples + 1;
    while (stride > 2 && (stride % 2 == 0 || stride % 3 == 0 || stride % 5 == 0)) { ++stride; }
    for (std::size_t i = 0; i < inside.size(); i += stride) { samples_.push_back(inside[i]); }
  }

  template <class Holds>
  [[nodiscard]] bool most(const Holds& holds) const {
    return 2 * static_cast<std::size_t>(std::ranges::count_if(samples_, holds)) > samples_.size();
  }

  /// The neighbour whose value most points hold.
  [[nodiscard]] std::optional<Offset> tapOf(const ArrayData& result) const {
    std::map<Offset, std::size_t> votes;
    for (const std::int64_t sample : samples_) {
      const Point point = pointOf(sample);
      const double value = experiment::valueAt(result, sample);
      for (int z = -reach_[0]; z <= reach_[0]; ++z) {
        for (int y = -reach_[1]; y <= reach_[1]; ++y) {
          for (int x = -reach_[2]; x <= reach_[2]; ++x) {
            if (input(at(point, {z, y, x})) == value) { ++votes[{z, y, x}]; }
          }
        }
      }
    }
    const auto best = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    if (best == votes.end() || 2 * best->second <= samples_.size()) { return std::nullopt; }
    return best->first;
  }

  /// Whether the weighted sum over the taps gives the result: no product of two coefficients, no threshold.
  [[nodiscard]] bool addsUp(const std::vector<Offset>& taps) {
    ArrayData weights = launch_.arrays[weights_];
    experiment::fillWeights(weights);
    const auto result = run([&](std::int64_t weight) { return experiment::valueAt(weights, weight); });
    return result && most([&](std::int64_t sample) {
             double sum = 0;
             double magnitude = 0;
             for (std::size_t t = 0; t < taps.size(); ++t) {
               const double product =
                   experiment::valueAt(weights, static_cast<std::int64_t>(t)) * input(at(pointOf(sample), taps[t]));
               sum += product;
               magnitude += std::abs(product);
             }
             return std::abs(experiment::valueAt(*result, sample) - sum) <= 1e-5 * magnitude;
           });
  }

  /// What most points with a tap outside the array do in all runs.
  [[nodiscard]] std::optional<Computes::Border> borderOf(const std::vector<Offset>& taps,
                                                         const std::vector<ArrayData>& results) const {
    std::int64_t all = 0;
    std::int64_t keeps = 0;
    std::int64_t zero = 0;
    for (std::int64_t element = 0; element < launch_.arrays[input_].elementCount(); ++element) {
      const Point point = pointOf(element);
      if (std::ranges::all_of(taps, [&](const Offset& tap) { return at(point, tap) >= 0; })) { continue; }
      ++all;
      bool isKept = true;
      bool isZero = true;
      for (std::size_t t = 0; t < taps.size(); ++t) {
        const double value = experiment::valueAt(results[t], element);
        const std::int64_t neighbour = at(point, taps[t]);
        isKept = isKept && (std::isnan(value) || value == input(element));
        isZero = isZero && value == (neighbour < 0 ? 0.0 : input(neighbour));
      }
      keeps += isKept ? 1 : 0;
      zero += isZero ? 1 : 0;
    }
    if (2 * keeps > all) { return Computes::Border::Keeps; }
    if (2 * zero > all) { return Computes::Border::Zero; }
    // Without a guard there is no rule; a sweep as in the book keeps its border, which the guard should have
    // ensured.
    if (leavesArrays_ && rank_ == 3) { return Computes::Border::Keeps; }
    return std::nullopt;
  }

  const Program& program_;
  ObjectId input_, output_, weights_;
  Launch launch_;
  std::size_t rank_ = 1;
  Point extents_{1, 1, 1};
  std::array<int, 3> reach_{};
  std::vector<std::int64_t> samples_;
  bool leavesArrays_ = false;  ///< some access was out of bounds
};

/// "the centre", "k-1", "i-1, j+1".
std::string place(const Offset& tap, int rank) {
  static constexpr std::array<std::array<const char*, 3>, 4> kNames{
      {{"", "", ""}, {"", "", "i"}, {"", "row", "col"}, {"i", "j", "k"}}};
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (tap[axis] == 0) { continue; }
    text += fmt::format("{}{}{:+d}", text.empty() ? "" : ", ", kNames[static_cast<std::size_t>(rank)][axis], tap[axis]);
  }
  return text.empty() ? tr("the centre") : text;
}

}  // namespace

std::optional<TapOrder> findTapOrder(const KernelFile& file, const Program& program, const std::string& input,
                                     const std::string& output, const std::string& weights) {
  const std::array<ObjectId, 3> objects{program.findObject(input), program.findObject(output),
                                        program.findObject(weights)};
  for (const ObjectId object : objects) {
    if (object == kNone || !isFloating(program.objects[object].element)) { return std::nullopt; }
  }
  return Experimenter(file, program, objects[0], objects[1], objects[2]).find();
}

std::string describe(const TapOrder& order, const std::string& weights, int rank) {
  std::string text;
  for (std::size_t t = 0; t < std::min(order.taps.size(), kMaxTapsListed); ++t) {
    text += trf("{}{}[{}] at {}", t == 0 ? "" : ", ", weights, t, place(order.taps[t], rank));
  }
  return order.taps.size() > kMaxTapsListed ? text + ", …" : text;
}

}  // namespace haloscope::opening
