#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "ProgramTest.h"
#include "render/Image.h"

/// The program as a script meets it: arguments in; standard output, standard error and an exit status out.
namespace haloscope {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class CommandLineTest : public ProgramTest {};

/// What a teacher does with a folder of hand-ins: one command, a table, or JSON and an exit code.
TEST_F(CommandLineTest, ChecksAFolderOfHandIns) {
  const std::string lab = HALOSCOPE_SOURCE_DIR "/assets/buglab/";
  const fs::path hand = folder_ / "hand-ins";
  fs::create_directories(hand);
  fs::copy_file(lab + "flicker/faulty.cu", hand / "ada.cu");
  fs::copy_file(lab + "flicker/fixed.cu", hand / "grace.cu");

  const Reply clean = run("check " + (hand / "grace.cu").string());
  EXPECT_EQ(clean.status, 0) << clean.out << clean.err;
  const Reply graded = run("check " + hand.string() + " --json");
  EXPECT_EQ(graded.status, 1) << graded.err;
  const json report = json::parse(graded.out);
  ASSERT_EQ(report.size(), 2U);
  EXPECT_EQ(report[0].at("file"), (hand / "ada.cu").string());
  EXPECT_EQ(report[0].at("kernel"), "stencil");
  EXPECT_EQ(report[0].at("matches_reference"), false);
  const json& finding = report[0].at("findings").at(0);
  EXPECT_EQ(finding.at("kind"), "race-shared");
  EXPECT_GT(finding.at("line"), 0);
  EXPECT_GT(finding.at("column"), 0);
  EXPECT_EQ(finding.at("threads").size(), 2U);
  EXPECT_FALSE(finding.at("outputs").empty());
  EXPECT_EQ(report[0].at("findings").size(), 1U) << "one barrier is missing";
  ASSERT_EQ(finding.at("also").size(), 5U) << "and six neighbours are read too early";
  EXPECT_EQ(finding.at("also").at(0).at("line"), finding.at("line"));
  EXPECT_GT(finding.at("also").at(0).at("other").at("line"), finding.at("other").at("line"));
  EXPECT_THAT(finding.at("also").at(0).at("message").get<std::string>(), HasSubstr("with no barrier between"));
  EXPECT_TRUE(report[1].at("findings").empty());
  EXPECT_EQ(report[1].at("matches_reference"), true);

  std::ofstream(hand / "broken.cu") << "__global__ void k(float* out) { out[0] = ; }\n";
  const Reply table = run("check " + hand.string());
  EXPECT_EQ(table.status, 2) << table.out;
  EXPECT_THAT(table.err, HasSubstr("broken.cu:1"));
  EXPECT_THAT(table.out, HasSubstr("cannot be read"));
  EXPECT_THAT(table.out, HasSubstr("race-shared"));
  EXPECT_THAT(table.out, HasSubstr("    also: at "));
  EXPECT_EQ(run("check " + (hand / "none.cu").string()).status, 2);
  const Reply launch = run("check " + (hand / "grace.cu").string() + " --launch 1,2,3");
  EXPECT_EQ(launch.status, 2);
  EXPECT_THAT(launch.err, HasSubstr("GX,GY,GZ,BX,BY,BZ"));
}

TEST_F(CommandLineTest, AKernelThatCannotBeReadIsARowOfItsOwn) {
  const fs::path file = folder_ / "two.cu";
  std::ofstream(file) << "__global__ void good(float* a, int n) { int i = threadIdx.x; if (i < n) a[i] = i; }\n"
                         "__global__ void bad(float* a, int n) { if (threadIdx.x < n) a[0] = nothing; }\n";
  const Reply table = run("check " + file.string());
  EXPECT_EQ(table.status, 2);
  EXPECT_THAT(table.err, HasSubstr("two.cu:2:68: use of undeclared identifier 'nothing'"));
  EXPECT_THAT(table.out, HasSubstr("two.cu:good"));
  EXPECT_THAT(table.out, HasSubstr("two.cu:bad"));
  const json report = json::parse(run("check " + file.string() + " --json").out);
  ASSERT_EQ(report.size(), 2U);
  EXPECT_TRUE(report[0].at("findings").empty());
  const json& finding = report[1].at("findings").at(0);
  EXPECT_EQ(finding.at("kind"), "unsupported");
  EXPECT_EQ(finding.at("file"), file.string());
  EXPECT_EQ(finding.at("line"), 2);
  EXPECT_EQ(finding.at("column"), 68);
  EXPECT_EQ(report[1].at("matches_reference"), nullptr);
  EXPECT_EQ(run("check " + file.string() + " --kernel good").status, 0);
}

TEST_F(CommandLineTest, TheTableCountsKindsAndSaysWhatWasCompared) {
  const std::string lab = HALOSCOPE_SOURCE_DIR "/assets/buglab/";
  const fs::path hand = folder_ / "hand-ins";
  fs::create_directories(hand / "ada");
  fs::create_directories(hand / "build");
  fs::copy_file(lab + "flicker/faulty.cu", hand / "ada" / "a1.cu");
  fs::copy_file(lab + "flicker/fixed.cu", hand / "build" / "a1.cu");
  std::ofstream(hand / "grace.cu")
      << "__global__ void k(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }\n";
  const Reply table = run("check stencil/tiled " + hand.string() + " stencil/tield --quiet");
  EXPECT_EQ(table.status, 2);
  EXPECT_EQ(table.err, "");
  EXPECT_EQ(table.out,
            "kernel                 result        findings\n"
            "stencil/tiled:stencil  matches       clean\n"
            "ada/a1.cu:stencil      differs       1 race-shared\n"
            "grace.cu:k             not compared  no fault found; its result was not checked\n"
            "stencil/tield          not compared  cannot be read\n"
            "3 kernels in 4 files: 1 clean, 1 without a fault but not compared, 1 with findings, 1 that could not be "
            "checked\n");
  EXPECT_THAT(run("check stencil/tield").err, HasSubstr("did you mean stencil/tiled?"));
}

TEST_F(CommandLineTest, ASizeThatIsOutOfRangeIsNoTextThatCannotBeRead) {
  const Reply table = run("check stencil/tiled --size -3 --quiet");
  EXPECT_EQ(table.status, 2);
  EXPECT_THAT(table.out, HasSubstr("cannot be checked: N = -3 is outside its range 1 to 1024\n"));
  EXPECT_EQ(run("check stencil/tiled --size -3").err,
            "haloscope: error: stencil/tiled: N = -3 is outside its range 1 to 1024\n");
}

TEST_F(CommandLineTest, AnOptionThatWouldBeIgnoredIsAnError) {
  const std::string file = (folder_ / "two.cu").string();
  std::ofstream(file) << "#define TILE 32\n"
                         "__global__ void first(float* a, int n) { int i = threadIdx.x; if (i < n) a[i] = TILE; }\n"
                         "__global__ void second(float* a) { a[threadIdx.x] = 2; }\n";
  const std::string picture = (folder_ / "x.png").string();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"check stencil/tiled --launch 1,1,1,8,8,8", "--launch 1,1,1,8,8,8: stencil/tiled says itself"},
      {"check stencil/tiled --bind N=8", "--bind N=8: stencil/tiled says itself"},
      {"count stencil/tiled --kernel stencil", "--kernel stencil: stencil/tiled says itself"},
      {"check " + file + " -D TIEL=8", "-D TIEL: the name does not occur in"},
      {"check " + file + " --bind m=8", "has a parameter \"m\""},
      {"check " + file + " --shared 64", "extern __shared__"},
      {"check " + file + " --kernel second --size 8", "--size 8: no kernel of"},
      {"count " + file + " --kernel third", "it has: first, second"},
      {"trace stencil/tiled --output-cell 3,3,3 --without-barrier 1", "there is no barrier on this line"},
      {"trace stencil/tiled --output-cell 3,3,3 --seed 4", "only --order random has a seed"},
      {"render stencil/tiled -o " + (folder_ / "x.jpg").string(), "pictures are written as PNG"},
      {"render stencil/tiled --seed 4 -o " + picture, "only --order random has a seed"},
      {"--offscreen check stencil/tiled", "means the window"},
      {"check stencil/tiled --quiet --json", "--quiet"},
  };
  for (const auto& [arguments, message] : cases) {
    const Reply result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr(message)) << arguments;
  }
}

TEST_F(CommandLineTest, AFilesKernelIsCountedTracedAndDrawnAsItIsChecked) {
  const std::string file = (folder_ / "two.cu").string();
  std::ofstream(file) << "#define TILE 32\n"
                         "__global__ void first(float* a, int n) { int i = threadIdx.x; if (i < n) a[i] = 1; }\n"
                         "__global__ void second(float* a, const float* b, int n) {\n"
                         "  int i = blockIdx.x * TILE + threadIdx.x;\n  if (i < n) a[i] = TILE * b[i];\n}\n";
  const std::string options = " --kernel second -D TILE=16 --bind n=64 --launch 4,1,1,16,1,1";
  const json counts = json::parse(run("count " + file + options + " --json").out);
  EXPECT_EQ(counts.at("grid"), json::array({4, 1, 1}));
  EXPECT_EQ(counts.at("bindings").at("n"), 64);
  EXPECT_EQ(counts.at("global_store_bytes"), 64 * 4);
  const json trace = json::parse(run("trace " + file + options + " --output-cell 40 --json").out);
  EXPECT_EQ(trace.at("block"), json::array({2, 0, 0}));
  EXPECT_EQ(trace.at("operands").at(0).at("value"), "16");
  const Reply checked = run("check " + file + options + " --json");
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(json::parse(checked.out).size(), 1U);
  const Reply named = run("count " + file + " --kernel second -D n=50 --json");
  EXPECT_EQ(json::parse(named.out).at("bindings").at("n"), 50) << "a -D of a parameter binds it";
  EXPECT_THAT(run("count " + file).err, HasSubstr("first is the first of 2 kernels"));
  const fs::path picture = folder_ / "second.png";
  EXPECT_EQ(run("render " + file + options + " --width 640 --height 360 -o " + picture.string()).status, 0);
  EXPECT_EQ(read(picture).substr(1, 3), "PNG");
  EXPECT_EQ(run(file + " --kernel third --frames 1 --offscreen").status, 2);
  EXPECT_EQ(run(file + options + " --frames 1 --offscreen").status, 0);
}

TEST_F(CommandLineTest, AssumptionsStateTheSizesThatAreUsed) {
  const std::string file = (folder_ / "one.cu").string();
  std::ofstream(file) << "__global__ void k(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                         "  if (i < n) a[i] = i; }\n";
  EXPECT_THAT(run("check " + file).out, HasSubstr("n is taken as 1000"));
  for (const char* option : {" --size 70", " -D n=70", " --bind n=70"}) {
    const Reply result = run("check " + file + option);
    EXPECT_THAT(result.out, ::testing::Not(HasSubstr("n is taken as"))) << option;
    EXPECT_EQ(json::parse(run("count " + file + option + " --json").out).at("size"), 70) << option;
  }
}

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

TEST_F(CommandLineTest, TracesAnOutputAcrossThePlaneRotation) {
  const Reply result = run("trace stencil/coarsened --output-cell 7,5,6 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json trace = json::parse(result.out);
  EXPECT_EQ(trace["output"], "out[7][5][6]");
  bool rotated = false;
  for (const json& operand : trace["operands"]) {
    if (operand["operand"] != "in[6][5][6]") { continue; }
    rotated = true;
    ASSERT_EQ(operand["hops"].size(), 2U);
    EXPECT_THAT(operand["hops"][0]["place"].get<std::string>(), HasSubstr("inCurr_s"));
    EXPECT_THAT(operand["hops"][1]["place"].get<std::string>(), HasSubstr("inPrev_s"));
    EXPECT_LT(operand["loaded_at"], operand["hops"][1]["step"]);
    EXPECT_LT(operand["hops"][1]["step"], operand["used_at"]);
  }
  EXPECT_TRUE(rotated);
  EXPECT_EQ(run("trace stencil/coarsened --output-cell 0,0,0").status, 2) << "nobody writes the border";
  EXPECT_EQ(run("trace stencil/coarsened --output-cell 1,2").status, 2);
  EXPECT_EQ(run("trace stencil/coarsened --output-cell 1,2,x").status, 2);
  EXPECT_EQ(run("trace stencil/coarsened --output-cell 1,2,99").status, 2);
}

TEST_F(CommandLineTest, TracesGhostsWithTheirPlaceOutside) {
  const Reply result = run("trace convolution/tiled_input_block --output-cell 0,0 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json trace = json::parse(result.out);
  std::vector<std::string> ghosts;
  for (const json& operand : trace["operands"]) {
    if (operand["role"] != "ghost") { continue; }
    ghosts.push_back(operand["operand"]);
    EXPECT_EQ(operand["value"], "0");
    EXPECT_EQ(operand["grid_point"][0], 0);
  }
  EXPECT_THAT(ghosts, ::testing::ElementsAre("in[-1][-1]", "in[-1][0]", "in[-1][1]", "in[0][-1]", "in[1][-1]"));
  EXPECT_EQ(trace["terms"].size(), 10U);
  EXPECT_EQ(trace["terms_add_up"], true);
}

TEST_F(CommandLineTest, TracesAFileInAnOrderOfWarps) {
  const std::string file = HALOSCOPE_SOURCE_DIR "/kernels/stencil/tiled.cu";
  const std::string text = read(file);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(text.find("__syncthreads")), '\n');
  const Reply result =
      run("trace " + file + " --output-cell 3,3,3 --order reversed --json --without-barrier " + std::to_string(line));
  ASSERT_EQ(result.status, 0) << result.err;
  const json trace = json::parse(result.out);
  std::vector<std::string> faults;
  for (const json& operand : trace["operands"]) {
    if (operand["role"] == "uninitialised") { faults.push_back(operand["fault"]); }
  }
  EXPECT_THAT(faults, ::testing::ElementsAre("read before thread (4,3,4) wrote it (step 90)",
                                             "read before thread (4,4,3) wrote it (step 102)"));
  EXPECT_EQ(trace["terms_add_up"], false) << "the sum is no number";
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

/// A student's program beside the variants; the teacher sees what was compared with what.
TEST_F(CommandLineTest, VerifiesFilesAsTheyAre) {
  const std::string styles = HALOSCOPE_SOURCE_DIR "/tests/kernels/styles/";
  const Reply result =
      run("verify " + styles + "whole_program_convolution.cu " + styles + "kernels_in_a_header.cu --json");
  EXPECT_EQ(result.status, 0) << result.err;
  const json list = json::parse(result.out);
  ASSERT_GE(list.size(), 2U);
  EXPECT_EQ(list[0]["where"], "emulator");
  EXPECT_TRUE(list[0]["pass"]);
  for (const json& one : list) { EXPECT_TRUE(one.contains("compared_with")); }
  EXPECT_EQ(run("verify " HALOSCOPE_SOURCE_DIR "/assets/buglab/flicker/faulty.cu").status, 1);
  EXPECT_EQ(run("verify nowhere.cu").status, 2);
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

TEST_F(CommandLineTest, BadInputIsNamedAndIsTwo) {
  const std::array<std::pair<const char*, const char*>, 14> cases{{
      {"count stencil/none", "there is no kernel \"stencil/none\"; \"haloscope list\" names all "},
      {"count stencil/tield", "did you mean stencil/tiled? \"haloscope list\" names all "},
      {"lower coarsend", "did you mean stencil/coarsened?"},
      {"count stencil/tiled -D IN_TILE_DIM=64", "IN_TILE_DIM = 64 is outside its range"},
      {"count stencil/tiled -D TILE=8", "no size or tunable \"TILE\"; it has: IN_TILE_DIM, N"},
      {"count stencil/tiled -D IN_TILE_DIM=x", "no whole number"},
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
  EXPECT_THAT(result.err, HasSubstr("--hardware reads the counters of an NVIDIA GPU: every GPU is hidden"));
}

TEST_F(CommandLineTest, BenchWithoutAGpuIsThree) {
  const Reply result = run("bench stencil/basic --json", "env HALOSCOPE_NO_GPU=1");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("GPU"));
  EXPECT_EQ(result.out, "");
}

TEST_F(CommandLineTest, TheWindowWithoutADisplayIsThree) {
  const Reply result = run("");
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("display"));
}

TEST_F(CommandLineTest, RendersWithoutADisplay) {
  const fs::path picture = folder_ / "picture.png";
  const Reply result = run("render stencil/coarsened --plane 2 --width 960 --height 540 -o " + picture.string());
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(read(picture).substr(1, 3), "PNG");
}

TEST_F(CommandLineTest, RendersAFindingAndRefusesOneThatIsNotThere) {
  const std::string picture = (folder_ / "picture.png").string();
  const std::string faulty = HALOSCOPE_SOURCE_DIR "/assets/buglab/flicker/faulty.cu";
  const std::string size = " --width 640 --height 360 -o ";
  const Reply first = run("render " + faulty + " --finding 1" + size + picture);
  ASSERT_EQ(first.status, 0) << first.err;
  // Alike, not equal: the status bar says how long it took.
  const render::Image shown = render::Image::read(picture);
  ASSERT_EQ(run("render " + faulty + size + picture).status, 0);
  EXPECT_GT(structuralSimilarity(render::Image::read(picture), shown), 0.99) << "without a position it is the first";
  ASSERT_EQ(run("render " + faulty + " --step 0" + size + picture).status, 0);
  EXPECT_LT(structuralSimilarity(render::Image::read(picture), shown), 0.97);
  EXPECT_EQ(run("render " + faulty + " --finding 0" + size + picture).status, 2);
  const Reply none = run("render stencil/tiled --finding 1" + size + picture);
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("there are no findings"));
}

TEST_F(CommandLineTest, ComparesTheBlocksThatComputeACell) {
  const Reply result = run("compare stencil/tiled stencil/basic stencil/coarsened --output-cell 21,10,17 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(document["cell"], "out[21][10][17]");
  const json& tiled = document["variants"][0];
  EXPECT_EQ(tiled["global_loads"], 512);
  EXPECT_EQ(tiled["outputs"], 216);
  EXPECT_EQ(tiled["intervals"], 2);
  EXPECT_EQ(tiled["written_in_interval"], 1);
  const json& basic = document["variants"][1];
  EXPECT_EQ(basic["loads_per_output"], 7.0);
  EXPECT_EQ(basic["shared_bytes"], 0);
  EXPECT_EQ(document["variants"][2]["intervals"], 13);
  const Reply none = run("compare stencil/tiled convolution/basic stencil/basic");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.out, HasSubstr("convolution/basic  its output has 48×64 elements"));
  EXPECT_THAT(none.out, HasSubstr("stencil/basic"));
  EXPECT_EQ(run("compare stencil/tiled").status, 2);
  EXPECT_EQ(run("compare stencil/tiled stencil/basic --output-cell 99,0,0").status, 2);
}

TEST_F(CommandLineTest, RendersVariantsSideBySide) {
  const std::string picture = (folder_ / "picture.png").string();
  const std::string size = " --width 960 --height 540 -o " + picture;
  const Reply alone = run("render stencil/tiled --barrier 1" + size);
  ASSERT_EQ(alone.status, 0) << alone.err;
  const render::Image one = render::Image::read(picture);
  const Reply both = run("render stencil/tiled --barrier 1 --compare stencil/basic --compare stencil/coarsened" + size);
  ASSERT_EQ(both.status, 0) << both.err;
  const render::Image three = render::Image::read(picture);
  EXPECT_LT(structuralSimilarity(three, one), 0.9);
  const std::string own = HALOSCOPE_SOURCE_DIR "/assets/buglab/flicker/faulty.cu";
  EXPECT_EQ(run("render stencil/tiled --line-up cell --end --compare " + own + size).status, 0);
}

TEST_F(CommandLineTest, RenderRefusesWhatCannotStandBesideAVariant) {
  const std::string picture = " -o " + (folder_ / "picture.png").string();
  const Reply twice = run("render stencil/tiled --compare stencil/tiled" + picture);
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err, HasSubstr("stencil/tiled: it stands there already"));
  EXPECT_EQ(run("render stencil/tiled --compare stencil/tield" + picture).status, 2);
  EXPECT_EQ(run("render stencil/tiled --line-up cell" + picture).status, 2);
  const Reply five =
      run("render stencil/tiled --compare stencil/basic --compare stencil/coarsened --compare stencil/register_tiled "
          "--compare convolution/basic" +
          picture);
  EXPECT_EQ(five.status, 2);
  EXPECT_THAT(five.err, HasSubstr("at most 3"));
}

TEST_F(CommandLineTest, RenderRefusesAPositionThatIsNotThere) {
  const fs::path picture = folder_ / "picture.png";
  const Reply result = run("render stencil/tiled --step 100000 -o " + picture.string());
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("100000"));
  EXPECT_FALSE(fs::exists(picture));
  EXPECT_EQ(run("render stencil/tiled -o " + (folder_ / "no/such/folder.png").string()).status, 2);
}

}  // namespace
}  // namespace haloscope
