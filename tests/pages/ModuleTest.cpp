#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "handout/ChapterText.h"
#include "handout/Columns.h"
#include "handout/LiveKernel.h"
#include "handout/RecordingData.h"
#include "tests/pages/ModuleCalls.h"

// The module that a page executes gives what the program gives, bit by bit: recording, counts, findings.

namespace haloscope::handout {
namespace {

namespace fs = std::filesystem;
using experiment::Experiment;
using testing::HasSubstr;
using Json = nlohmann::json;

const fs::path kSource = HALOSCOPE_SOURCE_DIR;

const Catalogue& catalogue() {
  static const Catalogue kCatalogue = Catalogue::read(kSource / "kernels");
  return kCatalogue;
}

Json requestOf(const Bindings& bindings) {
  return {{"bindings", bindings},    {"block", nullptr}, {"withoutBarriers", Json::array()},
          {"order", "side-by-side"}, {"seed", 0},        {"data", Json::array()}};
}

/// A kernel in the module.
class Module {
 public:
  explicit Module(std::string kernel) : kernel_(std::move(kernel)) {}

  /// Its answers to requests, one after another: what was executed, and what was found in it.
  [[nodiscard]] std::vector<std::string> answers(const std::vector<Json>& requests) const {
    std::vector<std::pair<std::string, std::string>> calls = {{"open", kernel_}};
    for (const Json& request : requests) {
      calls.emplace_back("run", container(request.dump(), {}));
      calls.emplace_back("check", "");
    }
    const std::vector<std::string> said = moduleAnswers(calls);
    std::vector<std::string> answers;
    for (std::size_t i = 1; i + 1 < said.size(); i += 2) { answers.push_back(said[i] + said[i + 1]); }
    return answers;
  }
  [[nodiscard]] std::string answer(const Json& request) const { return answers({request}).front(); }

 private:
  std::string kernel_;
};

/// What the module should answer, made here.
std::string expectedOf(const KernelFile& file, const Json& request) {
  experiment::Choice choice{.kernel = file.id};
  choice.bindings = request.at("bindings").get<Bindings>();
  choice.withoutBarriers = request.at("withoutBarriers").get<std::set<int>>();
  for (const Json& text : request.at("data")) { inputs::choose(choice.data, text.get<std::string>()); }
  const auto executed = experiment::run(file, choice);
  const checking::CheckReport report = checking::check(*executed);
  const RecordingData recorded = recordingData(*executed, {});
  const Dim3 &grid = executed->configuration.grid, &block = executed->block;
  const std::string run = container(Json{{"caption", captionOf(*executed)},
                                         {"counts", countsHtml(*executed)},
                                         {"grid", {grid.x, grid.y, grid.z}},
                                         {"block", {block.x, block.y, block.z}}}
                                        .dump(),
                                    recorded.bytes);
  return run + container(Json{{"findings", findingsHtml(*executed, &report, recorded.steps)},
                              {"faulty", faultyOutputs(*executed, &report)}}
                             .dump(),
                         {});
}

/// Where two answers differ, short enough to be printed.
std::string difference(const std::string& answer, const std::string& expected) {
  if (answer == expected) { return {}; }
  const auto [here, there] = std::ranges::mismatch(answer, expected);
  const auto at = static_cast<std::size_t>(here - answer.begin());
  return fmt::format("{} bytes, expected {}; from byte {} on: {} instead of {}", answer.size(), expected.size(), at,
                     Json(answer.substr(at, 120)).dump(-1, ' ', true, Json::error_handler_t::replace),
                     Json(expected.substr(at, 120)).dump(-1, ' ', true, Json::error_handler_t::replace));
}

class ModuleVariant : public ModuleTest, public testing::WithParamInterface<std::string> {};

TEST_P(ModuleVariant, ExecutesAsTheProgramDoes) {
  const KernelFile& file = catalogue().at(GetParam());
  const Module module(storedKernel(file, {file.defaults()}).bytes);
  const Json request = requestOf({});
  EXPECT_EQ(difference(module.answer(request), expectedOf(file, request)), "");
}

std::vector<std::string> variants() {
  std::vector<std::string> ids;
  for (const KernelFile& file : catalogue().kernels()) { ids.push_back(file.id); }
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, ModuleVariant, testing::ValuesIn(variants()), [](const auto& variant) {
  std::string name = variant.param;
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST_F(ModuleTest, SizesTilesBarriersAndNumbersAreChosenAgain) {
  const KernelFile& file = catalogue().at("stencil/coarsened");
  const auto first = experiment::run(file, {.kernel = file.id});
  const Module module(liveKernel(*first).bytes);
  std::vector<Json> requests;
  for (const std::int64_t tile : {4, 6, 16}) {
    for (const std::int64_t n : {12, 40}) { requests.push_back(requestOf({{"N", n}, {"IN_TILE_DIM", tile}})); }
  }
  requests.push_back(requestOf({}));
  requests.back()["withoutBarriers"] = first->barriers;
  requests.push_back(requestOf({}));
  requests.back()["data"] = {"in=ramp", "in@1,1,1=7.5"};
  const std::vector<std::string> answers = module.answers(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(difference(answers[i], expectedOf(file, requests[i])), "") << requests[i];
  }
}

TEST_F(ModuleTest, WhatIsWrongIsASentence) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  const Module module(storedKernel(file, {file.defaults()}).bytes);
  EXPECT_THAT(module.answer(requestOf({{"N", 100000}})), HasSubstr("N"));
  EXPECT_THAT(module.answer(requestOf({{"N", 512}})), HasSubstr("a page executes up to"));
  EXPECT_THAT(module.answer(requestOf({{"IN_TILE_DIM", 5}})), HasSubstr("this page has no program for these values"));
  Json request = requestOf({});
  request["data"] = {"in=@/etc/passwd"};
  EXPECT_THAT(module.answer(request), HasSubstr("drop the file on the picture"));
  EXPECT_THAT(module.answer(Json::array()), HasSubstr("error"));
}

TEST_F(ModuleTest, DamagedProgramsAreRefused) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  const std::string whole = storedKernel(file, {file.defaults()}).bytes;
  for (const std::size_t cut : {std::size_t{2}, std::size_t{40}, whole.size() - 20}) {
    EXPECT_THAT(Module(whole.substr(0, cut)).answer(requestOf({})), HasSubstr("error")) << cut;
  }
  std::string forged = whole;
  forged[whole.size() - 200] ^= 0x55;
  EXPECT_THAT(Module(forged).answer(requestOf({})), HasSubstr("error"));
}

TEST_F(ModuleTest, AnEndlessKernelIsAFinding) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  KernelFile endless = file;
  endless.text.insert(endless.text.find("__syncthreads();"), "while (threadIdx.x < 1024) { }\n  ");
  const Module module(storedKernel(endless, {file.defaults()}).bytes);
  EXPECT_THAT(module.answer(requestOf({})), HasSubstr("does not end"));
}

}  // namespace
}  // namespace haloscope::handout
