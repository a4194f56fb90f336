#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "codegen/BlockCode.h"
#include "codegen/Carried.h"
#include "codegen/Groups.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "frontend/Frontend.h"
#include "machine/Execution.h"
#include "machine/KernelShape.h"
#include "simt/Executor.h"
#include "simt/InstructionSet.h"
#include "simt/LaunchMemory.h"

// Machine code executes two warps of a block as one where that changes no result: it computes what the emulator does,
// which executes them one after the other. Where the processor has registers for it.

namespace haloscope {
namespace {

struct Made {
  Program program;
  Launch launch;
};

/// `body` for each of some threads a block, over arrays a, b and f of 960 elements; i is the thread's number.
Made made(const std::string& body, std::uint32_t threads) {
  constexpr std::int64_t kElements = 960;
  const std::string text =
      "__global__ void k(const int *a, int *b, float *f, int n) {"
      " int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t; " +
      body + " }";
  Made result{.program = frontend::compile("kernel.cu", text, {}).program, .launch = {}};
  result.launch.configuration.block = {threads, 1, 1};
  result.launch.configuration.grid = {static_cast<std::uint32_t>(kElements / threads), 1, 1};
  result.launch.arguments.assign(result.program.parameters.size(), static_cast<std::uint64_t>(kElements));
  for (const MemoryObject& object : result.program.objects) {
    ArrayData data{.element = object.element, .extents = {}};
    if (object.space == MemorySpace::Global) {
      data.extents = {kElements};
      data.bytes.resize(static_cast<std::size_t>(kElements * sizeInMemory(object.element)));
      for (std::size_t i = 0; i < data.bytes.size(); ++i) {
        data.bytes[i] = static_cast<std::byte>(i % 4 == 3 ? 0 : i * 37 % 61);
      }
    }
    result.launch.arrays.push_back(std::move(data));
  }
  return result;
}

unsigned together(const Made& one) {
  return codegen::warpsTogether(one.program, machine::shapeOf(one.program, one.launch));
}

void expectSame(const Made& one) {
  Launch emulated = one.launch, compiled = one.launch;
  const simt::ExecuteResult expected = simt::execute(one.program, emulated);
  machine::setPolicy(machine::Policy::Machine);
  EXPECT_EQ(machine::whyEmulated(one.program, one.launch), "");
  const simt::ExecuteResult result = machine::execute(one.program, compiled);
  machine::setPolicy(machine::Policy::Auto);
  EXPECT_EQ(result.outcome, expected.outcome);
  EXPECT_EQ(result.message, expected.message);
  for (std::size_t i = 0; i < one.program.objects.size(); ++i) {
    EXPECT_EQ(compiled.arrays[i].bytes, emulated.arrays[i].bytes) << one.program.objects[i].name;
  }
}

TEST(MachineCode, TwoWarpsTogetherComputeWhatTheyDoOneAfterTheOther) {
  if (simt::bestInstructionSet() != simt::InstructionSet::Avx512) { GTEST_SKIP() << "two warps need AVX-512"; }
  const char* const kBodies[] = {
      "b[i] = a[i] * 3 + a[n - 1 - i]; f[i] = a[i] * 0.1f;",
      // The warps part.
      "int s = 0; if (a[t / 32] % 2) { for (int d = 0; d < i % 7; ++d) { if (d == 3) continue; if (a[i] % 5 == d) "
      "break;"
      " s += d; } } else { s = -a[i]; } b[i] = s;",
      "int s = a[i]; int m = t < 32 ? 3 : 40; for (int d = 0; d < m; ++d) { s = s * 5 + d; } b[i] = s;",
      "int s = a[i]; int m = t < 32 ? 40 : 0; while (m > s % 3) { s = s * 5 + m; --m; } b[i] = s;",
      // One ends early, and the other goes on past barriers.
      "if (t / 32 == a[0] % 2) return; b[i] = a[i] + 1;",
      "__shared__ int s[256]; if (t < a[1] % 64) { b[i] = 5; return; } s[t] = a[i]; __syncthreads();"
      " b[i] = s[blockDim.x - 1]; __syncthreads(); s[t] = b[0]; __syncthreads(); f[i] = s[blockDim.x - 2];",
      "__shared__ float s[256]; float x = a[i]; for (int d = 1; d < blockDim.x; d *= 2) { s[t] = x; __syncthreads();"
      " if (t >= d) { x += s[t - d]; } __syncthreads(); } f[i] = x;",
      // Lanes speak to those of their own warp alone.
      "int x = a[i]; x += __shfl_xor_sync(0xffffffff, x, 5); x += __shfl_down_sync(0xffffffff, x, 3); b[i] = x;",
      "int x = a[i]; if (a[i] % 3) { x += __shfl_up_sync(__activemask(), x, 1); if (t >= 32) {"
      " x -= __shfl_sync(__activemask(), x, 2); } } b[i] = x;",
      "unsigned x = __ballot_sync(0xffffffff, a[i] % 2); if (t >= 32 && a[i] % 3) { x ^= __activemask(); }"
      " if (__any_sync(0xffffffff, a[i] == 9)) { x += 100; } if (__all_sync(0xffffffff, t < 32)) { x = ~x; } b[i] = x;",
      // Both store to an element: the second one is the last.
      "b[t % 32] = i; f[blockIdx.x] = t;",
      // Instructions that the emulator's own functions execute.
      "b[i] = a[i] / (a[i] % 3) + i % (a[i] % 5); f[i] = sinf(a[i]) * powf(a[i], 0.3f);",
      "int l[5]; for (int d = 0; d < 5; ++d) { l[d] = a[i] * d; } l[t % 5] += 7; b[i] = l[a[i] % 5] + l[2];",
  };
  for (const char* const body : kBodies) {
    for (const std::uint32_t threads : {64, 48, 120, 240}) {
      SCOPED_TRACE(std::string(body) + " by " + std::to_string(threads));
      const Made one = made(body, threads);
      EXPECT_EQ(together(one), 2U);
      expectSame(one);
    }
  }
}

TEST(MachineCode, WarpsWhoseOrderMattersAreExecutedOneAfterTheOther) {
  const char* const kBodies[] = {
      "__shared__ int s[256]; s[t] = a[i]; b[i] = s[blockDim.x - 1 - t];",  // a barrier is missing
      "__shared__ int s[256]; b[i] = s[t ^ 32]; s[t] = a[i];",              // ahead of what is stored
      "__shared__ int s[64]; s[t] = i; s[63 - t] = -i; __syncthreads(); b[i] = s[t];",
      "__shared__ int s[64]; for (int d = 0; d < 3; ++d) { __syncthreads(); b[i] = s[t]; s[t ^ 32] = d + t; }",
      "for (int d = 0; d < 64; ++d) { b[(t + d) % 64] = i; }",
      "for (int d = 0; d < 3; ++d) { b[d] = t; }",
      "b[i] = b[n - 1 - i] + 1;",
      "b[0] = t; if (a[0] >= 0) { b[0] = t + 100; }",
      "f[i] = atomicAdd(&b[0], i); atomicAdd(&b[0], 1);",
  };
  for (const char* const body : kBodies) {
    SCOPED_TRACE(body);
    const Made one = made(body, 64);
    EXPECT_EQ(together(one), 1U);
    expectSame(one);
  }
}

TEST(MachineCode, AWarpWithoutAnotherOneStaysAlone) {
  for (const std::uint32_t threads : {32, 20, 96, 80}) {
    const Made one = made("b[i] = a[i];", threads);
    EXPECT_EQ(together(one), 1U) << threads;
    expectSame(one);
  }
  // Doubles fill the registers.
  const Made wide = made("double x = a[i] * 0.1; for (int d = 0; d < t % 3; ++d) { x = x * x + d; } f[i] = x;", 64);
  EXPECT_EQ(together(wide), 1U);
  expectSame(wide);
  // Half of the warps have nothing to do.
  EXPECT_EQ(together(made("if (t < 32) { int s = 0; for (int d = 0; d < 9; ++d) { s += a[d]; } b[i] = s; }", 64)), 1U);
}

unsigned togetherOf(const char* id) {
  const KernelFile& file = test::catalogue().at(id);
  const Bindings bindings = file.bind(file.defaults());
  const Program program = experiment::compile(file, bindings);
  const Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  return codegen::warpsTogether(program, machine::shapeOf(program, launch));
}

TEST(MachineCode, TheBooksKernelsAreExecutedByTwoWarpsTogether) {
  for (const char* const id : {"stencil/basic", "stencil/tiled", "stencil/coarsened", "stencil/register_tiled",
                               "convolution/basic", "convolution/constant", "convolution/tiled_input_block"}) {
    EXPECT_EQ(togetherOf(id), 2U) << id;
  }
  EXPECT_EQ(togetherOf("playground/gray_scott"), 1U);  // a warp is a row, whose neighbours are chosen: two are not
  EXPECT_EQ(togetherOf("stencil/2d_13_tiled"), 1U);    // some warps have only halo
}

/// The least budget of a block with which machine code executes it.
std::uint64_t leastBudget(const Made& one) {
  const machine::KernelShape shape = machine::shapeOf(one.program, one.launch);
  EXPECT_EQ(codegen::notCarried(one.program, shape), "");
  const codegen::BlockCode code(one.program, shape, simt::bestInstructionSet());
  Launch launch = one.launch;
  const simt::LaunchMemory memory(one.program, launch);
  codegen::CodeLaunch how;
  for (const simt::ObjectView& view : memory.objects()) { how.arrays.push_back(view.data); }
  std::uint64_t low = 0, high = 1'000'000;
  while (low + 1 < high) {
    how.blockBudget = (low + high) / 2;
    (code.execute(how) == codegen::CodeOutcome::Finished ? high : low) = how.blockBudget;
  }
  return high;
}

TEST(MachineCode, AWarpThatLoopsAlonePaysForItself) {
  if (simt::bestInstructionSet() != simt::InstructionSet::Avx512) { GTEST_SKIP() << "two warps need AVX-512"; }
  const std::string loop = "int s = i; for (int d = 0; d < m; ++d) { s = s * 5 + d; } b[i] = s;";
  const Made both = made("int m = a[0] * 0 + 1000; " + loop, 64);
  const Made first = made("int m = a[0] * 0 + (t < 32 ? 1000 : 0); " + loop, 64);
  const Made second = made("int m = a[0] * 0 + (t < 32 ? 0 : 1000); " + loop, 64);
  const double whole = static_cast<double>(leastBudget(both));
  EXPECT_NEAR(static_cast<double>(leastBudget(first)) / whole, 0.5, 0.02);
  EXPECT_NEAR(static_cast<double>(leastBudget(second)) / whole, 0.5, 0.02);
  EXPECT_GT(whole, 8000.0);
}

}  // namespace
}  // namespace haloscope
