#include "running/DeviceMemory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "program/Program.h"

namespace haloscope::running {
namespace {

constexpr std::uint64_t kHostAddress = 0x7f0000001000;

TEST(DeviceMemory, FindsAnAddressInsideItsAllocationAndAtItsEnd) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t first = *memory.allocate(100, {"a.cu", 3});
  const std::uint64_t second = *memory.allocate(8, {"a.cu", 4});

  EXPECT_EQ(memory.find(first)->allocation, 0U);
  EXPECT_EQ(memory.find(first + 100)->allocation, 0U);
  EXPECT_EQ(memory.find(first + 100)->offset, 100);
  EXPECT_EQ(memory.find(first - 4)->offset, -4) << "an address before an allocation still belongs to it";
  EXPECT_EQ(memory.find(second)->allocation, 1U);
  EXPECT_FALSE(memory.find(0));
  EXPECT_FALSE(memory.find(kHostAddress));
  EXPECT_FALSE(memory.find(PackedPointer::kNull));
}

TEST(DeviceMemory, GivesAddressesThatNoHostProcessHas) {
  DeviceMemory memory(1 << 20);
  EXPECT_NE(*memory.allocate(100, {}) >> 47, 0U);
}

TEST(DeviceMemory, RefusesWhatExceedsItsLimit) {
  DeviceMemory memory(1000);
  const std::uint64_t most = *memory.allocate(1000, {});
  EXPECT_FALSE(memory.allocate(1, {}));
  memory.free(memory.find(most)->allocation, {"a.cu", 9});
  EXPECT_TRUE(memory.allocate(1000, {}));
  EXPECT_FALSE(memory.allocate(~std::uint64_t{0}, {}));
}

TEST(DeviceMemory, TakesNoneUntilItIsUsed) {
  DeviceMemory memory(std::uint64_t{1} << 40);
  const std::uint64_t address = *memory.allocate(std::uint64_t{1} << 39, {});
  ASSERT_NE(memory.addHostMemory(kHostAddress, std::uint64_t{1} << 38, host::HostMemory::PageLocked, {}), nullptr);
  EXPECT_EQ(memory.left(), std::uint64_t{1} << 38);
  EXPECT_EQ(memory.addHostMemory(kHostAddress, (std::uint64_t{1} << 38) + 1, host::HostMemory::Managed, {}), nullptr);
  EXPECT_EQ(memory.find(address + (std::uint64_t{1} << 39))->allocation, 0U);
  EXPECT_EQ(memory.find(kHostAddress + 100)->offset, 100);
  memory.free(0, {});
  EXPECT_EQ(memory.left(), std::uint64_t{3} << 38);
  EXPECT_EQ(memory.takeNames()[0].size, std::uint64_t{1} << 39);
}

TEST(DeviceMemory, KnowsAFreedAllocation) {
  DeviceMemory memory(1000);
  const std::uint64_t address = *memory.allocate(100, {"a.cu", 3});
  memory.free(0, {"a.cu", 9});

  ASSERT_TRUE(memory.find(address + 8));
  const Allocation& one = memory.at(memory.find(address + 8)->allocation);
  EXPECT_TRUE(one.freed);
  EXPECT_EQ(one.freedAt.line, 9);
  EXPECT_EQ(one.size, 100U);
  EXPECT_EQ(memory.used(), 0U);
}

TEST(DeviceMemory, TakesTheBeginningOfOneHostAllocationNotForTheEndOfAnother) {
  DeviceMemory memory(1 << 20);
  memory.addHostMemory(kHostAddress, 4096, host::HostMemory::Managed, {});
  memory.addHostMemory(kHostAddress + 4096, 4096, host::HostMemory::Managed, {});

  EXPECT_EQ(memory.find(kHostAddress + 4095)->allocation, 0U);
  EXPECT_EQ(memory.find(kHostAddress + 4096)->allocation, 1U);
  EXPECT_EQ(memory.find(kHostAddress + 8192)->allocation, 1U);
  EXPECT_FALSE(memory.find(kHostAddress + 8193));
}

TEST(DeviceMemory, KeepsVariablesOfTheSameNameApartByTheirFiles) {
  DeviceMemory memory(1 << 20);
  const std::vector<std::byte> bytes(4);
  memory.addVariable("filter", 0, bytes, true);
  memory.addVariable("filter", 1, bytes, true);

  EXPECT_EQ(memory.variable("filter", 0)->id, 0U);
  EXPECT_EQ(memory.variable("filter", 1)->id, 1U);
  EXPECT_EQ(memory.variable("filter", 2), nullptr);
  EXPECT_EQ(memory.variable("", 0), nullptr);
}

TEST(DeviceMemory, TellsWhichWordsNothingHasWritten) {
  DeviceMemory memory(1 << 20);
  std::vector<std::byte>& bytes = memory.bytesOf(memory.find(*memory.allocate(18, {}))->allocation);
  const float one = 1;
  std::memcpy(bytes.data() + 4, &one, sizeof one);

  EXPECT_EQ(*unwrittenWords(bytes), (std::vector{true, false, true, true}));

  std::ranges::fill(bytes, std::byte{0});
  EXPECT_EQ(unwrittenWords(bytes), nullptr);
}

}  // namespace
}  // namespace haloscope::running
