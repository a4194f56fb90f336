#include "provenance/OutputTrace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "RecordingSupport.h"
#include "provenance/WritingBlock.h"

namespace haloscope::test {
namespace {

using provenance::Hop;
using provenance::Operand;
using provenance::OutputTrace;

/// Elements of `in` used by an output, sorted.
std::vector<std::int64_t> inputsOf(const OutputTrace& trace, ObjectId in) {
  std::vector<std::int64_t> elements;
  for (const Operand& operand : trace.operands) {
    if (operand.kind == Operand::Kind::Element && operand.object == in) { elements.push_back(operand.element); }
  }
  std::ranges::sort(elements);
  return elements;
}

float asFloat(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

/// The weighted sum of the operands: each constant times the element that follows or precedes it.
double weightedSum(const OutputTrace& trace) {
  double sum = 0;
  const Operand* factor = nullptr;
  for (const Operand& operand : trace.operands) {
    if (operand.kind != Operand::Kind::Element && operand.kind != Operand::Kind::Constant) { continue; }
    if (factor != nullptr) { sum += double{asFloat(factor->bits)} * asFloat(operand.bits); }
    factor = factor != nullptr ? nullptr : &operand;
  }
  return sum;
}

class StencilTrace : public ::testing::TestWithParam<std::string> {};

TEST_P(StencilTrace, OperandsAreTheTapsOfTheDefinition) {
  constexpr std::int64_t kEdge = 16;
  const Prepared prepared = prepare(GetParam(), {{"N", kEdge}});
  const Program& program = *prepared.program;
  const ObjectId in = program.findObject("in");
  const ObjectId out = program.findObject("out");
  for (const std::int64_t z : {1, 7, 14}) {
    const std::int64_t element = (z * kEdge + 5) * kEdge + 6;
    const auto block = provenance::blockWriting(program, prepared.launch, out, element);
    ASSERT_TRUE(block);
    const auto trace = provenance::traceOutput(program, prepared.launch, *block, out, element);
    ASSERT_TRUE(trace);
    EXPECT_EQ(inputsOf(*trace, in),
              (std::vector<std::int64_t>{element - kEdge * kEdge, element - kEdge, element - 1, element, element + 1,
                                         element + kEdge, element + kEdge * kEdge}));

    EXPECT_NEAR(weightedSum(*trace), asFloat(trace->bits), 1e-6) << "recomputed from the operands";

    // Steps match the recording, whose last step writes the element.
    const auto recording = prepared.record(*block);
    ASSERT_LT(trace->step, recording->steps.size());
    EXPECT_TRUE(std::ranges::any_of(recording->changesOf(trace->step), [&](const recording::Change& change) {
      return change.kind == recording::Change::Kind::Global && change.index == element && change.after == trace->bits &&
             change.thread == trace->thread;
    }));
    for (const Operand& operand : trace->operands) {
      std::uint32_t before = operand.loadedAt;
      for (const Hop& hop : operand.hops) {
        EXPECT_GE(hop.step, before);
        EXPECT_EQ(recording->steps[hop.step].statement, hop.statement);
        before = hop.step;
      }
      EXPECT_GE(operand.usedAt, before);
      EXPECT_LE(operand.usedAt, trace->step);
      EXPECT_EQ(operand.usedBy, trace->thread);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, StencilTrace,
                         ::testing::Values("stencil/basic", "stencil/tiled", "stencil/coarsened",
                                           "stencil/register_tiled"),
                         [](const auto& of) { return of.param.substr(of.param.find('/') + 1); });

class ConvolutionTrace : public ::testing::TestWithParam<std::string> {};

TEST_P(ConvolutionTrace, OperandsAreTheWindow) {
  constexpr std::int64_t kEdge = 33;
  const Prepared prepared = prepare(GetParam(), {{"width", kEdge}, {"height", kEdge}, {"FILTER_RADIUS", 2}});
  const Program& program = *prepared.program;
  const ObjectId in = program.findObject("in");
  const ObjectId out = program.findObject("out");
  const std::int64_t element = 16 * kEdge + 15;
  const auto block = provenance::blockWriting(program, prepared.launch, out, element);
  ASSERT_TRUE(block);
  const auto trace = provenance::traceOutput(program, prepared.launch, *block, out, element);
  ASSERT_TRUE(trace);
  std::vector<std::int64_t> window;
  for (std::int64_t row = -2; row <= 2; ++row) {
    for (std::int64_t column = -2; column <= 2; ++column) { window.push_back(element + row * kEdge + column); }
  }
  EXPECT_EQ(inputsOf(*trace, in), window);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ConvolutionTrace,
                         ::testing::Values("convolution/constant", "convolution/tiled_input_block",
                                           "convolution/tiled_output_block", "convolution/cached_halo"),
                         [](const auto& of) { return of.param.substr(of.param.find('/') + 1); });

TEST(OutputTrace, ANeighbourComesThroughSharedMemoryFromAnotherThread) {
  constexpr std::int64_t kEdge = 16;
  const Prepared prepared = prepare("stencil/tiled", {{"N", kEdge}});
  const Program& program = *prepared.program;
  const ObjectId out = program.findObject("out");
  const std::int64_t element = (5 * kEdge + 5) * kEdge + 6;
  const auto block = provenance::blockWriting(program, prepared.launch, out, element);
  ASSERT_TRUE(block);
  const auto trace = provenance::traceOutput(program, prepared.launch, *block, out, element);
  ASSERT_TRUE(trace);
  int fromOthers = 0;
  for (const Operand& operand : trace->operands) {
    if (operand.kind != Operand::Kind::Element) { continue; }
    ASSERT_FALSE(operand.hops.empty());
    EXPECT_EQ(operand.hops.front().place, Hop::Place::Shared);
    fromOthers += operand.loadedBy != trace->thread ? 1 : 0;
  }
  EXPECT_EQ(fromOthers, 6);
  EXPECT_FALSE(provenance::traceOutput(program, prepared.launch, *block, out, 0)) << "no thread writes the border";
}

}  // namespace
}  // namespace haloscope::test
