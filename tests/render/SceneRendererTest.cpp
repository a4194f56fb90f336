#include "render/SceneRenderer.h"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "SceneFixture.h"
#include "render/Context.h"
#include "tests/render/StructuralSimilarity.h"

namespace haloscope::render {
namespace {

using test::RecordedBlock;

constexpr int kSceneWidth = 400, kSceneHeight = 300;

/// Draws on the processor, so that a baseline is the same everywhere.
class SceneRendererTest : public testing::Test {
 protected:
  static OffscreenOptions options() {
    OffscreenOptions options;
    options.width = 16;
    options.height = 16;
    options.software = true;
    return options;
  }

  static SceneProjection projection(const SceneModel& model, const SceneOrbit& orbit = {}) {
    return {model, orbit, kSceneWidth, kSceneHeight, {12, 12, 12, 12}};
  }

  Image picture(const SceneModel& model, const SceneOrbit& orbit = {}, float progress = 1) {
    renderer_.draw(model, projection(model, orbit), test::testPalette(), progress);
    return renderer_.readPixels();
  }

  /// Compares with baselines/NAME.png; makes it when HALOSCOPE_UPDATE_BASELINES is set.
  void expectBaseline(const std::string& name, const Image& image) {
    const std::filesystem::path path = test::kBaselineFolder / (name + ".png");
    if (std::getenv("HALOSCOPE_UPDATE_BASELINES") != nullptr) {
      std::filesystem::create_directories(test::kBaselineFolder);
      std::ofstream(path, std::ios::binary) << image.png();
      return;
    }
    const double similarity = structuralSimilarity(Image::read(path), image);
    EXPECT_GT(similarity, 0.985) << path << "; the picture drawn now: " << keep(name, image);
  }

  static std::string keep(const std::string& name, const Image& image) {
    const auto path = std::filesystem::temp_directory_path() / ("haloscope_" + name + ".png");
    std::ofstream(path, std::ios::binary) << image.png();
    return path.string();
  }

  std::unique_ptr<Context> context_ = Context::offscreen(options());
  SceneRenderer renderer_{test::kShaderFolder, context_->isSoftware()};
};

TEST_F(SceneRendererTest, DrawsOnlyWhenSomethingChanged) {
  RecordedBlock block("stencil/coarsened");
  SceneModel model = block.atEnd().model();
  model.revision = 1;
  ScenePalette palette = test::testPalette();
  renderer_.draw(model, projection(model), palette);
  renderer_.draw(model, projection(model), palette);
  EXPECT_EQ(renderer_.drawCount(), 1U);
  renderer_.draw(model, projection(model, {1, 0.5F, 1, 0, 0}), palette);
  EXPECT_EQ(renderer_.drawCount(), 2U);
  palette.background = {1, 1, 1, 1};
  renderer_.draw(model, projection(model, {1, 0.5F, 1, 0, 0}), palette);
  EXPECT_EQ(renderer_.drawCount(), 3U);
  model.revision = 2;
  renderer_.draw(model, projection(model, {1, 0.5F, 1, 0, 0}), palette);
  EXPECT_EQ(renderer_.drawCount(), 4U);
}

TEST_F(SceneRendererTest, ReplacesADraftOnceThePictureIsStill) {
  RecordedBlock block("stencil/coarsened");
  SceneModel model = block.atEnd().model();
  model.revision = 1;
  renderer_.draw(model, projection(model), test::testPalette(), 1, true);
  const Image draft = renderer_.readPixels();
  renderer_.draw(model, projection(model), test::testPalette(), 1, true);
  EXPECT_EQ(renderer_.drawCount(), 1U);
  renderer_.draw(model, projection(model), test::testPalette());
  EXPECT_EQ(renderer_.drawCount(), 2U);
  const Image fine = renderer_.readPixels();
  EXPECT_LT(structuralSimilarity(draft, fine), 1);
  EXPECT_GT(structuralSimilarity(draft, fine), 0.8);
  // A fine picture will do for a draft.
  renderer_.draw(model, projection(model), test::testPalette(), 1, true);
  EXPECT_EQ(renderer_.drawCount(), 2U);
}

TEST_F(SceneRendererTest, LeavesTheFrameAsItFoundIt) {
  RecordedBlock block("stencil/coarsened");
  context_->beginFrame();
  (void)picture(block.atEnd().model());
  GLint framebuffer = 0;
  GLint viewport[4] = {};
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
  glGetIntegerv(GL_VIEWPORT, viewport);
  EXPECT_EQ(static_cast<std::uint32_t>(framebuffer), context_->framebuffer());
  EXPECT_EQ(viewport[2], context_->width());
  EXPECT_EQ(viewport[3], context_->height());
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(SceneRendererTest, CellsHaveTheHueOfTheirRole) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.after("__syncthreads", 3).model();
  const Image image = picture(model);
  const SceneProjection seen = projection(model);
  int compared = 0;
  for (const SceneBox& box : model.boxes) {
    if (box.kind != SceneSource::Kind::Carrier || box.style != SceneStyle::Solid || box.opacity < 1) { continue; }
    const auto top = SceneModel::top(box, 0, 0);
    const glm::vec2 pixel = seen.project((top[0] + top[2]) * 0.5F);
    const auto hit = seen.pick(model, pixel);
    if (!hit || !(hit->source == model.source(box))) { continue; }  // hidden by a plane above
    const auto drawn = image.at(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
    const glm::vec4 hue = test::testPalette().of(box.colour);
    // Brightness follows the value; the ratio of the channels is the role's.
    const float brightness = static_cast<float>(drawn[0] + drawn[1] + drawn[2]) / (255 * (hue.r + hue.g + hue.b));
    EXPECT_NEAR(drawn[0], 255 * hue.r * brightness, 8);
    EXPECT_NEAR(drawn[1], 255 * hue.g * brightness, 8);
    EXPECT_NEAR(drawn[2], 255 * hue.b * brightness, 8);
    EXPECT_GT(brightness, 0.6F);
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST_F(SceneRendererTest, CopiedCellsTravel) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  const SceneModel model = block.after("inPrev_s[ty][tx] = inCurr_s", 2).model();
  const Image begin = picture(model, {}, 0);
  const Image half = picture(model, {}, 0.5F);
  const Image end = picture(model, {}, 1);
  EXPECT_LT(structuralSimilarity(begin, end), 0.99);
  EXPECT_LT(structuralSimilarity(half, end), 0.99);
}

TEST_F(SceneRendererTest, BaselineTile) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  block.after("out[(i * N + j) * N + k] =");
  expectBaseline("scene_tiled_star", picture(block.model(block.threadAt(3, 3, 3))));
}

TEST_F(SceneRendererTest, BaselineTileAtTheCorner) {
  RecordedBlock block("stencil/tiled", {{"IN_TILE_DIM", 8}, {"N", 32}}, Dim3{0, 0, 0});
  block.after("__syncthreads");
  expectBaseline("scene_tiled_corner", picture(block.model(block.threadAt(3, 3, 3))));
}

TEST_F(SceneRendererTest, BaselineRotation) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 8}, {"N", 32}});
  block.after("inPrev_s[ty][tx] = inCurr_s", 3);
  expectBaseline("scene_coarsened_rotation", picture(block.model(block.threadAt(3, 3))));
}

TEST_F(SceneRendererTest, BaselineLargePlanes) {
  RecordedBlock block("stencil/coarsened", {{"IN_TILE_DIM", 32}, {"N", 64}});
  block.after("out[(i * N + j) * N + k] =", 12);
  expectBaseline("scene_coarsened_32", picture(block.model(block.threadAt(20, 15))));
}

TEST_F(SceneRendererTest, BaselineRegisters) {
  RecordedBlock block("stencil/register_tiled", {{"IN_TILE_DIM", 8}, {"N", 32}});
  block.after("out[(i * N + j) * N + k] =", 3);
  expectBaseline("scene_register_tiled", picture(block.model(block.threadAt(3, 3))));
}

TEST_F(SceneRendererTest, BaselineConvolution) {
  RecordedBlock block("convolution/tiled_input_block", {{"FILTER_RADIUS", 2}, {"IN_TILE_DIM", 16}});
  block.after("sum += filter", 8);
  expectBaseline("scene_convolution_window", picture(block.model(block.threadAt(6, 6))));
}

TEST_F(SceneRendererTest, BaselineBasic) {
  RecordedBlock block("stencil/basic");
  block.after("out[(i * N + j) * N + k] =");
  expectBaseline("scene_basic", picture(block.model(block.threadAt(3, 3, 3))));
}

}  // namespace
}  // namespace haloscope::render
