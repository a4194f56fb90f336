#include "analysis/MemoryRequests.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "analysis/Counts.h"

namespace haloscope::analysis {
namespace {

/// Numbers of a warp's lanes, at most three each, kept in order so that distinct ones are easily counted.
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
  std::array<std::int64_t, static_cast<std::size_t>(kWarpSize) * 3> numbers_;
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

std::size_t bankOf(std::int64_t word) { return static_cast<std::size_t>(word - floorDivide(word, kBanks) * kBanks); }

/// Most different words in one bank.
std::uint32_t wordsInOneBank(const LaneAddresses& addresses, LaneMask lanes, int elementBytes) {
  Numbers words;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::int64_t at = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
    const std::int64_t first = floorDivide(at, kBankBytes);
    const std::int64_t last = floorDivide(at + elementBytes - 1, kBankBytes);
    for (std::int64_t word = first; word <= last; ++word) { words.add(word); }
  }
  std::array<std::uint32_t, kBanks> inBank{};
  std::uint32_t most = 0;
  for (const std::int64_t word : words.distinct()) { most = std::max(most, ++inBank[bankOf(word)]); }
  return most;
}

/// Most lanes with an element that begins in one bank.
std::uint32_t lanesOfOneBank(const LaneAddresses& addresses, LaneMask lanes) {
  std::array<std::uint32_t, kBanks> inBank{};
  std::uint32_t most = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::int64_t at = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
    most = std::max(most, ++inBank[bankOf(floorDivide(at, kBankBytes))]);
  }
  return most;
}

/// Atomics take a sector as often as one of its elements is updated: elements of a sector side by side, updates of one
/// element one after another.
std::uint32_t sectorsUpdated(const LaneAddresses& addresses, LaneMask lanes) {
  struct Element {
    std::int64_t address = 0;
    std::uint32_t updates = 0;
  };
  std::array<Element, kWarpSize> elements;
  std::size_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::int64_t at = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
    const auto end = elements.begin() + static_cast<std::ptrdiff_t>(count);
    const auto found = std::find_if(elements.begin(), end, [&](const Element& one) { return one.address == at; });
    if (found == end) { elements[count++].address = at; }
    ++found->updates;
  }
  std::sort(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Element& one, const Element& two) { return one.address < two.address; });
  std::uint32_t taken = 0;
  for (std::size_t at = 0; at < count;) {
    const std::int64_t sector = floorDivide(elements[at].address, kSectorBytes);
    std::uint32_t most = 0;
    for (; at < count && floorDivide(elements[at].address, kSectorBytes) == sector; ++at) {
      most = std::max(most, elements[at].updates);
    }
    taken += most;
  }
  return taken;
}

/// Lanes served together at most.
int lanesServed(int bytes) { return bytes <= 4 ? kWarpSize : bytes <= 8 ? kWarpSize / 2 : kWarpSize / 4; }

/// Where dynamic shared memory begins: behind the arrays whose size is known, at a multiple of 16 bytes.
std::int64_t dynamicSharedBegin(const Program& program) {
  constexpr std::int64_t kAlignment = 16;
  std::int64_t bytes = 0;
  for (const MemoryObject& object : program.objects) {
    if (object.space == MemorySpace::Shared && !object.extentsAtLaunch) { bytes += object.byteCount(); }
  }
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Whether each lane wants the same as the one whose number differs in this bit, if that one takes part.
bool sameInPairs(const LaneAddresses& addresses, LaneMask lanes, int bit) {
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const int other = lane ^ bit;
    const bool takesPart = (lanes >> other & 1U) != 0;
    if (takesPart && addresses[static_cast<std::size_t>(lane)] != addresses[static_cast<std::size_t>(other)]) {
      return false;
    }
  }
  return true;
}

}  // namespace

LaneRequest laneRequest(const Instruction& access) {
  LaneRequest request{.bytes = accessBytes(access)};
  if (access.op == Opcode::Store) { request.effect = RequestEffect::Store; }
  if (isAtomic(access.op)) {
    const bool native =
        sizeInMemory(access.type) == 4 && !isFloating(access.type) && access.op != Opcode::AtomicCompareAndSwap;
    request.effect = native ? RequestEffect::Atomic : RequestEffect::AtomicLoop;
  }
  return request;
}

std::uint32_t sectorsCopied(const LaneAddresses& from, const LaneAddresses& to, LaneMask lanes) {
  std::array<std::pair<std::int64_t, std::int64_t>, kWarpSize>
      pairs;  // a line of the source, a sector of shared memory
  auto end = pairs.begin();
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    *end++ = {floorDivide(from.at(lane), kLineBytes), floorDivide(to.at(lane), kSectorBytes)};
  }
  std::sort(pairs.begin(), end);
  return static_cast<std::uint32_t>(std::unique(pairs.begin(), end) - pairs.begin());
}

std::vector<LaneMask> servedTogether(const LaneAddresses& addresses, LaneMask lanes, LaneRequest request) {
  const int count = lanesServed(request.bytes);
  if (count == kWarpSize) { return {lanes}; }
  std::vector<LaneMask> sets;
  const LaneMask first = (LaneMask{1} << count) - 1;
  for (int at = 0; at < kWarpSize; at += 2 * count) {
    const LaneMask lower = lanes & first << at;
    const LaneMask upper = lanes & first << (at + count);
    const LaneMask both = lower | upper;
    const bool atOnce =
        request.effect == RequestEffect::Load && (sameInPairs(addresses, both, 1) || sameInPairs(addresses, both, 2));
    for (const LaneMask set : {atOnce ? both : lower, atOnce ? LaneMask{0} : upper}) {
      if (set != 0) { sets.push_back(set); }
    }
  }
  return sets;
}

RequestShape shapeOf(const LaneAddresses& addresses, LaneMask lanes, LaneRequest request, MemorySpace space) {
  RequestShape shape;
  shape.lanes = static_cast<std::uint32_t>(std::popcount(lanes));
  if (lanes == 0) { return shape; }
  switch (space) {
    case MemorySpace::Global: {
      shape.sectors = isAtomic(request.effect) ? sectorsUpdated(addresses, lanes)
                                               : unitsTouched(addresses, lanes, request.bytes, kSectorBytes);
      shape.lines = unitsTouched(addresses, lanes, request.bytes, kLineBytes);
      const std::int64_t bytes = std::int64_t{distinctAddresses(addresses, lanes)} * request.bytes;
      shape.idealSectors = static_cast<std::uint32_t>((bytes + kSectorBytes - 1) / kSectorBytes);
      break;
    }
    case MemorySpace::Shared:
      for (const LaneMask served : servedTogether(addresses, lanes, request)) {
        const std::uint32_t degree = isAtomic(request.effect) ? lanesOfOneBank(addresses, served)
                                                              : wordsInOneBank(addresses, served, request.bytes);
        // A turn of the loop replaces in two passes; what it reads again is not counted.
        const std::uint32_t passes = request.effect == RequestEffect::AtomicLoop ? 2 : 1;
        shape.bankDegree = std::max(shape.bankDegree, degree);
        shape.passes += degree * passes;
        shape.idealPasses += passes;
      }
      break;
    case MemorySpace::Constant:
      shape.passes = distinctAddresses(addresses, lanes);
      shape.idealPasses = 1;
      break;
    case MemorySpace::Local:
      break;
  }
  return shape;
}

RequestShape shapeOf(const simt::MemoryAccess& access, LaneRequest request) {
  const int bytes = sizeInMemory(access.element);
  LaneAddresses addresses{};
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    if ((access.lanes >> lane & 1U) != 0) { addresses[lane] = access.index[lane] * bytes; }
  }
  return shapeOf(addresses, access.lanes, request, access.space);
}

const RequestShape& RequestShapes::of(const simt::MemoryAccess& access, LaneRequest request) {
  Pattern pattern{.lanes = access.lanes, .space = access.space, .element = access.element, .request = request};
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
  if (slot.pattern != pattern) { slot = {.pattern = pattern, .shape = shapeOf(access, request)}; }
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
  clusterRequests += other.clusterRequests;
  clusterSectors += other.clusterSectors;
}

double RequestTotals::sectorsPerRequest() const { return ratio(sectors, globalRequests); }

double RequestTotals::meanBankDegree() const { return ratio(bankDegreeSum, sharedRequests); }

double RequestTotals::passesPerConstantRequest() const { return ratio(constantPasses, constantRequests); }

RequestCounter::RequestCounter(const Program& program)
    : program_(program),
      instructions_(program.code.size()),
      shapes_(program.code.size()),
      dynamicBegin_(dynamicSharedBegin(program)) {}

std::unique_ptr<simt::Observer> RequestCounter::fork() const { return std::make_unique<RequestCounter>(program_); }

void RequestCounter::join(Observer& worker) {
  const std::vector<RequestTotals>& others = static_cast<RequestCounter&>(worker).instructions_;
  for (std::size_t i = 0; i < instructions_.size(); ++i) { instructions_[i].add(others[i]); }
}

void RequestCounter::access(const simt::WarpContext&, const simt::MemoryAccess& access) {
  const Instruction& code = program_.code[access.instruction];
  const LaneRequest request = laneRequest(code);
  RequestShape shape = shapes_[access.instruction].of(access, request);
  if (request.bytes == kPassingBytes && code.ofCopy) {
    copyLoads(access);
    shape.sectors = 0;
  }
  instructions_[access.instruction].add(shape, access.space);
  if (request.bytes == kPassingBytes && code.async) { copyStores(access); }
}

void RequestCounter::copyLoads(const simt::MemoryAccess& access) {
  constexpr int kArrayShift = 40;
  if (copied_.instruction != access.instruction) { copied_ = {.instruction = access.instruction}; }
  const std::int64_t array = std::int64_t{access.object} << kArrayShift;
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    copied_.from.at(lane) = array + access.index.at(lane) * sizeInMemory(access.element);
  }
  copied_.lanes |= access.lanes;
}

void RequestCounter::copyStores(const simt::MemoryAccess& access) {
  const LaneMask lanes = copied_.lanes & access.lanes;  // the others are filled with zeros
  if (lanes == 0) { return; }
  copied_.lanes &= ~access.lanes;
  const std::int64_t begin = program_.objects[access.object].extentsAtLaunch ? dynamicBegin_ : 0;
  LaneAddresses to{};
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    to.at(lane) = begin + access.index.at(lane) * sizeInMemory(access.element);
  }
  instructions_[copied_.instruction].sectors += sectorsCopied(copied_.from, to, lanes);
}

void RequestCounter::clusterAccess(const simt::WarpContext&, const simt::MemoryAccess& access, std::uint32_t) {
  simt::MemoryAccess asGlobal = access;
  asGlobal.space = MemorySpace::Global;
  RequestTotals& totals = instructions_[access.instruction];
  ++totals.clusterRequests;
  totals.clusterSectors +=
      shapes_[access.instruction].of(asGlobal, laneRequest(program_.code[access.instruction])).sectors;
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
