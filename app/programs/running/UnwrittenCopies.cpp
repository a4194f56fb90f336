#include "running/UnwrittenCopies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "running/Arrivals.h"
#include "running/HostFindings.h"
#include "running/Repetitions.h"

namespace haloscope::running {

namespace {

constexpr std::uint64_t kWord = sizeof(kUnwrittenWord);
/// NaN, which that memory holds at first, is neither above nor below anything: a large number and one below zero.
constexpr std::array<std::uint32_t, 2> kOtherWords{0x4b4b4b4b, 0xcb4b4b4b};
constexpr std::size_t kMostCopies = 32;
/// Each takes a run or two.
constexpr std::size_t kMostArrays = 4;

enum class Use : std::uint8_t { Shown, NotShown, Unknown };

class OtherContents {
 public:
  explicit OtherContents(Repetitions repetitions) : repetitions_(std::move(repetitions)) {}

  /// Whether what is seen of the program depends on the unwritten memory of these allocations. What is not unwritten,
  /// but held the same by chance, is taken out of `copies`.
  Use useOf(const std::set<AllocationId>& allocations, std::vector<UnwrittenCopy>& copies) {
    if (!plain_) { plain_ = seenOf(repeat({})); }
    if (plain_->end != ProgramEnd::Exited) { return Use::Unknown; }
    for (const std::uint32_t word : kOtherWords) {
      std::map<AllocationId, std::uint32_t> words;
      for (const AllocationId one : allocations) { words[one] = word; }
      const ProgramRun other = repeat(words);
      if (other.end != ProgramEnd::Exited && other.end != ProgramEnd::Crashed && other.end != ProgramEnd::Uncaught) {
        return Use::Unknown;
      }
      if (other.end == ProgramEnd::Exited) { keepUnwritten(copies, other, allocations); }
      if (seenOf(other) == *plain_) { continue; }
      // A program may print something else each time.
      if (!again_) { again_ = seenOf(repeat({})); }
      return *again_ == *plain_ ? Use::Shown : Use::Unknown;
    }
    // Where nothing is printed, nothing can be seen.
    return plain_->output.empty() ? Use::Unknown : Use::NotShown;
  }

 private:
  ProgramRun repeat(std::map<AllocationId, std::uint32_t> words) {
    return repetitions_.run({.unwritten = std::move(words)});
  }

  static void keepUnwritten(std::vector<UnwrittenCopy>& copies, const ProgramRun& other,
                            const std::set<AllocationId>& allocations) {
    std::erase_if(copies, [&](UnwrittenCopy& one) {
      if (!allocations.contains(one.from)) { return false; }
      const auto same = std::ranges::find_if(
          other.unwritten, [&](const UnwrittenCopy& its) { return its.at == one.at && its.from == one.from; });
      if (same == other.unwritten.end()) { return true; }
      if (same->unwritten < one.unwritten) { one = *same; }
      return false;
    });
  }

  Repetitions repetitions_;
  std::optional<Seen> plain_, again_;
};

/// Bytes of an element, as a kernel has the array; 0: no kernel has it, or its elements are smaller than a word.
std::uint64_t elementBytes(const ProgramRun& run, AllocationId allocation) {
  const std::optional<ValueType> element = elementOf(run, allocation);
  const auto bytes = static_cast<std::uint64_t>(element ? sizeInMemory(*element) : 0);
  return bytes >= kWord ? bytes : 0;
}

std::string sentence(const UnwrittenCopy& copy, const ProgramRun& run) {
  const std::string& label = run.allocations.at(copy.from).label;
  const std::string name = label.empty() ? std::string(tr("the memory")) : label;
  const std::uint64_t element = elementBytes(run, copy.from);
  const bool all = copy.unwritten == copy.copied;
  const std::string count = element > 0 ? trn("{} element", "{} elements", copy.copied / element, copy.copied / element)
                                        : bytesText(copy.copied);
  if (all) { return trf("All {} of {} that are copied to the host here were never written", count, name); }
  const std::string unwritten =
      element > 0 ? trn("{} element", "{} elements", copy.unwritten / element, copy.unwritten / element)
                  : bytesText(copy.unwritten);
  const std::string first = element > 0 ? trf("element {}", copy.first / element) : trf("byte {}", copy.first);
  return trf("Of {} of {} that are copied to the host here, {} were never written, first {}", count, name, unwritten,
             first);
}

bool isFaulty(const ProgramRun& run) {
  return std::ranges::any_of(run.findings, [](const HostFinding& one) { return rowOf(one.kind).fault; }) ||
         std::ranges::any_of(run.launches, [](const ProgramLaunch& one) { return !one.findings.empty(); }) ||
         std::ranges::any_of(run.events, [](const ProgramEvent& one) { return one.error != 0; });
}

}  // namespace

void addUnwritten(std::vector<UnwrittenCopy>& known, const host::Copy& call, const ProgramEvent& event,
                  DeviceMemory& memory) {
  const AllocationId from = event.source->allocation;
  const Allocation& one = memory.at(from);
  const auto isKnown = [&](const UnwrittenCopy& copy) { return copy.at == event.at && copy.from == from; };
  if (one.memory != host::HostMemory::Device || !one.name.empty() || known.size() >= kMostCopies ||
      std::ranges::any_of(known, isKnown)) {
    return;
  }
  const std::vector<std::byte>& bytes = memory.bytesOf(from);
  const std::uint32_t word = memory.unwrittenWord(from);
  UnwrittenCopy found{.at = event.at, .from = from, .copied = event.bytes};
  for (std::uint64_t row = 0; row < call.height; ++row) {
    const std::uint64_t begin = static_cast<std::uint64_t>(event.source->offset) + row * call.sourcePitch;
    const std::uint64_t end = std::min<std::uint64_t>(begin + call.width, bytes.size());
    for (std::uint64_t at = (begin + kWord - 1) / kWord * kWord; at + kWord <= end; at += kWord) {
      if (std::memcmp(bytes.data() + at, &word, kWord) != 0) { continue; }
      if (found.unwritten == 0) { found.first = at; }
      found.unwritten += kWord;
    }
  }
  if (found.unwritten > 0) { known.push_back(std::move(found)); }
}

void addUnwrittenCopies(ProgramRun& run, const host::HostProgram& program, const RunOptions& options) {
  // What was not executed has not written what it should have.
  if (run.unwritten.empty() || options.repeated || options.hostEnds || !run.isWhole() || leavesOut(run.excess) ||
      isFaulty(run)) {
    return;
  }
  std::vector<UnwrittenCopy> copies = run.unwritten;
  std::set<AllocationId> arrays;
  for (const UnwrittenCopy& one : copies) { arrays.insert(one.from); }
  std::map<AllocationId, Use> uses;
  OtherContents repetitions{Repetitions(run, program, options)};
  const Use together = Repetitions::isQuick(run) ? repetitions.useOf(arrays, copies) : Use::Unknown;
  const bool each = together == Use::Shown && arrays.size() > 1 && arrays.size() <= kMostArrays;
  for (const AllocationId one : arrays) {
    uses[one] = each                                          ? repetitions.useOf({one}, copies)
                : together == Use::Shown && arrays.size() > 1 ? Use::Unknown
                                                              : together;
  }
  for (const UnwrittenCopy& one : copies) {
    const Use use = uses.at(one.from);
    if (use == Use::NotShown) { continue; }
    const std::string what = sentence(one, run);
    run.findings.push_back(
        use == Use::Shown
            ? HostFinding{.kind = HostFindingKind::UnwrittenMemory,
                          .at = one.at,
                          .message = trf("{}: no kernel, cudaMemset() or cudaMemcpy() writes them, and what the "
                                         "program prints or returns depends on them.",
                                         what)}
            : HostFinding{.kind = HostFindingKind::UnwrittenCopy,
                          .at = one.at,
                          .message = trf("{}. Whether the host uses them is not known.", what)});
  }
}

}  // namespace haloscope::running
