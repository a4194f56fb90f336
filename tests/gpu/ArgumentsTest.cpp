
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "driver/Kernel.h"
#include "frontend/Frontend.h"

namespace haloscope::test {
namespace {

struct Inner {
  short s;
  double d;
};
struct Given {
  int n;
  Inner inner;
  float w[3];
  const float* in;
};

TEST(Arguments, AStructLiesAsTheCompilerOfTheHostLaysItOut) {
  const Program program = frontend::compile("k.cu",
                                            "struct Inner { short s; double d; };\n"
                                            "struct Given { int n; Inner inner; float w[3]; const float* in; };\n"
                                            "__global__ void k(float* out, Given g, int last) {\n"
                                            "  out[g.n] = g.in[last] * g.w[g.inner.s] + g.inner.d;\n}\n",
                                            {})
                              .program;
  ASSERT_EQ(program.argumentBytes, (std::vector<std::int64_t>{8, sizeof(Given), 4}));
  gpu::Arguments arguments(program);
  const auto set = [&](const char* name, std::uint64_t bits) {
    for (std::size_t i = 0; i < program.parameters.size(); ++i) {
      if (program.parameters[i].name == name) { arguments.set(i, bits); }
    }
  };
  set("out", 0x1000);
  set("g.n", 7);
  set("g.inner.s", static_cast<std::uint64_t>(-2));
  set("g.inner.d", std::bit_cast<std::uint64_t>(2.5));
  set("g.in", 0x2000);
  set("last", 9);
  const std::array<float, 3> weights{1.0F, 2.0F, 3.0F};
  arguments.set(program.objects[program.findObject("g.w")], std::as_bytes(std::span(weights)));
  const std::vector<void*> pointers = arguments.pointers();
  ASSERT_EQ(pointers.size(), 3U);
  Given given;
  std::memcpy(&given, pointers[1], sizeof given);
  EXPECT_EQ(given.n, 7);
  EXPECT_EQ(given.inner.s, -2);
  EXPECT_EQ(given.inner.d, 2.5);
  EXPECT_EQ(given.w[2], 3.0F);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(given.in), 0x2000U);
  int last = 0;
  std::memcpy(&last, pointers[2], sizeof last);
  EXPECT_EQ(last, 9);
}

}  // namespace
}  // namespace haloscope::test
