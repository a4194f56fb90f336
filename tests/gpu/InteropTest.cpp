#include <glad/gl.h>

#include <chrono>
#include <fstream>

#include "GpuSupport.h"
#include "driver/Memory.h"
#include "driver/SharedBuffer.h"
#include "driver/Spread.h"
#include "experiment/Experiment.h"
#include "field/FieldController.h"
#include "render/Context.h"
#include "render/FieldColours.h"
#include "render/FieldGrid.h"
#include "render/Image.h"
#include "work/Pool.h"

/// The GPU copies what kernels wrote to where OpenGL draws it; where that is refused, the field takes the way through
/// the host.
namespace haloscope::gpu {
namespace {

constexpr const char* kText = R"(/* haloscope
title: Add one
idea: Each point grows by one with each sweep, so that a sweep too many or too few is seen.
order: 1
sizes:
  N: {default: 40, min: 8, max: 1024, meaning: points along each axis}
precision: {macro: REAL, types: [float, double, half]}
arrays:
  in: {shape: [N, N]}
  out: {shape: [N, N]}
launch:
  grid: [ceil(N * N / 256), 1, 1]
  block: [256, 1, 1]
*/
#include <cuda_fp16.h>

#ifndef REAL
#define REAL float
#endif

__global__ void addOne(const REAL* in, REAL* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N * N) {
    out[i] = in[i] + (REAL)1.0f;
  }
}
)";

enum class Way { Interop, HostCopy, SoftwareOpenGL, FakeDriver };

std::string nameOf(const testing::TestParamInfo<Way>& info) {
  switch (info.param) {
    case Way::Interop:
      return "interop";
    case Way::HostCopy:
      return "host_copy";
    case Way::SoftwareOpenGL:
      return "software_opengl";
    case Way::FakeDriver:
      return "fake_driver";
  }
  return "";
}

/// An OpenGL context, and a field swept by addOne.
class FieldOnGpuTest : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    const Way way = GetParam();
    options_.shaders = shipped("shaders");
    options_.hostCopy = way == Way::HostCopy;
    if (way == Way::FakeDriver) { options_.device = fakeDevice(); }
    DeviceSearch search = findDevice(options_.device);
    if (!search.device) { GTEST_SKIP() << "needs a GPU: " << search.missing; }
    try {
      (void)search.device->compiler();
      render::OffscreenOptions offscreen;
      offscreen.software = way == Way::SoftwareOpenGL || way == Way::FakeDriver;
      if (!offscreen.software) { offscreen.cudaDevice = 0; }
      context_ = render::Context::offscreen(offscreen);
    } catch (const Unavailable& missing) {
      GTEST_SKIP() << missing.what();
    } catch (const render::ContextError& missing) { GTEST_SKIP() << missing.what(); }
    options_.software = context_->isSoftware();
    if (way == Way::SoftwareOpenGL && !options_.software) {
      GTEST_SKIP() << "needs Mesa's software OpenGL in addition to the GPU's";
    }
    RecordProperty("renderer", context_->rendererName());

    folder_ = std::filesystem::path(testing::TempDir()) / ("haloscope_field_" + nameOf({way, 0}));
    std::filesystem::create_directories(folder_ / "test");
    std::ofstream(folder_ / "test" / "add_one.cu") << kText;
    state_.catalogue = Catalogue::read(folder_);
    state_.fieldControls.width = 160;
    state_.fieldControls.height = 160;
    choose(40);
  }

  void TearDown() override {
    if (!folder_.empty()) { std::filesystem::remove_all(folder_); }
  }

  void choose(std::int64_t size, ValueType type = ValueType::F32) {
    experiment::RunOptions run;
    run.record = false;
    experiment::Choice choice;
    choice.kernel = "test/add_one";
    choice.bindings["N"] = size;
    choice.bindings["REAL"] = Precision::valueOf(type);
    state_.experiment = experiment::run(state_.catalogue, choice, run);
  }

  /// The value in the middle of the field, which the pointer asks for.
  double middle(field::FieldController& controller) {
    state_.fieldControls.pointer = {82.0F, 82.0F};
    controller.settle(state_);
    EXPECT_TRUE(state_.field.probe);
    return state_.field.probe ? state_.field.probe->value : 0;
  }

  field::FieldOptions options_;
  work::Pool pool_;
  std::unique_ptr<render::Context> context_;
  std::filesystem::path folder_;
  AppState state_;
};

TEST_P(FieldOnGpuTest, EverySweepArrivesInThePicture) {
  field::FieldController controller(options_, pool_);
  controller.settle(state_);
  ASSERT_EQ(state_.field.problem, "");
  const FieldPath expected = GetParam() == Way::Interop ? FieldPath::Interop : FieldPath::HostCopy;
  EXPECT_EQ(state_.field.path, expected) << state_.field.pathReason;
  EXPECT_EQ(state_.field.pathReason.empty(), expected == FieldPath::Interop) << state_.field.pathReason;
  RecordProperty("path_reason", state_.field.pathReason);
  EXPECT_FALSE(state_.gpuName.empty());
  EXPECT_GT(state_.measuredCopyGBs, 0);

  const double start = middle(controller);
  controller.sweep(state_, 7);
  EXPECT_EQ(state_.field.sweeps, 7U);
  EXPECT_NEAR(middle(controller), start + 7, 1e-5);
  EXPECT_GT(state_.field.medianMs, 0);
  EXPECT_GT(state_.field.effectiveGBs, 0);
  EXPECT_GT(state_.field.fractionOfCopy, 0);

  // What is drawn: the cell under the pointer has its value's colour.
  render::Image image(160, 160);
  glBindTexture(GL_TEXTURE_2D, state_.field.texture);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  const auto colour =
      render::fieldColour((static_cast<float>(start) + 7 - state_.field.low) / (state_.field.high - state_.field.low));
  const auto pixel = image.at(82, 82);
  for (std::size_t i = 0; i < 3; ++i) { EXPECT_NEAR(static_cast<float>(pixel[i]) / 255, colour.at(i), 0.015F); }

  state_.fieldControls.reset = true;
  controller.settle(state_);
  EXPECT_EQ(middle(controller), start);
  controller.sweep(state_, 1);
  EXPECT_NEAR(middle(controller), start + 1, 1e-5);
}

TEST_P(FieldOnGpuTest, HalfAndDoubleArriveInThePictureToo) {
  if (GetParam() == Way::FakeDriver) { GTEST_SKIP() << "the fake driver's kernel adds in float"; }
  field::FieldController controller(options_, pool_);
  for (const ValueType type : {ValueType::F64, ValueType::F16}) {
    choose(41, type);
    controller.settle(state_);
    ASSERT_EQ(state_.field.problem, "");
    EXPECT_EQ(state_.field.element, type);
    const double start = middle(controller);
    controller.sweep(state_, 3);
    EXPECT_NEAR(middle(controller), start + 3, type == ValueType::F64 ? 1e-14 : 1e-2);
    EXPECT_NEAR(state_.field.high - state_.field.low, 1, 0.3) << "the hills keep their height";
    EXPECT_GT(state_.field.medianMs, 0);
  }
}

TEST_P(FieldOnGpuTest, RunningOnFillsTheRingAndStops) {
  field::FieldController controller(options_, pool_);
  controller.settle(state_);
  const double start = middle(controller);
  state_.fieldControls.run = true;
  for (int frame = 0; frame < 200000 && state_.field.ring.size() < 64; ++frame) { controller.update(state_); }
  EXPECT_EQ(state_.field.ring.size(), 64U);
  EXPECT_TRUE(controller.changes());
  state_.fieldControls.run = false;
  EXPECT_NEAR(middle(controller), start + static_cast<double>(state_.field.sweeps), 1e-2);
  EXPECT_FALSE(controller.changes());
}

TEST_P(FieldOnGpuTest, ALargerFieldIsMadeForTheGpuAlone) {
  field::FieldController controller(options_, pool_);
  state_.fieldControls.size = 512;
  controller.settle(state_);
  ASSERT_EQ(state_.field.problem, "");
  EXPECT_EQ(state_.field.extents, (std::vector<std::int64_t>{512, 512}));
  const double start = middle(controller);
  controller.sweep(state_, 3);
  EXPECT_NEAR(middle(controller), start + 3, 1e-5);
  choose(24);
  state_.fieldControls.size = 0;
  controller.settle(state_);
  EXPECT_EQ(state_.field.extents, (std::vector<std::int64_t>{24, 24}));
  EXPECT_EQ(state_.field.sweeps, 0U);
}

INSTANTIATE_TEST_SUITE_P(Way, FieldOnGpuTest,
                         testing::Values(Way::Interop, Way::HostCopy, Way::SoftwareOpenGL, Way::FakeDriver), nameOf);

/// The book's kernel at the size of the lecture hall: a frame must stay short while the GPU sweeps.
TEST(FieldFrameTest, FramesStayShortWhileALargeFieldIsSwept) {
  const DeviceSearch search = findDevice();
  if (!search.device) { GTEST_SKIP() << "needs a GPU: " << search.missing; }
  if (search.device->freeBytes() < std::uint64_t{6} << 30U) { GTEST_SKIP() << "needs 6 GiB of free device memory"; }
  std::unique_ptr<render::Context> context;
  try {
    render::OffscreenOptions offscreen;
    offscreen.cudaDevice = 0;
    context = render::Context::offscreen(offscreen);
  } catch (const render::ContextError& missing) { GTEST_SKIP() << missing.what(); }
  AppState state;
  state.catalogue = theCatalogue();
  experiment::RunOptions run;
  run.record = false;
  experiment::Choice choice;
  choice.kernel = "stencil/basic";
  state.experiment = experiment::run(state.catalogue, choice, run);
  state.fieldControls.width = 900;
  state.fieldControls.height = 700;
  state.fieldControls.size = 512;
  state.fieldControls.volume = true;
  work::Pool pool;
  field::FieldController controller({.shaders = shipped("shaders"), .software = context->isSoftware()}, pool);
  controller.settle(state);
  ASSERT_EQ(state.field.problem, "");
  if (state.field.path != FieldPath::Interop) { GTEST_SKIP() << "no interop: " << state.field.pathReason; }
  state.fieldControls.run = true;
  std::vector<double> inUpdate;
  std::vector<double> wholeFrame;
  const auto milliseconds = [](auto since) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
  };
  for (int frame = 0; frame < 120; ++frame) {
    state.fieldControls.yaw += 0.02F;
    const auto begin = std::chrono::steady_clock::now();
    controller.update(state);
    inUpdate.push_back(milliseconds(begin));
    glFinish();  // what a display's refresh would wait for
    wholeFrame.push_back(milliseconds(begin));
    while (milliseconds(begin) < 1000.0 / 120) {}  // the display's turn
  }
  const gpu::Spread update = gpu::spreadOf(inUpdate);
  const gpu::Spread whole = gpu::spreadOf(wholeFrame);
  RecordProperty("update_ms_median", std::to_string(update.medianMs));
  RecordProperty("update_ms_p90", std::to_string(update.p90Ms));
  RecordProperty("frame_ms_median", std::to_string(whole.medianMs));
  RecordProperty("frame_ms_p90", std::to_string(whole.p90Ms));
  RecordProperty("sweep_ms_median", std::to_string(state.field.medianMs));
  RecordProperty("effective_gb_per_s", std::to_string(state.field.effectiveGBs));
  RecordProperty("fraction_of_copy", std::to_string(state.field.fractionOfCopy));
  RecordProperty("sweeps", std::to_string(state.field.sweeps));
  EXPECT_LT(whole.medianMs, 50);
  EXPECT_GT(state.field.sweeps, 120U);
}

/// SharedBuffer alone: values written by a kernel are what OpenGL reads.
TEST(SharedBufferTest, OpenGLReadsWhatAKernelWrote) {
  const DeviceSearch search = findDevice();
  if (!search.device) { GTEST_SKIP() << "needs a GPU: " << search.missing; }
  std::unique_ptr<render::Context> context;
  try {
    render::OffscreenOptions offscreen;
    offscreen.cudaDevice = 0;
    context = render::Context::offscreen(offscreen);
  } catch (const render::ContextError& missing) { GTEST_SKIP() << missing.what(); }
  if (const std::string why = SharedBuffer::refusal(*search.device); !why.empty()) { GTEST_SKIP() << why; }
  constexpr int kCount = 1000;
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) { values[static_cast<std::size_t>(i)] = static_cast<float>(i); }
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, kCount * sizeof(float), values.data(), GL_DYNAMIC_COPY);
  const Stream stream(search.device);
  const Kernel kernel(TestClearance::make(), search.device,
                      {"square.cu", "__global__ void square(float* v) { v[threadIdx.x] *= v[threadIdx.x]; }", {}},
                      "square");
  {
    SharedBuffer shared(search.device, buffer);
    LaunchConfiguration configuration;
    configuration.block.x = kCount;
    const std::array<std::uint64_t, 1> arguments{shared.map(stream)};
    EXPECT_TRUE(shared.mapped());
    kernel.launch(configuration, arguments, stream);
    shared.unmap(stream);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, kCount * sizeof(float), values.data());
  }
  for (int i = 0; i < kCount; ++i) { EXPECT_EQ(values[static_cast<std::size_t>(i)], static_cast<float>(i * i)); }
  glDeleteBuffers(1, &buffer);
}

TEST(SharedBufferTest, SoftwareOpenGLIsRefusedWithAReason) {
  const DeviceSearch search = findDevice();
  if (!search.device) { GTEST_SKIP() << "needs a GPU: " << search.missing; }
  render::OffscreenOptions offscreen;
  offscreen.software = true;
  std::unique_ptr<render::Context> context;
  try {
    context = render::Context::offscreen(offscreen);
  } catch (const render::ContextError& missing) { GTEST_SKIP() << missing.what(); }
  if (!context->isSoftware()) { GTEST_SKIP() << "needs Mesa's software OpenGL in addition to the GPU's"; }
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, 64, nullptr, GL_DYNAMIC_COPY);
  std::string why = SharedBuffer::refusal(*search.device);
  if (why.empty()) {
    try {
      const SharedBuffer shared(search.device, buffer);
      ADD_FAILURE() << "a buffer of a software renderer was shared";
    } catch (const Error& refused) { why = refused.what(); }
  }
  RecordProperty("reason", why);
  EXPECT_NE(why, "");
  glDeleteBuffers(1, &buffer);
}

}  // namespace
}  // namespace haloscope::gpu
