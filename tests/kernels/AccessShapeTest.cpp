#include "figures/AccessShape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "figures/RungCosts.h"

/// The shape of a kernel's accesses, and its costs a point, as executed.
namespace haloscope::figures {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RungCosts costsOf(const std::string& id, Bindings bindings = {}) {
  const KernelFile& file = test::catalogue().at(id);
  return countRung(file, file.bind(bindings), {});
}

TEST(AccessShape, EachRungOfTheBookAddsWhatItsSectionSays) {
  EXPECT_THAT(wordsOf(costsOf("stencil/basic").shape), IsEmpty());
  EXPECT_THAT(wordsOf(costsOf("stencil/tiled").shape), ElementsAre("reads through shared memory"));
  const AccessShape coarsened = costsOf("stencil/coarsened").shape;
  EXPECT_TRUE(coarsened.shared && coarsened.marches);
  EXPECT_FALSE(coarsened.queue) << "its three planes are in shared memory";
  const AccessShape registers = costsOf("stencil/register_tiled").shape;
  EXPECT_TRUE(registers.shared && registers.marches && registers.queue);
}

TEST(AccessShape, VectorsShufflesAndArraysOfTheThreadAreSeen) {
  const AccessShape vectors = costsOf("stencil/vector_loads").shape;
  EXPECT_TRUE(vectors.vectors);
  EXPECT_FALSE(vectors.shuffles || vectors.marches || vectors.shared);
  EXPECT_GT(vectors.outputsPerThread, 2);
  EXPECT_TRUE(costsOf("beyond/3d_7_shuffle").shape.shuffles);
  const AccessShape rows = costsOf("beyond/3d_7_rows").shape;
  EXPECT_TRUE(rows.queue && rows.marches && rows.vectors && rows.shuffles) << "the queue is a local array";
}

TEST(AccessShape, WhatIsNotExecutedHasNoShape) {
  // At 33 points a row begins at no multiple of 16 bytes: the scalar loop runs instead.
  EXPECT_FALSE(costsOf("stencil/vector_loads", {{"N", 33}}).shape.vectors);
}

TEST(AccessShape, AFilterLoopIsNoMarch) { EXPECT_FALSE(costsOf("convolution/basic").shape.marches); }

TEST(AccessShape, TheDistanceToItselfIsNone) {
  const AccessShape tiled = costsOf("stencil/tiled").shape, basic = costsOf("stencil/basic").shape;
  EXPECT_EQ(distance(tiled, tiled), 0);
  EXPECT_GE(distance(tiled, basic), 1);
  EXPECT_EQ(distance(tiled, basic), distance(basic, tiled));
}

TEST(RungCosts, AreThoseOfOneOutput) {
  const RungCosts basic = costsOf("stencil/basic");
  EXPECT_EQ(basic.outputs, 30 * 30 * 30);
  EXPECT_DOUBLE_EQ(basic.globalBytes, 7 * 4 + 4);
  EXPECT_DOUBLE_EQ(basic.storedBytes, 4);
  EXPECT_EQ(basic.sharedBytes, 0);
  EXPECT_DOUBLE_EQ(basic.onceBytes, 2.0 * 32 * 32 * 32 * 4 / (30 * 30 * 30));
  const RungCosts twice = costsOf("stencil/basic", {{"REAL", 8}});
  EXPECT_DOUBLE_EQ(twice.globalBytes, 2 * basic.globalBytes);
}

TEST(RungCosts, AFaultIsASentence) {
  const KernelFile file = KernelFile::parse("test/outside", "outside.cu", R"(/* haloscope
title: Outside
sizes:
  N: {default: 64, min: 32, max: 1024, meaning: elements}
arrays:
  out: {shape: [N]}
launch:
  grid: [1, 1, 1]
  block: [N, 1, 1]
*/
__global__ void write(float* out, int N) { out[threadIdx.x + 1000000000] = 1; }
)");
  EXPECT_NE(countRung(file, file.defaults(), {}).problem.find("out"), std::string::npos);
}

TEST(RungCosts, AllRungsOfAClimbAreCountedAtOneSize) {
  const std::vector<Climb> all = climbs(test::catalogue());
  for (const Climb& climb : all) {
    std::map<std::string, std::int64_t> sizes;
    for (const Climb::Rung& rung : climb.rungs) {
      const Bindings bindings = rungBindings(climb, *rung.variant);
      for (const SizeParameter& size : rung.variant->sizes) {
        const auto [known, isNew] = sizes.emplace(size.name, bindings.at(size.name));
        EXPECT_EQ(known->second, bindings.at(size.name)) << climb.name << ", " << rung.variant->id;
        EXPECT_TRUE(isNew || rung.variant->offers(size.name, known->second));
      }
    }
  }
}

}  // namespace
}  // namespace haloscope::figures
