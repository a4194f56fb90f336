#include "render/ScenePolygons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <numbers>
#include <tuple>
#include <utility>

namespace haloscope::render {

namespace {

// As in shaders/scene_box.vert and scene_box.frag, whose pictures these are.
constexpr float kSideX = 0.66F, kSideZ = 0.48F;          // light on the sides, of that on top
constexpr float kDarkest = 0.68F, kBrightest = 1.04F;    // by value
constexpr float kCellLine = 0.55F, kChangedLine = 0.9F;  // half the width of the lines between cells
constexpr float kTopLine = 0.78F, kSideLine = 0.4F;      // how much of the ground is in them
constexpr float kDotRadius = 0.14F, kDotPixels = 7;      // of a cell that is read
constexpr float kGlass = 0.06F;                          // opacity of what is only outlined
constexpr float kSmallUnit = 12, kThinnest = 0.5F;       // pixels of a cell below which lines get thinner
constexpr float kActiveEdge = 2.2F;                      // width around lines of the current step

/// What is drawn in one go. Lower planes first; in a plane the farthest first.
struct SceneUnit {
  float plane = 0, depth = 0;
  std::vector<ScenePolygon> shapes;
};

glm::vec4 opaque(const glm::vec3& colour) { return {glm::clamp(colour, 0.0F, 1.0F), 1}; }

class PolygonMaker {
 public:
  PolygonMaker(const SceneModel& model, const SceneProjection& projection, const ScenePalette& palette)
      : model_(model),
        projection_(projection),
        palette_(palette),
        lineScale_(palette.lineScale *
                   std::clamp(projection.pixelsPerUnit() / (kSmallUnit * palette.lineScale), kThinnest, 1.0F)) {}

  std::vector<ScenePolygon> make() {
    for (const SceneBox& box : model_.boxes) {
      if (box.style == SceneStyle::Frame) {
        addOutline(box, box.low, box.high, 0);
      } else {
        addCells(box);
      }
    }
    std::vector<ScenePolygon> last;
    for (const SceneLine& line : model_.lines) {
      if (!line.onTop) {
        units_.push_back({std::max(line.from.y, line.to.y), depth((line.from + line.to) / 2.0F), {}});
      }
      std::vector<ScenePolygon>& into = line.onTop ? last : units_.back().shapes;
      if (line.onTop && line.colour == SceneColour::Active) { addLine(edgeOf(line), into); }
      addLine(line, into);
    }
    std::ranges::stable_sort(units_, {}, [](const SceneUnit& unit) { return std::tuple(unit.plane, unit.depth); });
    std::vector<ScenePolygon> shapes;
    for (SceneUnit& unit : units_) { std::ranges::move(unit.shapes, std::back_inserter(shapes)); }
    std::ranges::move(last, std::back_inserter(shapes));
    return shapes;
  }

 private:
  [[nodiscard]] float depth(const glm::vec3& at) const { return glm::dot(at, projection_.toViewer()); }
  [[nodiscard]] glm::vec3 ground() const { return palette_.background; }
  [[nodiscard]] glm::vec3 role(const SceneBox& box) const { return palette_.of(box.colour); }

  void addCells(const SceneBox& box) {
    const glm::vec3 size = (box.high - box.low) / glm::vec3(box.cellsX, 1, box.cellsZ);
    const int nearX = projection_.toViewer().x > 0 ? box.cellsX - 1 : 0;
    const int nearZ = projection_.toViewer().z > 0 ? box.cellsZ - 1 : 0;
    for (int z = 0; z < box.cellsZ; ++z) {
      for (int x = 0; x < box.cellsX; ++x) {
        const glm::vec3 low = box.low + size * glm::vec3(x, 0, z);
        const glm::vec3 high = low + size;
        if (box.style == SceneStyle::Solid) {
          addSolid(box, low, high, !box.enclosed && x == nearX, !box.enclosed && z == nearZ);
        } else {
          addOutline(box, low, high, kGlass);
        }
      }
    }
  }

  /// Corners of a cell's sides as the viewer sees them.
  void addSolid(const SceneBox& box, const glm::vec3& low, const glm::vec3& high, bool sideX, bool sideZ) {
    SceneUnit unit{box.low.y, depth((low + high) / 2.0F), {}};
    const float x = projection_.toViewer().x > 0 ? high.x : low.x;
    const float z = projection_.toViewer().z > 0 ? high.z : low.z;
    if (sideX) {
      addFace(box, {{{x, low.y, low.z}, {x, low.y, high.z}, {x, high.y, high.z}, {x, high.y, low.z}}}, kSideX, unit);
    }
    if (sideZ) {
      addFace(box, {{{low.x, low.y, z}, {high.x, low.y, z}, {high.x, high.y, z}, {low.x, high.y, z}}}, kSideZ, unit);
    }
    addFace(box, topOf(low, high), 1, unit);
    if (box.read && cellPixels(low, high) > kDotPixels) { addDot(box, low, high, unit); }
    units_.push_back(std::move(unit));
  }

  static std::array<glm::vec3, 4> topOf(const glm::vec3& low, const glm::vec3& high) {
    return {{{low.x, high.y, low.z}, {high.x, high.y, low.z}, {high.x, high.y, high.z}, {low.x, high.y, high.z}}};
  }

  [[nodiscard]] glm::vec3 fillOf(const SceneBox& box) const {
    const glm::vec3 lit =
        box.changed ? glm::mix(role(box), glm::vec3(1), 0.3F) : role(box) * glm::mix(kDarkest, kBrightest, box.shade);
    return glm::mix(ground(), lit, box.opacity);
  }

  void addFace(const SceneBox& box, const std::array<glm::vec3, 4>& corners, float light, SceneUnit& unit) const {
    const bool top = light >= 1;
    const glm::vec3 face = fillOf(box) * light;
    glm::vec3 line = glm::mix(face, ground(), top ? kTopLine : kSideLine);
    if (box.changed) { line = glm::mix(glm::vec3(palette_.of(SceneColour::Active)), face, top ? 0.3F : 0.6F); }
    const float cell = cellPixels(corners[0], corners[2]);
    const float half = palette_.lineScale * (box.changed ? kChangedLine : kCellLine);
    ScenePolygon shape{project(corners), opaque(face), opaque(line), 2 * std::min(half, cell * 0.2F)};
    // Lines closer than a few pixels would darken the whole plane.
    shape.stroke =
        opaque(glm::mix(face, line, glm::mix(0.35F, 1.0F, glm::smoothstep(2.5F, 9.0F, cell / palette_.lineScale))));
    unit.shapes.push_back(std::move(shape));
  }

  void addDot(const SceneBox& box, const glm::vec3& low, const glm::vec3& high, SceneUnit& unit) const {
    constexpr int kCorners = 16;
    ScenePolygon dot;
    for (int i = 0; i < kCorners; ++i) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / kCorners;
      const glm::vec3 size = high - low;
      const glm::vec3 middle = {(low.x + high.x) / 2, high.y, (low.z + high.z) / 2};
      dot.points.push_back(projection_.project(
          middle + glm::vec3(size.x * kDotRadius * std::cos(angle), 0, size.z * kDotRadius * std::sin(angle))));
    }
    dot.fill = opaque(glm::mix(fillOf(box), glm::vec3(palette_.of(SceneColour::Active)), 0.9F));
    unit.shapes.push_back(std::move(dot));
  }

  void addOutline(const SceneBox& box, const glm::vec3& low, const glm::vec3& high, float glass) {
    ScenePolygon shape{project(topOf(low, high)),
                       {role(box), glass * box.opacity},
                       {role(box), box.opacity},
                       2 * kCellLine * palette_.lineScale};
    units_.push_back({box.low.y, depth((low + high) / 2.0F), {std::move(shape)}});
  }

  [[nodiscard]] static SceneLine edgeOf(SceneLine line) {
    line.widthFrom += kActiveEdge;
    if (line.widthTo > 0) { line.widthTo += kActiveEdge; }
    line.colour = SceneColour::ActiveEdge;
    return line;
  }

  void addLine(const SceneLine& line, std::vector<ScenePolygon>& into) const {
    glm::vec4 colour = palette_.of(line.colour);
    colour.a *= line.opacity;
    if (colour.a <= 0) { return; }
    const glm::vec2 from = projection_.project(line.from);
    const glm::vec2 to = projection_.project(line.to);
    if (line.widthFrom == line.widthTo) {
      into.push_back({{from, to}, {}, colour, line.widthFrom * lineScale_});
      return;
    }
    const glm::vec2 along = to - from;
    const float length = glm::length(along);
    if (length <= 0) { return; }
    const glm::vec2 side = glm::vec2(-along.y, along.x) / length * (lineScale_ / 2);
    into.push_back({{from + side * line.widthFrom, to + side * line.widthTo, to - side * line.widthTo,
                     from - side * line.widthFrom},
                    colour});
  }

  [[nodiscard]] std::vector<glm::vec2> project(const std::array<glm::vec3, 4>& corners) const {
    std::vector<glm::vec2> points;
    for (const glm::vec3& corner : corners) { points.push_back(projection_.project(corner)); }
    return points;
  }

  /// How large a cell is on the screen where it is narrowest.
  [[nodiscard]] float cellPixels(const glm::vec3& low, const glm::vec3& high) const {
    const auto span = [&](const glm::vec3& axis) {
      return glm::length(projection_.project(low + axis) - projection_.project(low));
    };
    float least = 1e6F;
    for (const glm::vec3& axis : {glm::vec3(high.x - low.x, 0, 0), glm::vec3(0, 0, high.z - low.z)}) {
      if (axis != glm::vec3(0)) { least = std::min(least, span(axis)); }
    }
    return least;
  }

  const SceneModel& model_;
  const SceneProjection& projection_;
  const ScenePalette& palette_;
  float lineScale_;
  std::vector<SceneUnit> units_;
};

}  // namespace

std::size_t cellsOf(const SceneModel& model) {
  std::size_t cells = 0;
  for (const SceneBox& box : model.boxes) {
    cells += box.style == SceneStyle::Frame ? 1 : static_cast<std::size_t>(box.cellsX * box.cellsZ);
  }
  return cells;
}

std::vector<ScenePolygon> scenePolygons(const SceneModel& model, const SceneProjection& projection,
                                        const ScenePalette& palette) {
  return PolygonMaker(model, projection, palette).make();
}

}  // namespace haloscope::render
