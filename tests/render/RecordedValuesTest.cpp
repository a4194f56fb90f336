#include "render/RecordedValues.h"

#include <bit>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "../kernels/BlockLogSupport.h"
#include "../kernels/RecordingSupport.h"
#include "SceneFixture.h"
#include "render/Context.h"
#include "render/SceneBuilder.h"
#include "render/SceneRenderer.h"

/// The scene's values, taken from the words of a log by a shader: they are those that the recording has. The log is of
/// an instrumented text that the emulator ran, as a GPU would.
namespace haloscope::render {
namespace {

class RecordedValuesTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    OffscreenOptions options;
    options.software = true;
    ASSERT_NO_THROW(context_ = Context::offscreen(options)) << "Mesa's software OpenGL is part of what run.sh installs";
  }

  std::unique_ptr<Context> context_;
};

TEST_P(RecordedValuesTest, AreTheRecordingsAtEveryStep) {
  const std::string path = std::string(HALOSCOPE_SOURCE_DIR) + "/kernels/" + GetParam() + ".cu";
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const KernelFile file = KernelFile::parse(GetParam(), path, text);
  const Bindings bindings = file.bind({{"N", 11}});
  const frontend::CompileOptions options{.defines = file.defines(bindings), .kernel = {}};
  const auto program = std::make_shared<const Program>(frontend::compile(path, text, options).program);
  const Launch launch = experiment::makeLaunch(file, bindings, *program, experiment::InputKind::Random);
  const Dim3 grid = launch.configuration.grid;
  const Dim3 block{grid.x - 1, grid.y / 2, 0};
  const test::Logged logged = test::runInstrumented(path, text, options, *program, launch, block);
  recording::LogIndex index;
  const auto recording =
      recording::readLog({program, &logged.text.program, &logged.text.sites, &launch, block, &logged.log},
                         recording::LogOrder::SideBySide, index);
  ASSERT_EQ(recording->message, "");
  const recording::Footprint footprint = recording::findFootprint(*recording);
  const std::vector<recording::Carrier> carriers = recording::findCarriers(*recording);

  RecordedValues values(test::kShaderFolder);
  values.upload(logged.log);
  values.describe(
      {recording.get(), &carriers, &footprint, &logged.text.program, &logged.text.sites, &logged.log, &index});
  recording::Cursor cursor(recording);
  std::size_t compared = 0;
  for (std::size_t position = 0; position <= cursor.end(); position += cursor.end() > 30 ? 3 : 1) {
    cursor.goTo(position);
    values.goTo(position);
    const std::vector<std::uint32_t> all = values.read();
    const recording::BlockView view = recording::viewBlock(cursor, footprint, carriers);
    for (std::uint32_t c = 0; c < carriers.size(); ++c) {
      for (std::uint32_t i = 0; i < view.carriers[c].cells.size(); ++i) {
        const recording::CarrierCell& cell = view.carriers[c].cells[i];
        if (cell.cell.writer == kNone) { continue; }
        const std::uint32_t at = values.cell({SceneSource::Kind::Carrier, c, i});
        ASSERT_LT(at, all.size());
        ASSERT_EQ(all[at], cell.cell.bits) << carriers[c].name << " " << i << " at " << position;
        ++compared;
      }
    }
    for (std::uint32_t i = 0; i < view.outputs.size(); ++i) {
      if (view.outputs[i].role != recording::Role::Output) { continue; }
      const std::uint32_t at = values.cell({SceneSource::Kind::Output, 0, i});
      ASSERT_LT(at, all.size());
      ASSERT_EQ(all[at], view.outputs[i].bits) << "output " << i << " at " << position;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20U);

  // The picture is that of the values in the model, too.
  cursor.goTo(cursor.end());
  const recording::BlockView view = recording::viewBlock(cursor, footprint, carriers);
  const SceneFacts facts = findSceneFacts(recording, footprint, carriers);
  const SceneModel model = buildScene({cursor, footprint, carriers, view, facts});
  const SceneProjection projection(model, SceneOrbit{}, 320, 240);
  SceneRenderer fromModel(test::kShaderFolder, true), fromWords(test::kShaderFolder, true);
  fromModel.draw(model, projection, test::testPalette());
  values.goTo(cursor.position());
  fromWords.setRecorded(&values);
  fromWords.draw(model, projection, test::testPalette());
  EXPECT_EQ(fromModel.readPixels().rgba, fromWords.readPixels().rgba);
  // ... and is another one where the words are others; planes of outputs alone are drawn as a whole, without shades.
  if (carriers.empty()) { return; }
  values.goTo(0);
  fromWords.draw(model, projection, test::testPalette());
  EXPECT_NE(fromModel.readPixels().rgba, fromWords.readPixels().rgba);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RecordedValuesTest,
                         testing::Values("stencil/basic", "stencil/tiled", "stencil/coarsened",
                                         "stencil/register_tiled"),
                         [](const auto& one) { return one.param.substr(one.param.find('/') + 1); });

}  // namespace
}  // namespace haloscope::render
