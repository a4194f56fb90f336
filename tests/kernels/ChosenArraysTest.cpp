#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "experiment/ChosenArrays.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"

/// Kernels on chosen data.
namespace haloscope {
namespace {

using test::catalogue;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

inputs::ChosenData chosen(const std::vector<std::string>& specs) {
  inputs::ChosenData data;
  for (const std::string& spec : specs) { inputs::choose(data, spec); }
  return data;
}

std::shared_ptr<const experiment::Experiment> executed(const std::string& kernel, Bindings bindings,
                                                       const std::vector<std::string>& specs) {
  experiment::Choice choice{kernel, std::move(bindings)};
  choice.data = chosen(specs);
  return experiment::run(catalogue(), choice);
}

std::vector<double> valuesOf(const experiment::Experiment& experiment, const std::string& array) {
  const ArrayData& data = experiment.launch->arrays.at(experiment.program->findObject(array));
  std::vector<double> values;
  for (std::int64_t i = 0; i < data.elementCount(); ++i) { values.push_back(experiment::valueAt(data, i)); }
  return values;
}

std::string refused(const std::string& kernel, const Bindings& bindings, const std::vector<std::string>& specs) {
  try {
    executed(kernel, bindings, specs);
  } catch (const InputError& error) { return error.what(); }
  return "accepted";
}

/// The offset of a tap goes into the input, so the filter around an impulse appears turned round.
TEST(ChosenArrays, AnImpulseThroughAFilterGivesTheFilterTurnedRound) {
  for (const char* kernel : {"convolution/1d_basic", "convolution/1d_constant", "convolution/1d_tiled"}) {
    const auto made = executed(kernel, {{"width", 9}, {"FILTER_RADIUS", 1}}, {"in=impulse@4", "filter=1,2,5"});
    EXPECT_THAT(valuesOf(*made, "out"), ElementsAre(0, 0, 0, 5, 2, 1, 0, 0, 0)) << kernel;
  }
  for (const char* kernel : {"convolution/basic", "convolution/constant", "convolution/tiled_input_block",
                             "convolution/tiled_output_block", "convolution/cached_halo"}) {
    const auto made = executed(kernel, {{"width", 5}, {"height", 4}, {"FILTER_RADIUS", 1}},
                               {"in=impulse@1,2", "filter=1,2,3/4,5,6/7,8,9"});
    EXPECT_THAT(valuesOf(*made, "out"), ElementsAre(0, 9, 8, 7, 0, 0, 6, 5, 4, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0))
        << kernel;
  }
}

TEST(ChosenArrays, PatternsHaveTheirValues) {
  const Bindings plane = {{"width", 3}, {"height", 2}};
  const auto input = [&](const std::vector<std::string>& specs) {
    return valuesOf(*executed("convolution/basic", plane, specs), "in");
  };
  EXPECT_THAT(input({"in=ramp"}), ElementsAre(0, 1, 2, 1, 2, 3));
  EXPECT_THAT(input({"in=checkerboard"}), ElementsAre(0, 1, 0, 1, 0, 1));
  EXPECT_THAT(input({"in=constant:2"}), ElementsAre(2, 2, 2, 2, 2, 2));
  EXPECT_THAT(input({"in=impulse"}), ElementsAre(0, 0, 0, 0, 1, 0));
  EXPECT_THAT(input({"in=1,2,3,4,5,6", "in@1,0=-4"}), ElementsAre(1, 2, 3, -4, 5, 6));
  EXPECT_EQ(input({"in=random:7"}), input({"in=random:7"}));
  EXPECT_NE(input({"in=random:7"}), input({"in=random:8"}));
  const std::vector<double> unchanged = input({});
  std::vector<double> changed = input({"in@0,2=9"});
  EXPECT_EQ(changed[2], 9);
  changed[2] = unchanged[2];
  EXPECT_EQ(changed, unchanged) << "a single element on the default values";
}

TEST(ChosenArrays, TheBorderThatASweepKeepsIsTheChosenOne) {
  const auto made = executed("stencil/basic", {{"N", 3}}, {"in=constant:4", "c=0,0,0,0,0,0,0", "in@1,1,1=8"});
  EXPECT_THAT(valuesOf(*made, "out"),
              ElementsAre(4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4));
}

TEST(ChosenArrays, SaysWhatDoesNotFit) {
  const auto on1d = [](const std::vector<std::string>& specs) { return refused("convolution/1d_basic", {}, specs); };
  EXPECT_EQ(on1d({"in=8,2,5,4,1,7,3"}), "data of in: 7 numbers for 256 elements; width = 7 makes it that large");
  EXPECT_EQ(on1d({"filter=1,2,1"}), "data of filter: 3 numbers for 5 elements; FILTER_RADIUS = 1 makes it that large");
  EXPECT_EQ(on1d({"filter=1,2"}), "data of filter: 2 numbers for 5 elements; lists of 3, 5, 7, 9 numbers fit");
  EXPECT_EQ(on1d({"in@256=1"}), "data of in: [256] is outside: the array has 256 elements");
  EXPECT_EQ(on1d({"in=impulse@1,2"}), "data of in: [1][2] has 2 indices, the array 1");
  EXPECT_EQ(on1d({"in@0=1e39"}),
            "data of in: 1e+39 does not fit in its type float (-3.4028234663852886e+38 to 3.4028234663852886e+38)");
  EXPECT_EQ(on1d({"out=ramp"}),
            "data of out: the kernel writes this array; the arrays that can be chosen are in, filter");
  EXPECT_THAT(on1d({"image=ramp"}), HasSubstr("data of image: convolution/1d_basic has no such array"));
  EXPECT_THAT(refused("convolution/basic", {{"width", 8}, {"height", 8}}, {"in=1,2/3,4"}),
              HasSubstr("2 × 2 numbers for 8 × 8 elements; height = 2, width = 2 make it that large"));
}

TEST(ChosenArrays, SizesFollowATable) {
  const KernelFile& plane = catalogue().at("convolution/basic");
  const auto sizes = [&](const std::string& array, const std::string& list, const std::set<std::string>& fixed = {}) {
    return experiment::sizesThatFit(plane, plane.defaults(), array, inputs::parseList(list), fixed);
  };
  EXPECT_EQ(sizes("in", "1,2,3/4,5,6"), (Bindings{{"height", 2}, {"width", 3}}));
  EXPECT_EQ(sizes("in", "1,2,3/4,5,6", {"width"}), std::nullopt);
  EXPECT_EQ(sizes("in", "5"), (Bindings{{"height", 1}, {"width", 1}})) << "a list is a row";
  EXPECT_EQ(sizes("in", "5,6"), (Bindings{{"height", 1}, {"width", 2}}));
  EXPECT_EQ(sizes("filter", "1,2,3/4,5,6/7,8,9", {"width"}),
            (plane.defaults().at("FILTER_RADIUS") == 1 ? Bindings{} : Bindings{{"FILTER_RADIUS", 1}}));
  EXPECT_EQ(sizes("filter", "1,2/3,4"), std::nullopt);
}

TEST(ChosenArrays, AnotherVariantTakesOverWhatFits) {
  const inputs::ChosenData data = chosen({"in=1,2,3,4,5,6,7", "filter=random:3", "c=ramp"});
  const KernelFile& tiled = catalogue().at("convolution/1d_tiled");
  EXPECT_THAT(inputs::texts(experiment::carryOver(data, tiled, tiled.bind({{"width", 7}}))),
              ElementsAre("filter=random:3", "in=1,2,3,4,5,6,7"));
  EXPECT_THAT(inputs::texts(experiment::carryOver(data, tiled, tiled.bind({{"width", 8}}))),
              ElementsAre("filter=random:3"));
}

TEST(ChosenArrays, OnlyTheDataAreNewToTheNextExperiment) {
  const auto before = executed("convolution/1d_basic", {{"width", 8}}, {});
  experiment::Choice choice = before->choice;
  inputs::choose(choice.data, "in@3=5");
  experiment::RunOptions options;
  options.known = before;
  const auto after = experiment::run(catalogue(), choice, options);
  EXPECT_EQ(after->program, before->program) << "it is not lowered again";
  EXPECT_NE(after->recording, before->recording);
  EXPECT_NE(valuesOf(*after, "out"), valuesOf(*before, "out"));
  EXPECT_EQ(after->warnings, before->warnings);
}

}  // namespace
}  // namespace haloscope
