#include "opening/Recognition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/ArrayFilling.h"
#include "language/Text.h"
#include "opening/ParameterRoles.h"
#include "opening/TapOrder.h"

namespace haloscope::opening {

namespace {

std::optional<TapOrder> findOrderByRunning(const LaunchDraft& draft, const Computes& computes) {
  try {
    return findTapOrder(draft.file, draft.program, computes.input, computes.output, computes.weights);
  } catch (const UserError&) { return std::nullopt; }
}

/// The edge of a line or a square with this many elements; 0 if there is none.
std::int64_t edgeOf(std::int64_t elements, int rank) {
  if (rank == 1) { return elements; }
  const auto edge = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(elements))));
  return edge * edge == elements ? edge : 0;
}

/// A weighted sum whose order of coefficients no name gives.
void recogniseByRunning(LaunchDraft& draft, Computes computes) {
  const auto order = findOrderByRunning(draft, computes);
  if (!order) { return; }
  const auto count = static_cast<std::int64_t>(order->taps.size());
  if (count != draft.elementsOf(computes.weights)) {
    const auto declared = std::ranges::find(draft.file.arrays, computes.weights, &ArrayDeclaration::name);
    const bool given = draft.clues.overrides.bindings.contains(computes.weights);
    if (declared == draft.file.arrays.end() || given) { return; }
    declared->shape = {Expression(std::to_string(count))};
  }
  draft.assume(trf(
      "It is checked as a {}-point stencil in the order found by running it, so a mistake in the order "
      "itself is not found: {}; {}.",
      count, describe(*order, computes.weights, draft.rank),
      order->border == Computes::Border::Keeps ? tr("border points keep their value") : tr("ghost cells are zero")));
  computes.taps = order->taps;
  computes.border = order->border;
  computes.observed = true;
  draft.file.computes = std::move(computes);
}

}  // namespace

/// The only array that is read and not a filter, the only one that is written, the only filter. None if there are
/// several of one kind.
void recognise(LaunchDraft& draft) {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> filters;
  for (ObjectId id = 0; id < draft.program.objects.size(); ++id) {
    const MemoryObject& object = draft.program.objects[id];
    if (object.space != MemorySpace::Global && object.space != MemorySpace::Constant) { continue; }
    if (draft.facts.written.contains(id)) {
      outputs.push_back(object.name);
    } else if (object.space == MemorySpace::Constant || draft.isWeights(id)) {
      filters.push_back(object.initial.empty() ? object.name : "");
    } else {
      inputs.push_back(object.name);
    }
  }
  const bool plain = inputs.size() == 1 && outputs.size() == 1 && filters.size() == 1 && !filters[0].empty() &&
                     !draft.facts.clamps && !draft.facts.read.contains(draft.program.findObject(outputs[0]));
  if (!plain) { return; }
  Computes computes{.output = outputs[0], .input = inputs[0], .weights = filters[0], .taps = {}, .window = {}};
  if (!draft.clues.starCoefficients.empty() && filters[0] == draft.clues.starCoefficients && draft.rank == 3) {
    computes.taps = {{0, 0, 0}, {0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {0, 1, 0}, {-1, 0, 0}, {1, 0, 0}};
    computes.border = Computes::Border::Keeps;
    // The book's figures differ: in the one with registers (8.12), the row below comes first.
    std::vector<std::array<int, 3>> belowFirst = computes.taps;
    std::swap(belowFirst[3], belowFirst[4]);
    const auto order = findOrderByRunning(draft, computes);
    const bool below = order && order->taps == belowFirst;
    if (below) { computes.taps = belowFirst; }
    draft.assume(
        trf("It is checked as the book's seven-point stencil: c0 at the centre, c1 at k-1, c2 at k+1, c3 at {}, c4 at "
            "{}, c5 at i-1, c6 at i+1.",
            below ? "j+1" : "j-1", below ? "j-1" : "j+1"));
  } else if (lower(draft.clues.functionName).find("conv") != std::string::npos && draft.rank <= 2) {
    const std::int64_t width = edgeOf(draft.elementsOf(filters[0]), draft.rank);
    if (width % 2 == 0) {
      recogniseByRunning(draft, std::move(computes));
      return;
    }
    computes.window.assign(static_cast<std::size_t>(draft.rank), Expression(std::to_string(width / 2)));
    computes.border = Computes::Border::Zero;
    computes.guessed = true;
    draft.assume(trf("It is compared with a {}D convolution of {} with {}, radius {}, ghost cells zero.", draft.rank,
                     inputs[0], filters[0], width / 2));
  } else {
    recogniseByRunning(draft, std::move(computes));
    return;
  }
  draft.file.computes = std::move(computes);
}

void describeArrayContents(LaunchDraft& draft) {
  std::vector<std::string> parts;
  for (ObjectId id = 0; id < draft.program.objects.size(); ++id) {
    const MemoryObject& object = draft.program.objects[id];
    const bool filled =
        (object.space == MemorySpace::Global || object.space == MemorySpace::Constant) && object.initial.empty();
    if (!filled || !draft.facts.read.contains(id)) { continue; }
    const bool weights = draft.file.computes && draft.file.computes->weights == object.name;
    parts.push_back(trf(
        "{} is filled with {}", object.name,
        weights ? tr("different positive weights")
                : describe(experiment::fillingOf(draft.program, id, draft.elementsOf(object.name)), object.element)));
  }
  if (!parts.empty()) {
    // The program's own data may hide what differs; its launches are executed with it all the same.
    draft.assume(fmt::format("{}: {}.",
                             draft.clues.executed == nullptr
                                 ? tr("The text does not say what the arrays hold")
                                 : tr("Besides the program's own data, results are compared on "
                                      "other data"),
                             fmt::join(parts, ", ")));
  }
}

}  // namespace haloscope::opening
