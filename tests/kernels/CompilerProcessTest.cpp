#include "frontend/CompilerProcess.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "frontend/Frontend.h"
#include "frontend/Messages.h"
#include "language/Language.h"
#include "lowering/Lowering.h"
#include "program/SourceLocation.h"

namespace {

using namespace haloscope;
using namespace haloscope::frontend;

constexpr const char* kGood = "__global__ void good(float *a) { a[threadIdx.x] *= 2.0f; }\n";

Diagnostic::Kind endOf(const std::string& text) {
  try {
    static_cast<void>(compile("hostile.cu", text));
  } catch (const CompileError& error) { return error.diagnostics().front().kind; }
  return Diagnostic::Kind::Other;
}

/// The processes that this one has started, and theirs.
std::vector<pid_t> descendants() {
  std::vector<pid_t> found{getpid()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(found[i]) + "/task")) {
      std::ifstream children(thread.path() / "children");
      for (pid_t child = 0; children >> child;) { found.push_back(child); }
    }
  }
  found.erase(found.begin());
  return found;
}

/// AddressSanitizer ends a process that has no memory left, or no stack, in its own way.
#ifdef HALOSCOPE_ADDRESS_SANITIZER
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

TEST(CompilerProcess, AnswersAsTheCompilerDoes) {
  const std::string text = std::string(kGood) + "__global__ void bad() { undeclared = 1; }\n";
  const CompileResult asked = compile("a.cu", text, {.defines = {}, .kernel = "good"});
  const CompileResult there = lowering::compile("a.cu", text, {.defines = {}, .kernel = "good"});
  EXPECT_EQ(print(asked.program), print(there.program));
  EXPECT_EQ(asked.kernels, there.kernels);
  EXPECT_EQ(asked.warnings, there.warnings);
  EXPECT_THROW(static_cast<void>(compile("a.cu", text, {.defines = {}, .kernel = "none"})), NoSuchKernel);
  EXPECT_THROW(static_cast<void>(compile("a.cu", text, {.defines = {{"A\nB", "1"}}, .kernel = {}})), InputError);
  try {
    static_cast<void>(compile("a.cu", text, {.defines = {}, .kernel = "bad"}));
    FAIL();
  } catch (const CompileError& error) {
    EXPECT_EQ(error.where().line, 2);
    EXPECT_EQ(error.diagnostics().front().kind, Diagnostic::Kind::UndeclaredIdentifier);
    EXPECT_EQ(error.diagnostics().front().name, "undeclared");
  }
}

TEST(CompilerProcess, ATextThatNeedsTooMuchMemoryHasAnError) {
  if (kSanitized) { GTEST_SKIP() << "under AddressSanitizer a compiler that grows ends in another way"; }
  EXPECT_EQ(endOf("__device__ int far[] = {[1 << 29] = 1};\n" + std::string(kGood)), Diagnostic::Kind::TooMuchMemory);
  EXPECT_EQ(compile("good.cu", kGood).program.kernel, "good");
}

TEST(CompilerProcess, ATextThatTakesTooLongHasAnErrorAndIsNotTriedAgain) {
  if (kSanitized) { GTEST_SKIP() << "under AddressSanitizer a compiler that grows ends in another way"; }
  // The message about the last type has a name of 2^36 letters.
  std::string text = "template <class A, class B> struct Two {};\nusing T0 = int;\n";
  for (int i = 1; i <= 36; ++i) { text += fmt::format("using T{} = Two<T{}, T{}>;\n", i, i - 1, i - 1); }
  text += "__global__ void late(int *a) { T36 x; x.none(); }\n";
  const auto began = std::chrono::steady_clock::now();
  const Diagnostic::Kind how = endOf(text);
  EXPECT_TRUE(how == Diagnostic::Kind::TooMuchTime || how == Diagnostic::Kind::TooMuchMemory);
  const auto first = std::chrono::steady_clock::now();
  EXPECT_EQ(endOf(text), how);
  EXPECT_EQ(summarize(text).diagnostics.front().kind, how);
  EXPECT_LT(std::chrono::steady_clock::now() - first, (first - began) / 2);
}

TEST(CompilerProcess, PragmasForTheCompilersDevelopersAreIgnored) {
  for (const char* what : {"crash", "llvm_fatal_error", "parser_crash", "assert", "llvm_unreachable", "overflow_stack",
                           "handle_crash", "dump good", "exit", "captured", "macro X", "sloc_usage"}) {
    const std::string pragma = std::string("#pragma clang __debug ") + what + "\n";
    const CompileResult result = compile("a.cu", pragma + kGood);
    EXPECT_EQ(result.program.kernel, "good") << what;
  }
}

TEST(CompilerProcess, ANewServerTakesThePlaceOfOneThatWasEnded) {
  static_cast<void>(compile("a.cu", std::string(kGood) + "// 1"));
  for (const pid_t one : descendants()) { kill(one, SIGKILL); }
  EXPECT_EQ(compile("a.cu", std::string(kGood) + "// 2").program.kernel, "good");
}

TEST(CompilerProcess, ATextThatUsesUpTheStackIsSaidToNestTooDeeply) {
  // Each level of the chain is an instance within the one before, and an expression within an expression.
  std::string text =
      "template <class T> struct R { T t; constexpr auto operator+(int) const { return R<R<T>>{{t}}; } };\n";
  text += "__global__ void deep(int *a) { a[0] = sizeof(R<int>{}";
  for (int i = 0; i < 60; ++i) { text += " + 1"; }
  text += "); }\n";
  static_cast<void>(endOf(text));  // whatever it is, it is not this process's
  EXPECT_EQ(compile("good.cu", kGood).program.kernel, "good");
}

TEST(CompilerProcess, AnotherLanguageEndsNoLoweringInBetween) {
  setLanguageFolder(std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "languages");
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([i, &good] {
        const std::string text = std::string(kGood) + "// while the language changes " + std::to_string(i);
        if (compile("a.cu", text).program.kernel == "good") { ++good; }
      });
      setLanguage(i % 2 == 0 ? Language::Chinese : Language::English);
    }
  }
  setLanguage(Language::English);
  EXPECT_EQ(good, 6);
}

TEST(CompilerProcess, SeveralThreadsAskAtATime) {
  std::vector<std::jthread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i, &good] {
      const std::string text = std::string(kGood) + "// thread " + std::to_string(i);
      if (compile("a.cu", text).program.kernel == "good") { ++good; }
    });
  }
  threads.clear();
  EXPECT_EQ(good, 8);
}

// -- forged answers

const Request kAsked{Request::What::Compile, "a.cu", kGood, {}};

TEST(CompilerMessages, ARequestSurvivesItsWay) {
  const Request request{Request::What::Instrument,
                        "a.cu",
                        "text\n",
                        {.defines = {{"A", "1"}, {"B", ""}},
                         .kernel = "k",
                         .prologue = "p",
                         .headers = {{"h.h", "int x;"}},
                         .instances = {"k<1>"},
                         .executed = true}};
  EXPECT_EQ(decodeRequest(encode(request)), request);
}

TEST(CompilerMessages, ATruncatedOrChangedAnswerIsRefusedOrHarmless) {
  const std::vector<std::byte> bytes = encode(Answer{lowering::compile("a.cu", kGood, {})});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(static_cast<void>(decodeAnswer(std::span(bytes).first(size), kAsked)), InputError) << size;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
      std::vector<std::byte> forged = bytes;
      forged[i] ^= static_cast<std::byte>(change);
      try {
        static_cast<void>(decodeAnswer(forged, kAsked));
      } catch (const InputError&) {}
    }
  }
}

TEST(CompilerMessages, AnAnswerOfAnotherKindIsRefused) {
  EXPECT_THROW(static_cast<void>(decodeAnswer(encode(Answer{TextSummary{}}), kAsked)), InputError);
  EXPECT_THROW(static_cast<void>(decodeAnswer(encode(Answer{DeviceText{}}), kAsked)), InputError);
}

Answer refusedAt(const SourceRange& where, const std::string& header = {}) {
  Refusal refusal;
  refusal.diagnostics.push_back({.where = where, .message = "m", .header = header});
  return decodeAnswer(encode(Answer{refusal}), kAsked);
}

/// What the GPU's compiler would get, after a change.
template <typename Change>
void expectForged(Change change) {
  const Request asked{Request::What::DeviceText, "a.cu", "int host();\n" + std::string(kGood), {}};
  DeviceText device = lowering::deviceText(asked.file, asked.text, asked.options);
  EXPECT_NO_THROW(static_cast<void>(decodeAnswer(encode(Answer{device}), asked)));
  change(device);
  EXPECT_THROW(static_cast<void>(decodeAnswer(encode(Answer{device}), asked)), InputError);
}

TEST(CompilerMessages, DeviceCodeIsThatOfTheText) {
  expectForged([](DeviceText& device) { device.text[device.text.find('2')] = '3'; });
  expectForged([](DeviceText& device) { device.text += "\n#include \"/etc/passwd\"\n"; });
  expectForged([](DeviceText& device) { device.prologue += "#include \"/etc/passwd\"\n"; });
  expectForged([](DeviceText& device) { device.prologue.erase(0, 1); });
  expectForged([](DeviceText& device) { device.headers["a.h"] = "int a;"; });
  expectForged([](DeviceText& device) { device.kernel = "good;\n#include \"/etc/passwd\""; });
  expectForged([](DeviceText& device) { device.variables["a"] = "a;"; });
}

TEST(CompilerMessages, AListIsNoLongerThanThatOfAnyText) {
  const Request asked{Request::What::Summarize, {}, kGood, {}};
  TextSummary summary;
  summary.kernels.resize(100'000);
  EXPECT_THROW(static_cast<void>(decodeAnswer(encode(Answer{summary}), asked)), InputError);
}

TEST(CompilerMessages, PlacesAreThoseOfTheText) {
  const Answer within = refusedAt({.line = 1, .column = 3, .endLine = 1, .endColumn = 100'000});
  const int length = static_cast<int>(std::string(kGood).size()) - 1;
  EXPECT_EQ(std::get<Refusal>(within).diagnostics.front().where,
            (SourceRange{.line = 1, .column = 3, .endLine = 1, .endColumn = length + 1}));
  EXPECT_THROW(static_cast<void>(refusedAt({.line = 9, .column = 1, .endLine = 9, .endColumn = 2})), InputError);
  EXPECT_THROW(static_cast<void>(refusedAt({.line = 1, .column = 0, .endLine = 1, .endColumn = 2})), InputError);
  EXPECT_THROW(static_cast<void>(refusedAt({.line = 1, .column = 1, .endLine = 1, .endColumn = 2}, "/etc/passwd")),
               InputError);
}

}  // namespace
