#include "render/SceneParts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <iterator>
#include <optional>
#include <vector>

#include "language/Text.h"
#include "provenance/OperandRoles.h"
#include "provenance/OutputTrace.h"

namespace haloscope::render {

using provenance::Hop;
using provenance::Operand;
using provenance::OperandPlace;
using provenance::OperandRole;
using recording::Carrier;
using recording::GridPoint;

namespace {

constexpr float kWidth = 2.0F, kChosenWidth = 3.2F;  ///< pixels
constexpr float kCasing = 2.2F;                      ///< ... wider, so that a line shows on cells of its own colour
constexpr float kHead = 9, kChosenHead = 13;
constexpr float kFaded = 0.3F;       ///< opacity of the other arrows while one is chosen
constexpr float kArrowLift = 0.05F;  ///< above a cell's top
constexpr float kReach = 0.22F;      ///< arrows end around the middle of the output's cell, not on one spot

/// The middle of a cell's upper side, and the cell's edge.
struct Stop {
  glm::vec3 at{0};
  float scale = 1;
};

/// A colour of arrows and its word.
struct Kind {
  SceneColour colour;
  const char* word;
};

std::optional<Kind> kindOf(OperandRole role) {
  switch (role) {
    case OperandRole::Interior:
      return Kind{SceneColour::Interior, tr("interior operand")};
    case OperandRole::Halo:
      return Kind{SceneColour::Halo, tr("halo operand")};
    case OperandRole::Ghost:
      return Kind{SceneColour::Ghost, tr("ghost operand")};
    case OperandRole::Uninitialised:
    case OperandRole::Stale:
    case OperandRole::Overwritten:
      return Kind{SceneColour::Fault, tr("wrong operand")};
    case OperandRole::Constant:
    case OperandRole::Literal:
    case OperandRole::OtherArray:
    case OperandRole::OutOfBounds:
      break;
  }
  return std::nullopt;
}

class Arrows {
 public:
  Arrows(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout)
      : model_(model), subject_(subject), layout_(layout) {}

  void add() {
    const experiment::TracedOutput& traced = *subject_.origins;
    const auto& outputs = subject_.footprint.outputs;
    if (traced.trace.object != subject_.footprint.output) return;
    if (!std::ranges::binary_search(outputs, traced.trace.element)) return;
    const GridPoint out = outputPoint(subject_.footprint, traced.trace.element);
    const SceneSpot spot = layout_.outputSpot(out.z);
    goal_ = middle(out, spot);
    frame({goal_, spot.scale}, SceneColour::Text, 1);
    // The chosen one lies over the others.
    for (const bool chosen : {false, true}) {
      for (std::uint32_t i = 0; i < traced.trace.operands.size(); ++i) {
        if ((subject_.operand == i) == chosen) addOperand(traced.trace.operands[i], traced.places[i], chosen);
      }
    }
  }

 private:
  void addOperand(const Operand& operand, const OperandPlace& place, bool chosen) {
    const std::optional<Kind> kind = kindOf(place.role);
    if (!kind) return;
    const std::vector<Stop> way = wayOf(operand);
    if (way.empty()) return;
    std::vector<glm::vec3> stops;
    std::ranges::transform(way, std::back_inserter(stops), &Stop::at);
    const float opacity = chosen || !subject_.operand ? 1 : kFaded;
    // Where it is read from at last; on the way there a line alone is enough.
    const glm::vec3 last = stops.back();
    frame(way.back(), kind->colour, opacity);
    legend(*kind);
    if (layout_.isStrip()) {
      drawInStrip(last, *kind, chosen, opacity);
      return;
    }
    const float distance = glm::length(goal_ - last);
    stops.push_back(distance > 2 * kReach ? goal_ + (last - goal_) * (kReach / distance) : goal_);
    draw(stops, kind->colour, chosen, opacity);
  }

  /// From the lower edge of the operand's cell to the upper edge of the output's, so that their values stay legible. An
  /// operand in another row of the strip has its frame only: an arrow would cross what lies between.
  void drawInStrip(const glm::vec3& operand, const Kind& kind, bool chosen, float opacity) {
    const glm::vec3 apart =
        layout_.placeFolded(layout_.outputSpot(0), {}) - layout_.placeFolded(layout_.inputSpot(0), {});
    if (std::abs(goal_.z - operand.z - apart.z) > layout_.cell().z / 2) return;
    const glm::vec3 half{0, 0, layout_.cell().z / 2};
    draw({operand + half, goal_ - half}, kind.colour, chosen, opacity);
  }

  /// Where the value lay, one place after the other, as far as the scene shows them: middles of upper sides.
  [[nodiscard]] std::vector<Stop> wayOf(const Operand& operand) const {
    std::vector<Stop> stops;
    const auto add = [&](const std::optional<Stop>& stop) {
      if (stop && (stops.empty() || stops.back().at != stop->at)) stops.push_back(*stop);
    };
    const bool global = operand.kind == Operand::Kind::Element || operand.kind == Operand::Kind::Computed;
    if (global && operand.object == subject_.footprint.input) {
      const GridPoint at = subject_.footprint.point(operand.element);
      add(stop(at, layout_.inputSpot(at.z)));
    }
    if (operand.kind == Operand::Kind::Uninitialised && operand.object != kNone) {
      add(cellOf(Carrier::Kind::SharedArray, operand.object, operand.element));
    }
    for (const Hop& hop : operand.hops) {
      if (hop.place == Hop::Place::Shared) add(cellOf(Carrier::Kind::SharedArray, hop.id, hop.index));
      if (hop.place == Hop::Place::Variable) add(cellOf(Carrier::Kind::Register, hop.id, hop.index));
    }
    return stops;
  }

  [[nodiscard]] std::optional<Stop> cellOf(Carrier::Kind kind, std::uint32_t id, std::int64_t index) const {
    for (const std::uint32_t c : layout_.carriers()) {
      if (subject_.carriers[c].kind != kind || subject_.carriers[c].id != id) continue;
      const auto& cells = subject_.view.carriers[c].cells;
      if (index < 0 || static_cast<std::size_t>(index) >= cells.size()) return std::nullopt;
      const auto& cell = cells[static_cast<std::size_t>(index)];
      const auto at = layout_.pointOf(c, cell);
      return at ? std::optional(stop(*at, layout_.carrierSpot(c, cell))) : std::nullopt;
    }
    return std::nullopt;
  }

  [[nodiscard]] glm::vec3 middle(const GridPoint& at, const SceneSpot& spot) const {
    return layout_.place(layout_.onTop(spot, kArrowLift), at) + 0.5F * layout_.cell(spot);
  }
  [[nodiscard]] Stop stop(const GridPoint& at, const SceneSpot& spot) const { return {middle(at, spot), spot.scale}; }

  void line(const glm::vec3& from, const glm::vec3& to, float widthFrom, float widthTo, SceneColour colour,
            float opacity) {
    model_.lines.push_back({from, to, widthFrom, widthTo, colour, opacity, true});
  }

  void frame(const Stop& stop, SceneColour colour, float opacity) {
    const glm::vec3 size = stop.scale * layout_.cell();
    const glm::vec3 corner = stop.at - 0.5F * size;
    const std::array<glm::vec3, 4> corners = {corner, corner + glm::vec3(size.x, 0, 0), corner + size,
                                              corner + glm::vec3(0, 0, size.z)};
    for (std::size_t i = 0; i < corners.size(); ++i) {
      line(corners[i], corners[(i + 1) % 4], kWidth, kWidth, colour, opacity);
    }
  }

  void draw(const std::vector<glm::vec3>& stops, SceneColour colour, bool chosen, float opacity) {
    const float width = chosen ? kChosenWidth : kWidth;
    const float head = chosen ? kChosenHead : kHead;
    const glm::vec3 end = stops.back();
    const glm::vec3 before = stops[stops.size() - 2];
    const float length = glm::length(end - before);
    const glm::vec3 neck = end + (before - end) * std::min(0.5F, length > 0 ? 0.45F / length : 0.5F);
    for (const bool casing : {true, false}) {
      const float extra = casing ? kCasing : 0;
      const SceneColour hue = casing ? SceneColour::Casing : colour;
      for (std::size_t i = 0; i + 2 < stops.size(); ++i) {
        line(stops[i], stops[i + 1], width + extra, width + extra, hue, opacity);
      }
      line(before, neck, width + extra, width + extra, hue, opacity);
      if (!casing) line(neck, end, head, 0, colour, opacity);
    }
  }

  void legend(const Kind& kind) {
    const auto same = [&](const SceneLegendEntry& entry) { return entry.word == kind.word; };
    if (std::ranges::any_of(model_.legend, same)) return;
    model_.legend.push_back({kind.colour, SceneStyle::Arrow, 1, kind.word});
  }

  SceneModel& model_;
  const SceneSubject& subject_;
  const SceneLayout& layout_;
  glm::vec3 goal_{0};
};

}  // namespace

void addArrows(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout) {
  if (subject.origins != nullptr) Arrows(model, subject, layout).add();
}

}  // namespace haloscope::render
