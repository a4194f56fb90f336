#include "live/ExperimentRunner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>

#include "KernelCatalogue.h"
#include "work/Pool.h"

/// Experiments beside the frames: the newest request wins, and what is known is not made again.
namespace haloscope {
namespace {

using test::catalogue;

TEST(ExperimentRunnerTest, ANewerRequestReplacesAStaleOne) {
  work::Pool pool;
  ExperimentRunner runner(pool, catalogue());
  runner.request({{"stencil/basic", {{"N", 160}}, std::nullopt}, catalogue().at("stencil/basic")});
  runner.request({{"stencil/tiled", {{"N", 20}}, std::nullopt}, catalogue().at("stencil/tiled")});
  const ExperimentOutcome outcome = runner.wait();
  ASSERT_NE(outcome.experiment, nullptr) << outcome.error;
  EXPECT_EQ(outcome.experiment->file.id, "stencil/tiled");
  EXPECT_FALSE(runner.poll().has_value());
  const std::vector<experiment::RooflinePoint> points = runner.waitRoofline();
  EXPECT_EQ(points.size(), 5U);  // the five sweeps of seven points
}

TEST(ExperimentRunnerTest, AnotherBlockIsNotCheckedAgain) {
  work::Pool pool;
  std::atomic<int> checks = 0;
  ExperimentRunner runner(pool, catalogue(), [&](const experiment::Experiment&, const std::stop_token&) {
    ++checks;
    return checking::CheckReport{};
  });
  const KernelFile& file = catalogue().at("stencil/tiled");
  runner.request({{file.id, {}, std::nullopt}, file});
  const ExperimentOutcome first = runner.wait();
  ASSERT_NE(first.experiment, nullptr) << first.error;
  const auto points = runner.waitRoofline();
  const auto report = runner.waitReport();
  ASSERT_NE(report, nullptr);

  runner.request({{file.id, {}, Dim3{0, 0, 0}}, file});
  const ExperimentOutcome second = runner.wait();
  ASSERT_NE(second.experiment, nullptr) << second.error;
  EXPECT_EQ(second.experiment->program, first.experiment->program);
  EXPECT_EQ(second.experiment->launch, first.experiment->launch);
  const auto samePoints = runner.pollRoofline();
  ASSERT_TRUE(samePoints) << "they are there at once";
  EXPECT_EQ(samePoints->size(), points.size());
  EXPECT_FALSE(runner.pollRoofline()) << "once for each outcome";
  EXPECT_EQ(runner.pollReport(), report);
  EXPECT_EQ(checks, 1);

  runner.request({{file.id, {{"N", 20}}, std::nullopt}, file});
  EXPECT_NE(runner.wait().experiment->launch, first.experiment->launch);
  EXPECT_NE(runner.waitReport(), report);
  EXPECT_EQ(checks, 2);
}

TEST(ExperimentRunnerTest, WhatWasMadeElsewhereIsTaken) {
  work::Pool pool;
  ExperimentRunner runner(pool, catalogue());
  const KernelFile& file = catalogue().at("stencil/basic");
  const auto made = experiment::run(file, {file.id, {}, std::nullopt});
  runner.provide(made);
  runner.request({{file.id, {}, std::nullopt}, file});
  const ExperimentOutcome outcome = runner.wait();
  ASSERT_NE(outcome.experiment, nullptr) << outcome.error;
  EXPECT_EQ(outcome.experiment->recording, made->recording);
  EXPECT_EQ(outcome.experiment->launch, made->launch);
}

TEST(ExperimentRunnerTest, AnErrorIsAnOutcome) {
  work::Pool pool;
  ExperimentRunner runner(pool, catalogue());
  runner.request({{"stencil/tiled", {{"IN_TILE_DIM", 999}}, std::nullopt}, catalogue().at("stencil/tiled")});
  const ExperimentOutcome outcome = runner.wait();
  EXPECT_EQ(outcome.experiment, nullptr);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("999"));
}

TEST(ExperimentRunnerTest, NewTextIsReadAndRunInsteadOfTheFiles) {
  work::Pool pool;
  ExperimentRunner runner(pool, catalogue());
  KernelFile edited = catalogue().at("stencil/tiled");
  const std::string size = "N: {default: 32,";
  edited.text.replace(edited.text.find(size), size.size(), "N: {default: 20,");
  runner.request({{"stencil/tiled", {}, std::nullopt}, edited, true});
  const ExperimentOutcome outcome = runner.wait();
  ASSERT_NE(outcome.experiment, nullptr) << outcome.error;
  EXPECT_EQ(outcome.experiment->bindings.at("N"), 20);
  EXPECT_TRUE(outcome.read.has_value());

  edited.text += "\n__global__ void";
  runner.request({{"stencil/tiled", {}, std::nullopt}, edited, true});
  const ExperimentOutcome broken = runner.wait();
  EXPECT_EQ(broken.experiment, nullptr);
  EXPECT_TRUE(broken.where.valid());
  EXPECT_EQ(broken.file.text, edited.text);
}

}  // namespace
}  // namespace haloscope
