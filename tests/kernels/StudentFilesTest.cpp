#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "experiment/Check.h"
#include "experiment/Experiment.h"
#include "experiment/ExperimentRunner.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "experiment/StudentFile.h"
#include "simt/Executor.h"

// Whole programs in many styles, opened as they are. A line "// expects: KERNEL matches" says that the kernel is
// recognised and agrees with the reference; "KERNEL clean" that it runs without a fault and writes every element of an
// array, or as many as "KERNEL clean N" says. "// launch: KERNEL GX,GY,GZ BX,BY,BZ BYTES" and
// "// sizes: KERNEL n=64 m=32" say what the host's code means.

namespace haloscope {
namespace {

namespace fs = std::filesystem;

struct Style {
  fs::path path;
  std::string name;
};

std::vector<Style> styles() {
  std::vector<Style> found;
  for (const auto& entry : fs::directory_iterator(fs::path(HALOSCOPE_TEST_DIR) / "styles")) {
    if (entry.path().extension() == ".cu") { found.push_back({entry.path(), entry.path().stem().string()}); }
  }
  std::ranges::sort(found, {}, &Style::name);
  return found;
}

struct Expected {
  std::string kernel, verdict;
  std::int64_t written = 0;
};

std::vector<Expected> expectedOf(const fs::path& path) {
  std::vector<Expected> all;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    constexpr std::string_view kOpening = "// expects: ";
    if (!line.starts_with(kOpening)) { continue; }
    std::istringstream words(line.substr(kOpening.size()));
    Expected one;
    words >> one.kernel >> one.verdict >> one.written;
    all.push_back(one);
  }
  return all;
}

/// The rest of each line of the text that begins so, split at blanks.
std::vector<std::vector<std::string>> linesOf(const fs::path& path, const std::string& opening) {
  std::vector<std::vector<std::string>> all;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(opening)) { continue; }
    std::istringstream words(line.substr(opening.size()));
    all.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  }
  return all;
}

std::string commas(const Dim3& three) {
  return std::to_string(three.x) + "," + std::to_string(three.y) + "," + std::to_string(three.z);
}

std::string listing(const experiment::StudentFile& file) {
  std::ostringstream out;
  for (const frontend::Diagnostic& one : file.diagnostics) {
    out << one.where.line << ":" << one.where.column << ": " << one.message << "\n";
  }
  for (const experiment::ProposedKernel& one : file.kernels) {
    out << one.file.id;
    for (const auto* three : {&one.file.grid, &one.file.block}) {
      out << "  " << (*three)[0].text() << ", " << (*three)[1].text() << ", " << (*three)[2].text() << ";";
    }
    out << "\n";
    for (const SizeParameter& size : one.file.sizes) { out << "  " << size.name << " = " << size.defaultValue << "\n"; }
    for (const ArrayDeclaration& array : one.file.arrays) {
      out << "  " << array.name;
      for (const Expression& extent : array.shape) { out << "[" << extent.text() << "]"; }
      out << "\n";
    }
    for (const std::string& sentence : one.assumptions) { out << "  " << sentence << "\n"; }
  }
  return out.str();
}

struct Ran {
  simt::ExecuteResult result;
  std::int64_t written = 0;  ///< elements that changed
  std::optional<experiment::Comparison> comparison;
};

Ran run(const KernelFile& file) {
  const Bindings bindings = file.bind({});
  const Program program = experiment::compile(file, bindings);
  const Launch initial = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  Launch launch = initial;
  Ran ran;
  ran.result = simt::execute(program, launch);
  for (std::size_t id = 0; id < launch.arrays.size(); ++id) {
    const auto size = static_cast<std::size_t>(sizeInMemory(launch.arrays[id].element));
    const auto& before = initial.arrays[id].bytes;
    const auto& after = launch.arrays[id].bytes;
    for (std::size_t at = 0; at + size <= after.size(); at += size) {
      const auto from = static_cast<std::ptrdiff_t>(at);
      const auto to = static_cast<std::ptrdiff_t>(at + size);
      ran.written += std::equal(after.begin() + from, after.begin() + to, before.begin() + from) ? 0 : 1;
    }
  }
  if (file.computes) {
    ran.comparison = experiment::compareWithReference(file, bindings, program, initial.arrays, launch.arrays);
  }
  return ran;
}

class StyleTest : public ::testing::TestWithParam<Style> {};

TEST_P(StyleTest, OpensUneditedAndRuns) {
  const experiment::StudentFile file = experiment::openStudentFile(GetParam().path);
  const std::vector<Expected> expected = expectedOf(GetParam().path);
  ASSERT_FALSE(expected.empty()) << GetParam().path << " expects nothing";
  for (const Expected& one : expected) {
    SCOPED_TRACE(one.kernel + "\n" + listing(file));
    const auto kernel = std::ranges::find_if(
        file.kernels, [&](const experiment::ProposedKernel& k) { return k.file.kernel == one.kernel; });
    ASSERT_NE(kernel, file.kernels.end());
    EXPECT_EQ(kernel->file.id, kernel->file.path.filename().string() + ":" + one.kernel);
    const Ran ran = run(kernel->file);
    EXPECT_EQ(ran.result.outcome, simt::Outcome::Finished) << ran.result.message;
    EXPECT_EQ(ran.result.outOfBounds, 0U) << ran.result.firstOutOfBoundsMessage;
    EXPECT_GE(ran.written, std::max<std::int64_t>(1, one.written));
    EXPECT_EQ(kernel->file.computes.has_value(), one.verdict == "matches");
    if (ran.comparison) { EXPECT_TRUE(ran.comparison->pass()) << ran.comparison->wrong << " wrong elements"; }
    const experiment::CheckReport report = experiment::check(kernel->file, {});
    for (const analysis::Finding& finding : report.findings) { ADD_FAILURE() << finding.message; }
  }
}

TEST_P(StyleTest, IsLaunchedAsTheHostDoes) {
  const experiment::StudentFile file = experiment::openStudentFile(GetParam().path);
  const auto named = [&](const std::string& name) {
    return std::ranges::find_if(file.kernels, [&](const auto& kernel) { return kernel.file.kernel == name; });
  };
  for (const std::vector<std::string>& launch : linesOf(GetParam().path, "// launch: ")) {
    ASSERT_EQ(launch.size(), 4U);
    const auto kernel = named(launch[0]);
    ASSERT_NE(kernel, file.kernels.end()) << launch[0] << "\n" << listing(file);
    const LaunchConfiguration configuration = kernel->file.configuration(kernel->file.defaults());
    SCOPED_TRACE(listing(file));
    EXPECT_EQ(commas(configuration.grid), launch[1]) << launch[0];
    EXPECT_EQ(commas(configuration.block), launch[2]) << launch[0];
    EXPECT_EQ(std::to_string(configuration.dynamicSharedBytes), launch[3]) << launch[0];
  }
  for (const std::vector<std::string>& sizes : linesOf(GetParam().path, "// sizes: ")) {
    const auto kernel = named(sizes.at(0));
    ASSERT_NE(kernel, file.kernels.end()) << sizes[0];
    std::vector<std::string> read{sizes[0]};
    for (const SizeParameter& size : kernel->file.sizes) {
      read.push_back(size.name + "=" + std::to_string(size.defaultValue));
    }
    EXPECT_THAT(read, ::testing::UnorderedElementsAreArray(sizes)) << listing(file);
  }
}

INSTANTIATE_TEST_SUITE_P(StudentFiles, StyleTest, ::testing::ValuesIn(styles()),
                         [](const auto& style) { return style.param.name; });

experiment::StudentFile open(const std::string& text, const experiment::LaunchOverrides& overrides = {}) {
  return experiment::openStudentText("student.cu", text, overrides);
}

std::string messages(const experiment::StudentFile& file) {
  std::string all;
  for (const frontend::Diagnostic& one : file.diagnostics) { all += one.message + "\n"; }
  return all;
}

TEST(StudentFiles, ErrorInDeviceCodeNamesItsPlace) {
  const auto file = open("__global__ void k(float* a) {\n  a[threadIdx.x] = thredIdx.x;\n}\n");
  EXPECT_TRUE(file.kernels.empty());
  ASSERT_FALSE(file.diagnostics.empty());
  EXPECT_EQ(file.diagnostics[0].where.line, 2);
  EXPECT_EQ(file.diagnostics[0].where.column, 20);
  EXPECT_THAT(messages(file), ::testing::HasSubstr("use of undeclared identifier 'thredIdx'"));
}

TEST(StudentFiles, OneFaultyKernelLeavesTheOthers) {
  const auto file = open(
      "__global__ void bad(float* a) { a[0] = nothing; }\n"
      "__global__ void good(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; "
      "}\n");
  ASSERT_EQ(file.kernels.size(), 1U);
  EXPECT_EQ(file.kernels[0].file.kernel, "good");
  EXPECT_THAT(messages(file), ::testing::HasSubstr("'nothing'"));
}

TEST(StudentFiles, AHeaderThatIsMissingIsNamedWhereAKernelCannotBeRead) {
  const std::string includes = "#include \"grid.h\"\n#include \"cuda_runtime.h\"\n#include <stdio.h>\n";
  const auto unknownType = open(includes + "__global__ void k(Grid grid, float* a) { a[0] = grid.nx; }\n");
  EXPECT_THAT(messages(unknownType), ::testing::HasSubstr("unknown type name 'Grid'"));
  EXPECT_THAT(unknownType.notes,
              ::testing::ElementsAre("grid.h is not beside student.cu: what it declares is not known"));
  const auto known = open(includes + "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
  EXPECT_EQ(known.kernels.size(), 1U);
  EXPECT_THAT(known.notes, ::testing::IsEmpty());
}

std::vector<std::string> unread(const experiment::StudentFile& file) {
  std::vector<std::string> all;
  for (const experiment::UnreadKernel& kernel : file.unread) {
    all.push_back(kernel.kernel + ": " + kernel.errors.at(0).what());
  }
  return all;
}

TEST(StudentFiles, EachKernelThatCannotBeReadSaysWhy) {
  const std::string body = "{ int i = threadIdx.x; a[i] = i; }\n";
  const auto file = open("__global__ void first(float* a) " + body +
                         "__global__ void typo(float* a) { a[0] = none; nobody[0] = 1; }\n"
                         "__global__ void count(float* a) { a[0] = __syncthreads_count(1); }\n"
                         "template <int T> __global__ void tile(float* a) { a[0] = T; }\n"
                         "__global__ void last(float* a) " +
                         body);
  ASSERT_EQ(file.kernels.size(), 2U) << messages(file);
  EXPECT_THAT(unread(file),
              ::testing::ElementsAre("typo: student.cu:2:41: use of undeclared identifier 'none'",
                                     "count: student.cu:3:42: unsupported: __syncthreads_count",
                                     ::testing::HasSubstr("tile: student.cu:4:1: kernel template 'tile' is never")));
  EXPECT_EQ(file.unread[0].errors.size(), 2U) << "and 'nobody'";
  for (const experiment::UnreadKernel& kernel : file.unread) { EXPECT_EQ(kernel.before, 1U) << kernel.kernel; }
}

TEST(StudentFiles, AFaultyHelperIsAFaultOfThoseThatCallIt) {
  const std::string helper = "__device__ float twice(float x) { return x + y; }\n";
  const auto unused = open(helper + "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
  EXPECT_EQ(unused.kernels.size(), 1U) << messages(unused);
  EXPECT_TRUE(unused.unread.empty());
  EXPECT_THAT(unused.notes, ::testing::ElementsAre(::testing::HasSubstr("student.cu:1:46: use of undeclared")));
  const auto used = open(helper + "__global__ void k(float* a) { a[threadIdx.x] = twice(1); }\n");
  EXPECT_THAT(unread(used), ::testing::ElementsAre("k: student.cu:1:46: use of undeclared identifier 'y'"));
  EXPECT_TRUE(used.notes.empty());
}

TEST(StudentFiles, AnErrorInAHeaderNamesTheHeader) {
  const fs::path folder = fs::path(::testing::TempDir()) / "haloscope_header_errors";
  fs::create_directories(folder / "inc");
  std::ofstream(folder / "inc" / "twice.h") << "#pragma once\n__device__ float twice(float x) {\n  return x + y;\n}\n";
  const std::string include = "#include \"inc/twice.h\"\n";
  std::ofstream(folder / "used.cu") << include << "__global__ void k(float* a) { a[threadIdx.x] = twice(1); }\n";
  std::ofstream(folder / "unused.cu") << include << "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n";
  const std::string place = (folder / "inc" / "twice.h").string() + ":3:14: use of undeclared identifier 'y'";
  const auto used = experiment::openStudentFile(folder / "used.cu");
  EXPECT_THAT(unread(used), ::testing::ElementsAre("k: " + place));
  EXPECT_EQ(used.unread.at(0).path, folder / "used.cu");
  const auto unused = experiment::openStudentFile(folder / "unused.cu");
  EXPECT_EQ(unused.kernels.size(), 1U) << messages(unused);
  EXPECT_THAT(unused.notes, ::testing::ElementsAre(::testing::HasSubstr(place)));
  fs::remove_all(folder);
}

TEST(StudentFiles, OverridesCountMoreThanTheText) {
  const std::string text =
      "#define TILE 8\n"
      "__global__ void k(float* a, int n) { int i = blockIdx.x * TILE + threadIdx.x; if (i < n) a[i] = TILE; }\n"
      "int main() { float* d; int n = 100; k<<<(n + TILE - 1) / TILE, TILE>>>(d, n); }\n";
  const auto plain = open(text);
  ASSERT_EQ(plain.kernels.size(), 1U) << messages(plain);
  EXPECT_EQ(plain.kernels[0].file.configuration(plain.kernels[0].file.defaults()).grid, (Dim3{13, 1, 1}));
  experiment::LaunchOverrides overrides;
  overrides.defines["TILE"] = "16";
  overrides.bindings["n"] = "50";
  overrides.block = Dim3{16, 1, 1};
  overrides.grid = Dim3{4, 1, 1};
  const auto changed = open(text, overrides);
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

TEST(StudentFiles, FieldsOfAStructAreBoundByTheirNames) {
  const std::string text =
      "struct Grid { int nx, ny; float scale; };\n"
      "__global__ void k(Grid grid, float* a) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < grid.nx * grid.ny) a[i] = grid.scale;\n}\n"
      "int main() { Grid g; g.nx = 20; g.ny = 10; g.scale = 0.5f; float* d;\n"
      "  cudaMalloc(&d, g.nx * g.ny * sizeof(float)); k<<<(g.nx * g.ny + 31) / 32, 32>>>(g, d); }\n";
  const auto plain = open(text);
  ASSERT_EQ(plain.kernels.size(), 1U) << messages(plain);
  const KernelFile& file = plain.kernels[0].file;
  EXPECT_EQ(file.defaults().at("grid.nx"), 20);
  EXPECT_EQ(file.configuration(file.defaults()).grid, (Dim3{7, 1, 1}));
  const Ran ran = run(file);
  EXPECT_EQ(ran.result.outOfBounds, 0U);
  EXPECT_EQ(ran.written, 200);
  experiment::LaunchOverrides overrides;
  overrides.bindings["grid.nx"] = "8";
  overrides.bindings["grid.scale"] = "3";
  const auto bound = open(text, overrides);
  ASSERT_EQ(bound.kernels.size(), 1U) << messages(bound);
  const KernelFile& changed = bound.kernels[0].file;
  EXPECT_EQ(changed.defaults().at("grid.nx"), 8);
  const Program program = experiment::compile(changed, changed.bind({}));
  const Launch launch = experiment::makeLaunch(changed, changed.bind({}), program, experiment::InputKind::Zero);
  ASSERT_EQ(program.parameters[2].name, "grid.scale");
  EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(launch.arguments[2])), 3.0F);
}

TEST(StudentFiles, AHeadersKernelIsReadAgainWithWhatWasTypedIntoTheHeader) {
  const fs::path folder = fs::path(::testing::TempDir()) / "haloscope_header_kernels";
  fs::create_directories(folder / "inc");
  std::ofstream(folder / "inc" / "values.h") << "#define VALUE (FACTOR * 2.0f)\n";
  std::ofstream(folder / "inc" / "fill.cuh") << "#pragma once\n#include \"values.h\"\n\n"
                                                "__global__ void fill(float* a, int n) {\n"
                                                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                                "  if (i < n) a[i] = VALUE;\n}\n";
  std::ofstream(folder / "main.cu") << "#define FACTOR 3\n#include \"inc/fill.cuh\"\n"
                                       "int main() { int n = 100; fill<<<4, 32>>>(nullptr, n); }\n";
  const auto opened = experiment::openStudentFile(folder / "main.cu");
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
  experiment::Request request;
  request.file = file;
  request.reread = true;
  request.file.text.replace(request.file.text.find("VALUE;"), 6, "VALUE + 1;");
  const experiment::ReadKernel again = experiment::readKernel(request);
  EXPECT_EQ(again.proposed.file.text, request.file.text);
  EXPECT_EQ(valueOf(again.proposed.file), 7);
  request.file = file;
  request.file.path = folder / "main.cu";
  request.file.text = "#define FACTOR 5\n#include \"inc/fill.cuh\"\nint main() { fill<<<4, 32>>>(nullptr, 100); }\n";
  EXPECT_EQ(valueOf(experiment::readKernel(request).proposed.file), 10);
}

TEST(StudentFiles, HeadersBesideTheFileAreRead) {
  const fs::path folder = fs::path(::testing::TempDir()) / "haloscope_student_headers";
  fs::create_directories(folder);
  std::ofstream(folder / "tile.h") << "#pragma once\n#define TILE 32\n"
                                      "__device__ inline float twice(float x) { if (x < 0) return 0; return 2 * x; }\n";
  std::ofstream(folder / "scale.cu") << "#include \"tile.h\"\n#include \"nowhere.h\"\n"
                                        "__global__ void scale(const float* in, float* out, int n) {\n"
                                        "  int i = blockIdx.x * TILE + threadIdx.x;\n"
                                        "  if (i < n) out[i] = twice(in[i]);\n}\n";
  ASSERT_EQ(experiment::studentFilesIn(folder).size(), 1U);
  const auto file = experiment::openStudentFile(experiment::studentFilesIn(folder)[0]);
  ASSERT_EQ(file.kernels.size(), 1U) << messages(file);
  const Ran ran = run(file.kernels[0].file);
  EXPECT_EQ(ran.result.outOfBounds, 0U);
  EXPECT_GE(ran.written, 1000);
  fs::remove_all(folder);
}

TEST(StudentFiles, MissingNamesAreOffered) {
  const auto file = open(
      "__global__ void stencil_kernel(float* in, float* out, unsigned int N) {\n"
      "  unsigned int i = blockIdx.z * OUT_TILE_DIM + threadIdx.z;\n"
      "  out[i] = c0 * in[i];\n}\n");
  ASSERT_EQ(file.kernels.size(), 1U) << messages(file);
  std::vector<std::string> names;
  for (const experiment::MissingValue& value : file.kernels[0].missing) { names.push_back(value.name); }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("OUT_TILE_DIM", "c0"));
  EXPECT_FALSE(file.kernels[0].assumptions.empty());
}

TEST(StudentFiles, UnreadableFileIsAnInputError) {
  EXPECT_THROW(static_cast<void>(experiment::openStudentFile("/nowhere/at/all.cu")), InputError);
  EXPECT_THROW(static_cast<void>(experiment::openStudentText("x.cu", std::string(2U << 20, ' '))), InputError);
}

}  // namespace
}  // namespace haloscope
