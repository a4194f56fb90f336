#include "faults/OutputCoverage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "language/Text.h"
#include "program/ObjectSize.h"

namespace haloscope::faults {
namespace {

constexpr std::size_t kMaxRank = 3;

/// The axes of an array of this rank in the words of a grid, slowest first.
const char* axisName(std::size_t rank, std::size_t axis) {
  constexpr std::array kNames{trMark("plane"), trMark("row"), trMark("column")};
  return rank == 1 ? tr("element") : tr(kNames[kMaxRank - rank + axis]);
}

std::string stretch(const char* name, std::int64_t first, std::int64_t last, std::int64_t extent) {
  if (first == last) {
    if (first == extent - 1) { return trf("the last {}", name); }
    if (first == 0) { return trf("the first {}", name); }
    return fmt::format("{} {}", name, first);
  }
  if (last == extent - 1) { return trf("the last {} {}s", last - first + 1, name); }
  if (first == 0) { return trf("the first {} {}s", last + 1, name); }
  return trf("{}s {} to {}", name, first, last);
}

}  // namespace

OutputCoverage::OutputCoverage(const Program& program, const Launch& launch, ObjectId output,
                               std::vector<bool> expected)
    : program_(program),
      launch_(launch),
      output_(output),
      expected_(std::move(expected)),
      written_((static_cast<std::size_t>(elementCount(program, launch, output)) + kWordBits - 1) / kWordBits) {}

bool OutputCoverage::listensTo(std::uint32_t instruction) const {
  const Instruction& code = program_.code[instruction];
  return code.op != Opcode::Load && (code.aux == kNone || code.aux == output_);
}

std::unique_ptr<simt::Observer> OutputCoverage::fork() const {
  return std::make_unique<OutputCoverage>(program_, launch_, output_);
}

void OutputCoverage::join(Observer& worker) {
  const auto& other = static_cast<OutputCoverage&>(worker);
  for (std::size_t i = 0; i < written_.size(); ++i) { written_[i] |= other.written_[i]; }
}

void OutputCoverage::access(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access) {
  if (access.object != output_ || !access.store) { return; }
  const int accessBytes = sizeInMemory(access.element);
  const int elementBytes = sizeInMemory(program_.objects[output_].element);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const std::int64_t begin = access.index[static_cast<std::size_t>(std::countr_zero(rest))] * accessBytes;
    for (std::int64_t byte = begin; byte < begin + accessBytes; byte += elementBytes) {
      const auto index = static_cast<std::size_t>(byte / elementBytes);
      if (index / kWordBits == written_.size()) { continue; }  // the last bytes may be less than an element
      written_[index / kWordBits] |= std::uint64_t{1} << (index % kWordBits);
    }
  }
}

bool OutputCoverage::isExpected(std::int64_t index) const {
  return expected_.empty() ||
         (static_cast<std::size_t>(index) < expected_.size() && expected_[static_cast<std::size_t>(index)]);
}

std::vector<std::int64_t> OutputCoverage::unwritten() const {
  std::vector<std::int64_t> indices;
  const std::int64_t count = elementCount(program_, launch_, output_);
  for (std::int64_t index = 0; index < count; ++index) {
    const auto at = static_cast<std::size_t>(index);
    if (((written_[at / kWordBits] >> (at % kWordBits)) & 1) == 0 && isExpected(index)) { indices.push_back(index); }
  }
  return indices;
}

std::optional<std::string> OutputCoverage::pattern(const std::vector<std::int64_t>& unwritten) const {
  const std::vector<std::int64_t>& extents = launch_.arrays[output_].extents;
  const std::size_t rank = extents.size();
  if (rank == 0 || rank > kMaxRank) { return std::nullopt; }
  const std::int64_t count = launch_.arrays[output_].elementCount();
  std::array<std::int64_t, kMaxRank> strides{};
  std::int64_t stride = 1;
  for (std::size_t axis = rank; axis-- > 0; stride *= extents[axis]) { strides[axis] = stride; }
  const auto coordinate = [&](std::int64_t index, std::size_t axis) { return index / strides[axis] % extents[axis]; };

  std::int64_t expected = 0;
  for (std::int64_t index = 0; index < count; ++index) { expected += isExpected(index) ? 1 : 0; }
  if (expected == static_cast<std::int64_t>(unwritten.size())) { return tr("all of it"); }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    // Of the points that ought to be written, those between two positions of one axis, and no others.
    const auto [low, high] = std::minmax_element(unwritten.begin(), unwritten.end(), [&](auto one, auto two) {
      return coordinate(one, axis) < coordinate(two, axis);
    });
    const std::int64_t first = coordinate(*low, axis);
    const std::int64_t last = coordinate(*high, axis);
    std::int64_t between = 0;
    std::int64_t expectedFirst = extents[axis];
    std::int64_t expectedLast = 0;
    for (std::int64_t index = 0; index < count; ++index) {
      if (!isExpected(index)) { continue; }
      const std::int64_t at = coordinate(index, axis);
      between += at >= first && at <= last ? 1 : 0;
      expectedFirst = std::min(expectedFirst, at);
      expectedLast = std::max(expectedLast, at);
    }
    if (between != static_cast<std::int64_t>(unwritten.size())) { continue; }
    // Where a border is left out on purpose, "the last row" is the last that ought to be written.
    return stretch(axisName(rank, axis), first - expectedFirst, last - expectedFirst, expectedLast - expectedFirst + 1);
  }
  return std::nullopt;
}

std::optional<Finding> OutputCoverage::finding() const {
  const std::vector<std::int64_t> missing = unwritten();
  if (missing.empty()) { return std::nullopt; }
  Finding finding{.kind = FindingKind::UnwrittenOutput,
                  .where = program_.objects[output_].declared,
                  .object = output_,
                  .index = missing.front(),
                  .occurrences = missing.size()};
  constexpr std::size_t kShown = 16;
  for (const std::int64_t element : missing) { finding.reach({output_, element}, kShown); }
  std::string which = trf("the first is {}", analysis::elementName(program_, output_, missing.front()));
  if (const auto simple = pattern(missing)) {
    which = *simple + tr(", from ") + analysis::elementName(program_, output_, missing[0]);
  }
  finding.message = missing.size() == 1 ? trf("{} should be written, and no thread writes it",
                                              analysis::elementName(program_, output_, missing.front()))
                                        : trf("{} elements of {} should be written, and no thread writes them: {}",
                                              missing.size(), program_.objects[output_].name, which);
  return finding;
}

}  // namespace haloscope::faults
