#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "experiment/StudentFile.h"

// Text that is no kernel, or one that would take forever: a message, in bounded time.

namespace haloscope {
namespace {

namespace fs = std::filesystem;

/// Opens a text; only the program's own two kinds of error may come out of it.
void openAnything(const std::string& text, const std::string& what) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    const auto file = experiment::openStudentText("any.cu", text);
    EXPECT_TRUE(!file.kernels.empty() || !file.diagnostics.empty()) << what << " gives neither a kernel nor a message";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()), "") << what;
  } catch (const SourceError& error) { EXPECT_NE(error.message(), "") << what; }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 20.0) << what;
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) { all += text; }
  return all;
}

TEST(StudentFilesRobustness, HostileTextsGiveMessages) {
  const std::string open = "__global__ void k(float* a, int n) { ";
  const std::vector<std::pair<std::string, std::string>> texts{
      {"nothing", ""},
      {"huge shared array", open + "__shared__ float s[1<<30]; s[n] = 1; a[0] = s[0]; }"},
      {"huge local array", open + "float s[1000000]; s[n] = 1; a[0] = s[n]; }"},
      {"a million blocks", open + "a[blockIdx.x % n] = 1; }\nint main() { float* d; k<<<1000000, 256>>>(d, 100); }"},
      {"endless loop", open + "while (n) a[0] += 1; }"},
      {"endless template",
       "template <int N> struct S { static constexpr int v = S<N + 1>::v; };\n" + open + "a[0] = S<0>::v; }"},
      {"macro bomb", "#define A0 1\n" +
                         [] {
                           std::string lines;
                           for (int i = 1; i < 40; ++i) {
                             const std::string before = "A" + std::to_string(i - 1);
                             lines += "#define A" + std::to_string(i) + " " + before + "+" + before + "\n";
                           }
                           return lines;
                         }() +
                         open + "a[0] = A39; }\nint main() { float* d; k<<<A39, A39>>>(d, A39); }"},
      {"macro of itself", "#define N N + N\n#define M (M)\n" + open + "a[0] = n; }\nvoid f() { k<<<N, M>>>(0, N); }"},
      {"functions of each other", "#define F(x) G(x)\n#define G(x) F(x) + F(x)\n" + open +
                                      "a[0] = n; }\nvoid f() { k<<<F(1), G(2)>>>(0, F(3)); }"},
      {"unterminated comment", open + "a[0] = 1; } /* "},
      {"unterminated string", open + "a[0] = 1; } const char* s = \"x"},
      {"unterminated launch", open + "a[0] = 1; } void f() { k<<<"},
      {"NUL bytes", open + std::string("a[0]\0 = 1; }\0\0", 16)},
      {"deep parentheses", open + "a[0] = " + repeated("(", 20000) + "1" + repeated(")", 20000) + "; }"},
      {"deep parentheses of the host",
       open + "a[0] = 1; } void f() { k<<<" + repeated("(", 20000) + ", 1>>>(0, " + repeated("-", 20000) + "1); }"},
      {"deep braces", open + repeated("{", 20000)},
      {"a megabyte", repeated("int x; // filler\n", 60000)},
      {"the same name again and again", repeated("int x; // filler\n", 10000)},
      {"a megabyte of tokens", repeated("a b ", 60000)},
      {"many kernels",
       [] {
         std::string all;
         for (int i = 0; i < 200; ++i) {
           all += "__global__ void k" + std::to_string(i) + "(float* a) { a[threadIdx.x] = 1; }\n";
         }
         return all;
       }()},
      {"sizes beyond all measure", open + "a[n] = 1; } int main() { float* d; k<<<1e30, 99999999999>>>(d, 1 << 62); }"},
      {"a header that includes itself", "#include \"any.cu\"\n#include \"/etc/passwd\"\n" + open + "a[0] = 1; }"},
      {"a broken header", "/* haloscope\ntitle: [\n*/\n" + open + "a[0] = 1; }"},
      {"a header without a kernel", "/* haloscope\ntitle: x\n*/\n"},
      {"division by zero", open + "a[0] = n / 0; } int main() { float* d; k<<<1 / 0, 1 % 0>>>(d, 1 / 0); }"},
  };
  for (const auto& [what, text] : texts) {
    SCOPED_TRACE(what);
    openAnything(text, what);
  }
}

std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  for (const char* folder : {HALOSCOPE_SOURCE_DIR "/kernels", HALOSCOPE_TEST_DIR "/styles"}) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".cu") { paths.push_back(entry.path()); }
    }
    std::ranges::sort(paths);
    for (const fs::path& path : paths) {
      std::ifstream in(path, std::ios::binary);
      texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  }
  return texts;
}

/// Cuts, doubles, overwrites and splices: what a person's typing and a broken disk both do.
std::string mutated(const std::vector<std::string>& texts, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? std::size_t{0} : random() % n; };
  static const std::vector<std::string> kWords{"0",
                                               "-1",
                                               "99999999999",
                                               "(",
                                               ")",
                                               "{",
                                               "}",
                                               "[",
                                               "]",
                                               ";",
                                               "<<<",
                                               ">>>",
                                               "#define",
                                               "float4",
                                               "__shared__",
                                               "threadIdx.z",
                                               "/*",
                                               "*/",
                                               "return",
                                               "template <int N>",
                                               "\"",
                                               "goto x",
                                               "1 << 30",
                                               "for (;;)",
                                               "N",
                                               "c9",
                                               "__syncthreads();",
                                               ": {",
                                               "\0"};
  std::string text = texts[below(texts.size())];
  const std::size_t edits = 1 + below(4);
  for (std::size_t edit = 0; edit < edits && !text.empty(); ++edit) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(1 + below(60), text.size() - at);
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(at, length));
        break;
      case 2:
        text[at] = static_cast<char>(random());
        break;
      case 3: {
        const std::string& other = texts[below(texts.size())];
        text.insert(at, other.substr(below(other.size()), length));
        break;
      }
      default:
        text.replace(at, below(4), " " + kWords[below(kWords.size())] + " ");
    }
  }
  return text;
}

TEST(StudentFilesRobustness, MutatedKernelsNeverCrash) {
  const std::vector<std::string> texts = seeds();
  ASSERT_GT(texts.size(), 25U);
  std::mt19937 random(20260707);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 200; ++i) {
    const std::string text = mutated(texts, random);
    openAnything(text, "case " + std::to_string(i) + ":\n" + text);
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(18)) { break; }  // on a slow machine
  }
}

}  // namespace
}  // namespace haloscope
