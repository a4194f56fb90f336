#include "actions/Choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "UiHost.h"
#include "actions/ChosenGpu.h"
#include "actions/ViewActions.h"
#include "actions/Walking.h"
#include "state/Places.h"
#include "ui/widgets/Theme.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {
namespace {

using recording::BlockPlace;
using recording::placeOf;
using ::testing::ElementsAre;

KernelFile kernel(const std::string& id, std::int64_t largestTile) {
  return KernelFile::parse(
      id, id + ".cu",
      "/* haloscope\ntitle: t\nbook: b\nidea: i\norder: 1\n"
      "sizes:\n  N: {default: 32, min: 3, max: 64, meaning: points}\n"
      "tunables:\n  TILE: {default: 5, min: 3, max: " +
          std::to_string(largestTile) +
          ", meaning: edge}\n"
          "arrays:\n  in: {shape: [N, N, N]}\n  out: {shape: [N, N, N]}\n"
          "launch:\n  grid: [ceil(N / TILE), ceil(N / TILE), ceil(N / TILE)]\n"
          "  block: [TILE, TILE, 1]\n*/\n__global__ void k(const float* in, float* out, int N) {}\n");
}

TEST(ChosenGpu, WithoutAChoiceItIsThisMachinesOrTheCourses) {
  AppState state;
  state.gpuSpecs.resize(3);
  state.gpuSpecs[0].name = "NVIDIA T4";
  state.gpuSpecs[1].name = "NVIDIA H200 SXM 141 GB";
  state.gpuSpecs[2].name = "NVIDIA B200 (HGX)";
  EXPECT_EQ(chosenGpu(state), &state.gpuSpecs[1]) << "the lessons speak of it";
  state.gpuName = "NVIDIA B200";
  EXPECT_EQ(chosenGpu(state), &state.gpuSpecs[2]);
  state.view.gpuSpec = 0;
  EXPECT_EQ(chosenGpu(state), &state.gpuSpecs[0]);
}

TEST(ChosenGpu, TheRooflinePredictsUnlessThisGpuWasMeasured) {
  AppState state;
  EXPECT_EQ(predictedGpu(state), nullptr);
  EXPECT_FALSE(roofsOf(state)) << "no GPU is known";

  state.gpuSpecs.resize(2);
  state.gpuSpecs[0].bandwidthGBs = 900;
  state.gpuSpecs[1].bandwidthGBs = 3000;
  EXPECT_EQ(predictedGpu(state), &state.gpuSpecs[0]);
  ASSERT_TRUE(roofsOf(state));
  EXPECT_FALSE(roofsOf(state)->measured);
  EXPECT_EQ(roofsOf(state)->bound.bandwidthGBs, 900);
  EXPECT_FALSE(roofsOf(state)->predicted);

  state.measuredCopyGBs = 4169;
  EXPECT_EQ(predictedGpu(state), nullptr);
  EXPECT_TRUE(roofsOf(state)->measured);
  EXPECT_EQ(roofsOf(state)->bound.bandwidthGBs, 4169);
  EXPECT_FALSE(roofsOf(state)->predicted);

  state.view.gpuSpec = 1;
  EXPECT_EQ(predictedGpu(state), &state.gpuSpecs[1]);
  EXPECT_EQ(roofsOf(state)->bound.bandwidthGBs, 4169);
  ASSERT_TRUE(roofsOf(state)->predicted);
  EXPECT_EQ(roofsOf(state)->predicted->bandwidthGBs, 3000);

  state.gpuSpecs.clear();
  EXPECT_TRUE(roofsOf(state)->measured) << "without assets/gpus.json";
  EXPECT_FALSE(roofsOf(state)->predicted);
}

TEST(Choices, AnOpenedFileIsCalledByItsFileName) {
  Catalogue catalogue;
  catalogue.put(kernel("stencil/basic", 10));
  const auto open = [&](const std::string& id, const std::string& path) {
    KernelFile file = kernel(id, 10);
    file.chapter = "opened";
    file.path = path;
    catalogue.put(file);
  };
  open("opened/mine", "/home/ada/mine.cu");
  EXPECT_EQ(shownName(catalogue, "opened/mine"), "mine.cu");
  EXPECT_EQ(shownFileName(catalogue, "opened/mine"), "mine.cu");
  EXPECT_EQ(shownName(catalogue, "stencil/basic"), "stencil/basic");
  EXPECT_EQ(shownFileName(catalogue, "stencil/basic"), "stencil/basic.cu");
  open("opened/mine 2", "/home/bob/mine.cu");
  EXPECT_EQ(shownName(catalogue, "opened/mine"), "ada/mine.cu");
  EXPECT_EQ(shownName(catalogue, "opened/mine 2"), "bob/mine.cu");
}

TEST(Choices, AValueStaysInItsRange) {
  const KernelFile file = kernel("a/b", 10);
  EXPECT_EQ(withValue(file, {"a/b", {}, {}}, "TILE", 99).bindings.at("TILE"), 10);
  EXPECT_EQ(withValue(file, {"a/b", {}, {}}, "TILE", -1).bindings.at("TILE"), 3);
  EXPECT_EQ(withValue(file, {"a/b", {}, {}}, "N", 40).bindings.at("N"), 40);
}

TEST(Choices, TheSizesGrowWhereATileLeavesNoInteriorBlock) {
  const KernelFile file = kernel("a/b", 30);
  const auto placeAt = [&](const experiment::Choice& choice) {
    const Dim3 grid = *chosenGrid(file, choice);
    return placeOf(choice.block.value_or(exampleBlocks(grid).front()), grid);
  };
  for (const std::optional<Dim3>& block : {std::optional<Dim3>(), std::optional(Dim3{2, 2, 2})}) {
    const experiment::Choice next =
        withValue(file, {.kernel = "a/b", .bindings = {{"TILE", 8}}, .block = block}, "TILE", 20);
    EXPECT_EQ(placeAt(next), BlockPlace::Interior);
    EXPECT_GT(next.bindings.at("N"), 40);
    EXPECT_EQ(next.bindings.at("N") % 4, 0) << "vectors of four divide it as before";
  }
  const experiment::Choice few = withValue(file, {.kernel = "a/b", .bindings = {{"TILE", 8}}}, "TILE", 10);
  EXPECT_FALSE(few.bindings.contains("N")) << "32 / 10: there is one";
  const experiment::Choice corner =
      withValue(file, {.kernel = "a/b", .bindings = {{"TILE", 8}}, .block = Dim3{0, 0, 0}}, "TILE", 20);
  EXPECT_FALSE(corner.bindings.contains("N")) << "a corner is there at any size";
  const experiment::Choice smaller = withValue(file, {.kernel = "a/b", .bindings = {{"TILE", 20}, {"N", 64}}}, "N", 32);
  EXPECT_EQ(smaller.bindings.at("N"), 32) << "a size that is chosen is the one";
  const KernelFile wide = kernel("a/c", 64);
  const experiment::Choice none = withValue(wide, {.kernel = "a/c", .bindings = {{"TILE", 8}}}, "TILE", 32);
  EXPECT_FALSE(none.bindings.contains("N")) << "64 points have two such tiles at most";
}

TEST(Choices, ASliderOffersWhatCanBeLaunched) {
  const KernelFile file = kernel("stencil/wide", 64);
  const ValueRange range = launchableRange(file, {file.id, {}, std::nullopt}, file.tunables.front());
  EXPECT_EQ(range.least, 3);
  EXPECT_EQ(range.most, 32) << "32 by 32 threads are as many as a block can have";
  const ValueRange beyond = launchableRange(file, {file.id, {{"TILE", 40}}, std::nullopt}, file.tunables.front());
  EXPECT_EQ(beyond.most, 64) << "what cannot be launched says nothing of its neighbours";
}

TEST(Choices, ABlockKeepsItsKindOfPlaceWhenTheGridChanges) {
  const KernelFile file = kernel("a/b", 10);
  const experiment::Choice corner{"a/b", {{"TILE", 8}}, Dim3{3, 3, 3}};
  const experiment::Choice next = withValue(file, corner, "TILE", 4);
  const Dim3 grid = *chosenGrid(file, next);
  ASSERT_TRUE(next.block);
  EXPECT_EQ(placeOf(*next.block, grid), BlockPlace::Corner);
}

TEST(Choices, ABlockThatStillHasItsPlaceStays) {
  const KernelFile file = kernel("a/b", 10);
  const experiment::Choice interior{"a/b", {{"TILE", 8}}, Dim3{1, 2, 1}};
  EXPECT_EQ(withValue(file, interior, "TILE", 4).block, (Dim3{1, 2, 1}));
}

TEST(Choices, SharedValuesCarryOverToAnotherVariant) {
  AppState state;
  const KernelFile file = kernel("a/c", 6);
  state.choice = {"a/b", {{"N", 48}, {"TILE", 8}, {"OTHER", 3}}, {}};
  const experiment::Choice next = withKernel(state, file);
  EXPECT_EQ(next.kernel, "a/c");
  EXPECT_EQ(next.bindings, (Bindings{{"N", 48}})) << "8 is above the other's range, OTHER it does not know";
}

TEST(Choices, ExamplesCoverEveryPlaceOnce) {
  const Dim3 grid{6, 5, 4};
  std::vector<BlockPlace> places;
  for (const Dim3& block : exampleBlocks(grid)) { places.push_back(placeOf(block, grid)); }
  EXPECT_THAT(places, ElementsAre(BlockPlace::Interior, BlockPlace::Face, BlockPlace::Edge, BlockPlace::Corner));
}

TEST(Choices, AGridOfOneBlockHasOneExampleThatSaysSo) {
  const Dim3 grid{1, 1, 1};
  EXPECT_EQ(exampleBlocks(grid), (std::vector<Dim3>{Dim3{0, 0, 0}}));
  EXPECT_STREQ(placeName(placeOf({0, 0, 0}, grid)), "the only block");
  EXPECT_EQ(nextExampleBlock(grid, {0, 0, 0}), (Dim3{0, 0, 0}));
}

TEST(Choices, PlacesFollowEachOtherRoundAndRound) {
  const Dim3 grid{4, 4, 4};
  Dim3 block{2, 2, 2};
  for (const BlockPlace place : {BlockPlace::Face, BlockPlace::Edge, BlockPlace::Corner, BlockPlace::Interior}) {
    block = nextExampleBlock(grid, block);
    EXPECT_EQ(placeOf(block, grid), place);
  }
}

TEST(Places, NameTheirAxesWhereThereIsMoreThanOne) {
  EXPECT_EQ(threadText(32, {64, 1, 1}), "thread 32");
  EXPECT_EQ(threadText(19, {16, 4, 1}), "thread x=3 y=1");
  EXPECT_EQ(threadText(83, {8, 8, 4}), "thread x=3 y=2 z=1");
  const recording::GridPoint point{3, 25, 20};
  EXPECT_EQ(pointText(point, 1), "20");
  EXPECT_EQ(pointText(point, 2), "y=25 x=20");
  EXPECT_EQ(pointText(point, 3), "z=3 y=25 x=20");
}

TEST(Palette, EachRoleHasAColourOfItsOwn) {
  for (const bool light : {false, true}) {
    const Palette p = paletteOf(light);
    const std::vector<ImU32> roles = {p.interior, p.halo, p.output, p.previous, p.active, p.fault, p.ghost, p.series};
    EXPECT_EQ(std::set<ImU32>(roles.begin(), roles.end()).size(), roles.size());
    // The current step is yellow: much red and green, little blue.
    const ImVec4 active = ImGui::ColorConvertU32ToFloat4(p.active);
    EXPECT_GT(std::min(active.x, active.y), 0.8F);
    EXPECT_LT(active.z, 0.4F);
    // A fault is red, far from the orange of the halo.
    const ImVec4 fault = ImGui::ColorConvertU32ToFloat4(p.fault);
    const ImVec4 halo = ImGui::ColorConvertU32ToFloat4(p.halo);
    EXPECT_GT(fault.x, 3 * fault.y);
    EXPECT_GT(halo.y - fault.y, 0.25F);
  }
}

TEST(Shortcuts, EveryFunctionHasKeysAndNoKeysHaveTwoFunctions) {
  std::set<Act> functions;
  std::map<std::string, std::vector<const Shortcut*>> keys;
  for (const Shortcut& shortcut : shortcuts()) {
    EXPECT_TRUE(functions.insert(shortcut.act).second) << shortcut.text;
    EXPECT_NE(keyText(shortcut), "") << shortcut.text;
    keys[keyText(shortcut)].push_back(&shortcut);
  }
  for (const auto& [key, functionsOfKey] : keys) {
    if (functionsOfKey.size() == 1) { continue; }
    // Each acts where the window says so, and nowhere else.
    std::set<bool (*)(const AppState&)> conditions;
    for (const Shortcut* one : functionsOfKey) {
      EXPECT_NE(one->when, nullptr) << key;
      EXPECT_TRUE(conditions.insert(one->when).second) << key;
    }
  }
}

TEST(Shortcuts, NoKeyIsInTwoOfThem) {
  std::map<ImGuiKeyChord, const char*> chords;
  std::map<std::pair<char, bool>, const char*> signs;
  const auto note = [](auto& known, const auto& key, const char* text) {
    const auto [at, first] = known.emplace(key, text);
    EXPECT_TRUE(first) << at->second << " and " << text;
  };
  for (const Shortcut& shortcut : shortcuts()) {
    if (shortcut.when != nullptr) { continue; }  // it leaves its keys to another one where it does not act
    for (const ImGuiKeyChord keys : {shortcut.keys, shortcut.otherKeys}) {
      if (keys != 0) { note(chords, keys, shortcut.text); }
    }
    for (const char sign : {shortcut.sign, shortcut.otherSign}) {
      if (sign != 0) { note(signs, std::pair(sign, shortcut.withCtrl), shortcut.text); }
    }
  }
}

TEST(Shortcuts, KeysAreNamedAsTheyAreSpoken) {
  EXPECT_EQ(keyText(goToNextInterval), "Shift + →");
  EXPECT_EQ(keyText(chooseNextVariant), "] or Alt + →");
  EXPECT_EQ(keyText(enlargeText), "Ctrl + +");
}

TEST(Panels, EveryPanelHasItsTabAndATitleOfItsOwn) {
  std::set<std::string> titles;
  for (std::size_t i = 0; i < panels().size(); ++i) {
    EXPECT_EQ(panels()[i]->tab, static_cast<Tab>(i));
    EXPECT_TRUE(titles.insert(panels()[i]->title).second) << panels()[i]->title;
  }
}

TEST(TypeScale, SuitsTheDisplay) {
  EXPECT_FLOAT_EQ(typeScale(1280, 720, 1), 1);
  EXPECT_FLOAT_EQ(typeScale(1920, 1080, 1), 1.25F);
  EXPECT_FLOAT_EQ(typeScale(3840, 2160, 1), 2);
  EXPECT_FLOAT_EQ(typeScale(2560, 1440, 2), 2) << "a display that asks for 2 gets it";
  EXPECT_LT(typeScale(800, 1200, 1), 1) << "a narrow window has no room for large type";
}

}  // namespace
}  // namespace haloscope::ui
