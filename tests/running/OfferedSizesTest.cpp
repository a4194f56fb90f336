#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "running/OfferedSizes.h"

namespace haloscope::running {
namespace {

/// The value of N in a program that begins with this line; 0: it is no size that can be changed.
std::int64_t valueOfN(const std::string& line) {
  host::HostProgram program;
  program.files.push_back({"main.cu", line + "\nint main() {}\n"});
  for (const OfferedSize& one : offeredSizes(program, {})) {
    if (one.name == "N") { return one.value; }
  }
  return 0;
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) { all += text; }
  return all;
}

TEST(OfferedSizes, AreNumbersAndWhatIsComputedOfThem) {
  EXPECT_EQ(valueOfN("#define N 8192"), 8192);
  EXPECT_EQ(valueOfN("#define N ((1 << 13) + 2 * 4)"), 8200);
  EXPECT_EQ(valueOfN("const int N = 1 << 13;"), 8192);
  EXPECT_EQ(valueOfN("#define N 8192 / 2"), 0);
}

TEST(OfferedSizes, ATextOfAnyLengthIsRead) {
  constexpr std::size_t kMany = 50'000;
  EXPECT_EQ(valueOfN("#define N " + repeated("(", kMany)), 0);
  EXPECT_EQ(valueOfN("#define N " + repeated("(", kMany) + "8192" + repeated(")", kMany)), 0);
  EXPECT_EQ(valueOfN("#define N 8192" + repeated(" + 281474976710656", kMany)), 0);
  EXPECT_EQ(valueOfN("int N " + repeated("= a ", kMany) + ";"), 0);
}

}  // namespace
}  // namespace haloscope::running
