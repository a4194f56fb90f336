#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/Frontend.h"

// The part of a source that is compiled for the GPU: the device code, at its original position.

namespace haloscope::frontend {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kKernel[] = "__global__ void go(float* out) { out[0] = 1; }\n";

std::string deviceCode(const std::string& text, const CompileOptions& options = {}) {
  return deviceText("a.cu", text, options).text;
}

TEST(DeviceText, HostFunctionsAndVariablesAreBlanksOfTheSameLength) {
  const std::string before = "void f(int n) {\n  if (n) { puts(\"}\"); }\n}\nfloat* data; // the host's\n";
  const std::string code = deviceCode(before + kKernel);
  EXPECT_EQ(code.size(), before.size() + std::string(kKernel).size());
  EXPECT_THAT(code, EndsWith(kKernel));
  EXPECT_EQ(code.substr(0, before.size()).find_first_not_of(" \n"), before.find("//"));
}

TEST(DeviceText, SpecifiersBeforeAHostFunctionGoWithIt) {
  const std::string code =
      deviceCode(std::string("extern \"C\" __host__ static inline int f() { return 1; }\n") + kKernel);
  EXPECT_EQ(code.find_first_not_of(" \n"), code.find("__global__"));
}

TEST(DeviceText, AMacroDefinedInAHostFunctionStays) {
  const std::string code =
      deviceCode("void f() {\n#define N 4\n  g(N);\n}\n__global__ void go(float* out) { out[0] = N; }\n");
  EXPECT_THAT(code, HasSubstr("#define N 4"));
  EXPECT_THAT(code, Not(HasSubstr("g(N)")));
}

TEST(DeviceText, AGivenMacroTakesTheTextsOwnDefinitionAway) {
  const std::string code =
      deviceCode("#define N \\\n  4\n#define M 2\n__global__ void go(float* out) { out[N] = M; }\n",
                 {.defines = {{"N", "8"}}, .kernel = ""});
  EXPECT_THAT(code, Not(HasSubstr("#define N")));
  EXPECT_THAT(code, HasSubstr(" \n   \n#define M 2"));
}

TEST(DeviceText, WhatDeviceCodeUsesStays) {
  const std::string text =
      "const int kOne = 1; constexpr float kTwo = 2;\nconstexpr int three() { return 3; }\n"
      "__device__ float four() { return 4; }\nstruct P { float x; __host__ __device__ P() : x{5} {} };\n"
      "__global__ void go(float* out) { out[0] = kOne + kTwo + three() + four() + P().x; }\n";
  EXPECT_EQ(deviceCode(text), text);
}

TEST(DeviceText, AnotherKernelThatCannotBeReadIsLeftOut) {
  const std::string code = deviceCode("__global__ void bad(float* out) { out[0] = missing; }\n" + std::string(kKernel),
                                      {.defines = {}, .kernel = "go"});
  EXPECT_THAT(code, Not(HasSubstr("missing")));
  EXPECT_THAT(code, HasSubstr("void go("));
}

TEST(DeviceText, MethodsOfTheHostLeaveTheirStruct) {
  const std::string code = deviceCode(
      "struct Grid {\n  int nx;\npublic:\n  Grid(int n) : nx{n} { puts(\"\"); }\n  void print() { puts(\"\"); }\n"
      "  __device__ int size() { return nx; }\n};\n__global__ void go(Grid g, float* out) { out[0] = g.size(); }\n");
  EXPECT_THAT(code, Not(HasSubstr("puts")));
  EXPECT_THAT(code, HasSubstr("public:"));
  EXPECT_THAT(code, HasSubstr("int nx;"));
  EXPECT_THAT(code, HasSubstr("size() { return nx; }"));
}

TEST(DeviceText, KernelAndConstantsHaveTheirWholeNames) {
  const DeviceText device =
      deviceText("a.cu",
                 "namespace a { namespace { __constant__ float w[3]; }\ntemplate <int R, class T> "
                 "__global__ void go(T* out) { out[0] = w[R]; } }\n"
                 "template __global__ void a::go<2, double>(double*);\n");
  EXPECT_EQ(device.kernel, "a::go<2, double>");
  EXPECT_EQ(device.variables.at("w"), "a::w");
}

TEST(DeviceText, HeadersAreTreatedAsTheTextIs) {
  const CompileOptions options{.defines = {},
                               .kernel = "",
                               .prologue = "int host;\n__constant__ float scale;\n",
                               .headers = {{"sub/a.h", "#include \"b.h\"\nvoid f() { g(); }\n"},
                                           {"sub/b.h", "#include <vector>\n__device__ float b() { return 2; }\n"}}};
  const DeviceText device = deviceText(
      "a.cu", "#include \"sub/a.h\"\n#include \"none.h\"\n__global__ void go(float* out) { out[0] = b(); }\n", options);
  EXPECT_THAT(device.text, HasSubstr("#include \"sub/a.h\""));
  EXPECT_THAT(device.text, Not(HasSubstr("none.h")));
  EXPECT_THAT(device.prologue, EndsWith("         \n__constant__ float scale;\n"));
  EXPECT_THAT(device.headers.at("sub/a.h"), HasSubstr("#include \"b.h\"\n   "));
  EXPECT_THAT(device.headers.at("b.h"), HasSubstr("__device__ float b()"));
  EXPECT_THAT(device.headers.at("b.h"), Not(HasSubstr("vector")));
}

}  // namespace
}  // namespace haloscope::frontend
