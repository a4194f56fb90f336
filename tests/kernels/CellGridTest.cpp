#include "cells/CellGrid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "KernelCatalogue.h"
#include "cells/Palette.h"
#include "experiment/Experiment.h"
#include "recording/Cursor.h"

// What the memory panel, pages and paper show of a block's arrays.

namespace haloscope::cells {
namespace {

using experiment::Experiment;
using Kind = CellGrid::Kind;
using recording::RotationPlace;
using ::testing::ElementsAre;

std::shared_ptr<const Experiment> executed(const char* id) {
  experiment::Choice choice;
  choice.kernel = id;
  experiment::RunOptions options;
  options.countGrid = false;
  return experiment::run(test::catalogue(), choice, options);
}

std::vector<CellGrid> gridsOf(const Experiment& of) {
  return allArrays(*of.recording, of.footprint, of.carriers, of.carrierPlanes);
}

std::vector<GridCell> cellsAt(const Experiment& of, const CellGrid& grid, std::size_t position) {
  recording::Cursor cursor(of.recording);
  cursor.goTo(position);
  return cellsOf(grid, cursor, of.footprint, viewBlock(cursor, of.footprint, of.carriers));
}

TEST(CellGrid, ArraysComeInTheOrderInWhichValuesPassAndRotatingOnesHaveTheirPlanesPlaces) {
  const auto coarsened = executed("stencil/coarsened");
  std::vector<std::pair<std::string, Kind>> arrays;
  std::map<std::string, RotationPlace> places;
  for (const CellGrid& grid : gridsOf(*coarsened)) {
    arrays.emplace_back(grid.name, grid.kind);
    places[grid.name] = grid.place;
  }
  EXPECT_THAT(arrays, ElementsAre(std::pair("in", Kind::Input), std::pair("inPrev_s", Kind::Shared),
                                  std::pair("inCurr_s", Kind::Shared), std::pair("inNext_s", Kind::Shared),
                                  std::pair("c", Kind::Constant), std::pair("out", Kind::Output)));
  EXPECT_EQ(places["inPrev_s"], RotationPlace::Previous);
  EXPECT_EQ(places["inCurr_s"], RotationPlace::Current);
  EXPECT_EQ(places["inNext_s"], RotationPlace::Next);
  EXPECT_EQ(places["out"], RotationPlace::None);
  const Palette& palette = paletteOf(false);
  EXPECT_EQ(colourOf(palette, recording::Role::Interior, places["inPrev_s"]), palette.previous);
  EXPECT_EQ(colourOf(palette, recording::Role::Interior, places["out"]), palette.interior);
}

class CellGridTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Kernels, CellGridTest,
                         testing::Values("stencil/coarsened", "stencil/register_tiled", "stencil/2d_5_basic",
                                         "convolution/1d_tiled", "convolution/tiled_input_block"),
                         [](const auto& kernel) {
                           std::string name = kernel.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

/// Every value that the block reads first or has in the end is in a cell of its array, once.
TEST_P(CellGridTest, EveryElementHasOneCellAndItsValue) {
  const auto of = executed(GetParam());
  recording::Cursor cursor(of->recording);
  cursor.goTo(cursor.end());
  for (const CellGrid& grid : gridsOf(*of)) {
    const std::vector<GridCell> cells = cellsAt(*of, grid, cursor.end());
    ASSERT_EQ(cells.size(), static_cast<std::size_t>(grid.count)) << grid.name;
    EXPECT_GE(grid.planes * grid.rows * grid.columns, grid.count) << grid.name;
    std::map<std::int64_t, const GridCell*> byElement;
    for (const GridCell& cell : cells) {
      if (cell.index < 0) { continue; }
      EXPECT_TRUE(byElement.emplace(cell.index, &cell).second) << grid.nameOf(cell.index, of->configuration.block);
    }
    for (const auto& [element, bits] : grid.read) {
      ASSERT_TRUE(byElement.contains(element)) << grid.name << " " << element;
      EXPECT_TRUE(byElement[element]->shown);
      EXPECT_EQ(byElement[element]->cell.bits, bits);
    }
    if (grid.kind != Kind::Output) { continue; }
    for (const std::int64_t element : of->footprint.outputs) {
      ASSERT_TRUE(byElement.contains(element)) << grid.name << " " << element;
      EXPECT_EQ(byElement[element]->role, recording::Role::Output);
      EXPECT_EQ(byElement[element]->cell.bits, cursor.output(grid.id, element)->bits);
    }
  }
}

TEST(CellGrid, ALongRowIsFoldedAndKeepsItsElements) {
  CellGrid grid;
  grid.extents = {100};
  grid.low = {0, 0, 10};
  grid.columns = grid.count = 70;
  grid.fold(32);
  EXPECT_EQ(grid.rows, 3);
  EXPECT_EQ(grid.columns, 32);
  EXPECT_EQ(grid.element(33), 43);
  EXPECT_EQ(grid.element(69), 79);
  EXPECT_EQ(grid.element(70), -1) << "beyond the last cell";
}

TEST(CellGrid, ABoxMayBeginBeforeTheArrayDoes) {
  CellGrid grid;
  grid.extents = {4, 5};
  grid.low = {0, -1, 2};
  grid.rows = 2;
  grid.columns = 4;
  grid.count = 8;
  EXPECT_EQ(grid.element(0), -1);
  EXPECT_EQ(grid.element(4), 2);
  EXPECT_EQ(grid.element(7), -1) << "right of the array";
}

TEST(CellGrid, WhatAStepReadsIsMarkedAndOfOneThreadApart) {
  const auto tiled = executed("convolution/tiled_input_block");
  recording::Cursor cursor(tiled->recording);
  for (std::size_t step = 1; step <= cursor.end(); ++step) {
    cursor.goTo(step);
    const std::vector<std::int64_t> read = elementsRead(cursor, tiled->footprint.input);
    if (read.empty()) { continue; }
    const std::vector<CellGrid> grids = gridsOf(*tiled);
    const std::vector<GridCell> cells = cellsAt(*tiled, grids.front(), step);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(cells, &GridCell::read)), read.size());
    std::size_t ofThreads = 0;
    for (std::uint32_t thread = 0; thread < tiled->recording->threadCount(); ++thread) {
      ofThreads += elementsRead(cursor, tiled->footprint.input, thread).size();
    }
    EXPECT_EQ(ofThreads, read.size());
    return;
  }
  FAIL() << "no step reads the input";
}

TEST(Palette, ColoursAndTheirStyleSheetAreOneTable) {
  EXPECT_EQ(cssColour(rgb(0x56B4E9)), "#56b4e9");
  const std::string style = cssVariables();
  EXPECT_NE(style.find("--halo:" + cssColour(paletteOf(true).halo) + ";"), std::string::npos) << style;
  EXPECT_NE(style.find("--halo:" + cssColour(paletteOf(false).halo) + ";"), std::string::npos) << style;
  EXPECT_EQ(mixed(rgb(0x000000), rgb(0xFFFFFF), 0), rgb(0x000000));
  EXPECT_EQ(mixed(rgb(0x000000), rgb(0xFFFFFF), 1), rgb(0xFFFFFF));
}

}  // namespace
}  // namespace haloscope::cells
