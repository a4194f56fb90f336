#include "experiment/EffectiveBytes.h"

#include <gtest/gtest.h>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"

/// The bytes that a launch moves if nothing is moved twice.
namespace haloscope::experiment {
namespace {

double bytesOf(const std::string& id, const Bindings& chosen) {
  const KernelFile& file = test::catalogue().at(id);
  const Bindings bindings = file.bind(chosen);
  return effectiveBytes(file, bindings, compile(file, bindings));
}

TEST(EffectiveBytes, ABorderThatKeepsItsValueIsReadAndNotWritten) {
  EXPECT_EQ(bytesOf("stencil/basic", {{"N", 64}}), 4.0 * (64 * 64 * 64 + 62 * 62 * 62));
  EXPECT_EQ(bytesOf("stencil/basic", {{"N", 64}, {"REAL", 8}}), 8.0 * (64 * 64 * 64 + 62 * 62 * 62));
  EXPECT_EQ(bytesOf("beyond/3d_25_basic", {{"N", 64}}), 4.0 * (64 * 64 * 64 + 56 * 56 * 56));
  EXPECT_EQ(bytesOf("stencil/2d_5_basic", {{"N", 64}}), 4.0 * (64 * 64 + 62 * 62));
  EXPECT_EQ(bytesOf("stencil/basic", {{"N", 3}}), 4.0 * (27 + 1));
}

TEST(EffectiveBytes, WhereGhostCellsCountAsZeroEveryPointIsWritten) {
  EXPECT_EQ(bytesOf("convolution/constant", {{"width", 100}, {"height", 50}}), 2.0 * 4 * 100 * 50);
  EXPECT_EQ(bytesOf("convolution/basic", {{"width", 100}, {"height", 50}}), 2.0 * 4 * 100 * 50) << "without the filter";
}

TEST(EffectiveBytes, PaddingDoesNotCount) {
  EXPECT_EQ(bytesOf("beyond/3d_7_padded", {{"N", 50}}), bytesOf("stencil/basic", {{"N", 50}}));
}

TEST(EffectiveBytes, EachTimeStepCounts) {
  EXPECT_EQ(bytesOf("beyond/3d_7_two_steps", {{"N", 64}}), 2 * bytesOf("stencil/basic", {{"N", 64}}));
}

TEST(EffectiveBytes, OfAnUnknownComputationEveryArrayCountsOnce) {
  KernelFile file = test::catalogue().at("stencil/basic");
  file.computes.reset();
  const Bindings bindings = file.bind({{"N", 16}});
  EXPECT_EQ(effectiveBytes(file, bindings, compile(file, bindings)), 4.0 * (2 * 16 * 16 * 16 + 7));
}

}  // namespace
}  // namespace haloscope::experiment
