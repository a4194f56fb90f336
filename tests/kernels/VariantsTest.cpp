#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "CoveringDesign.h"
#include "KernelCatalogue.h"
#include "Sampled.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "frontend/Frontend.h"
#include "simt/Executor.h"

namespace haloscope {
namespace {

using test::catalogue;

namespace fs = std::filesystem;

Program compile(const KernelFile& file, const Bindings& bindings) {
  frontend::CompileOptions options;
  options.defines = file.defines(bindings);
  return frontend::compile(file.path.string(), file.text, options).program;
}

experiment::ReferenceComparison emulate(const KernelFile& file, const Bindings& bindings, const Program& program) {
  const Launch initial = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  Launch launch = initial;
  const simt::ExecuteResult result = simt::execute(program, launch);
  EXPECT_EQ(result.outcome, simt::Outcome::Finished) << result.message;
  EXPECT_EQ(result.outOfBounds, 0U) << result.firstOutOfBoundsMessage;
  return experiment::compareWithReference(file, bindings, program, initial.arrays, launch.arrays);
}

experiment::ReferenceComparison emulate(const KernelFile& file, const Bindings& bindings) {
  return emulate(file, bindings, compile(file, bindings));
}

std::string describe(const Bindings& bindings) {
  std::string text;
  for (const auto& [name, value] : bindings) { text += name + "=" + std::to_string(value) + " "; }
  return text;
}

class VariantTest : public ::testing::TestWithParam<std::string> {
 protected:
  const KernelFile& file() const { return catalogue().at(GetParam()); }

  /// Whether the source after the header contains this name.
  bool isInTheCode(const std::string& name) const {
    const std::string& text = file().text;
    return text.find(name, text.find("*/")) != std::string::npos;
  }

  /// Defaults with all sizes set; several sizes differ slightly, so that swapped ones are detected.
  Bindings sized(std::int64_t size) const {
    Bindings bindings = file().defaults();
    std::int64_t offset = 0;
    for (const SizeParameter& parameter : file().sizes) {
      bindings[parameter.name] = size + offset;
      offset += 3;
    }
    return bindings;
  }

  void expectRight(const Bindings& bindings) const { expectRight(bindings, compile(file(), file().bind(bindings))); }

  /// `program` is the text at these bindings.
  void expectRight(const Bindings& bindings, const Program& program) const {
    SCOPED_TRACE(GetParam() + " " + describe(bindings));
    const experiment::ReferenceComparison comparison = emulate(file(), file().bind(bindings), program);
    EXPECT_TRUE(comparison.pass()) << comparison.wrong << " wrong elements, worst " << comparison.worstElement << " by "
                                   << comparison.maxRelativeError;
  }
};

TEST_P(VariantTest, AgreesWithTheReferenceAtSizesThatDoNotDivide) {
  for (const std::int64_t size : {1, 2, 3, 4, 5, 7, 13, 21, 33, 36}) { expectRight(sized(size)); }
}

TEST_P(VariantTest, AgreesWithTheReferenceAtTileSizesSizesAndTypes) {
  std::set<std::pair<std::string, std::int64_t>> tried, all;
  // 20 is a multiple of 4: vectors are loaded.
  const auto launches = test::coveringLaunches(file(), test::turnOf(file()), {5, 20, 33}, 3, true);
  EXPECT_FALSE(launches.empty());
  test::eachLaunch(launches, [&](const Bindings& bindings) {
    expectRight(bindings);
    for (const Tunable& tunable : file().tunables) { tried.emplace(tunable.name, bindings.at(tunable.name)); }
  });
  for (const Tunable& tunable : file().tunables) {
    // Blocks may have up to 1024 sizes: what only shapes the launch is compiled once.
    std::optional<Program> program;
    if (!isInTheCode(tunable.name)) { program = compile(file(), file().bind(sized(20))); }
    for (const std::int64_t value : test::tileSizesOf(file(), tunable)) {
      if (!all.emplace(tunable.name, value).second || !test::isThorough()) { continue; }
      Bindings bindings = sized(20);
      bindings[tunable.name] = value;
      expectRight(bindings, program ? *program : compile(file(), file().bind(bindings)));
    }
  }
  test::sayTried(test::isThorough() ? all.size() : tried.size(), all.size(), "tile sizes");
}

TEST_P(VariantTest, AgreesWithTheReferenceInEveryType) {
  if (!file().precision) { GTEST_SKIP() << "the text has its types"; }
  for (const ValueType type : file().precision->types) {
    // The variants take turns: large and divided, large and not divided.
    std::vector<std::int64_t> sizes{64, 100};
    if (!test::isThorough()) {
      sizes = {sizes.at(test::turnOf(file()) % 2)};
      test::sayTried(1, 2, "large sizes");
    }
    for (const std::int64_t size : sizes) {
      Bindings bindings = sized(size);
      bindings[file().precision->macro] = Precision::valueOf(type);
      expectRight(bindings);
    }
  }
}

TEST_P(VariantTest, ItsFormulaIsExecutedInEveryType) {
  if (!file().precision) { GTEST_SKIP() << "the text has its types"; }
  for (const ValueType type : file().precision->types) {
    experiment::RunOptions options;
    options.record = false;
    const Bindings chosen = {{file().precision->macro, Precision::valueOf(type)}};
    const auto made = experiment::run(file(), {file().id, chosen, std::nullopt}, options);
    EXPECT_NEAR(made->opPerByte.interiorBlock, *made->opPerByte.formula, 1e-9) << realTypeName(type);
    const ObjectId output = made->program->findObject(file().definition ? file().definition->outputs.front().first
                                                                        : file().computes->output);
    EXPECT_EQ(made->program->objects[output].element, type);
  }
}

TEST_P(VariantTest, IsNotRightByChance) {
  // A kernel with swapped taps must fail the check, or the check is worthless.
  KernelFile mutant = file();
  const Bindings bindings = sized(13);
  if (mutant.definition) {
    for (auto& [name, formula] : mutant.definition->outputs) {
      std::string text = formula.text();
      const std::size_t tap = text.find("-1");
      ASSERT_NE(tap, std::string::npos);
      text.replace(tap, 2, "1");
      formula = TapFormula(text);
    }
    EXPECT_FALSE(emulate(mutant, bindings).pass());
    return;
  }
  ASSERT_TRUE(mutant.computes.has_value());
  mutant.computes->taps = file().taps(bindings);
  mutant.computes->window.clear();
  // Neighbours along one axis may have the same weight, as in a Laplacian.
  const auto& coefficients = mutant.computes->coefficients;
  std::size_t other = 2;
  while (other < coefficients.size() && coefficients[other].text() == coefficients[1].text()) { ++other; }
  ASSERT_LT(other, mutant.computes->taps.size());
  std::swap(mutant.computes->taps[1], mutant.computes->taps[other]);
  EXPECT_FALSE(emulate(mutant, bindings).pass());
}

TEST_P(VariantTest, ItsLargestSizeDoesNotOverflowAnIndex) {
  Bindings bindings = file().defaults();
  for (const SizeParameter& size : file().sizes) { bindings[size.name] = size.maximum; }
  for (const ArrayDeclaration& array : file().arrays) {
    double elements = 1;
    for (const Expression& extent : array.shape) { elements *= extent.evaluate(bindings); }
    EXPECT_LE(elements, 0x7fffffff) << array.name;
  }
}

TEST_P(VariantTest, ComesWithItsStory) {
  EXPECT_FALSE(file().title.empty());
  EXPECT_FALSE(file().book.empty());
  EXPECT_FALSE(file().idea.empty());
  EXPECT_TRUE(file().opPerByte.has_value());
}

INSTANTIATE_TEST_SUITE_P(Kernels, VariantTest, ::testing::ValuesIn(test::catalogueIds()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

TEST(CatalogueTest, ChaptersAreInTheOrderOfTheBookAndWhatGoesBeyondItIsLast) {
  std::vector<std::string> chapters;
  for (const KernelFile& file : catalogue().kernels()) {
    if (chapters.empty() || chapters.back() != file.chapter) { chapters.push_back(file.chapter); }
  }
  EXPECT_THAT(chapters, ::testing::ElementsAre("convolution", "stencil", "laplacian", "beyond", "playground"));
}

TEST(CatalogueTest, HoldsEveryClimb) {
  EXPECT_TRUE(catalogue().problems().empty());
  for (const char* id :
       {"convolution/basic", "convolution/constant", "convolution/tiled_input_block", "convolution/tiled_output_block",
        "convolution/cached_halo", "stencil/basic", "stencil/tiled", "stencil/coarsened", "stencil/register_tiled"}) {
    EXPECT_NE(catalogue().find(id), nullptr) << id;
  }
}

/// A folder with one chapter, removed at the end of the test.
class TemporaryKernels {
 public:
  TemporaryKernels() : root_(fs::path(::testing::TempDir()) / ("kernels" + std::to_string(::getpid()))) {
    fs::create_directories(root_ / "stencil");
  }
  TemporaryKernels(const TemporaryKernels&) = delete;
  TemporaryKernels& operator=(const TemporaryKernels&) = delete;
  ~TemporaryKernels() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / "stencil" / name) << text;
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

TEST(CatalogueTest, ATenthVariantIsOneFile) {
  const TemporaryKernels kernels;
  for (const KernelFile* file : catalogue().chapter("stencil")) {
    kernels.write(file->path.filename().string(), file->text);
  }
  kernels.write("line.cu", R"(/* haloscope
title: 2D 5-point sweep, one row per block
book: none
idea: A new file is a new variant.
sizes:
  N: {default: 20, min: 1, max: 256}
tunables:
  ROW: {default: 32, min: 1, max: 1024}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
  w: {shape: [5]}
launch:
  grid: [ceil(N / ROW), N, 1]
  block: [ROW, 1, 1]
computes:
  output: out
  input: in
  weights: w
  taps: [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]]
  border: keeps its value
op_per_byte: 9 / 40
*/
__global__ void line(const float* in, const float* w, float* out, int N) {
  int row = blockIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= 1 && row < N - 1 && col >= 1 && col < N - 1) {
    const float* at = in + row * N + col;
    out[row * N + col] = w[0] * at[0] + w[1] * at[-1] + w[2] * at[1] + w[3] * at[-N] + w[4] * at[N];
  }
}
)");
  const Catalogue extended = Catalogue::read(kernels.root());
  EXPECT_TRUE(extended.problems().empty());
  ASSERT_EQ(extended.kernels().size(), catalogue().chapter("stencil").size() + 1);
  const auto made = experiment::run(extended, {"stencil/line", {{"ROW", 16}}, std::nullopt});
  EXPECT_NEAR(made->opPerByte.interiorBlock, 9.0 / 40, 0.03);  // 2 of 16 threads of a row lie on the border at N = 20
  EXPECT_GT(made->recording->steps.size(), 3U);
  EXPECT_TRUE(emulate(extended.at("stencil/line"), extended.at("stencil/line").bind({{"N", 37}})).pass());
}

TEST(CatalogueTest, ABrokenHeaderDoesNotHideTheOthers) {
  const TemporaryKernels kernels;
  kernels.write("good.cu", catalogue().at("stencil/basic").text);
  kernels.write("bad.cu", "/* haloscope\nnonsense: 1\n*/\n");
  const Catalogue read = Catalogue::read(kernels.root());
  EXPECT_EQ(read.kernels().size(), 1U);
  ASSERT_EQ(read.problems().size(), 1U);
  EXPECT_THAT(read.problems()[0].what(), ::testing::HasSubstr("bad.cu:2:1: unknown key \"nonsense\""));
}

/// What the emulator leaves in `out`, from random data or from `in`.
ArrayData outputOf(const KernelFile& file, const Bindings& bindings, const ArrayData* in = nullptr) {
  const Program program = compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  if (in != nullptr) { launch.arrays[program.findObject("in")] = *in; }
  EXPECT_EQ(simt::execute(program, launch).outcome, simt::Outcome::Finished);
  return launch.arrays[program.findObject("out")];
}

TEST(ReferenceTest, SeveralStepsAreOneAfterTheOther) {
  const KernelFile& once = catalogue().at("stencil/basic");
  const KernelFile& twice = catalogue().at("beyond/3d_7_two_steps");
  const Bindings bindings = once.bind({{"N", 11}});
  const ArrayData first = outputOf(once, bindings);
  const ArrayData second = outputOf(once, bindings, &first);
  const ArrayData both = outputOf(twice, twice.bind({{"N", 11}}));
  for (std::int64_t element = 0; element < both.elementCount(); ++element) {
    EXPECT_FLOAT_EQ(static_cast<float>(experiment::valueAt(both, element)),
                    static_cast<float>(experiment::valueAt(second, element)));
  }
  KernelFile lazy = once;
  lazy.computes->steps = Expression("2");
  EXPECT_FALSE(emulate(lazy, bindings).pass());
  lazy.computes->steps = Expression("1");
  EXPECT_TRUE(emulate(lazy, bindings).pass());
  KernelFile eager = twice;
  eager.computes->steps = Expression("3");
  EXPECT_FALSE(emulate(eager, twice.bind({{"N", 11}})).pass());
}

TEST(ReferenceTest, PaddingIsNotCompared) {
  const KernelFile& file = catalogue().at("beyond/3d_7_padded");
  const Bindings bindings = file.bind({{"N", 30}});
  const Program program = compile(file, bindings);
  const Launch initial = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  Launch launch = initial;
  EXPECT_EQ(simt::execute(program, launch).outcome, simt::Outcome::Finished);
  ArrayData& out = launch.arrays[program.findObject("out")];
  ASSERT_EQ(out.extents, (std::vector<std::int64_t>{30, 30, 32}));
  const auto wrongAfter = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    const std::int64_t element = (z * 30 + y) * 32 + x;
    const double kept = experiment::valueAt(out, element);
    experiment::setValue(out, element, kept + 1);
    const auto comparison = experiment::compareWithReference(file, bindings, program, initial.arrays, launch.arrays);
    experiment::setValue(out, element, kept);
    EXPECT_EQ(comparison.summed, 28 * 28 * 28);
    return comparison.wrong;
  };
  EXPECT_EQ(wrongAfter(3, 4, 30), 0) << "padding";
  EXPECT_EQ(wrongAfter(3, 4, 31), 0);
  EXPECT_EQ(wrongAfter(3, 4, 29), 1) << "the border";
  EXPECT_EQ(wrongAfter(3, 4, 28), 1);
}

TEST(ReferenceTest, EveryPartOfALargeGridIsCompared) {
  const KernelFile& file = catalogue().at("stencil/basic");
  const Bindings bindings = file.bind({{"N", 128}});
  const Program program = compile(file, bindings);
  const Launch initial = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  Launch launch = initial;
  EXPECT_EQ(simt::execute(program, launch).outcome, simt::Outcome::Finished);
  const auto compare = [&] {
    return experiment::compareWithReference(file, bindings, program, initial.arrays, launch.arrays);
  };
  EXPECT_TRUE(compare().pass());
  EXPECT_EQ(compare().summed, 126 * 126 * 126);
  ArrayData& out = launch.arrays[program.findObject("out")];
  const std::vector<std::int64_t> spoiled{0, 128 * 128 * 40 + 128 * 5 + 7, 128 * 128 * 64 - 1, 128 * 128 * 128 - 1};
  for (const std::int64_t element : spoiled) {
    experiment::setValue(out, element, experiment::valueAt(out, element) + 100);
  }
  const experiment::ReferenceComparison comparison = compare();
  EXPECT_EQ(comparison.wrong, 4);
  std::vector<std::int64_t> found;
  for (const experiment::WrongPoint& point : comparison.firstWrong) { found.push_back(point.element); }
  EXPECT_EQ(found, spoiled);
  EXPECT_EQ(comparison.worstElement, 0) << "a point of the border, which must match exactly";
}

TEST(ReferenceTest, AKernelThatSpoilsItsInputDoesNotPassByIt) {
  const KernelFile& honest = catalogue().at("stencil/basic");
  std::string text = honest.text;
  const std::size_t body = text.find("  if (i >= 1");
  ASSERT_NE(body, std::string::npos);
  const std::size_t name = text.find("const REAL* in,");
  ASSERT_NE(name, std::string::npos);
  text.replace(body, std::string::npos,
               "  if (i < N && j < N && k < N) {\n    in[(i * N + j) * N + k] = 0;\n"
               "    out[(i * N + j) * N + k] = c[0] * 0;\n  }\n}\n");
  text.replace(name, 6, "");
  const KernelFile mutant = KernelFile::parse("stencil/spoils", "spoils.cu", text);
  EXPECT_FALSE(emulate(mutant, mutant.bind({{"N", 9}})).pass());
}

TEST(RecordingTest, OneLargeBlockFitsIntoItsMemory) {
  const auto made = experiment::run(catalogue(), {"stencil/coarsened", {{"IN_TILE_DIM", 32}, {"N", 64}}, std::nullopt});
  ASSERT_FALSE(made->recording->truncated);
  EXPECT_LE(made->recording->byteCount(), std::size_t{64} << 20);
}

/// The book's numbers, from execution.
class KnownAnswerTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const experiment::Experiment> count(const std::string& id, const Bindings& bindings) {
    experiment::RunOptions options;
    options.record = false;
    return experiment::run(catalogue(), {id, bindings, std::nullopt}, options);
  }
};

TEST_F(KnownAnswerTest, StencilClimb) {
  const auto basic = count("stencil/basic", {{"N", 64}});
  EXPECT_NEAR(*basic->opPerByte.formula, 0.464, 0.0005);
  EXPECT_NEAR(basic->opPerByte.interiorBlock, 13.0 / 28, 1e-12);
  const auto tiled = count("stencil/tiled", {{"N", 64}, {"IN_TILE_DIM", 8}});
  EXPECT_NEAR(tiled->opPerByte.interiorBlock, 1.371, 0.0005);
  EXPECT_NEAR(*tiled->opPerByte.formula, 1.371, 0.0005);
  EXPECT_NEAR(tiled->counts.haloFraction.value(), 0.578, 0.0005);
  EXPECT_EQ(tiled->grid.flops, 13U * 62 * 62 * 62);
  EXPECT_EQ(tiled->counts.globalStoreBytes, 4U * 62 * 62 * 62);
  const auto coarsened = count("stencil/coarsened", {{"N", 64}, {"IN_TILE_DIM", 32}});
  EXPECT_NEAR(coarsened->opPerByte.interiorBlock, 2.678, 0.0005);
  EXPECT_EQ(coarsened->counts.sharedBytesPerBlock, 12288);
  const auto registers = count("stencil/register_tiled", {{"N", 64}, {"IN_TILE_DIM", 32}});
  EXPECT_NEAR(registers->opPerByte.interiorBlock, 2.678, 0.0005);
  EXPECT_EQ(registers->counts.sharedBytesPerBlock, 4096);
}

TEST_F(KnownAnswerTest, VectorLoadsMakeFewerRequests) {
  const auto basic = count("stencil/basic", {{"N", 32}, {"BLOCK_X", 32}, {"BLOCK_Y", 1}, {"BLOCK_Z", 1}});
  const auto vectors = count("stencil/vector_loads", {{"N", 32}, {"BLOCK_X", 8}, {"BLOCK_Y", 4}, {"BLOCK_Z", 1}});
  EXPECT_EQ(basic->requests.all.globalRequests, 30U * 30 * (7 + 1)) << "a warp for each row";
  // A warp for four rows: 5 vectors, 2 numbers; 1 vector, 4 numbers at the ends of the rows.
  EXPECT_EQ(vectors->requests.all.globalRequests, 8U * 30 * (7 + 5));
  EXPECT_EQ(vectors->grid.flops, 13U * 30 * 30 * 32) << "at the ends of a row, what is not stored is computed as well";
  // Of 32 lanes that load 16 bytes each: 16 sectors. The outermost rows have no threads.
  const auto line = count("convolution/1d_vector_loads", {{"width", 128}, {"BLOCK_X", 32}});
  EXPECT_EQ(line->requests.all.globalRequests, 3U + 1);
  EXPECT_EQ(line->requests.all.sectors, 4U * 16) << "two vectors, each half a sector, are outside";
}

TEST_F(KnownAnswerTest, TheFormulaIsWhatAnInteriorBlockExecutes) {
  for (const KernelFile& file : catalogue().kernels()) {
    if (file.id == "convolution/cached_halo") { continue; }  // its formula assumes that the cache serves the halo
    const auto made = count(file.id, {});
    EXPECT_NEAR(made->opPerByte.interiorBlock, made->opPerByte.formula.value_or(0), 1e-9) << file.id;
  }
}

TEST_F(KnownAnswerTest, BoundsOfShapes) {
  // The book's bounds: two operations per point of the shape, one load of four bytes.
  EXPECT_NEAR(*count("stencil/2d_5_tiled", {{"IN_TILE_DIM", 32}})->opPerByte.formula, 2.5 * 30 * 30 / (32 * 32), 1e-9);
  EXPECT_NEAR(*count("stencil/2d_13_tiled", {{"IN_TILE_DIM", 32}})->opPerByte.formula, 6.5 * 26 * 26 / (32 * 32), 1e-9);
  const auto seven = count("stencil/3d_19_coarsened", {{"IN_TILE_DIM", 32}, {"N", 96}});
  EXPECT_NEAR(seven->opPerByte.interiorBlock, 9.5 * 26 * 26 * 26 / (32 * 32 * 32), 1e-9);
  EXPECT_EQ(seven->counts.sharedBytesPerBlock, 7 * 4096);
  EXPECT_EQ(count("stencil/3d_27_coarsened", {{"IN_TILE_DIM", 32}})->counts.sharedBytesPerBlock, 3 * 4096);
  EXPECT_EQ(count("stencil/3d_27_register_tiled", {{"IN_TILE_DIM", 32}})->counts.sharedBytesPerBlock, 4096);
}

TEST_F(KnownAnswerTest, AStencilAsAFilterWastes20Of27) {
  const auto filter = count("convolution/stencil_as_filter", {});
  const analysis::Products& products = filter->counts.products;
  const std::uint64_t points = 8 * 4 * 4;
  EXPECT_EQ(products, (analysis::Products{.all = 27 * points, .byZero = 20 * points, .loadsForZero = 20 * points}));
  EXPECT_EQ(filter->counts.globalLoadBytes, 27U * 4 * 22 * 22 * 22);
  EXPECT_EQ(count("stencil/basic", {})->counts.products.byZero, 0U);
}

TEST(LaplacianTest, IsTheSameEverywhereOfAQuadraticField) {
  for (const KernelFile* file : catalogue().chapter("laplacian")) {
    const auto made = experiment::run(catalogue(), {file->id, {{"nx", 37}, {"ny", 14}, {"nz", 9}}, std::nullopt});
    const Program& program = *made->program;
    const ArrayData& f = made->launch->arrays[program.findObject("f")];
    ASSERT_EQ(f.element, ValueType::F64);
    for (std::int64_t z = 1; z < 8; ++z) {
      for (std::int64_t y = 1; y < 13; ++y) {
        // Spacings are powers of two: not even the last bit is rounded.
        for (std::int64_t x = 1; x < 36; ++x) {
          ASSERT_EQ(experiment::valueAt(f, (z * 14 + y) * 37 + x), 3.0) << file->id << " at " << x << ' ' << y;
        }
      }
    }
  }
}

TEST(FirstDerivativeTest, WhatIsShownIsTheSlopeOfAParabola) {
  // For x²/2 at a spacing of 1 all three formulas give x, in half and float up to the rounding of c.
  for (const int points : {3, 5, 7}) {
    const std::string id = "stencil/finite_difference_" + std::to_string(points);
    for (const auto& [bytes, tolerance] : {std::pair{2, 2.0}, std::pair{4, 2e-4}, std::pair{8, 1e-12}}) {
      const auto made = experiment::run(catalogue(), {id, {{"N", 37}, {"REAL", bytes}}, std::nullopt});
      const Program& program = *made->program;
      const ArrayData& c = made->launch->arrays[program.findObject("c")];
      EXPECT_LT(experiment::valueAt(c, points / 2 - 1), 0) << id << ": the point before counts negative";
      const ArrayData& out = made->launch->arrays[program.findObject("out")];
      for (std::int64_t x = points / 2; x < 37 - points / 2; ++x) {
        EXPECT_NEAR(experiment::valueAt(out, x), static_cast<double>(x), tolerance) << id << " with REAL of " << bytes;
      }
    }
  }
}

TEST(CatalogueTest, AFamilyHasOneShape) {
  const auto idsOf = [](const std::string& id) {
    std::vector<std::string> ids;
    for (const KernelFile* file : catalogue().family(catalogue().at(id))) { ids.push_back(file->id); }
    return ids;
  };
  EXPECT_THAT(idsOf("stencil/basic"), ::testing::ElementsAre("stencil/basic", "stencil/tiled", "stencil/coarsened",
                                                             "stencil/register_tiled", "stencil/vector_loads"));
  EXPECT_THAT(idsOf("stencil/2d_9_tiled"), ::testing::ElementsAre("stencil/2d_9_basic", "stencil/2d_9_tiled"));
  EXPECT_THAT(
      idsOf("convolution/stencil_as_filter"),
      ::testing::ElementsAre("convolution/3d_constant", "convolution/3d_tiled", "convolution/stencil_as_filter"));
}

TEST_F(KnownAnswerTest, ConvolutionClimb) {
  EXPECT_NEAR(count("convolution/basic", {})->opPerByte.interiorBlock, 0.25, 1e-12);
  EXPECT_NEAR(count("convolution/constant", {})->opPerByte.interiorBlock, 0.5, 1e-12);
  const auto tiled = count("convolution/tiled_input_block", {{"IN_TILE_DIM", 32}});
  EXPECT_NEAR(tiled->counts.haloFraction.value(), 124.0 / 1024, 1e-12);
  EXPECT_NEAR(tiled->opPerByte.interiorBlock, *tiled->opPerByte.formula, 1e-12);
  const auto output = count("convolution/tiled_output_block", {{"OUT_TILE_DIM", 30}});
  EXPECT_NEAR(output->opPerByte.interiorBlock, tiled->opPerByte.interiorBlock, 1e-12);
}

TEST(ExperimentTest, RefusesABlockBeyondTheLimit) {
  EXPECT_THROW(experiment::run(catalogue(), {"stencil/basic", {{"BLOCK_X", 64}, {"BLOCK_Y", 64}}, std::nullopt}),
               InputError);
  EXPECT_THROW(experiment::run(catalogue(), {"stencil/none", {}, std::nullopt}), InputError);
}

}  // namespace
}  // namespace haloscope
