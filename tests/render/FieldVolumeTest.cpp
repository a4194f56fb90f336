#include "FieldSupport.h"
#include "render/FieldCamera.h"
#include "tests/render/StructuralSimilarity.h"

/// A field as a cloud in its box.
namespace haloscope::render {
namespace {

constexpr int kWidth = 160, kHeight = 120;

FieldView volume(float yaw, float pitch) {
  FieldView view{.width = kWidth, .height = kHeight, .volume = true, .yaw = yaw, .pitch = pitch, .distance = 2.4F};
  view.steps = 96;
  return view;
}

/// A hill around a point of the grid.
auto hillAt(double z, double y, double x) {
  return [=](auto atZ, auto atY, auto atX) {
    const double dz = static_cast<double>(atZ) - z;
    const double dy = static_cast<double>(atY) - y;
    const double dx = static_cast<double>(atX) - x;
    return std::exp(-(dz * dz + dy * dy + dx * dx) / 18);
  };
}

/// Middle of what is brighter than the frame's surroundings.
glm::vec2 brightest(const Image& image) {
  glm::vec2 sum(0);
  float weight = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const float light = luma(pixelOf(image, x, y));
      if (light > 0.65F) {
        sum += light * glm::vec2(x, y);
        weight += light;
      }
    }
  }
  return weight > 0 ? sum / weight : glm::vec2(-1);
}

TEST_F(FieldTest, AnEmptyVolumeShowsItsFrameOnly) {
  const FieldGrid grid = FieldGrid::of({16, 16, 16}, ValueType::F32);
  const Image image = draw(grid, fieldOf(grid, [](auto, auto, auto) { return 0.0; }), volume(0.6F, 0.5F));
  int marked = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (luma(pixelOf(image, x, y)) > 0.16F) { ++marked; }
    }
  }
  EXPECT_GT(marked, 300);   // twelve edges
  EXPECT_LT(marked, 2500);  // and nothing in between
  expectColour(pixelOf(image, 2, 2), FieldSurroundings{}.background);
}

TEST_F(FieldTest, AHillLiesWhereTheCameraProjectsIt) {
  const FieldGrid grid = FieldGrid::of({32, 32, 32}, ValueType::F32);
  struct Case {
    double z, y, x;
    float yaw, pitch;
  };
  for (const Case& c : {Case{8, 16, 24, 0, 0}, Case{24, 10, 16, 1.2F, 0.4F}, Case{16, 24, 8, -0.7F, -0.6F}}) {
    const Image image = draw(grid, fieldOf(grid, hillAt(c.z, c.y, c.x)), volume(c.yaw, c.pitch));
    const FieldCamera camera(grid, c.yaw, c.pitch, 2.4F, kWidth, kHeight);
    const auto place = [](double cell) { return static_cast<float>((cell + 0.5) / 32 - 0.5); };
    // x is the fast axis, y the slow one, z the middle one.
    const glm::vec2 expected = camera.project({place(c.x), place(c.z), place(c.y)});
    const glm::vec2 found = brightest(image);
    EXPECT_NEAR(found.x, expected.x, 3) << "hill at " << c.z << ", " << c.y << ", " << c.x;
    EXPECT_NEAR(found.y, expected.y, 3) << "hill at " << c.z << ", " << c.y << ", " << c.x;
  }
}

TEST_F(FieldTest, EmptyBricksAreSkippedWithoutATrace) {
  // The same hill in a grid whose bricks are mostly empty, and with a floor that fills every brick but stays unseen:
  // both pictures must agree.
  const FieldGrid grid = FieldGrid::of({40, 40, 40}, ValueType::F32);
  const auto hill = hillAt(20, 20, 20);
  FieldView view = volume(0.6F, 0.5F);
  const Image skipped = draw(grid, fieldOf(grid, hill), view);
  const Image marched =
      draw(grid, fieldOf(grid, [&](auto z, auto y, auto x) { return std::max(hill(z, y, x), 0.0999); }), view);
  EXPECT_GT(structuralSimilarity(skipped, marched), 0.99);
}

TEST_F(FieldTest, CoarseRaysShowTheSamePictureRoughly) {
  const FieldGrid grid = FieldGrid::of({32, 32, 32}, ValueType::F32);
  const auto field = fieldOf(grid, hillAt(12, 20, 16));
  FieldView view = volume(0.6F, 0.5F);
  const Image fine = draw(grid, field, view);
  view.pixelStep = 2;
  view.steps = 64;
  const Image coarse = draw(grid, field, view);
  EXPECT_NEAR(brightest(fine).x, brightest(coarse).x, 1.5);
  EXPECT_NEAR(brightest(fine).y, brightest(coarse).y, 1.5);
}

TEST_F(FieldTest, ALongBoxKeepsItsProportions) {
  const FieldGrid grid = FieldGrid::of({8, 16, 64}, ValueType::F32);
  const FieldCamera camera(grid, 0, 0, 3, 200, 200);
  EXPECT_FLOAT_EQ(camera.halfSize().x, 0.5F);
  EXPECT_FLOAT_EQ(camera.halfSize().y, 0.0625F);
  EXPECT_FLOAT_EQ(camera.halfSize().z, 0.125F);
  int behind = 0;
  for (const FieldCamera::Edge& edge : camera.edges()) { behind += edge.behind ? 1 : 0; }
  EXPECT_EQ(behind, 8);  // straight from the front only the front face's edges are not
}

}  // namespace
}  // namespace haloscope::render
