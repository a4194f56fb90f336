#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "CommandLineSupport.h"

/// The commands that count, verify and list, and what is said of bad input and of what a machine lacks.
namespace haloscope {
namespace {

using nlohmann::json;
using test::CommandLineTest;

using ::testing::HasSubstr;

TEST_F(CommandLineTest, ListsTheVariants) {
  const Reply result = run("list --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json list = json::parse(result.out);
  ASSERT_GE(list.size(), 9U);
  bool found = false;
  for (const json& entry : list) {
    if (entry["id"] == "stencil/tiled") {
      found = true;
      EXPECT_TRUE(fs::exists(entry["source"].get<std::string>()));
      EXPECT_EQ(entry["tunables"][0]["name"], "IN_TILE_DIM");
      EXPECT_EQ(entry["tunables"][0]["default"], 8);
      EXPECT_LT(entry["tunables"][0]["min"].get<int>(), entry["tunables"][0]["max"].get<int>());
    }
  }
  EXPECT_TRUE(found);
}

TEST_F(CommandLineTest, CountsTheTiledSweep) {
  const Reply result = run("count stencil/tiled -D IN_TILE_DIM=8 --size 64 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json counts = json::parse(result.out);
  EXPECT_EQ(counts["kernel"], "stencil/tiled");
  EXPECT_EQ(counts["size"], 64);
  EXPECT_EQ(counts["grid"], json::array({11, 11, 11}));
  EXPECT_EQ(counts["block"], json::array({8, 8, 8}));
  EXPECT_EQ(counts["threads_per_block"], 512);
  EXPECT_EQ(counts["shared_bytes_per_block"], 2048);
  EXPECT_EQ(counts["flops"], 13 * 62 * 62 * 62);
  EXPECT_NEAR(counts["halo_fraction"], 0.578, 0.001);
  EXPECT_NEAR(counts["op_per_byte"]["formula"], 1.371, 0.001);
  EXPECT_NEAR(counts["op_per_byte"]["interior_block"], 1.371, 0.001);
  EXPECT_LT(counts["op_per_byte"]["with_stores"], counts["op_per_byte"]["executed"]);
}

TEST_F(CommandLineTest, CountPredictsTheTimeByTheRooflineOfEachGpu) {
  const Reply result = run("count stencil/tiled --size 64 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json counts = json::parse(result.out);
  EXPECT_EQ(counts["array_bytes"], 2 * 4 * 64 * 64 * 64) << "input and output";
  const double executed = counts["global_load_bytes"].get<double>() + counts["global_store_bytes"].get<double>();
  ASSERT_FALSE(counts["predicted"].empty());
  for (const json& one : counts["predicted"]) {
    const double rate = one["dram_gbs"].get<double>() * 1e6;  // bytes a millisecond
    const double compute = counts["flops"].get<double>() / (one["peak_gflops"].get<double>() * 1e6);
    EXPECT_NEAR(one["uncached_ms"], std::max(executed / rate, compute), 1e-9) << one;
    EXPECT_NEAR(one["each_array_once_ms"], std::max(counts["array_bytes"].get<double>() / rate, compute), 1e-9);
  }
}

TEST_F(CommandLineTest, CountsTheBytesOfTheChosenType) {
  for (const auto& [type, bytes] : {std::pair{"half", 2}, std::pair{"float", 4}, std::pair{"double", 8}}) {
    const Reply result = run(std::string("count stencil/finite_difference_3 --size 100 --json -D REAL=") + type);
    ASSERT_EQ(result.status, 0) << result.err;
    const json document = json::parse(result.out);
    EXPECT_EQ(document["bindings"]["REAL"], type);
    EXPECT_EQ(document["flops"], 98 * 5);
    EXPECT_EQ(document["global_load_bytes"], 98 * 3 * bytes);
    EXPECT_NEAR(document["op_per_byte"]["formula"].get<double>(), 5.0 / (3 * bytes), 1e-12);
    EXPECT_NEAR(document["op_per_byte"]["executed"].get<double>(), 5.0 / (3 * bytes), 1e-12);
  }
}

TEST_F(CommandLineTest, VerifiesAVariantInEveryType) {
  for (const std::string type : {"half", "float", "double"}) {
    const Reply result = run("verify stencil/finite_difference_7 --size 258 --json -D REAL=" + type);
    ASSERT_EQ(result.status, 0) << result.err;
    const json document = json::parse(result.out);
    EXPECT_EQ(document[0]["precision"], type);
    EXPECT_TRUE(document[0]["pass"]);
    EXPECT_GT(document[0]["max_rel_error"].get<double>(), 0) << "random data is rounded";
  }
}

TEST_F(CommandLineTest, PrintsTheOrdersOfTheFiniteDifferences) {
  const Reply result = run("figure discretise --points 13 --type float --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(document["samples"]["points"].size(), 13U);
  EXPECT_EQ(document["samples"]["type"], "float");
  EXPECT_EQ(document["curves"].size(), 9U);
  for (const json& curve : document["curves"]) {
    if (curve["type"] != "double") { continue; }
    EXPECT_NEAR(curve["measured_order"].get<double>(), curve["order"].get<double>(), 0.1) << curve["kernel"];
  }
}

TEST_F(CommandLineTest, CountsSectorsAndBankConflicts) {
  const Reply result = run("count stencil/tiled -D IN_TILE_DIM=8 --size 64 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json counts = json::parse(result.out);
  std::uint64_t sectors = 0;
  std::uint32_t degree = 0;
  for (const json& statement : counts["statements"]) {
    EXPECT_GT(statement["line"].get<int>(), 0);
    if (statement.contains("shared")) {
      degree = std::max(degree, statement["shared"]["bank_degree_max"].get<std::uint32_t>());
    }
    if (!statement.contains("global")) { continue; }
    const json& global = statement["global"];
    sectors += global["sectors"].get<std::uint64_t>();
    EXPECT_GE(global["sectors"], global["ideal_sectors"]);
    // A warp is four rows of eight floats: at most two sectors each.
    EXPECT_LE(global["sectors_per_request"].get<double>(), 8.0);
    EXPECT_GT(global["sectors_per_request"].get<double>(), 2.0);
  }
  EXPECT_EQ(counts["l1_sectors"], sectors);
  EXPECT_EQ(counts["bank_degree_max"], degree);
}

TEST_F(CommandLineTest, VerifiesOneVariant) {
  const Reply result = run("verify convolution/constant -D FILTER_RADIUS=2 --size 33 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json list = json::parse(result.out);
  ASSERT_GE(list.size(), 1U);
  EXPECT_EQ(list[0]["id"], "convolution/constant");
  EXPECT_EQ(list[0]["where"], "emulator");
  EXPECT_TRUE(list[0]["pass"].get<bool>());
  EXPECT_LT(list[0]["max_rel_error"].get<double>(), 1e-5);
}

TEST_F(CommandLineTest, AKernelWithoutAReferenceIsNotComparedOnTheEmulatorAlone) {
  const fs::path file = folder_ / "scramble.cu";
  std::ofstream(file) << "__global__ void scramble(const float* a, float* b, int n) {\n"
                         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                         "  if (i < n) b[i] = sqrtf(a[i] * a[i] + 1.0f);\n"
                         "}\n";
  const std::string noGpu = "env HALOSCOPE_NO_GPU=1";
  const Reply table = run("verify " + file.string(), noGpu);
  EXPECT_EQ(table.status, 3);
  EXPECT_THAT(table.out, HasSubstr("no reference to compare with  not compared"));
  EXPECT_THAT(table.err, HasSubstr("was not compared"));
  const Reply result = run("verify " + file.string() + " --json", noGpu);
  EXPECT_EQ(result.status, 3);
  const json list = json::parse(result.out);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_TRUE(list[0]["pass"].is_null());
  EXPECT_TRUE(list[0]["compared_with"].is_null());
}

TEST_F(CommandLineTest, TheGridIsGivenAsANumberOfBlocks) {
  const auto grid = [&](const std::string& arguments) {
    const Reply result = run("count " + arguments + " --json");
    EXPECT_EQ(result.status, 0) << result.err;
    return json::parse(result.out);
  };
  const json cube = grid("stencil/tiled --blocks 4");
  EXPECT_EQ(cube["grid"], json::array({4, 4, 4}));
  EXPECT_EQ(grid("stencil/tiled --size " + std::to_string(cube["size"].get<int>() + 1))["grid"][0], 5)
      << "the largest size of this grid";
  EXPECT_EQ(grid("convolution/basic --blocks 3,2")["grid"], json::array({3, 2, 1}));
  for (const auto& [arguments, message] : {std::pair{"stencil/tiled --blocks 4,3", "no size of stencil/tiled makes"},
                                           std::pair{"stencil/tiled --blocks 0", "integers of at least 1"},
                                           std::pair{"stencil/tiled --blocks 2 -D N=9", "and so does -D N=9"},
                                           std::pair{"stencil/tiled --blocks 2 --size 9", "excludes"}}) {
    const Reply refused = run(std::string("count ") + arguments);
    EXPECT_EQ(refused.status, 2) << arguments;
    EXPECT_THAT(refused.err, HasSubstr(message)) << arguments;
  }
}

/// An opened program alongside the variants; the output says what was compared with what.
TEST_F(CommandLineTest, VerifiesFilesAsTheyAre) {
  const std::string styles = HALOSCOPE_SOURCE_DIR "/tests/kernels/styles/";
  const Reply result =
      run("verify --no-host " + styles + "whole_program_convolution.cu " + styles + "namespaced.cu --json");
  const json list = json::parse(result.out);
  ASSERT_GE(list.size(), 2U);
  EXPECT_EQ(list[0]["where"], "emulator");
  for (const json& one : list) {
    ASSERT_TRUE(one.contains("compared_with"));
    EXPECT_EQ(one["pass"], one["compared_with"].is_null() ? json(nullptr) : json(true)) << one;
  }
  // What they compute is guessed: the emulator's result can only be compared with a GPU's.
  const bool onGpu = std::ranges::any_of(list, [](const json& one) { return one["where"] != "emulator"; });
  EXPECT_EQ(result.status, onGpu ? 0 : 3) << result.err;
  EXPECT_EQ(run("verify " HALOSCOPE_SOURCE_DIR "/assets/buglab/flicker/faulty.cu").status, 1);
  EXPECT_EQ(run("verify nowhere.cu").status, 2);
}

TEST_F(CommandLineTest, VerifiesAProgramLaunchByLaunch) {
  const std::string programs = HALOSCOPE_SOURCE_DIR "/tests/programs/";
  const std::string noGpu = "env HALOSCOPE_NO_GPU=1";
  const Reply result = run("verify --launches 2 --json " + programs + "heat1d_ping_pong.cu", noGpu);
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("its first 2 launches"));
  EXPECT_THAT(result.err, HasSubstr("on the emulator only"));
  const json list = json::parse(result.out);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1]["launch"], 2);
  EXPECT_EQ(list[1]["kernel"], "step");
  EXPECT_EQ(list[1]["arrays"], json::array({"next"}));
  EXPECT_TRUE(list[1]["pass"].is_null());
  const Reply faulty = run("verify " + programs + "conv1d_float4_too_short.cu", noGpu);
  EXPECT_EQ(faulty.status, 1);
  EXPECT_THAT(faulty.out, HasSubstr("not run on a GPU: line "));
  EXPECT_THAT(faulty.out, HasSubstr("in[250] is read"));
  // Its kernel alone, with what its text tells.
  const Reply alone = run("verify --no-host --json " + programs + "heat1d_ping_pong.cu", noGpu);
  EXPECT_FALSE(json::parse(alone.out)[0].contains("launch"));
}

TEST_F(CommandLineTest, AWrongKernelIsAMismatch) {
  fs::create_directories(folder_ / "kernels" / "stencil");
  std::string text = read(fs::path(HALOSCOPE_SOURCE_DIR) / "kernels/stencil/basic.cu");
  const std::size_t tap = text.find("k - 1]\n");
  ASSERT_NE(tap, std::string::npos);
  text.replace(tap, 5, "k + 1");
  std::ofstream(folder_ / "kernels/stencil/swapped.cu") << text;
  const Reply result = run("--kernels " + (folder_ / "kernels").string() + " verify stencil/swapped --size 9 --json");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_FALSE(json::parse(result.out)[0]["pass"].get<bool>());
}

TEST_F(CommandLineTest, ASizeIsThatOfAllComparedVariants) {
  const Reply reply = run("compare stencil/basic laplacian/basic --size 32 --json");
  ASSERT_EQ(reply.status, 0) << reply.out << reply.err;
  const json variants = json::parse(reply.out)["variants"];
  EXPECT_EQ(variants[0]["bindings"]["N"], 32);
  for (const char* extent : {"nx", "ny", "nz"}) { EXPECT_EQ(variants[1]["bindings"][extent], 32) << extent; }
}

TEST_F(CommandLineTest, BadInputIsNamedAndIsTwo) {
  const std::array<std::pair<const char*, const char*>, 15> cases{{
      {"count stencil/none", "there is no kernel \"stencil/none\"; \"haloscope list\" names all "},
      {"count laplacian/basic -D REAL=half", "laplacian/basic supports one type only; there is no REAL to choose"},
      {"count stencil/tield", "did you mean stencil/tiled? \"haloscope list\" names all "},
      {"lower coarsend", "did you mean stencil/coarsened?"},
      {"count stencil/tiled -D IN_TILE_DIM=64", "IN_TILE_DIM = 64 is outside its range"},
      {"count stencil/tiled -D TILE=8", "no size or tunable \"TILE\"; it has: IN_TILE_DIM, N"},
      {"count stencil/tiled -D IN_TILE_DIM=x", "is not an integer"},
      {"count stencil/tiled -D IN_TILE_DIM", "write NAME=VALUE"},
      {"count stencil/tiled --size 0", "outside its range"},
      {"count stencil/basic -D BLOCK_X=64 -D BLOCK_Y=32", "a block can have at most 1024"},
      {"count convolution/tiled_input_block -D IN_TILE_DIM=8 -D FILTER_RADIUS=5",
       "needs IN_TILE_DIM > 2 * FILTER_RADIUS"},
      {"count stencil/finite_difference_3 -D REAL=quad", "REAL is one of float, double, half"},
      {"figure discretise --points 2", "--points"},
      {"figure discretise --type quad", "--type"},
      {"frobnicate", "frobnicate"},
  }};
  for (const auto& [arguments, message] : cases) {
    const Reply result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(result.out, "") << arguments;
  }
}

TEST_F(CommandLineTest, ASyntaxErrorNamesItsPlace) {
  fs::create_directories(folder_ / "kernels" / "stencil");
  std::string text = read(fs::path(HALOSCOPE_SOURCE_DIR) / "kernels/stencil/basic.cu");
  const std::size_t semicolon = text.find(";\n  int j");
  ASSERT_NE(semicolon, std::string::npos);
  text.erase(semicolon, 1);
  std::ofstream(folder_ / "kernels/stencil/broken.cu") << text;
  const Reply result = run("--kernels " + (folder_ / "kernels").string() + " count stencil/broken");
  EXPECT_EQ(result.status, 2);
  const long line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(semicolon), '\n');
  EXPECT_THAT(result.err, HasSubstr("broken.cu:" + std::to_string(line) + ":"));
  EXPECT_THAT(result.err, HasSubstr("expected ';'"));
}

TEST_F(CommandLineTest, HardwareCountersNeedAGpu) {
  const Reply result = run("count stencil/basic --hardware --json", "env HALOSCOPE_NO_GPU=1");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("--hardware needs an NVIDIA GPU: every GPU is hidden"));
}

TEST_F(CommandLineTest, BenchWithoutAGpuIsThree) {
  const Reply result = run("bench stencil/basic --json", "env HALOSCOPE_NO_GPU=1");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("GPU"));
  EXPECT_EQ(result.out, "");
}

TEST_F(CommandLineTest, ASuiteNeedsAGpuAndBadInputComesFirst) {
  const auto suite = [this](const std::string& rest) { return run("bench --suite " + rest, "env HALOSCOPE_NO_GPU=1"); };
  EXPECT_EQ(suite("limit").status, 3);
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"limits", "there is no suite \"limits\"; known suites: limit"},
      {"limit --class none", "--class none: the suite limit has no such class; it has: 7-point float 512³; "},
      {"limit --peer run", "--peer run: write NAME=COMMAND"},
      {"limit --tune 0", "--tune"},
      {"limit stencil/basic", "leave out ID, -D, --size and --blocks"},
      {"limit --size 64", "leave out ID, -D, --size and --blocks"}};
  for (const auto& [rest, words] : bad) {
    const Reply result = suite(rest);
    EXPECT_EQ(result.status, 2) << rest;
    EXPECT_THAT(result.err, HasSubstr(words));
  }
  EXPECT_EQ(run("bench --tune", "env HALOSCOPE_NO_GPU=1").status, 2) << "without a suite";
}

TEST_F(CommandLineTest, TheClimbsAreListed) {
  const Reply result = run("list --climb");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("7-point star\n  stencil/basic "));
  EXPECT_THAT(result.out, HasSubstr("\n    stencil/tiled "));
  const json climbs = json::parse(run("list --climb --json").out);
  const auto star = std::ranges::find(climbs, "7-point star", [](const auto& one) { return one["climb"]; });
  ASSERT_NE(star, climbs.end());
  EXPECT_EQ((*star)["rungs"][0]["id"], "stencil/basic");
  EXPECT_EQ((*star)["rungs"][1]["extends"], "stencil/basic");
  EXPECT_EQ((*star)["rungs"][1]["height"], 1);
}

TEST_F(CommandLineTest, TheWindowWithoutADisplayIsThree) {
  const Reply result = run("");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("display"));
}

}  // namespace
}  // namespace haloscope
