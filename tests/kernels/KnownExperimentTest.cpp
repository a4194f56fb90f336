#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "KernelCatalogue.h"
#include "SameRecording.h"
#include "actions/Choices.h"
#include "experiment/Experiment.h"
#include "program/BarrierRemoval.h"
#include "program/SourceLocation.h"

// An experiment that differs from an earlier one in the focused block executes that block alone.

namespace haloscope::experiment {
namespace {

using test::catalogue;
using Made = std::shared_ptr<const Experiment>;

Made runAfter(const Made& known, const KernelFile& file, const Choice& choice) {
  RunOptions options;
  options.known = known;
  return run(file, choice, options);
}

/// What both say of the whole grid, and of the recorded block.
void expectSameResults(const Experiment& one, const Experiment& other) {
  EXPECT_EQ(one.block, other.block);
  EXPECT_EQ(one.bindings, other.bindings);
  EXPECT_EQ(one.warnings, other.warnings);
  EXPECT_EQ(one.outcome, other.outcome);
  EXPECT_EQ(one.fault.has_value(), other.fault.has_value());
  EXPECT_EQ(one.counts.flops, other.counts.flops);
  EXPECT_EQ(one.counts.globalLoadBytes, other.counts.globalLoadBytes);
  EXPECT_EQ(one.counts.sharedStoreBytes, other.counts.sharedStoreBytes);
  EXPECT_EQ(one.counts.sharedBytesPerBlock, other.counts.sharedBytesPerBlock);
  EXPECT_EQ(one.counts.interiorBindings, other.counts.interiorBindings);
  EXPECT_EQ(one.counts.products, other.counts.products);
  EXPECT_EQ(one.counts.haloFraction, other.counts.haloFraction);
  EXPECT_EQ(one.opPerByte.formula, other.opPerByte.formula);
  EXPECT_EQ(one.opPerByte.executed, other.opPerByte.executed);
  EXPECT_EQ(one.opPerByte.interiorBlock, other.opPerByte.interiorBlock);
  EXPECT_EQ(one.opPerByte.withStores, other.opPerByte.withStores);
  EXPECT_EQ(one.grid.warpInstructions, other.grid.warpInstructions);
  EXPECT_EQ(one.requests.statements.size(), other.requests.statements.size());
  ASSERT_EQ(one.launch->arrays.size(), other.launch->arrays.size());
  for (std::size_t i = 0; i < one.launch->arrays.size(); ++i) {
    EXPECT_EQ(one.launch->arrays[i].bytes, other.launch->arrays[i].bytes);
  }
  EXPECT_EQ(one.footprint.outputs, other.footprint.outputs);
  EXPECT_EQ(one.carrierPlanes, other.carrierPlanes);
  EXPECT_EQ(one.carrierPlanes.size(), one.carriers.size());
  ASSERT_EQ(one.recording->steps.size(), other.recording->steps.size());
  test::expectSame(*one.recording, *other.recording);
}

TEST(KnownExperiment, AnotherBlockIsRecordedAndNothingElseExecuted) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  const Made first = run(file, {file.id, {}, std::nullopt});
  const Made next = runAfter(first, file, {file.id, {}, Dim3{0, 0, 0}});
  EXPECT_EQ(next->program, first->program) << "the text was lowered again";
  EXPECT_EQ(next->launch, first->launch) << "the grid was executed again";
  EXPECT_EQ(next->compileSeconds, 0);
  EXPECT_EQ(next->executeSeconds, 0);
  EXPECT_NE(next->recording, first->recording);
  expectSameResults(*next, *run(file, {file.id, {}, Dim3{0, 0, 0}}));
}

TEST(KnownExperiment, AnotherSizeIsTheSameProgram) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  const Made first = run(file, {file.id, {{"N", 26}}, std::nullopt});
  const Made larger = runAfter(first, file, {file.id, {{"N", 34}}, std::nullopt});
  EXPECT_EQ(larger->program, first->program) << "the text was lowered again";
  EXPECT_EQ(larger->compileSeconds, 0);
  expectSameResults(*larger, *run(file, {file.id, {{"N", 34}}, std::nullopt}));
  const Made tile = runAfter(first, file, {file.id, {{"N", 26}, {"IN_TILE_DIM", 6}}, std::nullopt});
  EXPECT_NE(tile->program, first->program) << "a macro is another one";
  expectSameResults(*tile, *run(file, {file.id, {{"N", 26}, {"IN_TILE_DIM", 6}}, std::nullopt}));
}

TEST(KnownExperiment, TheSameBlockIsNotRecordedAgain) {
  const KernelFile& file = catalogue().at("stencil/coarsened");
  RunOptions recordOnly;
  recordOnly.countGrid = false;
  const Made recorded = run(file, {file.id, {}, std::nullopt}, recordOnly);
  EXPECT_FALSE(recorded->outcome);
  const Made counted = runAfter(recorded, file, {file.id, {}, recorded->block});
  EXPECT_EQ(counted->program, recorded->program);
  EXPECT_EQ(counted->recording, recorded->recording);
  EXPECT_GT(counted->executeSeconds, 0) << "nothing was counted before";
  expectSameResults(*counted, *run(file, {file.id, {}, recorded->block}));
}

TEST(KnownExperiment, ABlockOfAKernelWithoutHeaderGivesWhatAFreshRunGives) {
  for (const std::string id : {"convolution/1d_basic", "stencil/tiled", "stencil/2d_9_tiled", "convolution/constant"}) {
    KernelFile file = catalogue().at(id);
    file.computes.reset();  // the halo is now counted between arrays that the block's accesses suggest
    const Made first = run(file, {id, {}, std::nullopt});
    const Made next = runAfter(first, file, {id, {}, Dim3{0, 0, 0}});
    EXPECT_EQ(next->launch, first->launch) << id;
    const Made fresh = run(file, {id, {}, Dim3{0, 0, 0}});
    EXPECT_EQ(next->counts.haloFraction, fresh->counts.haloFraction) << id;
    EXPECT_EQ(next->opPerByte.interiorBlock, fresh->opPerByte.interiorBlock) << id;
    EXPECT_EQ(next->writes.writer(0), fresh->writes.writer(0)) << id;
  }
}

TEST(KnownExperiment, WithoutABarrierTheOtherBlockHasItsOwnEffect) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  const Made with = run(file, {file.id, {}, std::nullopt});
  Choice choice{file.id, {}, std::nullopt};
  choice.withoutBarriers = barrierLines(*with->program);
  choice.order = simt::WarpOrder::Reversed;
  const Made first = runAfter(with, file, choice);
  EXPECT_NE(first->program, with->program) << "another program";
  choice.block = Dim3{0, 0, 0};
  const Made next = runAfter(first, file, choice);
  EXPECT_EQ(next->program, first->program);
  const Made fresh = run(file, choice);
  expectSameResults(*next, *fresh);
  ASSERT_TRUE(next->barrierEffect && fresh->barrierEffect);
  EXPECT_EQ(next->barrierEffect->differences, fresh->barrierEffect->differences);
}

TEST(KnownExperiment, WhatChangesTheExecutionIsExecutedAgain) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  const Choice choice{file.id, {}, std::nullopt};
  const Made first = run(file, choice);

  Choice smaller = choice;
  smaller.bindings["N"] = 20;
  EXPECT_NE(runAfter(first, file, smaller)->launch, first->launch);

  Choice reversed = choice;
  reversed.order = simt::WarpOrder::Reversed;
  EXPECT_NE(runAfter(first, file, reversed)->launch, first->launch);

  KernelFile edited = file;
  edited.text += "\n";
  EXPECT_NE(runAfter(first, edited, choice)->program, first->program);

  RunOptions random;
  random.known = first;
  random.input = InputKind::Random;
  EXPECT_NE(run(file, choice, random)->launch, first->launch);

  Choice spelledOut = choice;
  spelledOut.bindings = file.defaults();
  EXPECT_EQ(runAfter(first, file, spelledOut)->launch, first->launch) << "the same bindings";
}

TEST(Requests, ATextIsReadAgainWhereItOrItsLaunchIsNewer) {
  AppState state;
  state.catalogue = catalogue();
  const Choice choice{"stencil/tiled", {}, std::nullopt};
  EXPECT_FALSE(requestOf(state, choice).reread);
  EXPECT_EQ(requestOf(state, choice).file, catalogue().at("stencil/tiled"));

  WorkingCopy& copy = state.copies[choice.kernel];
  copy.text = catalogue().at("stencil/tiled").text;
  EXPECT_FALSE(requestOf(state, choice).reread) << "looked at, not edited";
  copy.text += "// more\n";
  EXPECT_TRUE(requestOf(state, choice).reread);
  EXPECT_EQ(requestOf(state, choice).file.text, copy.text);

  copy.text = catalogue().at("stencil/tiled").text;
  OpenedLaunch& launch = state.launches[choice.kernel];
  launch.kernel = "other";
  launch.revision = 3;
  EXPECT_TRUE(requestOf(state, choice).reread);
  EXPECT_EQ(requestOf(state, choice).file.kernel, "other");
  launch.readRevision = 3;
  EXPECT_FALSE(requestOf(state, choice).reread);

  EXPECT_THROW(static_cast<void>(requestOf(state, {"stencil/none", {}, std::nullopt})), InputError);
}

}  // namespace
}  // namespace haloscope::experiment
