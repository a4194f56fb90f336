#include "SceneFixture.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "catalogue/Catalogue.h"
#include "experiment/Experiment.h"

namespace haloscope::test {

namespace {

glm::vec4 colour(unsigned rgb) {
  return {static_cast<float>(rgb >> 16 & 255U) / 255, static_cast<float>(rgb >> 8 & 255U) / 255,
          static_cast<float>(rgb & 255U) / 255, 1};
}

int lineOf(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find(part) != std::string::npos) { return number; }
  }
  return 0;
}

}  // namespace

RecordedBlock::RecordedBlock(const std::string& kernel, const Bindings& bindings, std::optional<Dim3> block,
                             const std::string& folder) {
  static std::map<std::string, Catalogue> catalogues;  // each folder is read once
  Catalogue& catalogue = catalogues[folder];
  if (catalogue.kernels().empty()) { catalogue = Catalogue::read(kSourceFolder / folder); }
  experiment::Choice choice;
  choice.kernel = kernel;
  choice.bindings = bindings;
  choice.block = block;
  experiment::RunOptions options;
  options.countGrid = false;
  experiment = experiment::run(catalogue, choice, options);
  cursor = recording::Cursor(experiment->recording);
  facts = render::findSceneFacts(experiment->recording, experiment->footprint, experiment->carriers);
  refresh();
}

RecordedBlock& RecordedBlock::after(const std::string& text, int occurrence) {
  const int line = lineOf(experiment->file.text, text);
  EXPECT_GT(line, 0) << "no line of " << experiment->file.id << " contains " << text;
  cursor.goTo(0);
  for (int i = 0; i < occurrence; ++i) { EXPECT_TRUE(cursor.goToLine(line)) << text; }
  refresh();
  return *this;
}

RecordedBlock& RecordedBlock::atEnd() {
  cursor.goTo(cursor.end());
  refresh();
  return *this;
}

RecordedBlock& RecordedBlock::atStart() {
  cursor.goTo(0);
  refresh();
  return *this;
}

render::SceneModel RecordedBlock::model(std::uint32_t thread) const {
  return render::buildScene({cursor, experiment->footprint, experiment->carriers, view, facts, thread});
}

std::uint32_t RecordedBlock::threadAt(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
  return static_cast<std::uint32_t>(linear({x, y, z}, experiment->configuration.block));
}

void RecordedBlock::refresh() { view = recording::viewBlock(cursor, experiment->footprint, experiment->carriers); }

render::ScenePalette testPalette() {
  using enum render::SceneColour;
  render::ScenePalette palette;
  palette.of(Interior) = colour(0x56B4E9);
  palette.of(Halo) = colour(0xE69F00);
  palette.of(Bench) = colour(0x2A3441);
  palette.of(Ghost) = palette.of(Unwritten) = palette.of(Frame) = colour(0x5B6675);
  palette.of(Computed) = palette.of(Output) = palette.of(Pending) = palette.of(Next) = colour(0x009E73);
  palette.of(Previous) = colour(0xCC79A7);
  palette.of(Active) = colour(0xF0E442);
  palette.of(Text) = colour(0xD7DEE8);
  palette.of(Casing) = palette.background = colour(0x151C26);
  return palette;
}

}  // namespace haloscope::test
