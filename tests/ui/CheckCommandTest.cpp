#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "CommandLineSupport.h"

/// `haloscope check`, and kernels in files, whatever the command.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::CommandLineTest;

using ::testing::HasSubstr;
using ::testing::Not;

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
  EXPECT_THAT(table.out, HasSubstr("       = also: at "));
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

/// As its Makefile would link it: with those files that define what it uses.
TEST_F(CommandLineTest, AFileIsLinkedWithWhatItLacks) {
  const std::string programs = HALOSCOPE_SOURCE_DIR "/tests/programs/";
  const Reply c = run("check --json " + programs + "parts_in_c/main.cu");
  ASSERT_TRUE(json::accept(c.out)) << c.err;
  EXPECT_EQ(json::parse(c.out).at(0).at("verdict").at("scope"), "all-launches") << c.out;

  const Reply parts = run("check --json " + programs + "several_files/main.cu");
  ASSERT_TRUE(json::accept(parts.out)) << parts.err;
  const json row = json::parse(parts.out).at(0);
  EXPECT_EQ(row.at("kernel"), "step");
  EXPECT_THAT(row.at("file").get<std::string>(), HasSubstr("kernels/solver.cu"));
  const Reply ran = run("run " + programs + "several_files/main.cu");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out + ran.err, HasSubstr("It is linked with"));

  // Which of two is meant is not known, and a file that cannot be read is none of the program's.
  std::ofstream(folder_ / "main.cu") << "void fill(float*);\n__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"
                                        "int main() { float h[8], *d; fill(h); cudaMalloc(&d, 32); k<<<1, 8>>>(d); "
                                        "cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost); cudaFree(d); }\n";
  std::ofstream(folder_ / "large.c") << "int large[] = {" << std::string(std::size_t{1} << 19, '1') << "};\n";
  std::ofstream(folder_ / "one.cu") << "void fill(float* a) { a[0] = 1; }\n";
  EXPECT_EQ(run("check " + (folder_ / "main.cu").string()).status, 0);
  std::ofstream(folder_ / "two.cu") << "void fill(float* a) { a[0] = 2; }\n";
  const Reply two = run("check " + (folder_ / "main.cu").string());
  EXPECT_EQ(two.status, 2);
  EXPECT_THAT(two.err, HasSubstr("fill(float*) is used"));
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
            "stencil/tiled:stencil  right: it computes what its header says\n"
            "ada/a1.cu:stencil      1 race-shared\n"
            "grace.cu:k             no fault: nothing says what it should compute (its launch is assumed)\n"
            "stencil/tield          cannot be read\n"
            "3 kernels in 4 files: 1 right, 1 without a fault but not known to be right, 1 with findings, 1 that could "
            "not be read\n"
            "--verbose says what was assumed.\n"
            "--reference FILE.cu[:KERNEL] names a kernel that says what the result should be.\n");
  EXPECT_THAT(run("check stencil/tield").err, HasSubstr("did you mean stencil/tiled?"));
}

TEST_F(CommandLineTest, AFixThatWasExecutedIsShownAndWritten) {
  struct Case {
    const char *program, *shown, *then;
  };
  for (const auto& [program, shown, then] :
       {Case{"cpu_conv1d_right_end_wrong", "+         if (j >= 0 && j <= n - 1)",
             "right: it computes what the program's own"},
        Case{"conv2d_tile_without_barrier", "+     __syncthreads();", "no fault: all its points are the sum"}}) {
    const fs::path file = folder_ / "mended.cu";
    fs::copy_file(HALOSCOPE_SOURCE_DIR "/tests/programs/" + std::string(program) + ".cu", file,
                  fs::copy_options::overwrite_existing);
    const Reply found = run("check " + file.string());
    EXPECT_EQ(found.status, 1);
    EXPECT_THAT(found.out, HasSubstr(shown));
    EXPECT_THAT(found.out, testing::Not(HasSubstr("changed as shown")));
    EXPECT_THAT(run("check --fix " + file.string()).out, HasSubstr("mended.cu: changed as shown"));
    const Reply mended = run("check --fix " + file.string());
    EXPECT_EQ(mended.status, 0) << mended.out;
    EXPECT_THAT(mended.out, HasSubstr(then));
    EXPECT_THAT(mended.out, HasSubstr("nothing is changed"));
  }
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
      {"check stencil/tiled --launch 1,1,1,8,8,8",
       "--launch 1,1,1,8,8,8: the header of stencil/tiled defines its launch"},
      {"check stencil/tiled --bind N=8", "--bind N=8: the header of stencil/tiled"},
      {"count stencil/tiled --kernel stencil", "--kernel stencil: the header of stencil/tiled"},
      {"check " + file + " -D TIEL=8", "-D TIEL: the name does not occur in"},
      {"check " + file + " --bind m=8", "has a parameter \"m\""},
      {"check " + file + " --shared 64", "extern __shared__"},
      {"check " + file + " --kernel second --size 8", "--size 8: no kernel of"},
      {"count " + file + " --kernel third", "it has: first, second"},
      {"trace stencil/tiled --output-cell 3,3,3 --without-barrier 1", "there is no barrier on this line"},
      {"trace stencil/tiled --output-cell 3,3,3 --seed 4", "only --order random has a seed"},
      {"render stencil/tiled -o " + (folder_ / "x.jpg").string(), "pictures are written as PNG"},
      {"render stencil/tiled --seed 4 -o " + picture, "only --order random has a seed"},
      {"--offscreen check stencil/tiled", "applies to the window"},
      {"check stencil/tiled --quiet --json", "--quiet"},
      {"count stencil/tiled -- 64", "-- 64: stencil/tiled is a kernel on its own"},
      {"verify stencil/tiled -- 64", "-- 64: stencil/tiled is a kernel on its own"},
      {"check " + file + " -- 64 8", "-- 64 8: " + file + " is a kernel on its own"},
      {"count " + file + " --kernel second -- 64", "is a kernel on its own"},
      {"check " + file + " --no-host -- 64", "-- 64: with --no-host no program is executed"},
      {"list -- 64", "\"list\" executes no program"},
      {"run " + file + " --file =" + file, "write NAME=PATH"},
      {"run " + file + " --file a=" + file + "s", "there is no file " + file + "s"},
  };
  for (const auto& [arguments, message] : cases) {
    const Reply result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr(message)) << arguments;
  }
}

TEST_F(CommandLineTest, AProgramIsGivenItsArgumentsAndFilesByEveryCommand) {
  const std::string file = (folder_ / "sized.cu").string();
  std::ofstream(file) << R"(#include <cstdio>
#include <cstdlib>
__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
int main(int argc, char** argv) {
  FILE* sizes = fopen("sizes.txt", "r");
  int more = 0;
  if (argc != 2 || sizes == nullptr || fscanf(sizes, "%d", &more) != 1) return 1;
  const int n = atoi(argv[1]) + more;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  for (int t = 0; t < 3; ++t) twice<<<(n + 31) / 32, 32>>>(a, b, n);
  cudaFree(a);
  cudaFree(b);
}
)";
  std::ofstream(folder_ / "seven.txt") << "7";
  const std::string given = file + " --file sizes.txt=" + (folder_ / "seven.txt").string();
  const Reply counted = run("count " + given + " --json -- 90");
  ASSERT_EQ(counted.status, 0) << counted.err;
  EXPECT_EQ(json::parse(counted.out)["grid"][0], 4);
  EXPECT_EQ(json::parse(counted.out)["bindings"]["n"], 97);
  const Reply checked = run("check " + given + " --verbose -- 90");
  EXPECT_THAT(checked.out, HasSubstr("The program launches twice 3 times")) << checked.err;
  const Reply verified = run("verify " + given + " -- 90", "env HALOSCOPE_NO_GPU=1");
  EXPECT_EQ(verified.status, 3) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("1–3  twice ×3")) << "launches that are alike are one row";
  const std::string picture = (folder_ / "picture.png").string();
  const Reply drawn = run("render " + given + " --program-launch 3 -o " + picture + " --width 640 --height 360 -- 90");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
}

TEST_F(CommandLineTest, ALaunchedKernelThatCannotBeReadIsBadInput) {
  const std::string file = (folder_ / "typo.cu").string();
  std::ofstream(file) << R"(__global__ void first(float* a, int n) {
  if (threadIdx.x < nn) a[threadIdx.x] = 1;
}
__global__ void second(float* a) { a[threadIdx.x] = 1; }
int main() {
  float *a, h;
  cudaMalloc(&a, 32 * sizeof(float));
  for (int t = 0; t < 3; ++t) first<<<1, 32>>>(a, 32);
  second<<<1, 32>>>(a);
  cudaMemcpy(&h, a, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(a);
}
)";
  const Reply result = run("run " + file);
  EXPECT_EQ(result.status, 2) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("typo.cu:2:21: use of undeclared identifier 'nn'"));
  EXPECT_THAT(result.out, HasSubstr("after 4 launches, 3 of which were not executed."));
}

TEST_F(CommandLineTest, WhatAProgramLacksIsNoFindingOfIt) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    const std::string file = (folder_ / "lacking.cu").string();
    std::ofstream(file) << text << R"(
__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
)";
    for (const char* command : {"check ", "run "}) {
      const Reply reply = run(command + file);
      EXPECT_EQ(reply.status, 2) << reply.out << reply.err;
      EXPECT_THAT(reply.out, HasSubstr(why)) << command;
      EXPECT_THAT(reply.out, Not(HasSubstr("of the program\n"))) << command << "counts findings";
    }
    const json row = json::parse(run("check " + file + " --json").out).at(0);
    EXPECT_THAT(row.at("error").get<std::string>(), HasSubstr(why));
    EXPECT_TRUE(row.at("host_faults").empty());
  };
  refused("#include <stb_truetype.h>\nint main() {}", "'stb_truetype.h' file not found");
  refused("int main() { cudaLaunchTomorrow(); }", "use of undeclared identifier 'cudaLaunchTomorrow'");
  refused("int main() { int n = ; }", "expected expression");
  refused("#include <cstdlib>\nint main(int, char** argv) { return atoi(argv[1]); }",
          "The program reads argv[1], and no argument was given: give it after --");
  refused("#include <cstdio>\nint main() { return fgetc(fopen(\"in.pgm\", \"rb\")); }",
          "give it a copy with --file in.pgm=PATH");
  refused("int main() { cudaIpcGetMemHandle(0, 0); }", "cudaIpcGetMemHandle is not supported");
}

TEST_F(CommandLineTest, ASmallerSizeIsSaid) {
  const std::string file = HALOSCOPE_SOURCE_DIR "/tests/programs/size_by_argument.cu";
  const Reply counted = run("count " + file + " -- 8192 100");
  EXPECT_EQ(counted.status, 0) << counted.err;
  EXPECT_THAT(counted.err, HasSubstr("The first argument is 256 here instead of 8192"));
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
  EXPECT_THAT(run("check --verbose " + file).out, HasSubstr("n is taken as 1000"));
  for (const char* option : {" --size 70", " -D n=70", " --bind n=70"}) {
    const Reply result = run("check --verbose " + file + option);
    EXPECT_THAT(result.out, ::testing::Not(HasSubstr("n is taken as"))) << option;
    EXPECT_EQ(json::parse(run("count " + file + option + " --json").out).at("size"), 70) << option;
  }
}

/// Its first thread reads a whole tile: only blocks as large as that fill it.
constexpr const char* kTileOfItsBlock = R"(#define TILE 16
#define PASSES 10
__global__ void tally(const int* in, int* out, int h, int w) {
  __shared__ int t[TILE][TILE];
  int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.y][threadIdx.x] = y < h && x < w ? in[y * w + x] : 0;
  __syncthreads();
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  int sum = 0;
  for (int pass = 0; pass < PASSES; ++pass) {
    for (int at = 0; at < TILE * TILE; ++at) sum += t[at / TILE][at % TILE];
  }
  out[blockIdx.y * gridDim.x + blockIdx.x] = sum;
}
)";

TEST_F(CommandLineTest, WhatTheProposedBlocksCauseIsNoFinding) {
  const std::string file = (folder_ / "tally.cu").string();
  std::ofstream(file) << kTileOfItsBlock;
  const Reply bare = run("check --verbose " + file);
  EXPECT_EQ(bare.status, 0) << bare.out;
  EXPECT_THAT(bare.out, HasSubstr("blocks of 16×16×1 threads"));
  EXPECT_EQ(run("check " + file + " --launch 7,6,1,10,10,1").status, 1) << "these are the caller's";
}

/// Averages neighbours, with this factor of the middle one, in arrays of 5000 elements.
std::string averaging(const std::string& factor) {
  return "__global__ void heat(const float* u, float* v, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i > 0 && i < n - 1) v[i] = sqrtf(fabsf(u[i - 1] + " +
         factor +
         " * u[i] + u[i + 1]));\n}\n"
         "int main() {\n  float *a, *b;\n  cudaMalloc(&a, 20000);\n  cudaMalloc(&b, 20000);\n"
         "  cudaMemset(a, 0, 20000);\n  heat<<<40, 128>>>(a, b, 5000);\n  cudaDeviceSynchronize();\n"
         "  cudaFree(a);\n  cudaFree(b);\n}\n";
}

constexpr const char* kBareReference =
    "__global__ void heat_ref(const float* u, float* v, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < 1 || i >= n - 1) return;\n"
    "  v[i] = sqrtf(fabsf(u[i + 1] + 2 * u[i] + u[i - 1]));\n}\n"
    "__global__ void other(float* v, long long rows) { if (threadIdx.x < rows) v[threadIdx.x] = 1; }\n";

TEST_F(CommandLineTest, AReferenceWithoutAProgramRunsAtTheSizesOfTheProgram) {
  const std::string good = (folder_ / "good.cu").string();
  const std::string bad = (folder_ / "bad.cu").string();
  const std::string reference = (folder_ / "ref.cu").string();
  std::ofstream(good) << averaging("2");
  std::ofstream(bad) << averaging("3");
  std::ofstream(reference) << kBareReference;
  const Reply agrees = run("check " + good + " --reference " + reference);
  EXPECT_EQ(agrees.status, 0) << agrees.out << agrees.err;
  EXPECT_THAT(agrees.out, HasSubstr("good.cu:heat  right: it computes the same as ref.cu:heat_ref, at n = 5000"));
  const Reply differs = run("check " + bad + " --reference " + reference + ":heat_ref");
  EXPECT_EQ(differs.status, 1) << differs.out << differs.err;
  EXPECT_THAT(differs.out, HasSubstr("differs from that of ref.cu:heat_ref on the same data at 499"));
  const Reply unlike = run("check " + bad + " --reference " + reference + ":other");
  EXPECT_EQ(unlike.status, 2) << unlike.out;
  EXPECT_THAT(unlike.err, HasSubstr("heat is not compared with the reference ref.cu:other: it takes (float*, long "
                                    "long rows), and heat takes (float*, float*, int n)"));
}

TEST_F(CommandLineTest, ProgramsOfAFolderThatDisagreeAreNamed) {
  const fs::path hand = folder_ / "hand-ins";
  fs::create_directories(hand);
  std::ofstream(hand / "ada.cu") << averaging("2");
  std::ofstream(hand / "grace.cu") << averaging("3");
  const Reply two = run("check " + hand.string());
  EXPECT_EQ(two.status, 0) << "they may be meant to compute different things, whatever they are called\n" << two.err;
  EXPECT_THAT(two.out, HasSubstr("ada.cu:heat    no fault: its result differs from that of grace.cu:heat; which is "
                                 "right is not known"));
  EXPECT_THAT(two.out, HasSubstr("grace.cu:heat  no fault: its result differs from that of ada.cu:heat"));
  std::ofstream(hand / "ref.cu") << kBareReference;
  const Reply decided = run("check " + hand.string());
  EXPECT_EQ(decided.status, 0) << decided.err;
  EXPECT_THAT(decided.out, HasSubstr("It takes the same arguments as ada.cu:heat, ref.cu:heat_ref, and its result "
                                     "differs nearly everywhere."));
  EXPECT_THAT(decided.out, HasSubstr("grace.cu:heat    no fault: all its points are computed alike"));
}

TEST_F(CommandLineTest, AFolderIsNamedAsSuchWhereOneFileIsTaken) {
  const Reply drawn = run("render " + folder_.string() + " --program -o " + (folder_ / "x.png").string());
  EXPECT_EQ(drawn.status, 2);
  EXPECT_THAT(drawn.err, HasSubstr(folder_.string() + " is a folder: this command takes one .cu file"));
}

TEST_F(CommandLineTest, FilesThatDefineTheSameAreNoOneProgram) {
  const fs::path hand = folder_ / "hand-ins";
  fs::create_directories(hand);
  for (const char* name : {"ada.cu", "grace.cu"}) {
    std::ofstream(hand / name) << "__global__ void heat(float* u, const float* v, int n) {\n"
                                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                  "  if (i > 0 && i < n - 1) u[i] = 0.5f * (v[i - 1] + v[i + 1]);\n}\n";
  }
  std::ofstream(hand / "main.cu")
      << "__global__ void set(int* a) { a[threadIdx.x] = 1; }\n"
         "int main() { int* a; cudaMalloc(&a, 256); set<<<1, 64>>>(a); int h[64];\n"
         "  cudaMemcpy(h, a, 256, cudaMemcpyDeviceToHost); cudaFree(a); return h[0] != 1; }\n";
  const Reply checked = run("check " + hand.string() + " --json");
  EXPECT_EQ(checked.status, 0) << checked.err << checked.out;
  for (const json& row : json::parse(checked.out)) {
    const bool ofProgram = row.at("kernel") == "set";
    EXPECT_EQ(row.at("verdict").at("scope"), ofProgram ? "all-launches" : "proposed-launch") << row;
  }
}

TEST_F(CommandLineTest, WhatIsMisspeltIsNamed) {
  const fs::path file = folder_ / "heat.cu";
  std::ofstream(file) << averaging("2");
  EXPECT_THAT(run("check --refrence x " + file.string()).err, HasSubstr("did you mean --reference?"));
  EXPECT_THAT(run("chekc " + file.string() + " more").err, HasSubstr("did you mean \"haloscope check\"?"));
  EXPECT_THAT(run("grad").err, HasSubstr("did you mean \"haloscope grade\"?"));
  const Reply reference = run("check " + file.string() + " --reference " + file.string() + ":haet");
  EXPECT_EQ(reference.status, 2);
  EXPECT_THAT(reference.err, HasSubstr("has no kernel haet; it has heat"));
  EXPECT_THAT(reference.out, Not(HasSubstr("cannot be read")));
}

TEST_F(CommandLineTest, OnlyCommandsThatExecuteProgramsHaveArguments) {
  constexpr const char* kFooter = "-- ARGUMENTS    at the end";
  EXPECT_THAT(run("check --help").out, HasSubstr(kFooter));
  EXPECT_THAT(run("list --help").out, Not(HasSubstr(kFooter)));
}

}  // namespace
}  // namespace haloscope
