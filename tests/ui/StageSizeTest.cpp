#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "UiDriver.h"
#include "render/ScenePolygons.h"

// How much of the window the block takes.

namespace haloscope::test {
namespace {

using render::SceneBox;
using render::SceneModel;
using render::SceneProjection;

/// The shortest edge of a cell of shared memory, in pixels.
float shortestEdge(const SceneModel& model, const SceneProjection& projection) {
  float shortest = std::numeric_limits<float>::max();
  for (const SceneBox& box : model.boxes) {
    if (box.kind != render::SceneSource::Kind::Carrier) { continue; }
    const auto top = SceneModel::top(box, 0, 0);
    for (std::size_t i = 0; i < top.size(); ++i) {
      const glm::vec2 a = projection.project(top[i]), b = projection.project(top[(i + 1) % top.size()]);
      shortest = std::min(shortest, std::hypot(b.x - a.x, b.y - a.y));
    }
  }
  return shortest;
}

bool inside(const std::vector<glm::vec2>& polygon, glm::vec2 at) {
  bool in = false;
  for (std::size_t i = 0, k = polygon.size() - 1; i < polygon.size(); k = i++) {
    const glm::vec2 a = polygon[i], b = polygon[k];
    if ((a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x) { in = !in; }
  }
  return in;
}

/// The share of the window that is covered by what is solid, benches included.
double silhouettes(const SceneModel& model, const SceneProjection& projection, const render::ScenePalette& palette) {
  constexpr int kStep = 4;  // pixels
  const int columns = static_cast<int>(projection.width()) / kStep,
            rows = static_cast<int>(projection.height()) / kStep;
  std::vector<char> covered(static_cast<std::size_t>(columns * rows));
  for (const render::ScenePolygon& polygon : render::scenePolygons(model, projection, palette)) {
    if (polygon.fill.a < 1 || polygon.points.size() < 3) { continue; }
    glm::vec2 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};
    for (const glm::vec2& point : polygon.points) {
      low = {std::min(low.x, point.x), std::min(low.y, point.y)};
      high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
    for (int y = std::max(0, static_cast<int>(low.y) / kStep); y < rows && static_cast<float>(y * kStep) <= high.y;
         ++y) {
      for (int x = std::max(0, static_cast<int>(low.x) / kStep); x < columns && static_cast<float>(x * kStep) <= high.x;
           ++x) {
        if (inside(polygon.points, glm::vec2(x, y) * static_cast<float>(kStep))) {
          covered[static_cast<std::size_t>(y * columns + x)] = 1;
        }
      }
    }
  }
  const auto count = static_cast<double>(std::ranges::count(covered, 1));
  return count * kStep * kStep / (1280.0 * 720.0);
}

struct StageSize {
  float edge = 0;
  double share = 0;
};

/// Of a kernel with tiles of 8, at 1280×720.
StageSize stageSize(UiDriver& driver, float textScale) {
  AppState& state = driver.state();
  state.choice.kernel = "stencil/coarsened";
  state.choice.bindings = {{"IN_TILE_DIM", 8}};
  state.view.scale = textScale;
  driver.settle();
  state.cursor.goTo(state.cursor.end());
  driver.settle();
  render::SceneRenderer& scene = driver.app().scenes().at(0);
  const SceneModel& model = scene.director().model();
  return {shortestEdge(model, scene.projection()), silhouettes(model, scene.projection(), scene.palette())};
}

TEST(StageSizes, TheBlockIsLargeOnAProjector) {
  UiDriver driver;
  const StageSize size = stageSize(driver, 1);
  EXPECT_GE(size.edge, 18);
  EXPECT_GE(size.share, 0.155);
}

TEST(StageSizes, LargeTextTakesLittleOfIt) {
  UiDriver driver;
  const StageSize size = stageSize(driver, 1.5F);
  EXPECT_GE(size.edge, 14.8);
  EXPECT_GE(size.share, 0.15);
}

}  // namespace
}  // namespace haloscope::test
