#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "OpenedText.h"
#include "Repeated.h"

// Text that is not a kernel, or one that would take forever: a message, in bounded time.

namespace haloscope {
namespace {

/// Only the program's own two kinds of error may come of a text, and those soon.
void openAnything(const std::string& text, const std::string& what) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NO_THROW(fuzz::openText(text)) << what;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 20.0) << what;
}

TEST(HostileTexts, GiveMessagesInBoundedTime) {
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
      {"macro that expands to itself",
       "#define N N + N\n#define M (M)\n" + open + "a[0] = n; }\nvoid f() { k<<<N, M>>>(0, N); }"},
      {"macros that call each other", "#define F(x) G(x)\n#define G(x) F(x) + F(x)\n" + open +
                                          "a[0] = n; }\nvoid f() { k<<<F(1), G(2)>>>(0, F(3)); }"},
      {"unterminated comment", open + "a[0] = 1; } /* "},
      {"unterminated string", open + "a[0] = 1; } const char* s = \"x"},
      {"unterminated launch", open + "a[0] = 1; } void f() { k<<<"},
      {"NUL bytes", open + std::string("a[0]\0 = 1; }\0\0", 14)},
      {"deep parentheses", open + "a[0] = " + test::repeated("(", 20000) + "1" + test::repeated(")", 20000) + "; }"},
      {"deep parentheses of the host", open + "a[0] = 1; } void f() { k<<<" + test::repeated("(", 20000) +
                                           ", 1>>>(0, " + test::repeated("-", 20000) + "1); }"},
      {"deep braces", open + test::repeated("{", 20000)},
      {"a megabyte", test::repeated("int x; // filler\n", 60000)},
      {"the same name again and again", test::repeated("int x; // filler\n", 10000)},
      {"a megabyte of tokens", test::repeated("a b ", 60000)},
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
      {"launches within launches", open + "a[0] = 1; }\nvoid f() { " + test::repeated("k<<<", 60000)},
      {"declarations within declarations", open + "a[0] = 1; }\nvoid f() { " + test::repeated("int x = (x", 25000)},
      {"else if without end", open + test::repeated("if(n){}else ", 20000)},
      {"comparisons of comparisons", open + "a[0] = " + test::repeated("n<", 100000) + "1; }"},
      {"cases on one line", open + "switch (n) { " +
                                [] {
                                  std::string all;
                                  for (int i = 0; i < 9000; ++i) { all += "case " + std::to_string(i) + ": a[0]=1;"; }
                                  return all;
                                }() +
                                "} }"},
      {"a name of a page", open + "a[0] = " + test::repeated("x", 200000) + "; }"},
      {"structures of structures", "struct S0 { float x; };\n" +
                                       [] {
                                         std::string all;
                                         for (int i = 1; i < 60; ++i) {
                                           const std::string before = "S" + std::to_string(i - 1);
                                           all += "struct S" + std::to_string(i) + " { " + before + " a, b; };\n";
                                         }
                                         return all;
                                       }() +
                                       open + "S59 s; a[0] = 1; }"},
      {"thousands of races", open + "__shared__ float s[32];" + test::repeated("s[0]=n;a[0]=s[n];", 3000) + " }"},
      {"division by zero", open + "a[0] = n / 0; } int main() { float* d; k<<<1 / 0, 1 % 0>>>(d, 1 / 0); }"},
  };
  for (const auto& [what, text] : texts) {
    SCOPED_TRACE(what);
    openAnything(text, what);
  }
}

}  // namespace
}  // namespace haloscope
