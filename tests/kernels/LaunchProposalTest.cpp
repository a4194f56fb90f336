#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "opening/BlockStride.h"
#include "opening/OpenedFile.h"
#include "simt/Executor.h"

// Kernels without host code: the launch is proposed from the kernel's source.

namespace haloscope {
namespace {

/// The file of the only kernel in `text`.
KernelFile proposed(const std::string& text) {
  const opening::OpenedFile file = opening::openText("student.cu", text, {});
  if (file.kernels.size() != 1) {
    throw InputError(file.diagnostics.empty() ? "no kernel" : file.diagnostics[0].message);
  }
  return file.kernels[0].file;
}

std::string shapeOf(const KernelFile& file, const std::string& name) {
  const auto array = std::ranges::find(file.arrays, name, &ArrayDeclaration::name);
  std::string text;
  if (array == file.arrays.end()) { return text; }
  for (const Expression& extent : array->shape) { text += "[" + extent.text() + "]"; }
  return text;
}

simt::ExecuteResult executed(const KernelFile& file) {
  const Bindings bindings = file.defaults();
  const Program program = experiment::compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  return simt::execute(program, launch, {}, {.instructionBudget = 200'000});
}

std::string tiled(const std::string& guard) {
  return R"(
#define R 2
#define IN_TILE 16
#define OUT_TILE (IN_TILE - 2 * R)
__constant__ float F[2 * R + 1][2 * R + 1];
__global__ void convolveTiled(float* image, float* result, int width) {
  __shared__ float tile[IN_TILE][IN_TILE];
  int bx = blockIdx.x;
  int col = bx * OUT_TILE + threadIdx.x - R;
  int row = OUT_TILE * blockIdx.y + threadIdx.y - R;
  bool inside = row >= 0 && row < width && col >= 0 && col < width;
  tile[threadIdx.y][threadIdx.x] = inside ? image[row * width + col] : 0.0f;
  __syncthreads();
  int y = threadIdx.y - R, x = threadIdx.x - R;
  if (y >= 0 && y < OUT_TILE && x >= 0 && x < OUT_TILE)" +
         guard + R"() {
    float sum = 0;
    for (int i = 0; i < 2 * R + 1; ++i)
      for (int j = 0; j < 2 * R + 1; ++j) sum += F[i][j] * tile[y + i][x + j];
    result[row * width + col] = sum;
  }
})";
}

TEST(LaunchProposal, TheStepOfTheBlocksIsReadFromTheText) {
  const KernelFile file = proposed(tiled(" && row < width && col < width"));
  EXPECT_EQ(file.block[0].text(), "16");
  EXPECT_EQ(file.block[1].text(), "16");
  EXPECT_EQ(file.grid[0].text(), "ceil(width / 12)");
  EXPECT_EQ(file.grid[1].text(), "ceil(width / 12)");
  EXPECT_EQ(executed(file).outOfBounds, 0U);
}

TEST(LaunchProposal, AStoreWithoutItsGuardIsWhatTheArrayIsGiven) {
  const KernelFile file = proposed(tiled(""));
  EXPECT_EQ(file.grid[0].text(), "ceil(width / 12)");
  EXPECT_EQ(executed(file).outOfBounds, 0U) << "the size of the array is unknown";
  EXPECT_TRUE(file.assumedArrays.contains("result"));
}

TEST(LaunchProposal, ACubeOfThreadsIsNoLargerThanABlock) {
  const KernelFile file = proposed(R"(
#define TILE 16
__global__ void scale(float* in, float* out, unsigned int N) {
  unsigned int i = blockIdx.z * blockDim.z + threadIdx.z;
  unsigned int j = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N && j < N && k < N) out[(i * N + j) * N + k] = 2 * in[(i * N + j) * N + k];
})");
  const LaunchConfiguration launch = file.configuration(file.defaults());
  EXPECT_GE(launch.grid.x * launch.block.x, 21U);
  EXPECT_GE(launch.grid.z * launch.block.z, 21U);
}

TEST(LaunchProposal, AKernelWithoutThreadIdxZGetsFlatBlocks) {
  const KernelFile file = proposed(R"(
#define TILE 8
__global__ void forever(float* in, float* out, unsigned int N) {
  int j = blockIdx.y * TILE + threadIdx.y;
  int k = blockIdx.x * TILE + threadIdx.x;
  for (int i = blockIdx.z * TILE; i > -1; ++i) { i -= 1; out[j * N + k] = in[j * N + k]; }
})");
  EXPECT_EQ(file.block[0].text(), "8");
  EXPECT_EQ(file.block[2].text(), "1");
}

TEST(LaunchProposal, OfTwoArraysNamedLikeFiltersTheFirstIsTheInput) {
  const KernelFile file = proposed(R"(
__global__ void convolve1D(float* M, float* F, float* P, int r, int l) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= l) return;
  float sum = 0;
  for (int j = 0; j < 2 * r + 1; ++j)
    if (i - r + j >= 0 && i - r + j < l) sum += M[i - r + j] * F[j];
  P[i] = sum;
})");
  EXPECT_EQ(shapeOf(file, "M"), "[l]");  // the only integer that is not a radius
  EXPECT_EQ(shapeOf(file, "F"), "[3]");
  EXPECT_EQ(file.defaults().at("l"), 1000);
  ASSERT_TRUE(file.computes);
  EXPECT_EQ(file.computes->input, "M");
}

constexpr const char* kChannels = R"(
__global__ void correlate(unsigned char* pixels, float* weights, float* out, int height, int width, int channels,
                          int r) {
  int channel = blockIdx.z;
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height || col >= width) return;
  float sum = 0;
  for (int i = -r; i <= r; ++i)
    for (int j = -r; j <= r; ++j)
      if (row + i >= 0 && row + i < height && col + j >= 0 && col + j < width)
        sum += pixels[((row + i) * width + col + j) * channels + channel] * weights[(i + r) * (2 * r + 1) + j + r];
  out[(row * width + col) * channels + channel] = sum;
}
)";

TEST(LaunchProposal, AChannelOfAPictureIsAnAxis) {
  const KernelFile file = proposed(kChannels);
  EXPECT_EQ(shapeOf(file, "pixels"), "[channels][height][width]");
  std::string renamed = kChannels;
  for (std::size_t at = renamed.find("channels"); at != std::string::npos; at = renamed.find("channels", at + 10)) {
    renamed.replace(at, 8, "imageChannels");
  }
  EXPECT_EQ(shapeOf(proposed(renamed), "pixels"), "[imageChannels][height][width]");
  EXPECT_EQ(shapeOf(file, "weights"), "[3][3]");
  EXPECT_EQ(file.defaults().at("width"), 67);
  EXPECT_EQ(file.configuration(file.defaults()).grid.z, 3U);
  EXPECT_EQ(executed(file).outOfBounds, 0U);
}

TEST(LaunchProposal, NamesOfSeveralWordsAreSizes) {
  for (const auto& [rows, columns] : {std::pair("num_rows", "num_cols"), std::pair("n_row", "n_col"),
                                      std::pair("inputHeight", "inputWidth"), std::pair("numRows", "numColumns")}) {
    SCOPED_TRACE(rows);
    std::string text = R"(
__global__ void scale(float* in, float* out, int ROWS, int COLUMNS, int tile_width, int maskHeight) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < ROWS && col < COLUMNS) out[row * COLUMNS + col] = tile_width * in[row * COLUMNS + col] + maskHeight;
})";
    for (const auto& [from, to] : {std::pair("ROWS", rows), std::pair("COLUMNS", columns)}) {
      for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) {
        text.replace(at, std::string(from).size(), to);
      }
    }
    const KernelFile file = proposed(text);
    EXPECT_EQ(shapeOf(file, "out"), fmt::format("[{}][{}]", rows, columns));
    EXPECT_EQ(file.sizes.size(), 2U);
    EXPECT_EQ(executed(file).outOfBounds, 0U);
  }
}

TEST(LaunchProposal, WhereTheHostRoundsItsGridUpTheArrayIsRoundedUp) {
  const KernelFile file = proposed(R"(
__global__ void smooth(float* vec, float* ans, int vec_size) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = -1; i <= 1; ++i)
    if (pos + i >= 0 && pos + i < vec_size) sum += vec[pos + i];
  ans[pos] = sum;
}
void call(float* d_vec, float* d_ans, int vec_size) {
  smooth<<<ceil(vec_size / float(32)), 32>>>(d_vec, d_ans, vec_size);
})");
  EXPECT_EQ(shapeOf(file, "vec"), "[vec_size]");
  EXPECT_EQ(shapeOf(file, "ans"), "[1024]") << "as far as it reaches";
  EXPECT_EQ(executed(file).outOfBounds, 0U);
}

TEST(LaunchProposal, AnInputTileThatIsMissingFollowsTheOutputTile) {
  std::string text = tiled(" && row < width && col < width");
  for (const auto& [from, to] : {std::pair("#define IN_TILE 16", ""), std::pair("(IN_TILE - 2 * R)", "11")}) {
    text.replace(text.find(from), std::string(from).size(), to);
  }
  for (const std::string name : {"IN_TILE", "OUT_TILE"}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 12)) {
      text.replace(at, name.size(), name + "_DIM");
    }
  }
  const KernelFile file = proposed(text);
  const LaunchConfiguration launch = file.configuration(file.defaults());
  EXPECT_EQ(launch.block, (Dim3{15, 15, 1}));
  EXPECT_EQ(file.grid[0].text(), "ceil(width / 11)");
  EXPECT_EQ(executed(file).outOfBounds, 0U);
}

std::array<std::optional<std::int64_t>, 3> stridesOf(const std::string& text) {
  const KernelFile file = proposed(text);
  return opening::blockStrides(experiment::compile(file, file.defaults()));
}

TEST(BlockStride, IsTheFactorOfTheBlocksIndex) {
  const auto strides = stridesOf(R"(
#define TILE 32
#define COARSE 4
__global__ void k(float* out, int n) {
  int col = blockIdx.x * TILE * COARSE + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  for (int c = 0; c < COARSE; ++c) {
    if (col + c * TILE < n && row < n) out[row * n + col + c * TILE] = blockIdx.z * 3 + blockIdx.z * 5;
  }
})");
  EXPECT_EQ(strides[0], std::optional<std::int64_t>(128));
  EXPECT_EQ(strides[1], std::nullopt);
  EXPECT_EQ(strides[2], std::nullopt);
}

}  // namespace
}  // namespace haloscope
