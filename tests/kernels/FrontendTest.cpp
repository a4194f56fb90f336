#include "frontend/Frontend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <thread>

namespace haloscope::frontend {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Program lowered(const std::string& text, const CompileOptions& options = {}) {
  return compile("test.cu", text, options).program;
}

/// The characters of a single-line range.
std::string cut(const std::string& text, const SourceRange& range) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < range.line; ++i) { std::getline(lines, line); }
  if (range.line != range.endLine) return line.substr(static_cast<std::size_t>(range.column - 1)) + "…";
  return line.substr(static_cast<std::size_t>(range.column - 1),
                     static_cast<std::size_t>(range.endColumn - range.column));
}

std::vector<std::string> statementTexts(const std::string& text) {
  std::vector<std::string> texts;
  for (const Statement& statement : lowered(text).statements) { texts.push_back(cut(text, statement.range)); }
  return texts;
}

const Variable& variableNamed(const Program& program, const std::string& name) {
  return *std::ranges::find(program.variables, name, &Variable::name);
}

/// Texts that were lowered before are known.
TEST(Frontend, OneTextWithOtherOptionsIsAnotherProgram) {
  const std::string text =
      "#include \"size.h\"\n__global__ void first(float* out) { __shared__ float s[N + MORE]; s[0] = 1; out[0] = s[0]; "
      "}\n"
      "__global__ void second(float* out) { out[0] = 2; }\n";
  CompileOptions options;
  options.headers["size.h"] = "#define MORE 1\n";
  for (int round = 0; round < 2; ++round) {
    for (int n = 1; n <= 40; ++n) {  // more than are kept
      options.defines["N"] = std::to_string(n);
      EXPECT_EQ(lowered(text, options).sharedBytes(), 4 * (n + 1));
    }
    for (int n = 40; n > 30; --n) {
      options.defines["N"] = std::to_string(n);
      EXPECT_EQ(lowered(text, options).sharedBytes(), 4 * (n + 1));
    }
  }
  options.headers["size.h"] = "#define MORE 2\n";
  EXPECT_EQ(lowered(text, options).sharedBytes(), 4 * (31 + 2));
  EXPECT_EQ(lowered(text + "\n", options).sharedBytes(), 4 * (31 + 2));
  options.kernel = "second";
  EXPECT_EQ(lowered(text, options).kernel, "second");
  EXPECT_EQ(lowered(text, options).sharedBytes(), 0);
}

TEST(Frontend, StatementsFollowTheSource) {
  EXPECT_THAT(statementTexts(R"(__global__ void kernel(float* out, int n) {
  __shared__ float tile_s[8];
  float sum;
  int i = threadIdx.x, j = 2;
  if (i < n) { out[i] = 1.0f; } else j = 3;
  for (int k = 0; k < n; ++k) {
    sum += k;
    if (k > 4) continue;
  }
  for (j = 1; ; j *= 2) break;
  while (j > 0) j--;
  do { j++; } while (j < n);
  __syncthreads();
  return;
})"),
              ElementsAre("int i = threadIdx.x, j = 2", "if (i < n)", "out[i] = 1.0f", "j = 3", "int k = 0", "k < n",
                          "sum += k", "if (k > 4)", "continue", "++k", "j = 1", "break", "j *= 2", "while (j > 0)",
                          "j--", "j++", "while (j < n)", "__syncthreads()", "return"));
}

TEST(Frontend, InstructionsPointAtTheirExpressions) {
  const std::string text = R"(__global__ void kernel(const float* in, float* out, int n) {
  out[threadIdx.x] = 2.0f * in[(threadIdx.y - 1) * n];
})";
  std::vector<std::string> texts;
  for (const Instruction& instruction : lowered(text).code) {
    texts.push_back(std::string(name(instruction.op)) + " " + cut(text, instruction.range));
  }
  EXPECT_THAT(texts, ElementsAre("Statement out[threadIdx.x] = 2.0f * in[(threadIdx.y - 1) * n]", "Sub threadIdx.y - 1",
                                 "Mul (threadIdx.y - 1) * n", "Offset in[(threadIdx.y - 1) * n]",
                                 "Load in[(threadIdx.y - 1) * n]", "Mul 2.0f * in[(threadIdx.y - 1) * n]",
                                 "Offset out[threadIdx.x]", "Store out[threadIdx.x] = 2.0f * in[(threadIdx.y - 1) * n]",
                                 "End }"));
}

TEST(Frontend, MacrosAreFoundWhereTheyAreUsed) {
  const std::string text = R"(#define STORE(value) \
  out[threadIdx.x] = value
__global__ void kernel(float* out) {
  STORE(1.0f);
})";
  const Program program = lowered(text);
  ASSERT_EQ(program.statements.size(), 1U);
  EXPECT_EQ(program.statements[0].range, (SourceRange{4, 3, 4, 14}));
}

TEST(Frontend, VariablesKnowWhereTheyAreVisible) {
  const Program program = lowered(R"(__global__ void kernel(float* out, int n) {
  for (int i = 0; i < n; ++i) {
    float square = i * i;
    out[i] = square;
  }
})");
  EXPECT_EQ(variableNamed(program, "n").scope, (SourceRange{1, 36, 6, 2}));
  EXPECT_EQ(variableNamed(program, "i").scope, (SourceRange{2, 8, 5, 4}));
  EXPECT_EQ(variableNamed(program, "square").scope, (SourceRange{3, 5, 5, 4}));
  EXPECT_EQ(variableNamed(program, "square").declared, (SourceRange{3, 5, 3, 25}));
  EXPECT_TRUE(variableNamed(program, "n").parameter);
  EXPECT_FALSE(variableNamed(program, "i").parameter);
}

TEST(Frontend, LoopsKnowTheirVariableDepthAndBarriers) {
  const Program program = lowered(R"(
__device__ void wait() { for (int k = 0; k < 2; ++k) __syncthreads(); }
__global__ void kernel(float* out, int n) {
  for (int plane = 0; plane < n; ++plane) {
    for (int i = 0; i < n; ++i) out[i] = 0.0f;
    wait();
  }
})");
  ASSERT_EQ(program.loops.size(), 3U);
  const auto describe = [&](const LoopInfo& loop) {
    return program.variables[loop.variable].name + " " + std::to_string(loop.depth) +
           (loop.containsBarrier ? " barrier" : "");
  };
  EXPECT_EQ(describe(program.loops[0]), "plane 0 barrier");
  EXPECT_EQ(describe(program.loops[1]), "i 1");
  EXPECT_EQ(describe(program.loops[2]), "k 1 barrier");
}

TEST(Frontend, InlinedCallsAreFrames) {
  const Program program = lowered(R"(__device__ float twice(float x) { return 2 * x; }
__global__ void kernel(float* out) {
  out[0] = twice(twice(out[1]));
})");
  ASSERT_EQ(program.functions.size(), 3U);
  EXPECT_EQ(program.functions[0].name, "kernel");
  EXPECT_EQ(program.functions[1].name, "twice");
  EXPECT_EQ(program.functions[1].calledAt, (SourceRange{3, 18, 3, 31}));
  EXPECT_EQ(program.functions[2].calledAt, (SourceRange{3, 12, 3, 32}));
  EXPECT_EQ(program.functions[2].range, (SourceRange{1, 1, 1, 50}));
}

TEST(Frontend, ChoosesAKernelByName) {
  const std::string text = "__global__ void a(int* p) { p[0] = 1; }\n__global__ void b(int* q) { q[0] = 2; }\n";
  EXPECT_EQ(lowered(text).kernel, "a");
  EXPECT_EQ(lowered(text, {.defines = {}, .kernel = "b"}).kernel, "b");
  EXPECT_THAT(compile("test.cu", text).kernels, ElementsAre("a", "b"));
  try {
    lowered(text, {.defines = {}, .kernel = "c"});
    FAIL();
  } catch (const CompileError& error) { EXPECT_STREQ(error.what(), "test.cu: no kernel named 'c'; there are: a, b"); }
}

TEST(Frontend, DefinesReachTheTextAndNotThePrelude) {
  const std::string text = "__global__ void kernel(float* p) { p[N] = sqrtf(x); }";
  const Program program = lowered(text, {.defines = {{"N", "3"}, {"x", "2.0f"}, {"T", "int"}}, .kernel = ""});
  EXPECT_THAT(print(program), HasSubstr("Sqrt.F32 2.0f"));
  EXPECT_THROW(lowered(text, {.defines = {{"N", "3\n#define x 1"}}, .kernel = ""}), InputError);
}

TEST(Frontend, AllErrorsAreReported) {
  try {
    lowered("__global__ void kernel(float* p) {\n  p[0] = first;\n  p[1] = second;\n}");
    FAIL();
  } catch (const CompileError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2U);
    EXPECT_STREQ(error.what(), "test.cu:2:10: use of undeclared identifier 'first'");
    EXPECT_EQ(error.diagnostics()[1].where, (SourceRange{3, 10, 3, 16}));
  }
}

TEST(Frontend, DiagnosticsHaveKindsAndNames) {
  using Kind = Diagnostic::Kind;
  const auto only = [](const std::string& line) {
    const std::string text = "#define TILE 8\n__global__ void f(float* out) {\n  int count = 0;\n  " + line + "\n}\n";
    const std::vector<Diagnostic> all = summarize(text).diagnostics;
    EXPECT_EQ(all.size(), 1U) << line;
    return all.empty() ? Diagnostic{} : all.front();
  };
  const Diagnostic undeclared = only("out[0] = width;");
  EXPECT_EQ(undeclared.kind, Kind::UndeclaredIdentifier);
  EXPECT_EQ(undeclared.name, "width");
  EXPECT_EQ(undeclared.suggestion, "");
  const Diagnostic misspelt = only("out[0] = cuont;");
  EXPECT_EQ(misspelt.kind, Kind::UndeclaredIdentifier);
  EXPECT_EQ(misspelt.name, "cuont");
  EXPECT_EQ(misspelt.suggestion, "count");
  const Diagnostic macro = only("out[0] = TLIE;");
  EXPECT_EQ(macro.kind, Kind::UndeclaredIdentifier);
  EXPECT_EQ(macro.suggestion, "TILE");
  EXPECT_THAT(macro.message, HasSubstr("'TILE'"));
  const Diagnostic type = only("vec4 a;");
  EXPECT_EQ(type.kind, Kind::UnknownType);
  EXPECT_EQ(type.name, "vec4");
  EXPECT_EQ(only("out[0] = threadIdx.w;").kind, Kind::UnknownName);
  EXPECT_EQ(only("out[0] = std::nothing(count);").kind, Kind::UnknownName);
  EXPECT_EQ(only("out = count;").kind, Kind::Other);
}

TEST(Frontend, AFailedCallNamesACandidate) {
  const std::string text =
      "__device__ float twice(float x, float y) { return x + y; }\n"
      "__global__ void f(float* out) { out[0] = twice(1.0f); }\n";
  const std::vector<Diagnostic> all = summarize(text).diagnostics;
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all.front().message, HasSubstr("(candidate function"));
}

TEST(Frontend, HostErrorsAreWarnings) {
  const CompileResult result = compile("test.cu", R"(#include "mine.h"
__global__ void kernel(float* p) { p[0] = 1.0f; printf("%f", p[0]); }
Widget makeWidget(int size) { return Widget(size); }
static auto start = currentMillisecond();
)");
  std::vector<std::string> messages;
  for (const Diagnostic& warning : result.warnings) {
    EXPECT_EQ(warning.severity, Diagnostic::Severity::Warning);
    messages.push_back(std::to_string(warning.where.line) + ": " + warning.message);
  }
  EXPECT_THAT(messages, Contains("1: 'mine.h' was not found and is not read"));
  EXPECT_THAT(messages, Contains("2: printf prints nothing here: the call is ignored"));
  EXPECT_THAT(messages, Contains("3: unknown type name 'Widget'"));
  EXPECT_THAT(messages, Contains("4: use of undeclared identifier 'currentMillisecond'"));
}

TEST(Frontend, NothingIsReadFromDisk) {
  EXPECT_THAT(compile("/etc/hostname", "#include </etc/hostname>\n__global__ void kernel() {}").warnings, IsEmpty());
}

TEST(Frontend, ThreadsDoNotDisturbEachOther) {
  const auto text = [](int i) {
    return "__global__ void kernel(float* p) { p[" + std::to_string(i) + "] = " + std::to_string(i) + "; }";
  };
  std::vector<std::string> together(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = print(lowered(text(i))); });
  }
  for (std::thread& thread : threads) { thread.join(); }
  for (int i = 0; i < 4; ++i) { EXPECT_EQ(together[static_cast<std::size_t>(i)], print(lowered(text(i)))); }
}

TEST(Program, CountsSharedMemoryAndFindsObjects) {
  const Program program = lowered(R"(__constant__ float weights[5];
__global__ void kernel(float* out) {
  __shared__ float a_s[4][8];
  __shared__ double b_s[3];
  extern __shared__ int c_s[];
  out[0] = weights[1] + a_s[0][0] + b_s[0] + c_s[0];
})");
  EXPECT_EQ(program.sharedBytes(), 4 * 8 * 4 + 3 * 8);
  EXPECT_EQ(program.objects[program.findObject("weights")].space, MemorySpace::Constant);
  EXPECT_EQ(program.objects[program.findObject("out")].extentsAtLaunch, true);
  EXPECT_EQ(program.findObject("nothing"), kNone);
}

TEST(Program, CountsFloatingOperationsAsWritten) {
  const Program program = lowered(R"(__global__ void kernel(float* out, int i) {
  out[i * 2 + 1] = -fmaf(out[0], 2.0f, sqrtf(out[1])) * 3 + out[2] / 4.0f - (float)i;
})");
  int operations = 0;
  for (const Instruction& instruction : program.code) { operations += floatingOperations(instruction); }
  EXPECT_EQ(operations, 2 + 1 + 1 + 1 + 1 + 1);  // fma, sqrt, *, +, /, -
}

}  // namespace
}  // namespace haloscope::frontend
