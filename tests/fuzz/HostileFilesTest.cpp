#include <gtest/gtest.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "Repeated.h"

// What `haloscope check` says of files that ask for too much, and what that costs.

namespace haloscope {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int exitCode = -1;
  std::string output;
  double processorSeconds = 0;
  double mebibytes = 0;  ///< at its peak
};

/// A folder of its own, gone with the test.
#ifdef HALOSCOPE_ADDRESS_SANITIZER
constexpr double kSeconds = 100;
#else
constexpr double kSeconds = 20;
#endif

class HostileFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("haloscope-hostile-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path write(const std::string& text) const {
    const fs::path path = folder_ / "any.cu";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  [[nodiscard]] Outcome check(const fs::path& target, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"check", target.string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(std::move(words));
  }

  [[nodiscard]] Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), HALOSCOPE_BINARY);
    std::vector<char*> arguments;
    for (std::string& word : words) { arguments.push_back(word.data()); }
    arguments.push_back(nullptr);
    const fs::path output = folder_ / "output";
    posix_spawn_file_actions_t files{};
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t child = 0;
    const int failed = posix_spawn(&child, HALOSCOPE_BINARY, &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) { throw std::runtime_error("the program cannot be started"); }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    std::ifstream in(output);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            {std::istreambuf_iterator<char>(in), {}},
            seconds(usage.ru_utime) + seconds(usage.ru_stime),
            static_cast<double>(usage.ru_maxrss) / 1024};
  }

  /// One message with these words, within the bounds. `exitCode`: 0 clean, 1 findings, 2 cannot be read.
  void expect(const std::string& what, const fs::path& target, const std::vector<std::string>& more, int exitCode,
              const std::string& words) const {
    SCOPED_TRACE(what);
    const Outcome run = check(target, more);
    EXPECT_EQ(run.exitCode, exitCode) << run.output;
    EXPECT_NE(run.output.find(words), std::string::npos) << run.output;
    EXPECT_LT(run.output.size(), 4000U) << "one message, not a flood";
    EXPECT_LT(run.processorSeconds, kSeconds) << "ten seconds on two cores";
    EXPECT_LT(run.mebibytes, 2048);
  }

 private:
  fs::path folder_;
};

const std::string kBegin = "__global__ void k(float* a, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  ";

TEST_F(HostileFiles, WhatCannotBeReadIsSaidInOneMessage) {
  const auto refused = [&](const std::string& what, const std::string& text, const std::string& words) {
    expect(what, write(text), {}, 2, words);
  };
  refused("recursion", "__device__ int f(int n) { return f(n - 1); }\n" + kBegin + "a[i] = f(n);\n}\n",
          "recursion of 'f'");
  refused("huge shared array", kBegin + "__shared__ float s[1 << 28];\n  s[i] = 1;\n  a[i] = s[i];\n}\n",
          "bytes of shared memory");
  refused("huge local array", kBegin + "float s[1 << 30];\n  s[i] = 1;\n  a[i] = s[i];\n}\n", "'s' takes 4294967296");
  refused("a file that includes itself", "#include \"any.cu\"\n" + kBegin + "if (i < n) a[i] = 1;\n}\n",
          "nested too deeply");
  refused("endless template",
          "template <int N> struct S { static constexpr int v = S<N + 1>::v; };\n" + kBegin + "a[i] = S<0>::v;\n}\n",
          "recursive template instantiation");
  refused(
      "templates without number",
      "template <int N, int M> __device__ int f() {\n  if constexpr (N > 0) return f<N - 1, 2 * M>() + f<N - 1, 2 * "
      "M + 1>();\n  else return M;\n}\n" +
          kBegin + "a[i] = f<30, 1>();\n}\n",
      "template instantiation makes more than 20000 functions and types");
  refused("endless constexpr",
          "constexpr int f(int n) { int s = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) s += j & 1; "
          "return s; }\n" +
              kBegin + "constexpr int z = f(30000);\n  a[i] = z;\n}\n",
          "must be initialized by a constant expression");
  std::string calls = "__device__ float f0(float x) { return x; }\n";
  std::string macros = "#define A0 a[0] + a[1]\n";
  for (int level = 1; level < 40; ++level) {
    const std::string now = std::to_string(level);
    const std::string before = std::to_string(level - 1);
    calls += "__device__ float f" + now + "(float x) { return f" + before + "(x) + f" + before + "(x + 1); }\n";
    macros += "#define A" + now + " A" + before + " + A" + before + "\n";
  }
  refused("calls that explode", calls + kBegin + "a[i] = f39(1);\n}\n", "the kernel is too large");
  refused("macros that explode", macros + kBegin + "a[i] = A39;\n}\n", "too large or too deeply nested");
  refused("ten megabytes", test::repeated("int x; // filler\n", 10 << 16), "larger than 256 KiB");
  refused("a binary file",
          test::repeated(std::string("\x7f"
                                     "ELF\0\1\2",
                                     7),
                         1000),
          "is not a text file");
  refused("nothing", "", "no kernel: no __global__ function with a body");
  const fs::path empty = write("").parent_path() / "empty";
  fs::create_directory(empty);
  expect("a folder without kernels", empty, {}, 2, "contains no .cu file");
}

TEST_F(HostileFiles, AnEndlessLoopIsAFinding) {
  expect("while", write(kBegin + "while (n) a[i] += 1;\n}\n"), {}, 1, "does not end: the values that decide");
}

TEST_F(HostileFiles, LaunchesAreRunUpToALimit) {
  const std::string text = kBegin + "if (i < n) a[i] = 2 * a[i];\n}\n";
  expect("a million blocks", write(text), {"--launch", "1000000,1,1,256,1,1"}, 0, "no fault");
  expect("a million blocks at work", write(text), {"--launch", "1000000,1,1,256,1,1", "--bind", "n=256000000"}, 2,
         "its arrays take 976 MiB");
  expect("the largest grid", write(text), {"--launch", "2147483647,65535,65535,1024,1,1"}, 2,
         "does not end within 250000000 warp instructions");
  const std::string cube =
      "__global__ void k(const float* in, float* out, int N) {\n  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n  int z = blockIdx.z * blockDim.z + threadIdx.z;\n"
      "  if (x < N && y < N && z < N) out[(z * N + y) * N + x] = in[(z * N + y) * N + x];\n}\n";
  expect("a cube of a thousand", write(cube), {"--bind", "N=1000"}, 2, "its arrays take 7629 MiB");
  expect("a cube of a million", write(cube), {"--bind", "N=1000000"}, 2, "the grid has 125000 blocks along y");
  const std::string header =
      "/* haloscope\ntitle: x\nsizes:\n  N: {default: 1000000, min: 1, max: 1000000}\narrays:\n  in: {shape: [N, N, "
      "N]}\n  out: {shape: [N, N, N]}\nlaunch: {grid: [65535, 65535, 65535], block: [8, 8, 8]}\n*/\n";
  expect("a cube of a million by its header", write(header + cube), {}, 2, "more than 16 GiB");
}

TEST_F(HostileFiles, AProgramCostsWhatItsArraysHold) {
  const auto program = [](const std::string& launch) {
    return "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"
           "int main() {\n  float* a;\n  cudaMalloc(&a, size_t{1000} << 20);\n  " +
           launch + "\n  cudaDeviceSynchronize();\n  cudaFree(a);\n}\n";
  };
  const Outcome unused = check(write(program("")), {});
  EXPECT_LT(unused.mebibytes, 500) << unused.output;
  const Outcome used = check(write(program("k<<<1, 32>>>(a);")), {});
  EXPECT_GT(used.mebibytes, 1000) << "it is there";
  EXPECT_LT(used.mebibytes, 1500) << used.output;
}

/// Each request to the compiler takes far less than a second, and there are hundreds of them.
TEST_F(HostileFiles, ManyKernelsHaveOneLimit) {
  std::string text =
      "template <int N> __global__ void k(float* a) { a[threadIdx.x] = N; }\n"
      "#define A template __global__ void k<__COUNTER__>(float*);\n#define B A A A A A A A A A A\n"
      "#define C B B B B B B B B B B\n#define D C C C C C C C C C C\n";
  text += test::repeated("D ", 20) + "\n";
  const fs::path program = write("#include \"0.h\"\n#include \"1.h\"\n#include \"2.h\"\n#include \"3.h\"\n");
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i);
    std::ofstream(program.parent_path() / (number + ".h")) << "namespace n" << number << " {\n" << text << "}\n";
  }
  const auto begin = std::chrono::steady_clock::now();
  const Outcome all = check(program, {"--quiet"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(120)) << "20 s to read it, 60 to check it";
  EXPECT_EQ(all.exitCode, 2) << all.output;
  EXPECT_LT(all.mebibytes, 1024);
}

/// yaml-cpp would keep 250 bytes for each bracket.
TEST_F(HostileFiles, ASessionOfBracketsCostsItsText) {
  const std::string begin = "haloscope session: 1\nscenes: [";
  for (const char* piece : {"[", "{", "!t ", "\"a\"", "&a ", "? ", ", ", "[\n"}) {
    const fs::path path = write("").parent_path() / "any.haloscope";
    std::ofstream(path, std::ios::binary) << begin << test::repeated(piece, 4'000'000);
    const Outcome all = run({"session", "--check", path.string()});
    EXPECT_EQ(all.exitCode, 2) << piece << all.output;
    EXPECT_NE(all.output.find("this is not valid YAML"), std::string::npos) << piece << all.output;
    EXPECT_LT(all.mebibytes, 512) << piece;
  }
}

/// What a link in a stranger's folder leads to is the user's.
TEST_F(HostileFiles, LinksAreNotFollowed) {
  const fs::path program = write(
      "#if 0\n#include \"h.h\"\n#include \"below/more.h\"\n#endif\n__device__ const char "
      "text[] = {\n#embed \"h.h\"\n, 0};\n" +
      kBegin + "a[i] = text[i];\n}\nint main() {}\n");
  const fs::path folder = program.parent_path();
  const fs::path secret = fs::temp_directory_path() / ("haloscope-secret-" + std::to_string(getpid()));
  fs::create_directory(secret);
  for (const char* name : {"secret.h", "more.h", "kernel.cu"}) { std::ofstream(secret / name) << "SECRET\n"; }
  fs::create_symlink(secret / "secret.h", folder / "h.h");
  fs::create_directory_symlink(secret, folder / "below");
  fs::create_symlink(secret / "kernel.cu", folder / "kernel.cu");
  for (const char* command : {"check", "run"}) {
    for (const fs::path& target : {program, folder}) {
      EXPECT_EQ(run({command, target.string()}).output.find("SECRET"), std::string::npos) << command << target;
    }
  }
  EXPECT_NE(run({"check", program.string()}).output.find("'h.h' file not found"), std::string::npos);
  fs::remove_all(secret);
}

/// Also not from a header of kernels, which is opened as a text of its own.
TEST_F(HostileFiles, HeadersFarAboveTheNamedFileAreNotRead) {
  const fs::path folder = write("").parent_path() / "project" / "kernels" / "more";
  fs::create_directories(folder);
  std::ofstream(folder.parent_path().parent_path().parent_path() / "secret.h") << "#define SECRET 4242\n";
  std::ofstream(folder.parent_path().parent_path() / "kernel.cuh")
      << "#include \"../secret.h\"\n__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"
         "#if SECRET == 4242\n__global__ void smuggled(float* a) { a[threadIdx.x] = SECRET; }\n#endif\n";
  std::ofstream(folder / "main.cu") << "#include \"../../kernel.cuh\"\n";
  for (const char* command : {"check", "run"}) {
    EXPECT_EQ(run({command, (folder / "main.cu").string()}).output.find("smuggled"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace haloscope
