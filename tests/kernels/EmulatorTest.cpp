#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "frontend/Frontend.h"
#include "simt/Executor.h"

// Functions that exist twice: compiled into this test by the host compiler, and as source that the front end lowers and
// the emulator runs. Both must be bit-identical.
#define HALOSCOPE_TWICE(function, ...) \
  __VA_ARGS__                          \
  const char* const function##Text = #__VA_ARGS__;

namespace haloscope {
namespace {

// clang-format off
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
HALOSCOPE_TWICE(rational, float rational(float x) {
    float p = ((x * 1.1f + 0.3f) * x - 2.7f) * x;
    float q = x * x + 1.0f;
    p += q / 3.0f;
    return p / q - 1e-3f * x;
})

HALOSCOPE_TWICE(mixed, float mixed(float x) {
    double wide = x * 0.1;
    float narrow = (float)(wide * wide) + x;
    int whole = (int)(narrow * 100.0f);
    return narrow - (float)whole / 100 + (whole % 7) * 0.25f;
})

HALOSCOPE_TWICE(hash, unsigned hash(unsigned x) {
    unsigned char small = x;
    signed char negative = x;
    unsigned short middle = x * 40503u;
    x ^= x >> 16;
    x *= 2146121005u;
    x -= small - 200u;
    long long wide = (long long)(int)x * negative;
    x += (unsigned)(wide >> 7);
    small += 100;
    x = (x << (small & 15)) | (x >> 9);
    return x * middle + (unsigned)(negative >> 2) + small / 3;
})

HALOSCOPE_TWICE(collatz, unsigned collatz(unsigned x) {
    unsigned steps = 0;
    for (unsigned i = 0; i < 200; ++i) {
        if (x <= 1) break;
        if (x % 5 == 0) {
            x = x / 5 + 1;
            continue;
        }
        x = x % 2 ? 3 * x + 1 : x / 2;
        ++steps;
        if (steps > 60 && x > 100000u) return 1000 + steps;
    }
    do {
        steps += x & 3;
        x >>= 1;
    } while (x > 2);
    return steps;
})

HALOSCOPE_TWICE(choose, unsigned choose(unsigned x) {
    unsigned sum = 0;
    for (int i = 0; i < 6; i++) {
        switch ((x >> i) % 5) {
        case 0: sum += 1;
        case 1: sum += 10; break;
        case 2:
            if (i == 3) continue;
            sum += 100;
            break;
        case 3: return sum + 7;
        default: sum ^= x;
        }
        sum *= 3;
    }
    return sum;
})

HALOSCOPE_TWICE(median, unsigned median(unsigned x) {
    int window[5];
    for (int i = 0; i < 5; ++i) window[i] = (int)(x * (7u + i) % 1000u) - 500;
    for (int i = 1; i < 5; ++i) {
        int value = window[i];
        int j = i;
        while (j > 0 && window[j - 1] > value) {
            window[j] = window[j - 1];
            --j;
        }
        window[j] = value;
    }
    return (unsigned)(window[2] / 3 * 16 + (window[0] & 15));
})
#pragma GCC diagnostic pop
// clang-format on

/// Runs `out[i] = function(in[i])` for all values in a kernel around the function's text.
template <class T>
std::vector<T> emulated(const char* function, const char* text, const std::vector<T>& values) {
  const std::string type = std::is_same_v<T, float> ? "float" : "unsigned";
  const std::string source = std::string("__device__ ") + text + "\n__global__ void apply(const " + type + "* in, " +
                             type + "* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                             "  if (i < n) out[i] = " + function + "(in[i]);\n}\n";
  const Program program = frontend::compile("apply.cu", source).program;
  Launch launch;
  launch.configuration.block = {96, 1, 1};
  launch.configuration.grid = {static_cast<std::uint32_t>(values.size() / 96 + 1), 1, 1};
  for (const Parameter& parameter : program.parameters) {
    launch.arguments.push_back(parameter.object == kNone ? values.size() : 0);
  }
  for (const MemoryObject& object : program.objects) {
    ArrayData array;
    array.element = object.element;
    if (object.space == MemorySpace::Global) {
      array.extents = {static_cast<std::int64_t>(values.size())};
      array.bytes.resize(values.size() * sizeof(T));
      std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    }
    launch.arrays.push_back(array);
  }
  const simt::ExecuteResult result = simt::execute(program, launch);
  EXPECT_EQ(result.outcome, simt::Outcome::Finished) << result.message;
  EXPECT_EQ(result.outOfBounds, 0U) << result.firstOutOfBoundsMessage;
  std::vector<T> out(values.size());
  const ObjectId written = program.findObject("out");
  if (written == kNone) { throw std::logic_error("the kernel has no out"); }
  std::memcpy(out.data(), launch.arrays[written].bytes.data(), values.size() * sizeof(T));
  return out;
}

template <class T>
void expectSame(const char* name, const char* text, T (*function)(T)) {
  std::mt19937 random(7);
  std::vector<T> values;
  for (int i = 0; i < 3000; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      values.push_back(std::uniform_real_distribution<float>(-50.0F, 50.0F)(random));
    } else {
      values.push_back(i < 300 ? static_cast<T>(i) : static_cast<T>(random()) >> (i % 24));
    }
  }
  const std::vector<T> out = emulated(name, text, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(function(values[i])))
        << name << "(" << values[i] << ") = " << function(values[i]) << ", emulated " << out[i];
  }
}

TEST(Emulator, FloatsAreRoundedAsWritten) { expectSame("rational", rationalText, rational); }
TEST(Emulator, FloatsDoublesAndIntegers) { expectSame("mixed", mixedText, mixed); }
TEST(Emulator, IntegersWrapAndNarrow) { expectSame("hash", hashText, hash); }
TEST(Emulator, BreakContinueReturn) { expectSame("collatz", collatzText, collatz); }
TEST(Emulator, Switch) { expectSame("choose", chooseText, choose); }
TEST(Emulator, LocalArrays) { expectSame("median", medianText, median); }

}  // namespace
}  // namespace haloscope
