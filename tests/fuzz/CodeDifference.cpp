#include "CodeDifference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <vector>

#include "SmallLaunch.h"
#include "codegen/BlockCode.h"
#include "codegen/Carried.h"
#include "machine/KernelShape.h"
#include "simt/Executor.h"
#include "simt/LaunchMemory.h"

namespace haloscope::fuzz {
namespace {

constexpr std::uint64_t kCodeBudget = 20'000;  ///< warp instructions of a block

/// Bytes between pages that cannot be accessed, the last ones next to such a page.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::span<const std::byte> content) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t pages = (content.size() + page - 1) / page;
    mapped_ = (pages + 2) * page;
    void* const begin = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) { throw std::bad_alloc(); }
    begin_ = static_cast<std::byte*>(begin);
    if (pages == 0) { return; }
    if (mprotect(begin_ + page, pages * page, PROT_READ | PROT_WRITE) != 0) { throw std::bad_alloc(); }
    constexpr std::size_t kAlignment = 8;
    const std::size_t room = pages * page - content.size();
    data_ = begin_ + page + room / kAlignment * kAlignment;
    std::memcpy(data_, content.data(), content.size());
  }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  ~GuardedBytes() { munmap(begin_, mapped_); }

  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  std::byte *begin_ = nullptr, *data_ = nullptr;
  std::size_t mapped_ = 0;
};

void fillWithNumbers(ArrayData& array, std::mt19937& random) {
  const auto fill = [&]<typename Number>(Number) {
    for (std::size_t at = 0; at + sizeof(Number) <= array.bytes.size(); at += sizeof(Number)) {
      const auto number = static_cast<Number>(static_cast<double>(random() % 4001) / 16 - 100);
      std::memcpy(&array.bytes[at], &number, sizeof(Number));
    }
  };
  if (array.element == ValueType::F32) { fill(float{}); }
  if (array.element == ValueType::F64) { fill(double{}); }
}

std::vector<unsigned> numbersOf(std::span<const std::byte> bytes) {
  std::vector<unsigned> numbers;
  for (const std::byte byte : bytes) { numbers.push_back(std::to_integer<unsigned>(byte)); }
  return numbers;
}

template <typename Number>
bool isNan(std::span<const std::byte> bytes) {
  Number number{};
  std::memcpy(&number, bytes.data(), sizeof(Number));
  return std::isnan(number);
}

/// One NaN is as good as another: of two operands the processor takes the first one's, and compilers exchange them.
bool isSame(ValueType type, std::span<const std::byte> one, std::span<const std::byte> other) {
  return std::ranges::equal(one, other) || (type == ValueType::F32 && isNan<float>(one) && isNan<float>(other)) ||
         (type == ValueType::F64 && isNan<double>(one) && isNan<double>(other));
}

}  // namespace

Launch launchOf(const Program& program, unsigned seed) {
  constexpr auto kBlocks = std::to_array<Dim3>({{48, 1, 1},
                                                {8, 8, 1},
                                                {8, 8, 2},
                                                {64, 1, 1},
                                                {6, 6, 6},
                                                {16, 4, 1},
                                                {32, 3, 1},
                                                {5, 5, 5},
                                                {128, 1, 1},
                                                {10, 10, 1}});
  constexpr auto kNumbers = std::to_array<std::uint64_t>({7, 20, 96, 3, 1, 0, 40, ~std::uint64_t{0}});
  std::mt19937 random(seed);
  Launch launch = smallLaunch(program);
  launch.configuration.block = kBlocks[random() % kBlocks.size()];
  const std::uint64_t size = kNumbers[random() % 3];
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (program.parameters[i].type == ValueType::F32) { continue; }
    launch.arguments[i] = random() % 4 == 0 ? kNumbers[random() % kNumbers.size()] : size;
  }
  if (random() % 8 != 0) {
    for (ArrayData& array : launch.arrays) { fillWithNumbers(array, random); }
  }
  return launch;
}

CodeDifference differenceOf(const Program& program, const Launch& launch, unsigned workers) {
  simt::checkLaunch(program, launch);
  CodeDifference result;
  const machine::KernelShape shape = machine::shapeOf(program, launch);
  if (!codegen::notCarried(program, shape).empty()) { return result; }
  result.compiled = true;
  const codegen::BlockCode code(program, shape, simt::bestInstructionSet());
  Launch compiled = launch;
  const simt::LaunchMemory memory(program, compiled);
  std::vector<std::unique_ptr<GuardedBytes>> arrays;
  codegen::CodeLaunch how{.arrays = {},
                          .workers = simt::needsBlockOrder(program) ? 1 : workers,
                          .blockBudget = kCodeBudget,
                          .claims = workers > 1};
  for (const simt::ObjectView& view : memory.objects()) {
    arrays.push_back(nullptr);
    if (view.data != nullptr) {
      arrays.back() = std::make_unique<GuardedBytes>(std::span(view.data, static_cast<std::size_t>(view.bytes)));
    }
    how.arrays.push_back(arrays.back() ? arrays.back()->data() : nullptr);
  }
  // Otherwise the emulator executes the launch from the beginning, in the same order as ever.
  if (code.execute(how) != codegen::CodeOutcome::Finished) { return result; }
  result.finished = true;
  Launch emulated = launch;
  // What a compiled loop takes is rounded up.
  const simt::ExecuteResult expected =
      simt::execute(program, emulated, {}, {.workers = 1, .instructionBudget = 2 * kCodeBudget});
  if (expected.outcome != simt::Outcome::Finished) {
    result.difference = "the emulator says: " + expected.message;
  } else if (expected.outOfBounds != 0) {
    result.difference = "the emulator says: " + expected.firstOutOfBoundsMessage;
  }
  for (std::size_t i = 0; i < program.objects.size() && result.difference.empty(); ++i) {
    const std::vector<std::byte>& bytes = emulated.arrays[i].bytes;
    if (program.objects[i].space != MemorySpace::Global || bytes.empty()) { continue; }
    const auto size = static_cast<std::size_t>(sizeInMemory(program.objects[i].element));
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      const std::span<const std::byte> own(arrays[i]->data() + at, size), other = std::span(bytes).subspan(at, size);
      if (isSame(program.objects[i].element, own, other)) { continue; }
      result.difference = fmt::format("byte {} of {}: {:02x}, on the emulator {:02x}", at, program.objects[i].name,
                                      fmt::join(numbersOf(own), " "), fmt::join(numbersOf(other), " "));
      break;
    }
  }
  return result;
}

}  // namespace haloscope::fuzz
