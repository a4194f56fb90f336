#include "running/OtherResults.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiment/InputData.h"

namespace haloscope::running {
namespace {

ArrayData filledWith(ValueType element, double (*value)(std::int64_t i)) {
  constexpr std::int64_t kCount = 200;
  ArrayData made{.element = element,
                 .extents = {kCount},
                 .bytes = std::vector<std::byte>(static_cast<std::size_t>(kCount * sizeInMemory(element)))};
  for (std::int64_t i = 0; i < kCount; ++i) { experiment::setValue(made, i, value(i)); }
  return made;
}

double wave(std::int64_t i) { return 5 + std::sin(static_cast<double>(i)); }
double nearly(std::int64_t i) { return wave(i) + 0.1 * std::cos(static_cast<double>(i)); }
double another(std::int64_t i) { return 8 + std::cos(static_cast<double>(i)); }

TEST(OtherResults, AreCloseByWhatTheExpectedOneVaries) {
  EXPECT_TRUE(isCloseTo(filledWith(ValueType::F32, nearly), filledWith(ValueType::F32, wave)));
  EXPECT_FALSE(isCloseTo(filledWith(ValueType::F32, another), filledWith(ValueType::F32, wave)));
  EXPECT_FALSE(isCloseTo(filledWith(ValueType::F32, [](std::int64_t) { return std::nan(""); }),
                         filledWith(ValueType::F32, wave)));
  // Of integers, such as ranks, a small difference may be anything.
  EXPECT_FALSE(isCloseTo(filledWith(ValueType::I32, [](std::int64_t i) { return static_cast<double>(i + 1); }),
                         filledWith(ValueType::I32, [](std::int64_t i) { return static_cast<double>(i); })));
}

}  // namespace
}  // namespace haloscope::running
