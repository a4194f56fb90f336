#include "running/UnsetConstants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <utility>

#include "analysis/ElementName.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "running/LaunchExecution.h"
#include "running/UnsetArrays.h"
#include "simt/Executor.h"

namespace haloscope::running {

namespace {

constexpr std::uint64_t kBlocks = 4;
constexpr std::uint64_t kReadBudget = 20'000'000;  // warp instructions
constexpr std::uint64_t kSizeOfPointer = 8;

/// How many bytes of an object are read, from the first to the last that is.
class ReadExtent final : public simt::Observer {
 public:
  ReadExtent(const Program& program, ObjectId object) : program_(program), object_(object) {}

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    const Instruction& code = program_.code[instruction];
    return readsMemory(code.op) && (code.aux == kNone || code.aux == object_);
  }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<ReadExtent>(program_, object_);
  }
  void join(Observer& worker) override { bytes_ = std::max(bytes_, static_cast<ReadExtent&>(worker).bytes_); }
  void access(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access) override {
    if (access.object != object_) { return; }
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::int64_t index = access.index[static_cast<std::size_t>(std::countr_zero(rest))];
      bytes_ = std::max(bytes_, static_cast<std::uint64_t>((index + 1) * sizeInMemory(access.element)));
    }
  }

 private:
  const Program& program_;
  ObjectId object_;
  std::uint64_t bytes_ = 0;
};

std::uint64_t readBytes(const BoundLaunch& bound, ObjectId object) {
  Launch again = bound.launch;
  ReadExtent extent(*bound.program, object);
  simt::ExecuteOptions options;
  options.onlyBlocks = representativeBlocks(again.configuration.grid, kBlocks);
  options.launchBudget = kReadBudget;
  static_cast<void>(simt::execute(*bound.program, again, std::array<simt::Observer*, 1>{&extent}, options));
  return extent.bytes();
}

/// Which elements of an object are read, and by which instruction first.
class ReadElements final : public simt::Observer {
 public:
  ReadElements(const Program& program, ObjectId object, std::size_t bytes)
      : program_(program), object_(object), by_(bytes, kNone) {}

  /// By byte: an instruction, or kNone.
  [[nodiscard]] const std::vector<std::uint32_t>& by() const { return by_; }

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    const Instruction& code = program_.code[instruction];
    return readsMemory(code.op) && (code.aux == kNone || code.aux == object_);
  }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<ReadElements>(program_, object_, by_.size());
  }
  void join(Observer& worker) override {
    const auto& other = static_cast<ReadElements&>(worker).by_;
    for (std::size_t i = 0; i < by_.size(); ++i) { by_[i] = std::min(by_[i], other[i]); }
  }
  void access(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access) override {
    if (access.object != object_) { return; }
    const auto bytes = static_cast<std::size_t>(sizeInMemory(access.element));
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::size_t begin =
          static_cast<std::size_t>(access.index[static_cast<std::size_t>(std::countr_zero(rest))]) * bytes;
      for (std::size_t i = begin; i < std::min(begin + bytes, by_.size()); ++i) {
        by_[i] = std::min(by_[i], access.instruction);
      }
    }
  }

 private:
  const Program& program_;
  ObjectId object_;
  std::vector<std::uint32_t> by_;
};

/// What some blocks of a launch make of its arrays.
std::vector<ArrayData> resultOf(const BoundLaunch& bound, Launch launch, std::vector<simt::Observer*> observers) {
  simt::ExecuteOptions options;
  options.workers = 1;
  options.onlyBlocks = representativeBlocks(launch.configuration.grid, kBlocks);
  options.launchBudget = kReadBudget;
  static_cast<void>(simt::execute(*bound.program, launch, observers, options));
  return std::move(launch.arrays);
}

/// Whether other values of these elements change what a launch writes.
bool isUsed(const BoundLaunch& bound, ObjectId object, const std::vector<std::int64_t>& elements,
            const std::vector<ArrayData>& result) {
  constexpr double kOther = 3;
  Launch other = bound.launch;
  for (const std::int64_t one : elements) { experiment::setValue(other.arrays[object], one, kOther); }
  const std::vector<ArrayData> changed = resultOf(bound, std::move(other), {});
  const std::vector<bool> written = writtenObjects(*bound.program);
  for (ObjectId i = 0; i < written.size(); ++i) {
    if (written[i] && i != object && changed[i].bytes != result[i].bytes) { return true; }
  }
  return false;
}

/// Bytes of a variable that copies and fills have set; empty: a kernel may have written it.
std::vector<bool> setBytes(const Allocation& variable, const std::vector<ProgramEvent>& events, std::size_t begin,
                           const std::vector<ProgramLaunch>& launches) {
  std::vector<bool> set(variable.size, false);
  for (std::size_t i = begin; i < events.size(); ++i) {
    const ProgramEvent& event = events[i];
    if (event.kind == ProgramEvent::Kind::Launch && writtenBy(launches.at(event.launch)).contains(variable.id)) {
      return {};
    }
    const bool sets = event.kind == ProgramEvent::Kind::Copy || event.kind == ProgramEvent::Kind::Fill ||
                      event.kind == ProgramEvent::Kind::Symbol;
    if (!sets || event.error != 0 || !event.destination || event.destination->allocation != variable.id) { continue; }
    const auto from = static_cast<std::uint64_t>(std::max<std::int64_t>(0, event.destination->offset));
    for (std::uint64_t byte = from; byte < std::min(from + event.bytes, variable.size); ++byte) { set[byte] = true; }
  }
  return set;
}

/// Whether a variable still holds the zeros that it begins with.
bool isZero(const ArrayData& array) {
  return array.elementCount() > 1 &&
         std::ranges::all_of(array.bytes, [](std::byte one) { return one == std::byte{0}; });
}

}  // namespace

void UnsetConstants::launched(std::vector<ProgramLaunch>& launches, const BoundLaunch& bound,
                              const std::vector<ProgramEvent>& events) {
  ProgramLaunch& launch = launches.back();
  for (const auto& [object, allocation] : bound.allocations) {
    const Allocation& variable = memory_.at(allocation);
    // One that is initialised is meant to hold that, even zeros.
    const bool initialised = !bound.program->objects[object].initial.empty();
    if (!variable.constant || initialised || object >= launch.loaded.size() || !launch.loaded[object]) { continue; }
    if (variable.filled == 0 && isZero(bound.launch.arrays[object])) {
      launch.lacksConstants = true;
      findings_.add(HostFindingKind::ConstantNotSet, launch.at,
                    trf("{} reads the constant {}, which was never copied to: all its elements are zero. "
                        "cudaMemcpyToSymbol({}, …) is missing before this launch.",
                        launch.kernel, variable.name, variable.name));
    } else if (variable.filled > 0 &&
               (variable.filled == variable.size || !findPart(launch, bound, object, variable))) {
      findUnset(launches, bound, object, variable, events);
    }
  }
}

bool UnsetConstants::findPart(ProgramLaunch& launch, const BoundLaunch& bound, ObjectId object,
                              const Allocation& variable) {
  const auto [known, isNew] = read_.try_emplace({launch.symbol, variable.id, variable.filled});
  if (isNew) { known->second = readBytes(bound, object); }
  const std::uint64_t read = known->second;
  const std::uint64_t element = static_cast<std::uint64_t>(sizeInMemory(bound.program->objects[object].element));
  const std::uint64_t copied = variable.filled;
  const bool counted = copied * element == read || copied * element == variable.size;
  if (read <= copied || (!counted && copied != kSizeOfPointer)) { return false; }
  launch.lacksConstants = true;
  findings_.add(counted ? HostFindingKind::ElementsAsBytes : HostFindingKind::CopySize, variable.filledAt,
                trf("Copies {} to the constant {}, of which {} (line {}) reads {}: the rest is zero. {}.",
                    bytesText(copied), variable.name, launch.kernel, launch.at.line, bytesText(read),
                    counted ? trf("The size is in bytes, and this is the number of elements of {} bytes; multiply "
                                  "it by the size of one",
                                  element)
                            : tr("This is the size of a pointer, not of what it points to")));
  return true;
}

void UnsetConstants::findUnset(const std::vector<ProgramLaunch>& launches, const BoundLaunch& bound, ObjectId object,
                               const Allocation& variable, const std::vector<ProgramEvent>& events) {
  const ProgramLaunch& launch = launches.back();
  const std::vector<bool> set = setBytes(variable, events, 0, launches);
  const auto count = std::ranges::count(set, true);
  if (count == 0 || std::cmp_equal(count, variable.size)) { return; }
  if (!looked_.emplace(launch.symbol, variable.id, count).second) { return; }
  const ArrayData& array = bound.launch.arrays[object];
  if (array.element == ValueType::Pointer) { return; }
  ReadElements reads(*bound.program, object, array.bytes.size());
  const std::vector<ArrayData> result = resultOf(bound, bound.launch, {&reads});
  const auto size = static_cast<std::size_t>(sizeInMemory(array.element));
  const auto isIts = [&](std::size_t element, const auto& test) {
    for (std::size_t i = element * size; i < (element + 1) * size; ++i) {
      if (!test(i)) { return false; }
    }
    return true;
  };
  std::vector<std::int64_t> unset;
  std::size_t copied = 0;
  const std::size_t elements = std::min<std::size_t>(array.bytes.size(), set.size()) / size;
  for (std::size_t i = 0; i < elements; ++i) {
    const bool open = isIts(i, [&](std::size_t byte) { return !set[byte] && array.bytes[byte] == std::byte{0}; });
    if (!open) { ++copied; }
    if (open && reads.by()[i * size] != kNone) { unset.push_back(static_cast<std::int64_t>(i)); }
  }
  // One that is read beside others, as a part of a float4, need not be used.
  if (unset.empty() || !isUsed(bound, object, unset, result)) { return; }
  const auto first = static_cast<std::size_t>(unset.front());
  unset_.push_back(
      {.launch = launches.size() - 1,
       .events = events.size(),
       .variable = variable.id,
       .begin = first * size,
       .bytes = size,
       .copied = variable.filledAt,
       .message = trf("{} of the {} elements of the constant {} are set when {} is launched in line {}: it "
                      "reads {} in line {}, which nothing has set and which is zero.",
                      copied, elements, variable.name, launch.kernel, launch.at.line,
                      analysis::elementName(*bound.program, object, unset.front()),
                      bound.program->code[reads.by()[first * size]].range.line)});
}

void UnsetConstants::conclude(std::vector<ProgramLaunch>& launches, const std::vector<ProgramEvent>& events) {
  for (Unset& one : unset_) {
    const std::vector<bool> later = setBytes(memory_.at(one.variable), events, one.events, launches);
    if (later.empty() || later[one.begin]) { continue; }
    launches.at(one.launch).lacksConstants = true;
    findings_.add(HostFindingKind::CopySize, one.copied, std::move(one.message));
  }
}

}  // namespace haloscope::running
