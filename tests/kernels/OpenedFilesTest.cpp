#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>

#include "ExecutedSupport.h"
#include "OpenedSupport.h"
#include "experiment/InputData.h"
#include "opening/KernelReading.h"
#include "opening/OpenedFile.h"
#include "opening/OpenedFolder.h"
#include "simt/Executor.h"

// Opened files: what is read from them, and the messages for those that cannot be read.

namespace haloscope {
namespace {

namespace fs = std::filesystem;

opening::OpenedFile open(const std::string& text, const opening::LaunchOverrides& overrides = {}) {
  return opening::openText("student.cu", text, overrides);
}

std::string messages(const opening::OpenedFile& file) {
  std::string all;
  for (const frontend::Diagnostic& one : file.diagnostics) { all += one.message + "\n"; }
  return all;
}

TEST(OpenedFiles, ErrorInDeviceCodeNamesItsPlace) {
  const auto file = open("__global__ void k(float* a) {\n  a[threadIdx.x] = thredIdx.x;\n}\n");
  EXPECT_TRUE(file.kernels.empty());
  ASSERT_FALSE(file.diagnostics.empty());
  EXPECT_EQ(file.diagnostics[0].where.line, 2);
  EXPECT_EQ(file.diagnostics[0].where.column, 20);
  EXPECT_THAT(messages(file), ::testing::HasSubstr("use of undeclared identifier 'thredIdx'"));
}

TEST(OpenedFiles, OneFaultyKernelLeavesTheOthers) {
  const auto file = open(
      "__global__ void bad(float* a) { a[0] = nothing; }\n"
      "__global__ void good(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; "
      "}\n");
  ASSERT_EQ(file.kernels.size(), 1U);
  EXPECT_EQ(file.kernels[0].file.kernel, "good");
  EXPECT_THAT(messages(file), ::testing::HasSubstr("'nothing'"));
}

TEST(OpenedFiles, AHeaderThatIsMissingIsNamedWhereAKernelCannotBeRead) {
  const std::string includes = "#include \"grid.h\"\n#include \"cuda_runtime.h\"\n#include <stdio.h>\n";
  const auto unknownType = open(includes + "__global__ void k(Grid grid, float* a) { a[0] = grid.nx; }\n");
  EXPECT_THAT(messages(unknownType), ::testing::HasSubstr("unknown type name 'Grid'"));
  EXPECT_THAT(unknownType.notes,
              ::testing::ElementsAre("grid.h was not found next to student.cu: its declarations are unknown"));
  const auto known = open(includes + "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
  EXPECT_EQ(known.kernels.size(), 1U);
  EXPECT_THAT(known.notes, ::testing::IsEmpty());
}

std::vector<std::string> unread(const opening::OpenedFile& file) {
  std::vector<std::string> all;
  for (const opening::UnreadKernel& kernel : file.unread) {
    all.push_back(kernel.kernel + ": " + kernel.errors.at(0).what());
  }
  return all;
}

TEST(OpenedFiles, EachKernelThatCannotBeReadSaysWhy) {
  const std::string body = "{ int i = threadIdx.x; a[i] = i; }\n";
  const auto file = open("__global__ void first(float* a) " + body +
                         "__global__ void typo(float* a) { a[0] = none; nothing[0] = 1; }\n"
                         "__global__ void grow(float* a) { a = new float[4]; }\n"
                         "template <int T> __global__ void tile(float* a) { a[0] = T; }\n"
                         "__global__ void last(float* a) " +
                         body);
  ASSERT_EQ(file.kernels.size(), 2U) << messages(file);
  EXPECT_THAT(unread(file),
              ::testing::ElementsAre("typo: student.cu:2:41: use of undeclared identifier 'none'",
                                     ::testing::HasSubstr("grow: student.cu:3:"),
                                     ::testing::HasSubstr("tile: student.cu:4:1: kernel template 'tile' is never")));
  EXPECT_EQ(file.unread[0].errors.size(), 2U) << "and 'nothing'";
  for (const opening::UnreadKernel& kernel : file.unread) { EXPECT_EQ(kernel.before, 1U) << kernel.kernel; }
}

TEST(OpenedFiles, AFaultyHelperIsAFaultOfThoseThatCallIt) {
  const std::string helper = "__device__ float twice(float x) { return x + y; }\n";
  const auto unused = open(helper + "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
  EXPECT_EQ(unused.kernels.size(), 1U) << messages(unused);
  EXPECT_TRUE(unused.unread.empty());
  EXPECT_THAT(unused.notes, ::testing::ElementsAre(::testing::HasSubstr("student.cu:1:46: use of undeclared")));
  const auto used = open(helper + "__global__ void k(float* a) { a[threadIdx.x] = twice(1); }\n");
  EXPECT_THAT(unread(used), ::testing::ElementsAre("k: student.cu:1:46: use of undeclared identifier 'y'"));
  EXPECT_TRUE(used.notes.empty());
}

TEST(OpenedFiles, AnErrorInAHeaderNamesTheHeader) {
  const fs::path folder = fs::path(::testing::TempDir()) / "haloscope_header_errors";
  fs::create_directories(folder / "inc");
  std::ofstream(folder / "inc" / "twice.h") << "#pragma once\n__device__ float twice(float x) {\n  return x + y;\n}\n";
  const std::string include = "#include \"inc/twice.h\"\n";
  std::ofstream(folder / "used.cu") << include << "__global__ void k(float* a) { a[threadIdx.x] = twice(1); }\n";
  std::ofstream(folder / "unused.cu") << include << "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n";
  const std::string place = (folder / "inc" / "twice.h").string() + ":3:14: use of undeclared identifier 'y'";
  const auto used = opening::openFile(folder / "used.cu");
  EXPECT_THAT(unread(used), ::testing::ElementsAre("k: " + place));
  EXPECT_EQ(used.unread.at(0).path, folder / "used.cu");
  const auto unused = opening::openFile(folder / "unused.cu");
  EXPECT_EQ(unused.kernels.size(), 1U) << messages(unused);
  EXPECT_THAT(unused.notes, ::testing::ElementsAre(::testing::HasSubstr(place)));
  fs::remove_all(folder);
}

TEST(OpenedFiles, OverridesCountMoreThanTheText) {
  const std::string text =
      "#define TILE 8\n"
      "__global__ void k(float* a, int n) { int i = blockIdx.x * TILE + threadIdx.x; if (i < n) a[i] = TILE; }\n"
      "int main() { float* d; int n = 100; cudaMalloc(&d, 400); k<<<(n + TILE - 1) / TILE, TILE>>>(d, n); }\n";
  const auto plain = test::openExecuted(text);
  ASSERT_EQ(plain.kernels.size(), 1U) << messages(plain);
  EXPECT_EQ(plain.kernels[0].file.configuration(plain.kernels[0].file.defaults()).grid, (Dim3{13, 1, 1}));
  opening::LaunchOverrides overrides;
  overrides.defines["TILE"] = "16";
  overrides.bindings["n"] = "50";
  overrides.block = Dim3{16, 1, 1};
  overrides.grid = Dim3{4, 1, 1};
  const auto changed = test::openExecuted(text, overrides);
  ASSERT_EQ(changed.kernels.size(), 1U) << messages(changed);
  const KernelFile& file = changed.kernels[0].file;
  EXPECT_EQ(file.defaults().at("n"), 50);
  EXPECT_EQ(file.configuration(file.defaults()).grid, (Dim3{4, 1, 1}));
  const Bindings bindings = file.bind({});
  const Program program = experiment::compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Zero);
  ASSERT_EQ(simt::execute(program, launch).outOfBounds, 0U);
  EXPECT_EQ(experiment::valueAt(launch.arrays[0], 49), 16);
  overrides.bindings["m"] = "3";
  EXPECT_THROW(static_cast<void>(open(text, overrides)), InputError);
}

TEST(OpenedFiles, AGridFollowsItsSizesOrTheyStay) {
  const auto opened = [](const std::string& index, const std::string& grid) {
    const std::string text =
        "struct Grid { int nx, nz; };\n"
        "__global__ void step(const float* u, float* next, Grid g) {\n" +
        index +
        "  if (x < 1 || z < 1 || x >= g.nx - 1 || z >= g.nz - 1) return;\n"
        "  int p = z * g.nx + x;\n"
        "  next[p] = u[p - 1] + u[p + 1] + u[p - g.nx] + u[p + g.nx] - 4 * u[p];\n}\n"
        "int main() {\n  Grid g{600, 180};\n  float *u, *next;\n"
        "  cudaMalloc(&u, 600 * 180 * 4);\n  cudaMalloc(&next, 600 * 180 * 4);\n"
        "  cudaMemset(u, 0, 600 * 180 * 4);\n  step<<<" +
        grid + ", dim3(32, 16)>>>(u, next, g);\n}\n";
    return test::openExecuted(text).kernels.at(0).file;
  };
  const auto gridOf = [](const KernelFile& file) { return file.configuration(file.defaults()).grid; };
  const std::string plane =
      "  int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y * blockDim.y + threadIdx.y;\n";
  const KernelFile covering = opened(plane, "dim3(19, 12)");
  EXPECT_EQ(covering.defaults(), (Bindings{{"g.nx", 216}, {"g.nz", 180}})) << "as 600, it leaves 24 of tiles of 64";
  EXPECT_EQ(gridOf(covering), (Dim3{7, 12, 1}));
  const KernelFile tooSmall = opened(plane, "dim3(18, 11)");
  EXPECT_EQ(tooSmall.defaults(), (Bindings{{"g.nx", 600}, {"g.nz", 180}}));
  EXPECT_EQ(gridOf(tooSmall), (Dim3{18, 11, 1}));
  const KernelFile linear = opened(
      "  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
      "  int x = i % g.nx, z = i / g.nx;\n",
      "211");
  EXPECT_EQ(linear.defaults(), (Bindings{{"g.nx", 600}, {"g.nz", 180}}));
  EXPECT_EQ(gridOf(linear), (Dim3{211, 1, 1}));
}

/// A program may reuse a buffer that is larger than what one of its kernels needs.
TEST(OpenedFiles, AnArrayThatIsLongerThanItsUseHasTheShapeOfItsUse) {
  const std::string allocation =
      "int main() { float *a, *b; cudaMalloc(&a, 4000); cudaMalloc(&b, 4000); cudaMemset(a, 0, 4000);\n"
      "  k<<<4, 32>>>(a, b, 100); }\n";
  const auto shapesOf = [&](const std::string& index) {
    const auto file = test::openExecuted(
        "__global__ void k(const float* a, float* b, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) b[i] = a[" +
        index + "];\n}\n" + allocation);
    std::vector<std::string> shapes;
    for (const ArrayDeclaration& array : file.kernels.at(0).file.arrays) { shapes.push_back(array.shape.at(0).text()); }
    return shapes;
  };
  EXPECT_THAT(shapesOf("i"), ::testing::ElementsAre("n", "n"));
  EXPECT_THAT(shapesOf("i + 900"), ::testing::ElementsAre("1000", "1000"));
}

TEST(OpenedFiles, FieldsOfAStructAreBoundByTheirNames) {
  const std::string text =
      "struct Grid { int nx, ny; float scale; };\n"
      "__global__ void k(Grid grid, float* a) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < grid.nx * grid.ny) a[i] = grid.scale;\n}\n"
      "int main() { Grid g; g.nx = 20; g.ny = 10; g.scale = 0.5f; float* d;\n"
      "  cudaMalloc(&d, g.nx * g.ny * sizeof(float)); k<<<(g.nx * g.ny + 31) / 32, 32>>>(g, d); }\n";
  const auto plain = test::openExecuted(text);
  ASSERT_EQ(plain.kernels.size(), 1U) << messages(plain);
  const KernelFile& file = plain.kernels[0].file;
  EXPECT_EQ(file.defaults().at("grid.nx"), 20);
  EXPECT_EQ(file.configuration(file.defaults()).grid, (Dim3{7, 1, 1}));
  const test::Ran ran = test::launched(file);
  EXPECT_EQ(ran.result.outOfBounds, 0U);
  EXPECT_EQ(ran.written, 200);
  opening::LaunchOverrides overrides;
  overrides.bindings["grid.nx"] = "8";
  overrides.bindings["grid.scale"] = "3";
  const auto bound = test::openExecuted(text, overrides);
  ASSERT_EQ(bound.kernels.size(), 1U) << messages(bound);
  const KernelFile& changed = bound.kernels[0].file;
  EXPECT_EQ(changed.defaults().at("grid.nx"), 8);
  const Program program = experiment::compile(changed, changed.bind({}));
  const Launch launch = experiment::makeLaunch(changed, changed.bind({}), program, experiment::InputKind::Zero);
  ASSERT_EQ(program.parameters[2].name, "grid.scale");
  EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(launch.arguments[2])), 3.0F);
}

TEST(OpenedFiles, AHeadersKernelIsReadAgainWithWhatWasTypedIntoTheHeader) {
  const fs::path folder = fs::path(::testing::TempDir()) / "haloscope_header_kernels";
  fs::create_directories(folder / "inc");
  std::ofstream(folder / "inc" / "values.h") << "#define VALUE (FACTOR * 2.0f)\n";
  std::ofstream(folder / "inc" / "fill.cuh") << "#pragma once\n#include \"values.h\"\n\n"
                                                "__global__ void fill(float* a, int n) {\n"
                                                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                                "  if (i < n) a[i] = VALUE;\n}\n";
  std::ofstream(folder / "main.cu") << "#define FACTOR 3\n#include \"inc/fill.cuh\"\n"
                                       "int main() { int n = 100; fill<<<4, 32>>>(nullptr, n); }\n";
  const auto opened = opening::openFile(folder / "main.cu");
  ASSERT_EQ(opened.kernels.size(), 1U) << messages(opened);
  const KernelFile& file = opened.kernels[0].file;
  EXPECT_EQ(file.path.filename(), "fill.cuh");
  EXPECT_EQ(file.includedBy, folder / "main.cu");
  EXPECT_EQ(experiment::compile(file, file.bind({})).kernelRange.line, 4);
  const auto valueOf = [](const KernelFile& kernel) {
    const Program program = experiment::compile(kernel, kernel.bind({}));
    Launch launch = experiment::makeLaunch(kernel, kernel.bind({}), program, experiment::InputKind::Zero);
    static_cast<void>(simt::execute(program, launch));
    return experiment::valueAt(launch.arrays[0], 99);
  };
  EXPECT_EQ(valueOf(file), 6);
  opening::Request request;
  request.file = file;
  request.reread = true;
  request.file.text.replace(request.file.text.find("VALUE;"), 6, "VALUE + 1;");
  const opening::ReadKernel again = opening::readKernel(request);
  EXPECT_EQ(again.proposed.file.text, request.file.text);
  EXPECT_EQ(valueOf(again.proposed.file), 7);
  request.file = file;
  request.file.path = folder / "main.cu";
  request.file.text = "#define FACTOR 5\n#include \"inc/fill.cuh\"\nint main() { fill<<<4, 32>>>(nullptr, 100); }\n";
  EXPECT_EQ(valueOf(opening::readKernel(request).proposed.file), 10);
}

TEST(OpenedFiles, HeadersNextToTheFileAreRead) {
  const fs::path folder = fs::path(::testing::TempDir()) / "haloscope_opened_headers";
  fs::create_directories(folder);
  std::ofstream(folder / "tile.h") << "#pragma once\n#define TILE 32\n"
                                      "__device__ inline float twice(float x) { if (x < 0) return 0; return 2 * x; }\n";
  std::ofstream(folder / "scale.cu") << "#include \"tile.h\"\n#include \"nowhere.h\"\n"
                                        "__global__ void scale(const float* in, float* out, int n) {\n"
                                        "  int i = blockIdx.x * TILE + threadIdx.x;\n"
                                        "  if (i < n) out[i] = twice(in[i]);\n}\n";
  ASSERT_EQ(opening::kernelFilesIn(folder).size(), 1U);
  const auto file = opening::openFile(opening::kernelFilesIn(folder)[0]);
  ASSERT_EQ(file.kernels.size(), 1U) << messages(file);
  const test::Ran ran = test::launched(file.kernels[0].file);
  EXPECT_EQ(ran.result.outOfBounds, 0U);
  EXPECT_GE(ran.written, 1000);
  fs::remove_all(folder);
}

TEST(OpenedFiles, MissingNamesAreOffered) {
  const auto file = open(
      "__global__ void stencil_kernel(float* in, float* out, unsigned int N) {\n"
      "  unsigned int i = blockIdx.z * OUT_TILE_DIM + threadIdx.z;\n"
      "  out[i] = c0 * in[i];\n}\n");
  ASSERT_EQ(file.kernels.size(), 1U) << messages(file);
  std::vector<std::string> names;
  for (const opening::MissingValue& value : file.kernels[0].missing) { names.push_back(value.name); }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("OUT_TILE_DIM", "c0"));
  EXPECT_FALSE(file.kernels[0].assumptions.empty());
}

TEST(OpenedFiles, AMisspeltNameIsNotAMissingOne) {
  const std::string kernel = "__global__ void k(float* a, int n) { int i = threadIdx.x; if (i < n) a[i] = ";
  const auto macro = open("#define BLOCK_SIZE 64\n" + kernel + "BLCOK_SIZE; }\n");
  EXPECT_THAT(unread(macro), ::testing::ElementsAre(::testing::EndsWith(
                                 "2:77: use of undeclared identifier 'BLCOK_SIZE'; did you mean 'BLOCK_SIZE'?")));
  const auto other = open("#define BLOCK_X 8\n" + kernel + "BLOCK_X + BLOCK_Y; }\n");
  ASSERT_EQ(other.kernels.size(), 1U) << messages(other);
  EXPECT_EQ(other.kernels[0].missing.at(0).name, "BLOCK_Y");
  const auto qualifier = open(kernel + "1; }\n__gloabl__ void l(float* a) { a[0] = 1; }\n");
  EXPECT_EQ(qualifier.kernels.size(), 1U) << messages(qualifier);
  EXPECT_THAT(unread(qualifier), ::testing::ElementsAre(::testing::HasSubstr("did you mean '__global__'?")));
}

TEST(OpenedFiles, AProgramsUndeclaredNamesAreErrorsUnlessTheyCanBeMacros) {
  const std::string kernel =
      "__global__ void k(float* a, int height) {\n"
      "  int x = threadIdx.x, y = threadIdx.y;\n  if (x < width && y < height) a[y * width + x] = 1;\n}\n";
  const auto bare = open(kernel);
  ASSERT_EQ(bare.kernels.size(), 1U) << messages(bare);
  EXPECT_EQ(bare.kernels[0].missing.at(0).name, "width");
  const auto program = open(kernel + "int main() { float* a; int width = 100; k<<<1, dim3(16, 16)>>>(a, 50); }\n");
  EXPECT_TRUE(program.kernels.empty());
  EXPECT_THAT(unread(program),
              ::testing::ElementsAre("k: student.cu:3:11: use of undeclared identifier 'width': the "
                                     "variable width of another function is not visible here; pass it as a parameter"));
  const auto tile =
      open("#include <cstdio>\n__global__ void k(float* a) { a[blockIdx.x * TILE_DIM + threadIdx.x] = c0; }\n");
  ASSERT_EQ(tile.kernels.size(), 1U) << messages(tile);
  EXPECT_EQ(tile.kernels[0].missing.size(), 2U);
}

TEST(OpenedFiles, TooMuchSharedMemoryIsPlacedAtTheLargestArray) {
  const auto shared = open(
      "__global__ void k(float* a) {\n  __shared__ float few[4];\n  __shared__ float s[128][128];\n"
      "  few[0] = s[threadIdx.x][0] = a[0]; a[0] = s[0][threadIdx.x]; }\n");
  EXPECT_THAT(unread(shared),
              ::testing::ElementsAre("k: student.cu:3:3: a block needs 65552 bytes of shared memory, and "
                                     "can have at most 49152: s alone takes 65536"));
}

TEST(OpenedFiles, UnspecifiedDynamicSharedMemoryIsAssumed) {
  const std::string kernel =
      "__global__ void k(float* a, int n) {\n  extern __shared__ float s[];\n"
      "  int i = threadIdx.x; s[i] = i; __syncthreads(); if (i < n) a[i] = s[i]; }\n";
  const auto assumptions = [](const opening::OpenedFile& file) {
    std::string all;
    for (const std::string& one : file.kernels.at(0).assumptions) { all += one + "\n"; }
    return all;
  };
  const auto bare = open(kernel);
  EXPECT_THAT(assumptions(bare),
              ::testing::HasSubstr("taken as 6144, which is 1536 elements of s. Use --shared BYTES"));
  EXPECT_TRUE(bare.kernels.at(0).dynamicShared);
  const std::string host = "int main() { float* a; int n = 100; cudaMalloc(&a, n * 4); k<<<1, 128";
  EXPECT_THAT(assumptions(test::openExecuted(kernel + host + ">>>(a, n); }\n")),
              ::testing::HasSubstr("gives no dynamic shared memory"));
  EXPECT_THAT(assumptions(test::openExecuted(kernel + host + ", 512>>>(a, n); }\n")),
              ::testing::Not(::testing::HasSubstr("dynamic")));
  opening::LaunchOverrides overrides;
  overrides.dynamicSharedBytes = 1024;
  const auto given = open(kernel, overrides);
  EXPECT_THAT(assumptions(given), ::testing::Not(::testing::HasSubstr("dynamic")));
  const KernelFile& file = given.kernels.at(0).file;
  EXPECT_EQ(file.configuration(file.defaults()).dynamicSharedBytes, 1024);
}

TEST(OpenedFiles, VariablesInGlobalMemoryBeginAsTheyAreDeclared) {
  const auto file = open(
      "__device__ int ticket;\n__device__ float start[4] = {1, 2};\n"
      "__global__ void k(float* a) { int i = threadIdx.x; a[i] = start[i % 4] + atomicAdd(&ticket, 0); }\n"
      "int main() { float* a; cudaMalloc(&a, 8 * sizeof(float)); k<<<1, 8>>>(a); }\n");
  ASSERT_EQ(file.kernels.size(), 1U) << messages(file);
  const KernelFile& kernel = file.kernels[0].file;
  const Program program = experiment::compile(kernel, kernel.bind({}));
  Launch launch = experiment::makeLaunch(kernel, kernel.bind({}), program, experiment::InputKind::Random);
  EXPECT_EQ(simt::execute(program, launch).outOfBounds, 0U);
  const ArrayData& out = launch.arrays[program.findObject("a")];
  std::vector<double> values;
  for (int i = 0; i < 4; ++i) { values.push_back(experiment::valueAt(out, i)); }
  EXPECT_THAT(values, ::testing::ElementsAre(1, 2, 0, 0));
}

TEST(OpenedFiles, ArraysFollowANumberThatIsGiven) {
  const std::string text =
      "struct Line { int cells; };\n"
      "__global__ void k(float* a, Line line, int twofold) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < line.cells * twofold) a[i] = 1;\n}\n"
      "int main() { Line l; l.cells = 100; int f = 2; float* a; cudaMalloc(&a, l.cells * f * sizeof(float));\n"
      "  k<<<(l.cells * f + 31) / 32, 32>>>(a, l, f); }\n";
  for (const auto& [cells, twofold] : {std::pair(100, 2), std::pair(300, 2), std::pair(100, 5), std::pair(30, 7)}) {
    opening::LaunchOverrides overrides;
    overrides.bindings["line.cells"] = std::to_string(cells);
    overrides.bindings["twofold"] = std::to_string(twofold);
    const auto file = open(text, overrides);
    ASSERT_EQ(file.kernels.size(), 1U) << messages(file);
    const test::Ran ran = test::launched(file.kernels[0].file);
    EXPECT_EQ(ran.result.outOfBounds, 0U) << cells << " " << twofold;
    EXPECT_EQ(ran.written, cells * twofold);
  }
}

TEST(OpenedFiles, AFolderIsSearchedWithItsFolders) {
  const fs::path folder = fs::path(::testing::TempDir()) / "haloscope_hand_ins";
  fs::remove_all(folder);
  for (const char* name : {"zoe/a.cu", "ada/b.cu", "ada/a.cu", "c.cu", "ada/build/x.cu", ".git/x.cu", "zoe/.x.cu",
                           "__MACOSX/x.cu", "ada/build-debug/x.cu", "ada/notes.txt"}) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << "\n";
  }
  std::vector<std::string> names;
  for (const fs::path& path : opening::kernelFilesIn(folder)) {
    names.push_back(path.lexically_relative(folder).string());
  }
  EXPECT_THAT(names, ::testing::ElementsAre("ada/a.cu", "ada/b.cu", "c.cu", "zoe/a.cu"));
  fs::create_directories(folder / "empty");
  EXPECT_THROW(static_cast<void>(opening::kernelFilesIn(folder / "empty")), InputError);
  fs::remove_all(folder);
}

TEST(OpenedFiles, DefinesThatNoTextMentionsAreListed) {
  opening::LaunchOverrides overrides;
  overrides.defines = {{"TILE", "8"}, {"TIEL", "8"}};
  const auto file = open("__global__ void k(float* a) { a[threadIdx.x] = TILE; }\n", overrides);
  EXPECT_THAT(file.unusedDefines, ::testing::ElementsAre("TIEL"));
}

TEST(OpenedFiles, UnreadableFileIsAnInputError) {
  EXPECT_THROW(static_cast<void>(opening::openFile("/nowhere/at/all.cu")), InputError);
  EXPECT_THROW(static_cast<void>(opening::openText("x.cu", std::string(2U << 20, ' '))), InputError);
}

}  // namespace
}  // namespace haloscope
