#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "ProgramBuilder.h"
#include "analysis/Footprint.h"
#include "simt/Executor.h"

namespace haloscope::test {
namespace {

/// out[i] = in[i − 1] + in[i + 1], for inner points: two halo cells per block.
struct ThreePoint {
  Program program;
  ObjectId in = kNone;
  ObjectId out = kNone;

  ThreePoint() {
    ProgramBuilder builder;
    in = builder.global("in", ValueType::F32);
    out = builder.global("out", ValueType::F32);
    const RegisterId thread =
        builder.add(builder.mul(builder.builtinInt(Builtin::BlockIdxX), builder.builtinInt(Builtin::BlockDimX)),
                    builder.add(builder.builtinInt(Builtin::ThreadIdxX), builder.i32(1)));
    const RegisterId sum = builder.add(builder.load(in, builder.sub(thread, builder.i32(1))),
                                       builder.load(in, builder.add(thread, builder.i32(1))));
    builder.store(out, thread, sum);
    program = builder.build();
  }

  [[nodiscard]] Launch launch() const {
    Launch launch = launchOf(program, {4, 1, 1}, {8, 1, 1});
    launch.arrays[in] = arrayOf(ValueType::F32, std::vector<float>(34));
    launch.arrays[out] = arrayOf(ValueType::F32, std::vector<float>(34));
    return launch;
  }
};

TEST(Footprint, OneBlock) {
  const ThreePoint kernel;
  analysis::FootprintObserver footprint(kernel.program);
  simt::Observer* const observers[] = {&footprint};
  Launch launch = kernel.launch();
  simt::ExecuteOptions options;
  options.onlyBlocks = {1};
  simt::execute(kernel.program, launch, observers, options);
  EXPECT_EQ(footprint.loaded(kernel.in), (std::vector<std::int64_t>{8, 9, 10, 11, 12, 13, 14, 15, 16, 17}));
  EXPECT_EQ(footprint.stored(kernel.out), (std::vector<std::int64_t>{9, 10, 11, 12, 13, 14, 15, 16}));
  EXPECT_TRUE(footprint.stored(kernel.in).empty());
  EXPECT_DOUBLE_EQ(footprint.haloFraction(kernel.in, kernel.out), 0.2);
  EXPECT_DOUBLE_EQ(footprint.haloFraction(kernel.out, kernel.in), 0.0);
  EXPECT_DOUBLE_EQ(footprint.haloFraction(kNone, kernel.out), 0.0);
}

TEST(Footprint, AllBlocksOnSeveralWorkers) {
  const ThreePoint kernel;
  for (const unsigned workers : {1U, 3U}) {
    analysis::FootprintObserver footprint(kernel.program);
    simt::Observer* const observers[] = {&footprint};
    Launch launch = kernel.launch();
    simt::execute(kernel.program, launch, observers, {.workers = workers});
    EXPECT_EQ(footprint.loaded(kernel.in).size(), 34U);
    EXPECT_EQ(footprint.stored(kernel.out).size(), 32U);
    EXPECT_DOUBLE_EQ(footprint.haloFraction(kernel.in, kernel.out), 1.0 - 32.0 / 34.0);
  }
}

}  // namespace
}  // namespace haloscope::test
