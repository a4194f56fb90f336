#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/kernels/Sampled.h"

/// Hostile hand-ins: what each is, and which verdict and sentence it gets.
namespace haloscope::hostile {

namespace fs = std::filesystem;

/// What no page, table or message may contain: the text of a file that was not handed in.
inline const std::string kSecret = "top_secret_of_the_teacher";

inline const std::string kScale =
    "__global__ void scale(const float* in, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = 2 * in[i];\n"
    "}\n";

/// Wall time of a grading, on a machine that does other things, too.
enum class Cost : std::uint8_t {
  Nothing,  ///< nothing is executed, or little
  Limit,    ///< its processor time is used up, or it waits until it is ended
  Much,     ///< it is judged, which takes seconds: its verdict must not depend on how fast the machine is
};
/// --seconds
constexpr int secondsOf(Cost cost) { return cost == Cost::Much ? 60 : 4; }

struct Hostile {
  std::string test;  ///< its name
  std::string file;  ///< of the hand-in, in the folder; a folder ends with /
  std::function<void(const fs::path&)> make;
  std::string verdict;
  std::string sentence;  ///< a regular expression
  Cost cost = Cost::Nothing;
  std::string row{};  ///< the hand-in's name in the list, where it is another one
};
inline void PrintTo(const Hostile& one, std::ostream* out) { *out << one.test; }

inline void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

inline std::function<void(const fs::path&)> text(std::string what) {
  return [what = std::move(what)](const fs::path& path) { write(path, what); };
}

/// The folder of a program: main.cu with `what`, and further files.
inline std::function<void(const fs::path&)> folder(std::string what, std::map<std::string, std::string> more = {}) {
  return [what = std::move(what), more = std::move(more)](const fs::path& path) {
    fs::create_directories(path);
    write(path / "main.cu", what);
    for (const auto& [name, content] : more) { write(path / name, content); }
  };
}

/// The kernel, and a main() with this body.
inline std::string program(const std::string& includes, const std::string& body) {
  std::string all;
  for (std::size_t at = 0; at < includes.size();) {
    const std::size_t end = std::min(includes.find(' ', at), includes.size());
    all += "#include <" + includes.substr(at, end - at) + ">\n";
    at = end + 1;
  }
  return all + kScale + "int main() { " + body + " return 0; }\n";
}

inline std::string repeated(const std::string& what, std::size_t times) {
  std::string all;
  all.reserve(what.size() * times);
  for (std::size_t i = 0; i < times; ++i) { all += what; }
  return all;
}

inline std::string utf16(const std::string& ascii, bool mark) {
  std::string wide = mark ? "\xff\xfe" : "";
  for (const char c : ascii) { wide += {c, '\0'}; }
  return wide;
}

inline std::string replaced(std::string in, const std::string& what, const std::string& by) {
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + by.size())) {
    in.replace(at, what.size(), by);
  }
  return in;
}

inline constexpr const char* kNoFault = "^scale: no fault found";
inline constexpr const char* kHostTooLong = "^The host code did not end within 2 s";

/// Texts that a compiler does not end with, or should not begin with.
inline std::vector<Hostile> texts() {
  std::string tree = "#define A x x x x x x x x x x\n";
  for (char c = 'B'; c <= 'H'; ++c) {
    tree += std::string("#define ") + c + repeated(std::string(" ") + static_cast<char>(c - 1), 10) + "\n";
  }
  std::string kernels;
  std::string stores = "__global__ void k(float* a, int n) {\n";
  for (int i = 0; i < 100; ++i) {
    kernels += "__global__ void k" + std::to_string(i) +
               "(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = " + std::to_string(i) + "; }\n";
  }
  for (int i = 0; i < 3000; ++i) { stores += "  a[n + threadIdx.x + " + std::to_string(i) + "] = 1;\n"; }
  std::map<std::string, std::string> doubling{{"h40.h", "\n"}};
  for (int i = 0; i < 40; ++i) {
    doubling["h" + std::to_string(i) + ".h"] = repeated("#include \"h" + std::to_string(i + 1) + ".h\"\n", 2);
  }
  return {
      {"Macros", "a.cu", text(tree + "__global__ void k(int* a) { int x; H H H H }\n"), "does-not-compile",
       "too many errors emitted"},
      {"TemplateSequence", "a.cu",
       text("template <int N> struct S { enum { v = S<N - 1>::v + S<N - 2>::v }; };\n"
            "__global__ void k(int* a) { a[0] = S<100000>::v; }\n"),
       "does-not-compile", "line 1: recursive template instantiation exceeded maximum depth"},
      {"TemplateRecursion", "a.cu",
       text("template <int N> struct S { static constexpr int v = S<N + 1>::v; };\n"
            "__global__ void k(int* a) { a[0] = S<0>::v; }\n"),
       "does-not-compile", "line 1: recursive template instantiation exceeded maximum depth"},
      {"TemplateTree", "a.cu",
       text("template <int N, int M> struct S { static constexpr int v = S<N - 1, 2 * M>::v + S<N - 1, 2 * M + 1>::v; "
            "};\ntemplate <int M> struct S<0, M> { static constexpr int v = M; };\n"
            "__global__ void k(int* a) { a[0] = S<25, 0>::v; }\n"),
       "does-not-compile", "template instantiation makes more than"},
      {"ConstexprEndless", "a.cu",
       text("constexpr long f(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i % 3; return s; }\n"
            "__global__ void k(long* a) { constexpr long v = f(1L << 60); a[0] = v; }\n"),
       "does-not-compile", "line 2: constexpr variable 'v' must be initialized by a constant expression"},
      {"ConstexprRecursion", "a.cu",
       text("constexpr int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }\n"
            "__global__ void k(int* a) { constexpr int v = f(1 << 30); a[0] = v; }\n"),
       "does-not-compile", "line 2: constexpr variable 'v' must be initialized by a constant expression"},
      {"Nested", "a.cu",
       text("__global__ void k(int* a) { a[0] = " + std::string(60000, '(') + "1" + std::string(60000, ')') + "; }\n"),
       "does-not-compile", "line 1: bracket nesting level exceeded maximum"},
      {"HugeText", "a.cu",
       [](const fs::path& path) {
         write(path, "/");
         fs::resize_file(path, std::uintmax_t{100} << 20);  // zeros
       },
       "not-a-text", "^a.cu is not a text: it contains zero bytes"},
      {"LargeText", "a.cu", text(std::string(std::size_t{100} << 20, '/')), "too-large",
       "^a.cu is too large: it has 100 MiB, and a text may have 256 KiB$"},
      {"OneLongLine", "a.cu", text(kScale + "int a[] = {" + repeated("1,", 100000) + "1};\n"), "does-not-compile",
       "line 5: the text is too large or too deeply nested to be read"},
      {"IncludesItself", "a.cu", text("#include \"a.cu\"\n" + kScale), "does-not-compile",
       "line 1: #include nested too deeply"},
      {"IncludeFileMacro", "a.cu", text("#include __FILE__\n" + kScale), "does-not-compile",
       "#include nested too deeply"},
      {"IncludeCycle", "a/",
       folder("#include \"a.h\"\n" + kScale, {{"a.h", "#include \"b.h\"\n"}, {"b.h", "#include \"a.h\"\n"}}),
       "does-not-compile", "line 1: #include nested too deeply"},
      {"IncludeDoubling", "a/", folder("#include \"h0.h\"\n" + kScale, doubling), "too-long",
       "^judging it took more than 4 s; --seconds N sets the limit$", Cost::Limit},
      {"ManyKernels", "a.cu", text(kernels), "not-compared",
       "^k0: no fault found.*only the first 64 kernels of this text are opened", Cost::Much},
      {"ManyStores", "a.cu", text(stores + "}\n"), "does-not-compile", "k is too large to be checked"},
      {"HugeSharedArray", "a.cu",
       text("__global__ void k(float* a) { __shared__ float s[100000000]; s[threadIdx.x] = 1; a[threadIdx.x] = "
            "s[threadIdx.x]; }\n"),
       "does-not-compile", "line 1: a block needs 400000000 bytes of shared memory, and can have at most 49152"},
      {"HugeLocalArray", "a.cu",
       text("__global__ void k(float* a) { float s[100000000]; s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x]; "
            "}\n"),
       "does-not-compile", "line 1: 's' takes 400000000 bytes"},
      {"HostileHeader", "a.cu",
       text("/* haloscope\ntitle: &a [*a, *a]\nsizes:\n  n: {default: 99999999999999999999, min: 1, max: 2, meaning: "
            "x}\n*/\n" +
            kScale),
       "not-compared", kNoFault},
      {"HeaderOfAliases", "a.cu",
       text("/* haloscope\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c "
            "[*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
            "f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ntitle: *f\n*/\n" +
            kScale),
       "not-compared", kNoFault},
      {"LongNameOfAKernel", "a.cu",
       text("__global__ void " + std::string(50'000, 'k') + "(float* a) { a[threadIdx.x] = 1; }\n"), "does-not-compile",
       "line 1: the text is too large or too deeply nested to be read"},
      {"NameOfAKernel", "a.cu",
       text("__global__ void " + std::string(500, 'k') + "(float* a) { a[threadIdx.x] = 1; }\n"), "not-compared",
       "^kkkkk*…: no fault found"},
      {"LongMessage", "a.cu", text("static_assert(false, \"" + std::string(50'000, 'm') + "\");\n" + kScale),
       "does-not-compile", "line 1: static assertion failed: mmmm"},
      {"MessageFromRightToLeft", "a.cu", text("static_assert(false, \"\u202e<script>alert(1)</script>\");\n" + kScale),
       "does-not-compile", "line 1: static assertion failed: "},
      {"ErrorWithMarkup", "a.cu", text("#error \"<script>alert(1)</script>\"\n" + kScale), "does-not-compile",
       "line 1: \"<script>alert.1.</script>\""},
      {"Empty", "a.cu", text(""), "no-kernel", "^no kernel: no __global__ function with a body$"},
  };
}

/// Bytes that are not what a text of today has.
inline std::vector<Hostile> encodings() {
  constexpr const char* kZeros = "^a.cu is not a text: it contains zero bytes. Save it as UTF-8, not as UTF-16";
  return {
      {"Binary", "a.cu",
       text(std::string("\x7f"
                        "ELF\0\1\2",
                        7)),
       "not-a-text", kZeros},
      {"Utf16", "a.cu", text(utf16(kScale, true)), "not-a-text", kZeros},
      {"Utf16WithoutMark", "a.cu", text(utf16(kScale, false)), "not-a-text", kZeros},
      {"ZeroByte", "a.cu", text(kScale + std::string("// \0\n", 5)), "not-a-text", kZeros},
      {"ByteOrderMark", "a.cu", text("\xef\xbb\xbf" + kScale), "not-compared", kNoFault},
      {"CarriageReturns", "a.cu", text(replaced(kScale, "\n", "\r\n")), "not-compared", kNoFault},
      {"CarriageReturnsAlone", "a.cu", text(replaced(kScale, "\n", "\r")), "not-compared", kNoFault},
      {"Latin1", "a.cu",
       text("// Gr\xfc\xdf"
            "e\n" +
            kScale),
       "not-compared", kNoFault},
      {"ControlCharacters", "a.cu", text(kScale + "// \x1b[2J\x07\x08 \u202e evil \u2066\n"), "not-compared", kNoFault},
  };
}

/// Attempts to read what was not handed in.
inline std::vector<Hostile> readers() {
  const auto includes = [](const std::string& what) { return text("#include \"" + what + "\"\n" + kScale); };
  const auto outside = [](const std::string& what) { return "^line 1: it includes " + what + ", which is neither"; };
  return {
      {"IncludesPasswd", "a.cu", includes("/etc/passwd"), "outside", outside("/etc/passwd")},
      {"IncludesUpwards", "a.cu", includes("../secret.cu"), "outside", outside("../secret.cu")},
      {"IncludesDevZero", "a.cu", includes("/dev/zero"), "outside", outside("/dev/zero")},
      {"IncludesStandardInput", "a.cu", text("#include </dev/stdin>\n" + kScale), "outside", outside("/dev/stdin")},
      {"IncludesItsEnvironment", "a.cu", includes("/proc/self/environ"), "outside", outside("/proc/self/environ")},
      {"IncludesOtherStudent", "a.cu", includes("../good/main.cu"), "outside", outside("../good/main.cu")},
      {"IncludesOtherFile", "a.cu", text("#include \"good.cu\"\n"), "no-kernel", "^no kernel"},
      {"IncludesByMacro", "a.cu", text("#define F \"SECRET\"\n#include F\n" + program("", "")), "does-not-compile",
       "line 2: .*'.*secret.txt' file not found"},
      {"Embeds", "a.cu", text("static const char all[] = {\n#embed \"SECRET\"\n};\n" + program("cstdio", "puts(all);")),
       "does-not-compile", "line 2: .*'.*secret.txt' file not found"},
      {"AsksForOthers", "a.cu",
       text("#if __has_include(\"SECRET\") || __has_include(\"/etc/passwd\") || __has_include(\"../secret.cu\")\n"
            "#error it sees other files\n#endif\n" +
            kScale),
       "not-compared", kNoFault},
      {"IncludesBytesInAssembly", "a.cu",
       text(kScale + "__asm__(\".incbin \\\"SECRET\\\"\");\nint main() { return 0; }\n"), "does-not-compile",
       "Could not find incbin file"},
      {"OpensFiles", "a.cu",
       text(program("cstdio",
                    "char b[99] = {}; FILE* f = fopen(\"SECRET\", \"r\"); if (f) { fread(b, 1, 98, f); "
                    "puts(b); } else { puts(\"none\"); }")),
       "not-compared", kNoFault},
      {"OpensItself", "a.cu", text(program("cstdio", "if (FILE* f = fopen(__FILE__, \"r\")) { puts(\"there\"); }")),
       "not-compared", kNoFault},
      {"WritesFiles", "a.cu",
       text(program("cstdio", "FILE* f = fopen(\"SECRET\", \"w\"); if (f) { fputs(\"x\", f); fclose(f); }")),
       "not-compared", kNoFault},
      {"StartsAShell", "a.cu", text(program("cstdlib", "return system(\"rm -rf SECRET\") == 0;")), "not-compared",
       kNoFault},
      {"OpensASocket", "a.cu", text(program("sys/socket.h", "return socket(2, 1, 0) >= 0;")), "not-compared", kNoFault},
      {"KillsOthers", "a.cu", text(program("csignal unistd.h", "kill(getppid(), 9); kill(-1, 9);")), "not-compared",
       kNoFault},
      {"ReadsItsInput", "a.cu", text(program("cstdio", "while (getchar() != EOF) {}")), "not-compared", kNoFault},
  };
}

/// Host code, and kernels, that do not end, or not as usual.
inline std::vector<Hostile> programs() {
  return {
      {"EndlessKernel", "a.cu", text("__global__ void k(float* a) { while (true) { a[0] += 1; } }\n"), "findings",
       "line 1: "},
      {"ForkBomb", "a.cu", text(program("unistd.h", "for (;;) { fork(); }")), "too-long", kHostTooLong, Cost::Limit},
      {"EndlessHost", "a.cu", text(program("", "volatile int x = 0; for (;;) { x = x + 1; }")), "too-long",
       kHostTooLong, Cost::Limit},
      {"ForkByInstruction", "a.cu",
       text(program("",
                    "for (int i = 0; i < 1000; ++i) { __asm__ volatile(\"syscall\" : : \"a\"(57L) : \"rcx\", "
                    "\"r11\", \"memory\"); }")),
       "not-compared", kNoFault},
      {"CallOfAnotherArchitecture", "a.cu", text(program("", "__asm__ volatile(\"int $0x80\" : : \"a\"(2));")),
       "findings", "^program: The program's process was ended by signal 31"},
      {"Threads", "a.cu",
       text(program("thread vector", "std::vector<std::thread> t; for (;;) { t.emplace_back([] { for (;;) {} }); }")),
       "findings", "exception of type std::system_error", Cost::Limit},
      {"IgnoresSignals", "a.cu",
       text(program("csignal", "for (int i = 1; i < 65; ++i) signal(i, SIG_IGN); for (;;) {}")), "too-long",
       kHostTooLong, Cost::Limit},
      {"Sleeps", "a.cu", text(program("unistd.h", "for (;;) { sleep(1000); }")), "too-long", kHostTooLong, Cost::Limit},
      {"Memory", "a.cu", text(program("vector", "std::vector<char*> v; for (;;) { v.push_back(new char[1 << 28]); }")),
       "findings", "std::bad_alloc"},
      {"HugeAllocation", "a.cu", text(program("", "float* a; cudaMalloc(&a, 1ULL << 62);")), "not-compared", kNoFault},
      {"HugeGrid", "a.cu",
       text(program("",
                    "float* a; cudaMalloc(&a, 400); scale<<<2147483647, 1024>>>(a, a, 100); "
                    "cudaDeviceSynchronize();")),
       // The index of the last blocks passes 2^31.
       "findings", "out of bounds, line 3: in\\[-1024\\] is written by thread", Cost::Much},
      {"Output", "a.cu", text(program("cstdio", "for (;;) puts(\"0123456789012345678901234567890123456789\");")),
       "too-long", kHostTooLong, Cost::Limit},
      {"OutputOfAKernel", "a.cu",
       text("#include <cstdio>\n__global__ void k(int* a) { for (int i = 0; i < 20000; ++i) printf(\"%d %d\\n\", i, "
            "threadIdx.x); a[threadIdx.x] = 1; }\nint main() { int* a; cudaMalloc(&a, 4096); k<<<4, 256>>>(a); "
            "cudaDeviceSynchronize(); return 0; }\n"),
       "not-compared", "^k: no fault found", Cost::Limit},
      {"ClosesDescriptors", "a.cu", text(program("unistd.h", "for (int i = 0; i < 65536; ++i) close(i);")), "findings",
       "^program: The program's process ended with status 0"},
      {"WritesToDescriptors", "a.cu",
       text(program(
           "unistd.h",
           "for (int i = 3; i < 100; ++i) write(i, \"{\\\"format\\\":1,\\\"verdict\\\":\\\"passed\\\"}\", 32);")),
       "not-compared", kNoFault},
      {"Crashes", "a.cu", text(program("", "*(volatile int*)0 = 1;")), "findings",
       "line 5: Host code follows a null pointer"},
      {"RecursesWithoutEnd", "a.cu",
       text(kScale + "int f(int n) { volatile char big[10000]; big[0] = 1; return n ? f(n + 1) + big[0] : 0; }\n"
                     "int main() { return f(1); }\n"),
       "findings", "line 5: The stack overflows"},
      {"JumpsNowhere", "a.cu", text(program("csetjmp", "jmp_buf b; longjmp(b, 1);")), "findings", "^program"},
      {"Throws", "a.cu", text(program("", "throw 1;")), "findings", "line 5: Nothing catches an exception of type int"},
      {"ExitsBeforeMain", "a.cu",
       text("#include <cstdlib>\n" + kScale + "struct A { A() { _Exit(0); } } a;\nint main() { return 0; }\n"),
       "not-compared", kNoFault},
      {"DependsOnTheTime", "a.cu",
       text("#include <cstdio>\n#include <ctime>\n#include <vector>\n" + kScale +
            "int main() {\n  int n = 1000;\n  std::vector<float> h(n, static_cast<float>(clock() % 7));\n"
            "  float *a, *b;\n  cudaMalloc(&a, 4 * n);\n  cudaMalloc(&b, 4 * n);\n"
            "  cudaMemcpy(a, h.data(), 4 * n, cudaMemcpyHostToDevice);\n  scale<<<8, 128>>>(a, b, n);\n"
            "  cudaMemcpy(h.data(), b, 4 * n, cudaMemcpyDeviceToHost);\n"
            "  printf(\"%ld %s %f\\n\", static_cast<long>(time(nullptr)), __TIME__, h[0]);\n  return 0;\n}\n"),
       "not-compared", kNoFault},
      {"ReadsTheGpusClock", "a.cu", text("__global__ void k(long long* a) { a[threadIdx.x] = clock64(); }\n"),
       "not-compared", "^k: no fault found"},
      {"TrapInAssembly", "a.cu", text("__global__ void k(int* a) { asm volatile(\"trap;\"); a[0] = 1; }\n"), "findings",
       "^trap, line 1"},
      {"NoAssembly", "a.cu",
       text("__global__ void k(int* a) { asm volatile(\"open \\\"/etc/passwd\\\";\" ::: \"memory\"); a[0] = 1; }\n"),
       "does-not-compile", "line 1: unsupported: inline assembly 'open'"},
  };
}

/// Texts that say that they are another's.
inline std::vector<Hostile> lines() {
  const std::string undeclared = "__global__ void k(float* a) { a[0] = nothing; }\n";
  constexpr const char* kLine2 = "line 2: use of undeclared identifier 'nothing'$";
  return {
      {"LineOfAnother", "a.cu", text("#line 1 \"good.cu\"\n" + undeclared), "does-not-compile", kLine2},
      {"LineOfASystemFile", "a.cu", text("#line 1 \"/etc/passwd\"\n" + undeclared), "does-not-compile", kLine2},
      {"LineWithMarkup", "a.cu", text("#line 1 \"<script>alert(1)</script>.cu\"\n" + undeclared), "does-not-compile",
       kLine2},
      {"LineTooLarge", "a.cu", text("#line 2147483647\n" + undeclared), "does-not-compile", kLine2},
      {"FindingAtLineOfAnother", "a.cu",
       text("#line 70 \"good.cu\"\n__global__ void k(float* out, const float* in) { __shared__ float s[64]; "
            "s[threadIdx.x] = in[threadIdx.x]; out[threadIdx.x] = s[63 - threadIdx.x]; }\n#line 1 \"/etc/passwd\"\n"
            "int main() { float *a, *b; cudaMalloc(&a, 256); cudaMalloc(&b, 256); cudaMemset(a, 0, 256); k<<<1, "
            "64>>>(b, a); cudaDeviceSynchronize(); return 0; }\n"),
       "findings", "^race in shared memory, line 2: "},
  };
}

/// What is no file, and names.
inline std::vector<Hostile> files() {
  const auto named = [](const std::string& test, const std::string& file, const std::string& row) {
    return Hostile{test, file, text(kScale), "not-compared", kNoFault, Cost::Nothing, row};
  };
  const std::string longName(240, 'n');
  return {
      {"Link", "a.cu",
       [](const fs::path& path) { fs::create_symlink(path.parent_path().parent_path() / "secret.cu", path); },
       "not-a-file", "^a.cu is a symbolic link"},
      {"LinkToDevice", "a.cu", [](const fs::path& path) { fs::create_symlink("/dev/zero", path); }, "not-a-file",
       "^a.cu is a symbolic link"},
      {"LinkToItself", "a.cu", [](const fs::path& path) { fs::create_symlink("a.cu", path); }, "not-a-file",
       "^a.cu is a symbolic link"},
      {"LinkToFolder", "a",
       [](const fs::path& path) { fs::create_directory_symlink(path.parent_path().parent_path(), path); }, "not-a-file",
       "^a is a symbolic link"},
      {"LinkWithinFolder", "a/",
       [](const fs::path& path) {
         folder(kScale)(path);
         fs::create_symlink(path.parent_path().parent_path() / "secret.cu", path / "more.cu");
       },
       "not-a-file", "^more.cu is a symbolic link"},
      {"LinksInALoop", "a/",
       [](const fs::path& path) {
         folder(kScale)(path);
         fs::create_directory_symlink(".", path / "again");
         fs::create_directory_symlink("..", path / "up");
         fs::create_symlink("loop.h", path / "loop.h");
       },
       "not-a-file", "^loop.h is a symbolic link"},
      {"Pipe", "a.cu", [](const fs::path& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }, "not-a-file",
       "^a.cu is not a file but a folder, a pipe or a device$"},
      {"FolderWithinFolderNamedAsAText", "a/",
       [](const fs::path& path) {
         folder(kScale)(path);
         fs::create_directories(path / "x.cu");
       },
       "not-compared", kNoFault},
      {"EmptyFolder", "a/", [](const fs::path& path) { fs::create_directories(path); }, "no-kernel",
       "^it contains no .cu file$"},
      {"NoText", "a/",
       [](const fs::path& path) {
         fs::create_directories(path);
         write(path / "readme.txt", "nothing\n");
       },
       "no-kernel", "^it contains no .cu file$"},
      {"DeepFolders", "a/",
       [](const fs::path& path) {
         fs::path deep = path;
         for (int i = 0; i < 60; ++i) { deep /= "d"; }
         fs::create_directories(deep);
         write(deep / "main.cu", kScale);
       },
       "no-kernel", "^it contains no .cu file$"},
      {"ManyFiles", "a/",
       [](const fs::path& path) {
         fs::create_directories(path);
         for (int i = 0; i < 5000; ++i) { write(path / (std::to_string(i) + ".cu"), kScale); }
       },
       "too-large", "^it has more than 4096 files$"},
      {"NameWithinFolder", "a/", folder(kScale, {{"a;rm -rf.h", ""}}), "not-a-file",
       "^a;rm -rf.h: rename this file to plain letters$"},
      named("NameWithMarkup", "<script>alert(1)<!--.cu", "<script>alert(1)<!--.cu"),
      named("NameWithNewline", "new\nline.cu", "new\\nline.cu"),
      named("NameWithTab", "tab\tbed.cu", "tab\\x09bed.cu"),
      named("NameWithQuotes", "\"quoted\" & 'so'.cu", "\"quoted\" & 'so'.cu"),
      named("NameOfStrayBytes", "stray\xff\xfe.cu", "stray\\xff\\xfe.cu"),
      named("NameFromRightToLeft", "uc.\u202e\u2066gnp.cu", "uc.\\xe2\\x80\\xae\\xe2\\x81\\xa6gnp.cu"),
      named("NameOfOrders", "$(touch owned);`id`.cu", "$(touch owned);`id`.cu"),
      named("NameOfFormats", "%s%n{}{0}.cu", "%s%n{}{0}.cu"),
      named("NameOfAFormula", "=cmd|' '!A1.cu", "=cmd|' '!A1.cu"),
      named("NameOfAnOption", "-o.cu", "-o.cu"),
      named("NameOfSpaces", "  .cu", "  .cu"),
      named("LongName", longName + ".cu", longName + ".cu"),
  };
}

/// All that wait until their time is up but the first of each verdict and sentence, and whatever else is tried.
inline std::vector<Hostile> allHostile() {
  std::vector<Hostile> some;
  std::size_t all = 0;
  std::set<std::string> said;
  for (const auto& list : {texts(), encodings(), readers(), programs(), lines(), files()}) {
    for (const Hostile& one : list) {
      ++all;
      const bool first = said.insert(one.verdict + ": " + one.sentence).second;
      if (test::isThorough() || one.cost != Cost::Limit || first) { some.push_back(one); }
    }
  }
  test::sayTried(some.size(), all, "hostile hand-ins");
  return some;
}

}  // namespace haloscope::hostile
