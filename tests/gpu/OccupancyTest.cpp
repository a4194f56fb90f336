#include "driver/Occupancy.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "GpuSupport.h"
#include "driver/Compiler.h"

#if HALOSCOPE_HAS_CUDA && __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define HALOSCOPE_OCCUPANCY_CALCULATOR 1
#endif

/// What a multiprocessor holds, against the CUDA occupancy calculator's figures and, on a GPU, the driver's.
namespace haloscope::gpu {
namespace {

TEST(OccupancyTest, EachLimitInTurn) {
  const MultiprocessorLimits hopper = *limitsOf("9.0");
  const auto check = [&](int threads, int registers, std::int64_t shared, int blocks, double share, const char* by) {
    const Occupancy occupancy = occupancyOf(hopper, threads, registers, shared);
    EXPECT_EQ(occupancy.residentBlocks, blocks) << threads << " threads, " << registers << " registers";
    EXPECT_NEAR(occupancy.share, share, 1e-9);
    EXPECT_EQ(occupancy.limitedBy, by);
  };
  check(256, 32, 0, 8, 1, "threads");
  check(27, 16, 0, 32, 0.5, "blocks");
  check(1024, 40, 0, 1, 0.5, "registers");
  check(256, 64, 0, 4, 0.5, "registers");
  check(1024, 65, 0, 0, 0, "registers");
  check(512, 24, 2048, 4, 1, "threads");
  check(64, 24, 40960, 5, 0.15625, "shared memory");
  check(256, 0, 0, 8, 1, "threads");
}

TEST(OccupancyTest, CapabilitiesAreKnownOrNot) {
  EXPECT_EQ(limitsOf("7.5")->threads, 1024);
  EXPECT_EQ(limitsOf("8.9")->blocks, 24);
  EXPECT_EQ(limitsOf("9.9")->threads, 2048);
  EXPECT_EQ(limitsOf("12.1")->sharedBytes, 100 * 1024);
  EXPECT_FALSE(limitsOf("6.1"));
  EXPECT_FALSE(limitsOf("99.0"));
  EXPECT_FALSE(limitsOf(""));
  EXPECT_FALSE(limitsOf("9"));
  EXPECT_EQ(limitsOf("9.0")->registersAtFullOccupancy(), 32);
  EXPECT_EQ(limitsOf("8.6")->registersAtFullOccupancy(), 40);
  EXPECT_EQ(limitsOf("7.5")->registersAtFullOccupancy(), 64);
}

#ifdef HALOSCOPE_OCCUPANCY_CALCULATOR
class OccupancyCalculatorTest : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Architectures, OccupancyCalculatorTest, testing::Values(70, 75, 80, 86, 87, 89, 90, 100, 120),
                         [](const auto& architecture) { return "sm_" + std::to_string(architecture.param); });

unsigned factorOf(const std::string& limitedBy) {
  if (limitedBy == "threads") { return OCC_LIMIT_WARPS; }
  if (limitedBy == "blocks") { return OCC_LIMIT_BLOCKS; }
  if (limitedBy == "registers") { return OCC_LIMIT_REGISTERS; }
  return limitedBy == "shared memory" ? OCC_LIMIT_SHARED_MEMORY : 0;
}

TEST_P(OccupancyCalculatorTest, AgreesForEveryLaunch) {
  const int major = GetParam() / 10;
  const int minor = GetParam() % 10;
  const MultiprocessorLimits limits = *limitsOf(std::to_string(major) + "." + std::to_string(minor));
  const auto sharedBytes = static_cast<std::size_t>(limits.sharedBytes);
  const auto reserved = static_cast<std::size_t>(limits.reservedSharedBytes);
  cudaOccDeviceProp device;
  device.computeMajor = major;
  device.computeMinor = minor;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = limits.threads;
  device.regsPerBlock = device.regsPerMultiprocessor = limits.registers;
  device.warpSize = 32;
  device.sharedMemPerBlock = std::size_t{48} * 1024;
  device.sharedMemPerMultiprocessor = sharedBytes;
  device.numSms = 1;
  device.sharedMemPerBlockOptin = sharedBytes - reserved;
  device.reservedSharedMemPerBlock = reserved;
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = device.maxThreadsPerBlock;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = device.sharedMemPerBlockOptin;
  const cudaOccDeviceState state;
  // Sizes at, just below and just above the multiples in which registers and shared memory are allocated.
  const std::vector<std::size_t> sizes = {0,    4,     127,   128,   129,   256,   257,   1024,   2048,   4000,
                                          8192, 12288, 16385, 24576, 32768, 49152, 65536, 101376, 166912, 232448};
  for (int threads = 1; threads <= device.maxThreadsPerBlock; threads += threads < 64 ? 9 : 33) {
    for (kernel.numRegs = 1; kernel.numRegs <= 255; kernel.numRegs += 3) {
      for (const std::size_t shared : sizes) {
        cudaOccResult calculated{};
        ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&calculated, &device, &kernel, &state, threads, shared),
                  CUDA_OCC_SUCCESS);
        const Occupancy ours = occupancyOf(limits, threads, kernel.numRegs, static_cast<std::int64_t>(shared));
        ASSERT_EQ(ours.residentBlocks, calculated.activeBlocksPerMultiprocessor)
            << threads << " threads, " << kernel.numRegs << " registers, " << shared << " bytes";
        ASSERT_NE(factorOf(ours.limitedBy) & calculated.limitingFactors, 0U)
            << ours.limitedBy << " at " << threads << " threads, " << kernel.numRegs << " registers, " << shared
            << " bytes";
      }
    }
  }
}
#endif

class RegisterLimitTest : public testing::Test {
 protected:
  // Forty values that are alive at once.
  const KernelText text_{"a.cu",
                         "__global__ void go(float* a) {\n"
                         "  __shared__ float t[64];\n"
                         "  float x[40];\n"
                         "  for (int i = 0; i < 40; i++) x[i] = a[i * threadIdx.x];\n"
                         "  t[threadIdx.x] = x[0];\n"
                         "  __syncthreads();\n"
                         "  for (int j = 0; j < 40; ++j)\n"
                         "    for (int i = 0; i < 40; i++) x[i] = x[i] * x[(i + 7) % 40] + t[i];\n"
                         "  for (int i = 0; i < 40; i++) a[i + threadIdx.x] = x[i];\n"
                         "}\n",
                         {}};
};

TEST_F(RegisterLimitTest, TheAssemblerReportsRegistersAndSpills) {
  std::optional<Compiler> compiler;
  try {
    compiler.emplace(13000);
  } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  const CompiledText free = compiler->compile(text_, {"go"}, 90);
  const CodeResources all = free.resources.at(free.symbols.at("go"));
  EXPECT_GT(all.registers, 40);
  EXPECT_EQ(all.sharedBytes, 256);
  EXPECT_EQ(all.spillBytes, 0);
  EXPECT_EQ(free.log, "");
  KernelText limited = text_;
  limited.registerLimit = 32;
  const CompiledText few = compiler->compile(limited, {"go"}, 90);
  const CodeResources less = few.resources.at(few.symbols.at("go"));
  EXPECT_LE(less.registers, 32);
  EXPECT_GT(less.spillBytes, 0);
  EXPECT_GE(less.stackBytes, 4);
}

TEST(AssemblerReportTest, LeavesWarningsAlone) {
  std::string log =
      "a.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n\n"
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z1kPf\n"
      "ptxas         .     616 bytes stack frame, 1380 bytes spill stores, 1416 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 1 barriers, 616 bytes cumulative stack size, 1024 bytes smem\n";
  const auto report = takeAssemblerReport(log);
  EXPECT_EQ(log, "a.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n");
  ASSERT_EQ(report.size(), 1U);
  const CodeResources& code = report.at("_Z1kPf");
  EXPECT_EQ(code.registers, 24);
  EXPECT_EQ(code.sharedBytes, 1024);
  EXPECT_EQ(code.stackBytes, 616);
  EXPECT_EQ(code.spillBytes, 1380);
}

class RealOccupancyTest : public OnGpu {};

TEST_F(RealOccupancyTest, IsTheDrivers) {
  const auto limits = limitsOf(device_->properties().computeCapability());
  if (!limits) { GTEST_SKIP() << "the table does not know this GPU"; }
  const DeviceProperties& properties = device_->properties();
  EXPECT_EQ(limits->threads, properties.threadsPerMultiprocessor);
  EXPECT_EQ(limits->registers, properties.registersPerMultiprocessor);
  EXPECT_EQ(limits->sharedBytes, properties.sharedBytesPerMultiprocessor);
  for (const int edge : {3, 32, 64, 100, 250, 500, 700, 1024}) {
    for (const int floats : {1, 500, 1700, 5000, 12000}) {
      const KernelText text{
          "a.cu",
          "__global__ void go(float* a) { __shared__ float t[FLOATS]; t[threadIdx.x % FLOATS] = a[threadIdx.x]; "
          "__syncthreads(); a[threadIdx.x] = t[(threadIdx.x + 1) % FLOATS]; }\n",
          {{"FLOATS", std::to_string(floats)}}};
      const Kernel kernel(TestClearance::make(), device_, text, "go");
      LaunchConfiguration configuration;
      configuration.block.x = static_cast<std::uint32_t>(edge);
      const Occupancy ours =
          occupancyOf(*limits, edge, kernel.resources().registersPerThread, kernel.resources().sharedBytes);
      EXPECT_EQ(ours.residentBlocks, kernel.residentBlocks(configuration)) << edge << " threads, " << floats;
    }
  }
}

}  // namespace
}  // namespace haloscope::gpu
