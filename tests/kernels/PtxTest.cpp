#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/Ptx.h"

namespace haloscope::test {
namespace {

using lowering::PtxInstruction;
using lowering::ptxInstructions;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Ptx, InstructionsWithoutLabelsScopesCommentsAndRegisters) {
  const std::vector<PtxInstruction> all = ptxInstructions(
      "{\n\t.reg .pred P1; // the phase\n LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE; bra LAB_WAIT; /* again */\nDONE:\n}");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "mbarrier.try_wait.parity.shared::cta.b64");
  EXPECT_THAT(all[0].operands, ElementsAre("P1", "[%0]", "%1"));
  EXPECT_TRUE(all[0].is("mbarrier.try_wait"));
  EXPECT_FALSE(all[0].is("mbarrier.try"));
  EXPECT_TRUE(all[0].has("parity"));
  EXPECT_EQ(all[1].predicate, "P1");
  EXPECT_EQ(all[1].name, "bra");
  EXPECT_EQ(all[2].predicate, "");
}

TEST(Ptx, ModifiersWithColonsAndListsOfCoordinates) {
  const std::vector<PtxInstruction> all = ptxInstructions(
      "@!p cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4]");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].predicate, "!p");
  EXPECT_TRUE(all[0].has("mbarrier::complete_tx::bytes"));
  EXPECT_THAT(all[0].operands, ElementsAre("[%0]", "[%1,{%2,%3}]", "[%4]"));
}

TEST(Ptx, WhatIsNotComplete) {
  EXPECT_THAT(ptxInstructions(""), IsEmpty());
  EXPECT_THAT(ptxInstructions("{ ; ; } // only this"), IsEmpty());
  EXPECT_THAT(ptxInstructions("/* never closed"), IsEmpty());
  ASSERT_EQ(ptxInstructions("mov.u32 a, [b").size(), 1U);
  EXPECT_THAT(ptxInstructions("@p"), IsEmpty());
}

}  // namespace
}  // namespace haloscope::test
