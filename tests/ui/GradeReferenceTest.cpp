#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "CommandLineSupport.h"
#include "tests/kernels/Sampled.h"

/// Hand-ins compared with a reference at its sizes and at others: what is right with its own sizes alone does not pass,
/// and what is right does.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::CommandLineTest;

using ::testing::ContainsRegex;

/// What takes the place of these words in a text.
struct Part {
  const char* word;
  const char* text;
};

std::string with(std::string text, const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    const std::string word = part.word;
    const std::string instead = part.text;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + instead.size())) {
      text.replace(at, word.size(), instead);
    }
  }
  return text;
}

/// `DECL`, `CALL`, `SIZE` and `HEAD` are to be replaced; the arrays have n * m elements.
constexpr const char* kMain = R"cuda(
int main() {
  DECL
  float* h = new float[SIZE];
  for (int i = 0; i < SIZE; i++) h[i] = i * 37 % 101 * 0.01f;
  float *a, *b;
  cudaMalloc(&a, SIZE * sizeof(float));
  cudaMalloc(&b, SIZE * sizeof(float));
  cudaMemcpy(a, h, SIZE * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, SIZE * sizeof(float), cudaMemcpyHostToDevice);
  CALL
  cudaMemcpy(h, b, SIZE * sizeof(float), cudaMemcpyDeviceToHost);
  return 0;
}
)cuda";

constexpr const char* kLine = R"cuda(HEAD
__global__ void k(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = WHEN ? 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1] : in[i];
}
)cuda";

/// With n = `size`, in blocks of `block` threads.
std::string line(const std::string& when, const std::string& size, const std::string& block,
                 const std::string& head = "",
                 const std::string& call = "k<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(b, a, n);") {
  const std::string declared = "int n = " + size + ";";
  return with(
      with(std::string(kLine) + kMain,
           {{"HEAD", head.c_str()}, {"WHEN", when.c_str()}, {"DECL", declared.c_str()}, {"CALL", call.c_str()}}),
      {{"SIZE", "n"}, {"BLOCK", block.c_str()}});
}

constexpr const char* kPlane = R"cuda(HEAD
__global__ void heat(PARAMETERS) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, p = y * nx + x;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    out[p] = WHEN ? 0.2f * (in[p] + in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx]) : in[p];
  }
}
)cuda";

std::string plane(const std::string& when, const std::string& sizes,
                  const std::string& parameters = "const float* in, float* out, int nx, int ny",
                  const std::string& arguments = "a, b, nx, ny", const std::string& head = "") {
  const std::string call = "dim3 t(16, 16); dim3 g((nx + 15) / 16, (ny + 15) / 16); heat<<<g, t>>>(" + arguments + ");";
  return with(std::string(kPlane) + kMain, {{"HEAD", head.c_str()},
                                            {"WHEN", when.c_str()},
                                            {"PARAMETERS", parameters.c_str()},
                                            {"DECL", sizes.c_str()},
                                            {"CALL", call.c_str()},
                                            {"SIZE", "nx * ny"}});
}

constexpr const char* kSpace = R"cuda(
__global__ void step(const float* in, float* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
  for (int z = 1; z < PLANES - 1; z++) {
    int p = (z * ny + y) * nx + x;
    out[p] = 0.1f * (in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx] + in[p - nx * ny] + in[p + nx * ny]);
  }
}
)cuda";

std::string space(const std::string& planes, const std::string& sizes) {
  return with(std::string(kSpace) + kMain,
              {{"PLANES", planes.c_str()},
               {"DECL", sizes.c_str()},
               {"CALL", "dim3 t(8, 8); dim3 g((nx + 7) / 8, (ny + 7) / 8); step<<<g, t>>>(a, b, nx, ny, nz);"},
               {"SIZE", "nx * ny * nz"}});
}

class GradeReferenceTest : public CommandLineTest {
 protected:
  struct Case {
    std::string name, text, verdict, sentence;  ///< the sentence's as a regular expression
  };

  /// The first of each verdict and sentence, whatever its numbers; all before a release.
  static std::vector<Case> tried(const std::vector<Case>& cases) {
    if (test::isThorough()) { return cases; }
    std::vector<Case> first;
    std::set<std::string> said;
    for (const Case& one : cases) {
      static const std::regex kNumbers("[0-9]+");
      if (said.insert(one.verdict + ": " + std::regex_replace(one.sentence, kNumbers, "N")).second) {
        first.push_back(one);
      }
    }
    test::sayTried(first.size(), cases.size(), "hand-ins");
    return first;
  }

  void expect(const std::string& reference, const std::vector<Case>& all) {
    const std::vector<Case> cases = tried(all);
    const fs::path hand = folder_ / "hand-ins";
    fs::create_directories(hand);
    std::ofstream(folder_ / "REF.cu") << reference;
    for (const Case& one : cases) { std::ofstream(hand / (one.name + ".cu")) << one.text; }
    const Reply graded = run("grade " + hand.string() + " --json --reference " + (folder_ / "REF.cu").string());
    ASSERT_TRUE(json::accept(graded.out)) << graded.err;
    std::map<std::string, json> rows;
    const json whole = json::parse(graded.out);
    for (const json& row : whole.at("hand_ins")) { rows[row.at("hand_in")] = row; }
    for (const Case& one : cases) {
      const json& row = rows[one.name + ".cu"];
      EXPECT_EQ(row.at("verdict"), one.verdict) << row.dump(2);
      EXPECT_THAT(row.at("sentence").get<std::string>(), ContainsRegex(one.sentence)) << one.name;
    }
  }
};

constexpr const char* kLife = R"cuda(
__global__ void life(const int* now, int* next, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int n = -now[y * w + x];
  for (int j = y - 1; j <= y + 1; j++)
    for (int i = x - 1; i <= x + 1; i++) n += i >= 0 && i < w && j >= 0 && j < h ? now[j * w + i] : 0;
  next[y * w + x] = RULE;
}
int main() {
  const int w = 50, h = 37;
  int cells[w * h], *a, *b;
  for (int i = 0; i < w * h; i++) cells[i] = i * 37 % 101 % 3 == 0;
  cudaMalloc(&a, sizeof cells);
  cudaMalloc(&b, sizeof cells);
  cudaMemcpy(a, cells, sizeof cells, cudaMemcpyHostToDevice);
  life<<<dim3((w + 7) / 8, (h + 7) / 8), dim3(8, 8)>>>(a, b, w, h);
  cudaMemcpy(cells, b, sizeof cells, cudaMemcpyDeviceToHost);
}
)cuda";

TEST_F(GradeReferenceTest, ItIsComparedOnIntegersThatAProgramHas) {
  const auto with = [](const char* rule) { return haloscope::with(kLife, {{"RULE", rule}}); };
  expect(with("n == 3 || (n == 2 && now[y * w + x] == 1)"),
         {{"truth", with("n == 3 || (n == 2 && now[y * w + x])"), "passed", "agrees with REF.cu:life"},
          {"or", with("(n | now[y * w + x]) == 3"), "passed", "agrees with REF.cu:life"},
          {"wrong", with("n == 3 || (n == 1 && now[y * w + x])"), "wrong-result", "differs from that of"}});
}

/// The kernel, or the host, sets the border: the host gets the same.
TEST_F(GradeReferenceTest, WhoSetsTheBorderMakesNoDifference) {
  const std::string right = line("true", "600", "64");
  const std::string copied =
      with(right, {{"if (i > 0 && i < n - 1) out", "if (i == 0 || i == n - 1) out[i] = in[i]; else if (i < n) out"}});
  const char* const fill = "cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);";
  const std::string alone = with(copied, {{fill, ""}});
  expect(right, {{"copied", copied, "passed", "agrees with REF.cu:k"},
                 {"alone", alone, "passed", "agrees with REF.cu:k"},
                 {"other", with(copied, {{"out[i] = in[i]; else", "out[i] = 2 * in[i]; else"}}), "wrong-result", ""}});
}

/// Each hand-in's kernel is that of the reference; what its host does with it is not.
TEST_F(GradeReferenceTest, WhatTheHostGetsIsComparedToo) {
  const std::string right = line("true", "600", "64");
  const char* const copy = "cudaMemcpy(h, b, n * sizeof(float), cudaMemcpyDeviceToHost);";
  const auto copying = [&](const char* instead) { return with(right, {{copy, instead}}); };
  expect(right,
         {
             {"same", right, "passed", "agrees with REF.cu:k"},
             {"other_data", with(right, {{"i * 37 % 101", "i * 41 % 103"}}), "passed", "agrees with REF.cu:k"},
             {"twice_and_equal", copying((std::string(copy) + copy).c_str()), "passed", "agrees with REF.cu:k"},
             {"a_step_more",
              line("true", "600", "64", "", "k<<<10, 64>>>(b, a, n); k<<<10, 64>>>(a, b, n); k<<<10, 64>>>(b, a, n);"),
              "not-compared", "copies another result to the host: element .* launches 3 kernels, and REF.cu 1"},
             {"a_part", copying("cudaMemcpy(h, b, (n - 100) * sizeof(float), cudaMemcpyDeviceToHost);"), "not-compared",
              "copies 500 elements of its result to the host, and REF.cu copies 600"},
             {"nothing", copying(""), "not-compared", "nothing that a kernel computes reaches the host"},
             {"another_status", with(right, {{"return 0", "return 3"}}), "not-compared",
              "its program ends with status 3, that of REF.cu with 0"},
         });
}

TEST_F(GradeReferenceTest, ALineThatIsRightAtItsOwnSizeAloneDoesNotPass) {
  expect(line("true", "256", "64"),
         {{"one_point", line("false", "1", "1", "", "k<<<1, 1>>>(b, a, n);"), "not-compared",
           "does not compute what REF.cu:k computes with n = 256"},
          {"two_points", line("false", "2", "2"), "not-compared", "with n = 256"},
          {"if_own", line("n == 64", "64", "64"), "not-compared",
           "the same as REF.cu:k with n = 64 .62 points., but not with n = 256"},
          {"if_reference", line("n == 256", "256", "64"), "not-compared",
           "with n = 256 .254 points., but not with n = 515"},
          {"if_macro", line("n == NN", "NN", "64", "#define NN 256"), "not-compared", "but not with n = 253"},
          {"if_literal", line("n == 256", "256", "64", "", "k<<<4, 64>>>(b, a, 256);"), "not-compared",
           "but not with n = 515"},
          {"if_smaller", line("n >= 64", "64", "64"), "not-compared", "but not with n = 61"},
          {"if_divided", line("n % 64 == 0", "256", "64"), "not-compared", "but not with n = 515"},
          {"if_grid", line("gridDim.x == 4", "256", "64"), "not-compared", "but not with n = 515"},
          {"last", line("i < 255", "256", "64"), "not-compared", "but not with n = 515"},
          {"block_0", line("blockIdx.x == 0", "64", "64"), "not-compared", "but not with n = 256"},
          {"block_0_of_1024", line("blockIdx.x == 0", "1024", "1024"), "not-compared", "but not with n = 2051"},
          {"one_block", line("true", "64", "64", "", "k<<<1, 64>>>(b, a, n);"), "not-compared",
           "it leaves 191 of 254 points as they were"},
          {"rest", line("true", "256", "64", "", "k<<<n / 64, 64>>>(b, a, n);"), "not-compared",
           "but not with n = 515: it leaves"},
          {"data", line("in[0] != 0", "256", "64"), "not-compared", "its result differs|but not with"},
          {"wrong", line("false", "256", "64"), "wrong-result", "differs from that of REF.cu:k"}});
}

TEST_F(GradeReferenceTest, ALineThatIsRightPasses) {
  const char* const kSizes = "agrees with REF.cu:k, at n = 1000 .998 points., n = 256 .254 points.";
  expect(
      line("true", "256", "64"),
      {{"same", line("true", "256", "64"), "passed",
        "at n = 256 .254 points., n = 515 .513 points. and n = 253 .251 points."},
       {"other_size", line("true", "1000", "128"), "passed", kSizes},
       {"fixed_grid", line("true", "256", "64", "", "k<<<4, 64>>>(b, a, n);"), "passed", "n = 515"},
       {"literal", line("true", "256", "64", "", "k<<<4, 64>>>(b, a, 256);"), "passed", "n = 515"},
       {"one_block", line("true", "256", "n", "", "k<<<1, n>>>(b, a, n);"), "passed", "n = 515"},
       {"order",
        with(line("true", "256", "64"), {{"float* out, const float* in, int n", "int n, const float* in, float* out"},
                                         {"(b, a, n)", "(n, a, b)"}}),
        "passed", "n = 515"},
       {"names",
        with(line("true", "256", "64"),
             {{"float* out, const float* in, int n", "const float* in, float* out, int length"},
              {"(b, a, n)", "(a, b, n)"},
              {"i < n - 1", "i < length - 1"}}),
        "passed", "length = 515"},
       {"more",
        with(line("true", "256", "64"), {{"in, int n)", "in, int n, int pitch)"}, {"(b, a, n)", "(b, a, n, n)"}}),
        "passed", "n = 515"},
       {"struct",
        with(line("true", "256", "64", "struct P { int n; float w; };"), {{"int n)", "P p)"},
                                                                          {"(b, a, n)", "(b, a, P{n, 0.25f})"},
                                                                          {"i < n - 1", "i < p.n - 1"},
                                                                          {"0.25f * in[i - 1]", "p.w * in[i - 1]"}}),
        "passed", "p.n = 515"},
       {"macro",
        with(line("true", "NN", "64", "#define NN 256"),
             {{"in, int n)", "in)"}, {"(b, a, n)", "(b, a)"}, {"i < n - 1", "i < NN - 1"}}),
        "passed", "515 elements"},
       {"doubles", with(line("true", "256", "64"), {{"float", "double"}, {"0.25f", "0.25"}, {"0.5f", "0.5"}}), "passed",
        "n = 515"}});
}

TEST_F(GradeReferenceTest, PlanesAndSpaces) {
  const std::string own = "int nx = 96, ny = 80;";
  expect(plane("true", "int nx = 70, ny = 50;"),
         {{"if", plane("nx == 96", own), "not-compared", "but not with nx = 70, ny = 50"},
          {"if_square", plane("nx == ny", "int nx = 64, ny = 64;"), "not-compared", "but not with nx = 70, ny = 50"},
          {"block_0", plane("blockIdx.x + blockIdx.y == 0", "int nx = 16, ny = 16;"), "not-compared",
           "but not with nx = 70"},
          {"block_y", plane("blockIdx.y == 0", "int nx = 64, ny = 16;"), "not-compared", "but not with nx = 70"},
          {"last", plane("x < 69", "int nx = 70, ny = 50;"), "not-compared", "but not with nx = 143, ny = 103"},
          {"right", plane("true", own), "passed", "nx = 70, ny = 50 .3264 points."},
          {"order", plane("true", own, "float* out, int ny, int nx, const float* in", "b, ny, nx, a"), "passed",
           "nx = 70, ny = 50"},
          {"macros",
           with(plane("true", "const int nx = NX, ny = NY;", "const float* in, float* out", "a, b",
                      "#define NX 96\n#define NY 80"),
                {{"  int x = ", "  const int nx = NX, ny = NY;\n  int x = "}}),
           "passed", "3500 elements"},
          {"square",
           with(plane("true", "const int nx = 64, ny = nx;", "const float* in, float* out, int nx", "a, b, nx"),
                {{"  int x = ", "  const int ny = nx;\n  int x = "}}),
           "passed", "nx = 131"}});
}

TEST_F(GradeReferenceTest, LastPlanes) {
  expect(space("nz", "int nx = 26, ny = 22, nz = 18;"),
         {{"last", space("16", "int nx = 24, ny = 20, nz = 16;"), "not-compared",
           "but not with nx = 26, ny = 22, nz = 18: it leaves"},
          {"last_of_reference", space("18", "int nx = 26, ny = 22, nz = 18;"), "not-compared", "but not with"},
          {"right", space("nz", "int nx = 24, ny = 20, nz = 16;"), "passed", "nx = 26, ny = 22, nz = 18"}});
}

/// Of a text in which the kernel is right if a condition of the preprocessor holds.
std::string asked(const std::string& condition) {
  return line("ASKED", "256", "64", condition + "\n#define ASKED true\n#else\n#define ASKED false\n#endif\n");
}

TEST_F(GradeReferenceTest, ATextCannotTellThatItIsExecutedHere) {
  expect(
      line("true", "256", "64"),
      {{"clang", asked("#ifdef __clang__"), "wrong-result", "differs from"},
       {"llvm", asked("#if __llvm__"), "wrong-result", "differs from"},
       {"nvcc", asked("#ifndef __NVCC__"), "wrong-result", "differs from"},
       {"version", asked("#if !(__CUDACC_VER_MAJOR__ > 9)"), "wrong-result", "differs from"},
       {"gcc", asked("#if !(__GNUC__ > 5)"), "wrong-result", "differs from"},
       {"without_clang", asked("#ifndef __clang__"), "not-compared", "it depends on __clang__ .line 1."},
       {"builtin", asked("#if __has_builtin(__builtin_nondeterministic_value)"), "not-compared",
        "it depends on __has_builtin .line 1."},
       {"header", asked("#if !__has_include(<cuda_fp16.h>)"), "not-compared", "it depends on __has_include .line 1."},
       {"architecture", asked("#if __CUDA_ARCH__ == 800 || !defined(__CUDA_ARCH__)"), "not-compared",
        "it depends on __CUDA_ARCH__ .line 1."},
       {"cuda", asked("#ifdef __CUDACC__"), "passed", "agrees"},
       {"alike", line("true", "256", "64", "#if __CUDA_ARCH__ >= 900\n#define UNUSED 1\n#endif\n"), "passed",
        "agrees"}});
}

}  // namespace
}  // namespace haloscope
