#include "analysis/ZeroProducts.h"

#include <gtest/gtest.h>

#include <vector>

#include "ProgramBuilder.h"
#include "simt/Executor.h"

namespace haloscope::test {
namespace {

TEST(ZeroProducts, CountsThreadsThatMultiplyByZeroAndWhatTheyHadLoaded) {
  ProgramBuilder builder;
  const ObjectId in = builder.global("in", ValueType::F32);
  const ObjectId out = builder.global("out", ValueType::F32);
  const ObjectId c = builder.object("c", MemorySpace::Constant, ValueType::F32, {3});
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement();
  const RegisterId value = builder.load(in, thread);
  const RegisterId byZero = builder.mul(builder.load(c, builder.i32(0)), value);
  const RegisterId byMinusZero = builder.mul(value, builder.load(c, builder.i32(1)));
  const RegisterId byTwo = builder.mul(builder.load(c, builder.i32(2)), value);
  // No factor of this product was loaded from global memory.
  const RegisterId ofProducts = builder.mul(byZero, byTwo);
  const RegisterId whole = builder.mul(builder.i32(0), thread);  // integer arithmetic is addressing, not work
  builder.store(out, builder.mul(whole, thread), builder.ternary(Opcode::Fma, byMinusZero, ofProducts, byTwo));
  const Program program = builder.build();

  Launch launch = launchOf(program, {2, 1, 1}, {40, 1, 1});
  launch.arrays[in] = arrayOf(ValueType::F32, std::vector<float>(40, 3.0F));
  launch.arrays[out] = arrayOf(ValueType::F32, std::vector<float>(40));
  launch.arrays[c] = arrayOf(ValueType::F32, std::vector<float>{0.0F, -0.0F, 2.0F});
  analysis::ZeroProducts observer(program);
  simt::Observer* const observers[] = {&observer};
  simt::execute(program, launch, observers);
  EXPECT_EQ(observer.products(), (analysis::Products{.all = 5 * 80, .byZero = 4 * 80, .loadsForZero = 2 * 80}));
}

}  // namespace
}  // namespace haloscope::test
