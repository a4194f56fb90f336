#include "running/HostHalf.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "running/ProgramRun.h"

// Which edits of a program leave its compiled host half as it is.

namespace haloscope::running {
namespace {

host::HostProgram programOf(const std::string& text) { return {.files = {{"main.cu", text}}}; }

/// Whether two texts have the same host half.
bool same(const std::string& one, const std::string& other) {
  return hostHalfOf(programOf(one)).text == hostHalfOf(programOf(other)).text;
}

TEST(HostHalf, IsTheSameWithOtherBodiesOfKernelsAndDeviceFunctions) {
  EXPECT_TRUE(same("__global__ void k(float* a) { a[0] = 1; }\nint main() {}\n",
                   "__global__ void k(float* a) {\n  if (a) {\n    a[0] = 2;\n  }\n}\nint main() {}\n"));
  EXPECT_TRUE(same("static __device__ __forceinline__ float f(float x) { return x; }",
                   "static __device__ __forceinline__ float f(float x) { return 2 * x; }"));
  EXPECT_TRUE(same("template <int N> __global__ void __launch_bounds__(N * 2) k(int n) { n = N; }",
                   "template <int N> __global__ void __launch_bounds__(N * 2) k(int n) { n = N + 1; }"));
  EXPECT_TRUE(same("namespace a { struct B { __device__ int f(int n = 3) const { return n; } }; }",
                   "namespace a { struct B { __device__ int f(int n = 3) const { return n + 1; } }; }"));
  EXPECT_TRUE(same("__global__ void k(int n) {\n#pragma unroll\n  for (;;) n++;\n}",
                   "__global__ void k(int n) {\n#pragma unroll 4\n  for (;;) n--;\n}"));
}

TEST(HostHalf, CountsLinesWhereTheProgramAsksForThem) {
  const std::string one = "__global__ void k(int n) { n = 1; }\n";
  const std::string other = "__global__ void k(int n) { n = 2; }\n";
  const std::string longer = "__global__ void k(int n) {\n  n = 1;\n}\n";
  for (const char* const use :
       {"int main() { return __LINE__; }", "#define CHECK(x) check(x, __LINE__)\n", "int main() { assert(true); }"}) {
    EXPECT_TRUE(same(one + use, other + use)) << use;
    EXPECT_FALSE(same(one + use, longer + use)) << use;
  }
}

TEST(HostHalf, IsAnotherWithAnythingElse) {
  const std::string begin = "__global__ void k(float* a) { a[0] = 1; }\n";
  EXPECT_FALSE(same(begin + "int main() { return 0; }", begin + "int main() { return 1; }"));
  EXPECT_FALSE(same(begin, "__global__ void k(double* a) { a[0] = 1; }\n"));
  EXPECT_FALSE(same("__device__ int c[2] = {1, 2};", "__device__ int c[2] = {1, 3};"));
  EXPECT_FALSE(same("__device__ int c{1};", "__device__ int c{2};"));
  EXPECT_FALSE(same("__constant__ float w[] = {1};", "__constant__ float w[] = {2};"));
  // What host code may call, or ask for its type or its value.
  EXPECT_FALSE(same("__host__ __device__ int f() { return 1; }", "__host__ __device__ int f() { return 2; }"));
  EXPECT_FALSE(same("__device__ __host__ int f() { return 1; }", "__device__ __host__ int f() { return 2; }"));
  EXPECT_FALSE(same("constexpr __device__ int f() { return 1; }", "constexpr __device__ int f() { return 2; }"));
  EXPECT_FALSE(same("__device__ auto f() { return 1; }", "__device__ auto f() { return 2.0; }"));
  EXPECT_FALSE(same("void f() { auto l = [] __device__(int i) { return i; }; }",
                    "void f() { auto l = [] __device__(int i) { return 2 * i; }; }"));
  EXPECT_FALSE(same("struct S { int a; __device__ S(int n) : a(n) { a = 1; } };",
                    "struct S { int a; __device__ S(int n) : a(n) { a = 2; } };"));
}

TEST(HostHalf, BodiesStayWhereTheCodeBehindThemMayDependOnThem) {
  EXPECT_FALSE(
      same("__global__ void k() {\n#define N 3\n}\nint n = N;", "__global__ void k() {\n#define N 4\n}\nint n = N;"));
  EXPECT_FALSE(same("__global__ void k() {\n#ifdef A\n  if (1) {\n#else\n  if (2) {\n#endif\n  }\n}\nint n = 1;",
                    "__global__ void k() {\n#ifdef A\n  if (1) {\n#else\n  if (2) {\n#endif\n  }\n}\nint n = 2;"));
  const std::string macros = "#define BEGIN {\n#define END }\n";
  EXPECT_FALSE(same(macros + "__global__ void k() { if (1) { END }\nint main() { return 0; }",
                    macros + "__global__ void k() { if (1) { END }\nint main() { return 1; }"));
  EXPECT_FALSE(same("__global__ void k() { int a = __COUNTER__; }\nint b = __COUNTER__;",
                    "__global__ void k() { int a = 0; }\nint b = __COUNTER__;"));
  // Braces that do not close.
  EXPECT_FALSE(
      same("__global__ void k() { {\nint main() { return 0; }", "__global__ void k() { {\nint main() { return 1; }"));
}

TEST(HostHalf, MacrosAndHeadersBelongToIt) {
  host::HostProgram program = programOf("#include \"k.h\"\nint main() {}\n");
  program.headers["k.h"] = "__global__ void k() { }\n";
  const std::string text = hostHalfOf(program).text;
  program.headers["k.h"] = "__global__ void k() { int i = 1; }\n";
  EXPECT_EQ(hostHalfOf(program).text, text);
  program.headers["k.h"] += "int n;\n";
  EXPECT_NE(hostHalfOf(program).text, text);
  program.headers["k.h"] = "__global__ void k() { }\n";
  program.defines["N"] = "4";
  EXPECT_NE(hostHalfOf(program).text, text);
}

TEST(HostHalf, PlacesFollowTheLinesOfTheBodies) {
  const HostHalf before = hostHalfOf(programOf("int a;\n__global__ void k() {\n}\nint b; int c;\n\nint d;\n"));
  const HostHalf after =
      hostHalfOf(programOf("int a;\n__global__ void k() {\n  int i;\n  i++;\n}\nint b; int c;\n\nint d;\n"));
  ASSERT_EQ(before.text, after.text);
  EXPECT_EQ(placeIn(after, before, {"main.cu", 1}).line, 1);
  EXPECT_EQ(placeIn(after, before, {"main.cu", 2}).line, 2);
  EXPECT_EQ(placeIn(after, before, {"main.cu", 4}).line, 6);
  EXPECT_EQ(placeIn(after, before, {"main.cu", 6}).line, 8);
  EXPECT_EQ(placeIn(before, after, {"main.cu", 8}).line, 6);
  EXPECT_EQ(placeIn(after, before, {"main.cu", 0}).line, 0);
  EXPECT_EQ(placeIn(after, before, {"other.cu", 4}).line, 4);
}

TEST(HostHalf, IsCompiledOnce) {
  ASSERT_TRUE(std::filesystem::exists(HALOSCOPE_BINARY)) << "build haloscope: it executes the host's half";
  RunOptions options;
  options.executable = HALOSCOPE_BINARY;
  options.compilerHeaders = std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "clang" / "include";
  const std::string host =
      "\nint main() {\n  int* d;\n  int h = 0;\n  cudaMalloc(&d, sizeof h);\n  cudaMemset(d, 0, 400);\n  k<<<1, "
      "1>>>(d);\n"
      "  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);\n  return h;\n}\n";
  const ProgramRun first = run(programOf("__global__ void k(int* d) { *d = 3; }" + host), options);
  ASSERT_EQ(first.end, ProgramEnd::Exited) << first.message;
  EXPECT_EQ(first.status, 3);
  ASSERT_NE(first.compiled, nullptr);
  options.compiled = first.compiled;
  const ProgramRun second =
      run(programOf("__global__ void k(int* d) {\n  int a = 2;\n  *d = a + 2;\n}" + host), options);
  EXPECT_EQ(second.end, ProgramEnd::Exited) << second.message;
  EXPECT_EQ(second.status, 4) << "the kernel is the new one";
  EXPECT_EQ(second.compiled, first.compiled);
  ASSERT_EQ(second.launches.size(), 1U);
  EXPECT_EQ(second.launches[0].at.line, first.launches[0].at.line + 3);
  ASSERT_EQ(second.findings.size(), 1U) << "the fill is too large";
  EXPECT_EQ(second.findings[0].at.line, first.findings[0].at.line + 3);
  // Another host half is compiled anew.
  const ProgramRun third = run(programOf("__global__ void k(int* d) { *d = 3; }\nint n;" + host), options);
  EXPECT_EQ(third.status, 3);
  EXPECT_NE(third.compiled, first.compiled);
}

}  // namespace
}  // namespace haloscope::running
