#include "analysis/MemoryRequests.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "analysis/Counts.h"
#include "analysis/Ratio.h"

namespace haloscope::analysis {
namespace {

constexpr LaneMask kLowerHalf = 0xffffU;

/// Up to 32 numbers, one a lane, kept in order so that distinct ones are easily counted.
class Numbers {
 public:
  void add(std::int64_t number) {
    sorted_ = sorted_ && (count_ == 0 || numbers_[count_ - 1] <= number);
    numbers_[count_++] = number;
  }
  /// Sorts, unless they came in order, as addresses of lanes mostly do.
  [[nodiscard]] std::span<const std::int64_t> distinct() {
    const auto end = numbers_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (!sorted_) { std::sort(numbers_.begin(), end); }
    return {numbers_.begin(), std::unique(numbers_.begin(), end)};
  }

 private:
  std::array<std::int64_t, static_cast<std::size_t>(kWarpSize) * 2> numbers_;
  std::size_t count_ = 0;
  bool sorted_ = true;
};

std::int64_t floorDivide(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// Distinct units of `bytes` that the elements touch, an element being able to lie across two.
std::uint32_t unitsTouched(const LaneAddresses& addresses, LaneMask lanes, int elementBytes, std::int64_t bytes) {
  Numbers units;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::int64_t at = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
    const std::int64_t first = floorDivide(at, bytes);
    const std::int64_t last = floorDivide(at + elementBytes - 1, bytes);
    units.add(first);
    if (last != first) { units.add(last); }
  }
  return static_cast<std::uint32_t>(units.distinct().size());
}

std::uint32_t distinctAddresses(const LaneAddresses& addresses, LaneMask lanes) {
  Numbers numbers;
  for (; lanes != 0; lanes &= lanes - 1) { numbers.add(addresses[static_cast<std::size_t>(std::countr_zero(lanes))]); }
  return static_cast<std::uint32_t>(numbers.distinct().size());
}

/// Most different words in one bank.
std::uint32_t bankDegree(const LaneAddresses& addresses, LaneMask lanes, int elementBytes) {
  Numbers words;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::int64_t at = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
    const std::int64_t first = floorDivide(at, kBankBytes);
    const std::int64_t last = floorDivide(at + elementBytes - 1, kBankBytes);
    for (std::int64_t word = first; word <= last; ++word) { words.add(word); }
  }
  std::array<std::uint32_t, kBanks> inBank{};
  std::uint32_t most = 0;
  for (const std::int64_t word : words.distinct()) {
    const auto bank = static_cast<std::size_t>(word - floorDivide(word, kBanks) * kBanks);
    most = std::max(most, ++inBank[bank]);
  }
  return most;
}

}  // namespace

RequestShape shapeOf(const LaneAddresses& addresses, LaneMask lanes, int elementBytes, MemorySpace space) {
  RequestShape shape;
  shape.lanes = static_cast<std::uint32_t>(std::popcount(lanes));
  if (lanes == 0) { return shape; }
  switch (space) {
    case MemorySpace::Global: {
      shape.sectors = unitsTouched(addresses, lanes, elementBytes, kSectorBytes);
      shape.lines = unitsTouched(addresses, lanes, elementBytes, kLineBytes);
      const std::int64_t bytes = std::int64_t{distinctAddresses(addresses, lanes)} * elementBytes;
      shape.idealSectors = static_cast<std::uint32_t>((bytes + kSectorBytes - 1) / kSectorBytes);
      break;
    }
    case MemorySpace::Shared: {
      const LaneMask firstServed = elementBytes > kBankBytes ? kLowerHalf : kAllLanes;
      for (const LaneMask served : {lanes & firstServed, lanes & ~firstServed}) {
        if (served == 0) { continue; }
        const std::uint32_t degree = bankDegree(addresses, served, elementBytes);
        shape.bankDegree = std::max(shape.bankDegree, degree);
        shape.passes += degree;
        ++shape.idealPasses;
      }
      break;
    }
    case MemorySpace::Constant:
      shape.passes = distinctAddresses(addresses, lanes);
      shape.idealPasses = 1;
      break;
    case MemorySpace::Local:
      break;
  }
  return shape;
}

RequestShape shapeOf(const simt::MemoryAccess& access) {
  const int bytes = sizeInMemory(access.element);
  LaneAddresses addresses{};
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    if ((access.lanes >> lane & 1U) != 0) { addresses[lane] = access.index[lane] * bytes; }
  }
  return shapeOf(addresses, access.lanes, bytes, access.space);
}

const RequestShape& RequestShapes::of(const simt::MemoryAccess& access) {
  Pattern pattern{.lanes = access.lanes, .space = access.space, .element = access.element};
  const std::int64_t first = access.index[static_cast<std::size_t>(std::countr_zero(access.lanes))];
  pattern.phase = first * sizeInMemory(access.element) % kLineBytes;
  for (std::size_t lane = 0; lane < pattern.distances.size(); ++lane) {
    pattern.distances[lane] = (access.lanes >> lane & 1U) != 0 ? access.index[lane] - first : 0;
  }
  // Patterns of one instruction differ in where they begin, which lanes take part and where a row ends.
  std::uint64_t mixed = static_cast<std::uint64_t>(pattern.phase) + std::uint64_t{pattern.lanes} * 0x9e3779b97f4a7c15U;
  for (const std::size_t lane : {7U, 15U, 23U, 31U}) {
    mixed = mixed * 31 + static_cast<std::uint64_t>(pattern.distances[lane]);
  }
  mixed *= 0x9e3779b97f4a7c15U;
  if (known_.empty()) { known_.resize(kSlots); }
  Known& slot = known_[mixed >> 58];
  if (slot.pattern != pattern) { slot = {.pattern = pattern, .shape = shapeOf(access)}; }
  return slot.shape;
}

void RequestTotals::add(const RequestShape& shape, MemorySpace space) {
  if (shape.lanes == 0) { return; }
  switch (space) {
    case MemorySpace::Global:
      ++globalRequests;
      globalLanes += shape.lanes;
      sectors += shape.sectors;
      idealSectors += shape.idealSectors;
      break;
    case MemorySpace::Shared:
      ++sharedRequests;
      sharedLanes += shape.lanes;
      sharedPasses += shape.passes;
      idealSharedPasses += shape.idealPasses;
      bankDegreeSum += shape.bankDegree;
      bankDegreeMax = std::max(bankDegreeMax, shape.bankDegree);
      break;
    case MemorySpace::Constant:
      ++constantRequests;
      constantPasses += shape.passes;
      break;
    case MemorySpace::Local:
      break;
  }
}

void RequestTotals::add(const RequestTotals& other) {
  globalRequests += other.globalRequests;
  globalLanes += other.globalLanes;
  sectors += other.sectors;
  idealSectors += other.idealSectors;
  sharedRequests += other.sharedRequests;
  sharedLanes += other.sharedLanes;
  sharedPasses += other.sharedPasses;
  idealSharedPasses += other.idealSharedPasses;
  bankDegreeSum += other.bankDegreeSum;
  bankDegreeMax = std::max(bankDegreeMax, other.bankDegreeMax);
  constantRequests += other.constantRequests;
  constantPasses += other.constantPasses;
}

double RequestTotals::sectorsPerRequest() const { return ratio(sectors, globalRequests); }

double RequestTotals::sectorEfficiency() const { return ratio(idealSectors, sectors); }

double RequestTotals::meanBankDegree() const { return ratio(bankDegreeSum, sharedRequests); }

double RequestTotals::passesPerConstantRequest() const { return ratio(constantPasses, constantRequests); }

RequestCounter::RequestCounter(const Program& program)
    : program_(program), instructions_(program.code.size()), shapes_(program.code.size()) {}

std::unique_ptr<simt::Observer> RequestCounter::fork() const { return std::make_unique<RequestCounter>(program_); }

void RequestCounter::join(Observer& worker) {
  const std::vector<RequestTotals>& others = static_cast<RequestCounter&>(worker).instructions_;
  for (std::size_t i = 0; i < instructions_.size(); ++i) { instructions_[i].add(others[i]); }
}

void RequestCounter::access(const simt::WarpContext&, const simt::MemoryAccess& access) {
  instructions_[access.instruction].add(shapes_[access.instruction].of(access), access.space);
}

MemoryRequests RequestCounter::totals() const {
  MemoryRequests requests;
  requests.instructions = instructions_;
  requests.statements.resize(program_.statements.size());
  const std::vector<StatementId> statementOf = statementOfInstructions(program_);
  for (std::size_t at = 0; at < instructions_.size(); ++at) {
    requests.all.add(instructions_[at]);
    if (statementOf[at] != kNone) { requests.statements[statementOf[at]].add(instructions_[at]); }
  }
  return requests;
}

}  // namespace haloscope::analysis
