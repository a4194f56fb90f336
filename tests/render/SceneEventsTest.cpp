#include "render/SceneParts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <set>
#include <string>
#include <vector>

#include "SceneFixture.h"
#include "analysis/Recorder.h"

namespace haloscope::render {
namespace {

using recording::AtGate;
using test::RecordedBlock;

std::size_t countOf(const recording::Gate& gate, AtGate state) {
  return static_cast<std::size_t>(std::ranges::count(gate.threads, state));
}

/// The next position.
SceneModel stepped(RecordedBlock& block, std::uint32_t thread) {
  block.cursor.step(1);
  block.view = recording::viewBlock(block.cursor, block.experiment->footprint, block.experiment->carriers);
  return block.model(thread);
}

TEST(SceneEvents, ThreadsComeToTheGateThatTheirBarrierIs) {
  RecordedBlock block("stencil/coarsened");
  EXPECT_FALSE(block.atStart().model().gate);
  EXPECT_FALSE(block.after("inNext_s[ty][tx] = in[").model().gate);
  const SceneModel model = block.after("__syncthreads();").model();
  ASSERT_TRUE(model.gate);
  EXPECT_EQ(model.gate->meeting, recording::Meeting::Block);
  EXPECT_EQ(countOf(*model.gate, AtGate::Arriving), 64U);
  EXPECT_EQ(model.gate->here, 64U);
  EXPECT_EQ(model.gate->awaited, 0U);
  EXPECT_TRUE(model.gate->opens);
  EXPECT_TRUE(model.travels) << "they walk there";
  EXPECT_TRUE(model.gate->range.valid());
}

TEST(SceneEvents, TheGateStaysClosedUntilTheLastWarpHasCome) {
  const RecordedBlock block("stencil/coarsened");
  const auto recorded = analysis::record(block.experiment->program, initialLaunch(*block.experiment),
                                         block.experiment->block, {.order = simt::WarpOrder::InOrder});
  std::set<std::array<std::size_t, 4>> seen;  // waiting, arriving, awaited, open
  for (std::size_t step = 0; step < recorded->steps.size(); ++step) {
    const auto gate = recording::gateAt(*recorded, step);
    if (!gate) { continue; }
    EXPECT_EQ(gate->here + gate->awaited, 64U);
    EXPECT_EQ(gate->here, countOf(*gate, AtGate::Waiting) + countOf(*gate, AtGate::Arriving));
    EXPECT_EQ(gate->awaited, countOf(*gate, AtGate::Awaited));
    seen.insert({countOf(*gate, AtGate::Waiting), countOf(*gate, AtGate::Arriving), gate->awaited,
                 gate->opens ? std::size_t{1} : 0});
  }
  const std::set<std::array<std::size_t, 4>> expected = {
      {0, 32, 32, 0},  // the first warp comes
      {32, 0, 32, 0},  // it waits while the other goes its way
      {32, 32, 0, 1},  // the other comes
  };
  EXPECT_EQ(seen, expected);
}

TEST(SceneEvents, AGateOfAClusterIsNotOpenedByOneBlock) {
  RecordedBlock block("beyond/3d_7_cluster");
  const SceneModel model = block.after("cluster.sync();").model();
  ASSERT_TRUE(model.gate);
  EXPECT_EQ(model.gate->meeting, recording::Meeting::Cluster);
  EXPECT_GT(model.gate->here, 0U);
  EXPECT_FALSE(model.gate->opens) << "nothing is known of the other blocks";
}

TEST(SceneEvents, AThreadAddsUpWhatItReads) {
  RecordedBlock block("convolution/tiled_input_block");
  const std::uint32_t thread = block.threadAt(5, 5);
  std::string before = "0";
  for (int tap = 1; tap <= 9; ++tap) {
    const SceneModel model = block.after("sum += filter", tap).model(thread);
    ASSERT_TRUE(model.accumulator) << tap;
    EXPECT_EQ(model.accumulator->name, "sum");
    EXPECT_EQ(model.accumulator->before, before);
    EXPECT_EQ(model.accumulator->reads.size(), 1U);
    EXPECT_FALSE(model.accumulator->cell);
    EXPECT_TRUE(model.travels);
    before = model.accumulator->after;
    // Until the next tap it keeps its value, and nothing moves.
    const SceneModel next = stepped(block, thread);
    ASSERT_TRUE(next.accumulator);
    EXPECT_EQ(next.accumulator->before, before);
    EXPECT_EQ(next.accumulator->after, before);
    EXPECT_EQ(next.accumulator->at, model.accumulator->at);
    EXPECT_FALSE(next.travels);
  }
  const SceneModel stored = block.after("] = sum;").model(thread);
  ASSERT_TRUE(stored.accumulator);
  EXPECT_EQ(stored.accumulator->name, "sum");
  EXPECT_EQ(stored.accumulator->after, before);
  EXPECT_TRUE(stored.accumulator->cell) << "it settles";
  const auto rim = block.after("sum += filter").model(block.threadAt(0, 0));
  EXPECT_FALSE(rim.accumulator) << "this thread computes nothing";
}

TEST(SceneEvents, OutputsWaitUntilTheReadsHaveRunTogether) {
  RecordedBlock block("stencil/coarsened");
  const std::uint32_t thread = block.threadAt(3, 3);
  const SceneModel model = block.after("out[(i * N + j) * N + k] =").model(thread);
  ASSERT_TRUE(model.accumulator);
  EXPECT_EQ(model.accumulator->reads.size(), 7U);
  EXPECT_TRUE(model.accumulator->name.starts_with("out[")) << "no variable has it: " << model.accumulator->name;
  EXPECT_TRUE(model.accumulator->before.empty()) << "what the sum was within the statement is not recorded";
  const auto written = std::ranges::find_if(
      block.view.outputs, [&](const recording::PointView& point) { return point.active && point.thread == thread; });
  ASSERT_NE(written, block.view.outputs.end());
  EXPECT_EQ(model.accumulator->after, recording::formatValue(ValueType::F32, written->bits));
  EXPECT_EQ(model.boxProgress(kGathered), 0);
  EXPECT_EQ(model.boxProgress(1), 1);
  const SceneModel copy = block.after("inPrev_s[ty][tx] = inCurr_s").model(thread);
  EXPECT_FALSE(copy.accumulator);
  EXPECT_EQ(copy.boxProgress(0.25F), 0.25F);
}

TEST(SceneEvents, WhatGoesIntoRegistersBreaksUpIntoAChipForEachThread) {
  RecordedBlock block("stencil/register_tiled");
  const auto turns = [](const SceneModel& model) {
    std::set<float> found;
    for (const SceneBox& box : model.boxes) {
      if (box.changed && box.kind == SceneSource::Kind::Carrier) { found.insert(box.turn); }
    }
    return found.size();
  };
  const SceneModel loaded = block.after("inNext = in[", 2).model();
  EXPECT_EQ(loaded.turns, kChipTurns);
  EXPECT_GT(turns(loaded), 60U);
  const SceneModel stored = block.after("inCurr_s[ty][tx] = inCurr", 2).model();
  EXPECT_GT(turns(stored), 60U) << "and out of registers";
  RecordedBlock slabs("stencil/coarsened");
  const SceneModel slab = slabs.after("inNext_s[ty][tx] = in[").model();
  EXPECT_EQ(slab.turns, kTurns);
  EXPECT_EQ(turns(slab), 2U) << "a warp at a time";
}

TEST(SceneEvents, LoadsAreCountedAsTheyArrive) {
  RecordedBlock block("stencil/coarsened");
  const SceneModel first = block.after("inNext_s[ty][tx] = in[", 2).model();
  EXPECT_EQ(first.loads.before, 0U);
  EXPECT_EQ(first.loadsArrived(0), 0U);
  EXPECT_EQ(first.loadsArrived(1 - kTurns), 32U) << "the first warp's";
  EXPECT_EQ(first.loadsArrived(1), 64U);
  const SceneModel barrier = block.after("__syncthreads();", 3).model();
  EXPECT_EQ(barrier.loadsArrived(0), 64U) << "of this interval";
  EXPECT_EQ(block.after("out[(i * N + j) * N + k] =", 2).model().loadsArrived(1), 0U);
  EXPECT_TRUE(std::ranges::any_of(first.labels, &SceneLabel::counts));
}

TEST(SceneEvents, AFaultMarksOutputsOnceTheyAreWritten) {
  RecordedBlock block("stencil/coarsened");
  const std::vector<std::int64_t> faulty = {block.experiment->footprint.outputs.front()};
  const auto marks = [&] {
    const SceneModel model = buildScene({.cursor = block.cursor,
                                         .footprint = block.experiment->footprint,
                                         .carriers = block.experiment->carriers,
                                         .view = block.view,
                                         .facts = block.facts,
                                         .thread = 0,
                                         .space = {},
                                         .faulty = faulty,
                                         .wrong = faulty,
                                         .origins = nullptr,
                                         .operand = {}});
    return std::ranges::count(model.lines, SceneColour::Fault, &SceneLine::colour) +
           std::ranges::count(model.boxes, SceneColour::Fault, &SceneBox::colour);
  };
  block.atStart();
  EXPECT_EQ(marks(), 0);
  block.atEnd();
  EXPECT_EQ(marks(), 5) << "a rectangle around a cell";
}

TEST(SceneEvents, InputIsSolidOnceItIsRead) {
  RecordedBlock block("stencil/coarsened");
  const auto solid = [](const SceneModel& model) {
    std::size_t cells = 0;
    for (const SceneBox& box : model.boxes) {
      if (box.kind != SceneSource::Kind::Input || box.style != SceneStyle::Solid) { continue; }
      cells += static_cast<std::size_t>(box.cellsX * box.cellsZ);
    }
    return cells;
  };
  EXPECT_EQ(solid(block.atStart().model()), 0U);
  EXPECT_EQ(solid(block.after("inNext_s[ty][tx] = in[").model()), 3U * 64U);
  EXPECT_EQ(solid(block.atEnd().model()), 8U * 64U);
}

/// An array of one axis, which its threads index by hand.
TEST(SceneEvents, CellsOfAFlatArrayLieInItsSlot) {
  for (const char* kernel : {"beyond/3d_7_time", "beyond/3d_25_ring"}) {
    RecordedBlock block(kernel);
    for (const std::size_t share : {1, 2, 3}) {
      block.cursor.goTo(block.cursor.end() * share / 4);
      block.view = recording::viewBlock(block.cursor, block.experiment->footprint, block.experiment->carriers);
      const SceneModel model = block.model();
      glm::vec3 low(1e6F), high(-1e6F);
      for (const SceneBox& box : model.boxes) {
        if (box.colour != SceneColour::Bench) { continue; }
        low = glm::min(low, box.low);
        high = glm::max(high, box.high);
      }
      ASSERT_LT(low.x, high.x) << kernel;
      for (const SceneBox& box : model.boxes) {
        if (box.kind != SceneSource::Kind::Carrier) { continue; }
        EXPECT_TRUE(box.low.x > low.x - 1 && box.low.z > low.z - 1 && box.high.x < high.x + 1 &&
                    box.high.z < high.z + 1)
            << kernel << ", element " << model.source(box).index << " of "
            << block.experiment->carriers[box.carrier].name;
      }
    }
  }
}

}  // namespace
}  // namespace haloscope::render
