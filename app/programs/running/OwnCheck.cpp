#include "running/OwnCheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "experiment/InputData.h"
#include "language/Text.h"
#include "running/Arrivals.h"
#include "running/HostFindings.h"
#include "running/OtherResults.h"
#include "running/PrintedText.h"
#include "running/ProgramRun.h"
#include "running/Repetitions.h"

namespace haloscope::running {

namespace {

constexpr std::size_t kMostGroups = 6;
/// Arrays of the host that are tried in place of a result.
constexpr std::size_t kMostTried = 6;
/// A loop that copies its result each time: only the last is changed.
constexpr std::size_t kMostTogether = 4;
/// Fewer elements have no places to change.
constexpr std::int64_t kFewestElements = 8;

using Contents = CopiedBytes::Contents;

/// What came to the host at an event.
struct Copied {
  std::size_t event = 0;
  AllocationId from = 0;
  ArrayData array;
  std::optional<ArrayData> before{};  ///< what the array held before, if that is known and something else
};

/// Copies of the results of the same kernels.
struct Group {
  std::set<std::string> kernels;
  std::vector<Copied> copies;
  std::vector<Printed> damaged{};  ///< what the program prints for results in which values have changed places
};

/// What takes the place of a copy.
using Substitutes = std::map<std::pair<std::size_t, AllocationId>, Contents>;

class Experiments {
 public:
  Experiments(const ProgramRun& run, const host::HostProgram& program, const RunOptions& options)
      : of_(run), repetitions_(run, program, options) {}

  void change(ChangedKernels kernels) { repetitions_.change(std::move(kernels)); }

  std::vector<OwnCheck> checks() {
    std::vector<OwnCheck> all;
    record();
    if (plain_.end != ProgramEnd::Exited) { return all; }
    printed_ = printedBy(plain_);
    std::vector<const Group*> rest, right;
    for (Group& group : groups_) {
      if (repetitions_.isSpent()) { break; }
      switch (const auto [answer, sign] = accepted(group); answer) {
        case Answer::Yes:
          all.push_back({.passed = true, .ends = sign.ends, .line = sign.line, .kernels = group.kernels});
          right.push_back(&group);
          for (const Copied& one : group.copies) { onDevice_.erase(one.array.bytes); }
          break;
        case Answer::No:
          rest.push_back(&group);
          break;
        case Answer::Unclear:
          break;
      }
    }
    dropComparedWithEachOther(right, all);
    for (const Group* const group : rest) {
      auto check = rejectionOf(*group);
      if (!check) { check = countedIn(*group); }
      if (check) { all.push_back(std::move(*check)); }
    }
    // A program that ends with failure accepts no result, unless it rejects another one.
    if (printed_.status != 0 && std::ranges::all_of(all, &OwnCheck::passed)) { all.clear(); }
    // What a program prints by chance says nothing.
    if (!all.empty() && seenOf(repetitions_.run({})) != plain_) { all.clear(); }
    return all;
  }

 private:
  /// Two results that the program compares with each other alone: one mistake of both is accepted, too.
  void dropComparedWithEachOther(const std::vector<const Group*>& right, std::vector<OwnCheck>& checks) {
    std::set<std::set<std::string>> dropped;
    for (std::size_t i = 0; i < right.size(); ++i) {
      for (std::size_t j = i + 1; j < right.size() && !repetitions_.isSpent(); ++j) {
        const Copied &one = right[i]->copies.back(), &other = right[j]->copies.back();
        Copied changed = one, alike = other;
        if (one.array.elementCount() != other.array.elementCount() || !exchangeValues(changed.array, 0)) { continue; }
        for (std::int64_t k = 0; k < one.array.elementCount(); ++k) {
          const double value = experiment::valueAt(changed.array, k);
          if (value != experiment::valueAt(one.array, k)) { experiment::setValue(alike.array, k, value); }
        }
        const Printed both = printedWith({{{one.event, one.from}, std::move(changed.array.bytes)},
                                          {{other.event, other.from}, std::move(alike.array.bytes)}});
        if (!signOf(printed_, {both})) { dropped.insert({right[i]->kernels, right[j]->kernels}); }
      }
    }
    std::erase_if(checks, [&](const OwnCheck& check) { return dropped.contains(check.kernels); });
  }

  /// Executes the program as it is, and notes what it copies.
  void record() {
    auto [run, copied] = repetitions_.recorded();
    plain_ = seenOf(run);
    if (!copied.whole) { return; }
    given_ = copied.toDevice;
    onDevice_ = std::move(copied.toDevice);
    for (auto& [at, contents] : copied.beside) {
      if (isWritten(run, at.second)) { beside_.emplace(at, std::move(contents)); }
    }
    hostArrays_ = run.hostArrays;
    group(run, copied.toHost);
    for (auto& [at, contents] : copied.toHost) { onDevice_.insert(std::move(contents)); }
  }

  void group(const ProgramRun& run, const Substitutes& toHost) {
    std::map<AllocationId, const Contents*> last;
    for (const Arrival& arrival : arrivalsIn(run)) {
      const auto bytes = toHost.find({arrival.event, arrival.from});
      if (bytes == toHost.end()) { continue; }
      const Contents* const before = std::exchange(last[arrival.from], &bytes->second);
      const std::optional<ValueType> element = elementOf(run, arrival.from);
      if (arrival.kernels.empty() || !element) { continue; }
      Copied copied{.event = arrival.event, .from = arrival.from, .array = arrayOf(*element, bytes->second)};
      if (copied.array.elementCount() < kFewestElements) { continue; }
      copied.before = otherContents(copied.array, before);
      auto known = std::ranges::find(groups_, arrival.kernels, &Group::kernels);
      if (known == groups_.end()) {
        if (groups_.size() >= kMostGroups) { continue; }
        known = groups_.insert(groups_.end(), {.kernels = arrival.kernels, .copies = {}});
      }
      known->copies.push_back(std::move(copied));
    }
    for (Group& one : groups_) {
      if (one.copies.size() <= kMostTogether) { continue; }
      std::set<AllocationId> seen;
      std::ranges::reverse(one.copies);
      std::erase_if(one.copies, [&](const Copied& copied) { return !seen.insert(copied.from).second; });
    }
  }

  /// What the array held at its last copy, or what was copied to the device, of this size.
  [[nodiscard]] std::optional<ArrayData> otherContents(const ArrayData& array, const Contents* before) const {
    const auto with = [&](const Contents& bytes) {
      ArrayData other = array;
      other.bytes = bytes;
      return other;
    };
    if (before != nullptr && before->size() == array.bytes.size() && *before != array.bytes) { return with(*before); }
    for (const Contents& bytes : onDevice_) {
      if (bytes.size() == array.bytes.size() && bytes != array.bytes) { return with(bytes); }
    }
    return std::nullopt;
  }

  [[nodiscard]] Printed printedWith(const Substitutes& others) {
    return printedBy(
        seenOf(repetitions_.run({.toHost = [&](std::size_t event, AllocationId from, std::span<std::byte> given) {
          const auto other = others.find({event, from});
          if (other != others.end() && other->second.size() == given.size()) {
            std::ranges::copy(other->second, given.begin());
          }
        }})));
  }

  /// The copies with some values of each in other places; empty if none has any that could change.
  static Substitutes exchanged(std::vector<Copied> copies, std::uint32_t which) {
    Substitutes others;
    for (Copied& one : copies) {
      if (exchangeValues(one.array, which)) { others[{one.event, one.from}] = std::move(one.array.bytes); }
    }
    return others;
  }

  /// What the program prints for two such results; empty if there are none.
  std::vector<Printed> printedWithExchanged(const std::vector<Copied>& copies) {
    std::vector<Printed> all;
    for (const std::uint32_t which : {0U, 1U}) {
      const Substitutes others = exchanged(copies, which);
      if (others.empty()) { return {}; }
      all.push_back(printedWith(others));
    }
    return all;
  }

  /// Only a comparison with a reference also rejects these, means of some values and half of all; a test for values
  /// that are too large, or that no longer change, does not.
  std::vector<Printed> printedWithCalmer(const std::vector<Copied>& copies) {
    std::vector<Printed> all;
    for (bool (*const alter)(ArrayData&) : {averageValues, halveValues}) {
      Substitutes others;
      for (Copied one : copies) {
        if (alter(one.array)) { others[{one.event, one.from}] = std::move(one.array.bytes); }
      }
      if (!others.empty()) { all.push_back(printedWith(others)); }
    }
    return all;
  }

  enum class Answer : std::uint8_t { Yes, No, Unclear };

  /// Whether the program accepts a result, and the sign of that.
  std::pair<Answer, Sign> accepted(Group& group) {
    group.damaged = printedWithExchanged(group.copies);
    if (group.damaged.empty()) { return acceptedOfOneValue(group); }
    auto sign = signOf(printed_, group.damaged);
    if (!sign) { return {Answer::No, {}}; }
    std::vector<Printed> damaged = group.damaged;
    std::ranges::move(printedWithCalmer(group.copies), std::back_inserter(damaged));
    sign = signOf(printed_, damaged);
    if (!sign) { return {Answer::Unclear, {}}; }
    // NaN is neither above a bound nor below it.
    if (std::ranges::any_of(group.copies, [](const Copied& one) { return holdsNan(one.array); })) {
      return {Answer::Unclear, {}};
    }
    // A loop that ends when nothing changes any more accepts what the array held before.
    Substitutes before;
    for (const Copied& one : group.copies) {
      if (one.before) { before[{one.event, one.from}] = one.before->bytes; }
    }
    const bool any = before.empty() || signOf(printed_, {group.damaged.front(), printedWith(before)});
    return {any ? Answer::Yes : Answer::Unclear, *sign};
  }

  /// Where all elements are the same, none can be exchanged: half of it, and what is far larger and far smaller.
  std::pair<Answer, Sign> acceptedOfOneValue(const Group& group) {
    std::vector<Printed> damaged;
    for (bool (*const alter)(ArrayData&) : {+[](ArrayData& array) { return halveValues(array); },
                                            +[](ArrayData& array) { return setFarOff(array, true); },
                                            +[](ArrayData& array) { return setFarOff(array, false); }}) {
      Substitutes others;
      for (Copied one : group.copies) {
        if (!alter(one.array)) { return {Answer::No, {}}; }
        others[{one.event, one.from}] = std::move(one.array.bytes);
      }
      damaged.push_back(printedWith(others));
    }
    const auto sign = signOf(printed_, damaged);
    return sign ? std::pair(Answer::Yes, *sign) : std::pair(Answer::No, Sign{});
  }

  /// Tries the arrays of the host in place of the result. Where the program ends with failure, what it compares the
  /// elements with may be in no array; its status then is the same for other wrong results: it counts nothing.
  std::optional<OwnCheck> rejectionOf(const Group& group) {
    auto check = rejectionAmong(group, hostArrays_, false);
    if (check || printed_.status == 0 || repetitions_.isSpent()) { return check; }
    if (!comparedArrays_) { comparedArrays_ = repetitions_.run({.notesComparisons = true}).comparedArrays; }
    return rejectionAmong(group, *comparedArrays_, true);
  }

  /// Those first that are most like the result.
  std::optional<OwnCheck> rejectionAmong(const Group& group, const std::vector<Contents>& arrays, bool byElement) {
    for (const Copied& copied : group.copies) {
      std::vector<std::pair<std::int64_t, ArrayData>> tried;
      for (const Contents& bytes : arrays) {
        std::optional<ArrayData> other = convertedTo(copied.array, bytes);
        if (!other || other->bytes == copied.array.bytes || onDevice_.contains(bytes) ||
            onDevice_.contains(other->bytes)) {
          continue;
        }
        const std::int64_t differing = differenceOf(copied.array, *other).differing;
        if (differing > 0) { tried.emplace_back(differing, std::move(*other)); }
      }
      std::ranges::stable_sort(tried, {}, [](const auto& one) { return one.first; });
      if (tried.size() > kMostTried) { tried.resize(kMostTried); }
      for (const auto& [differing, expected] : tried) {
        if (repetitions_.isSpent()) { return std::nullopt; }
        Copied right = copied;
        right.array = expected;
        const Printed accepted = printedWith({{{copied.event, copied.from}, expected.bytes}});
        if (accepted == printed_) { continue; }
        const std::vector<Printed> damaged = printedWithExchanged({right});
        if (damaged.empty() || (byElement && !failsAlike(accepted, damaged))) { continue; }
        const auto place = elsewhere(copied, expected);
        if (const auto sign = running::rejectionOf(printed_, accepted, damaged, !place)) {
          return OwnCheck{
              .passed = false,
              .ends = sign->ends,
              .kinship = place ? Kinship::Same : kinship(copied, expected),
              .isMeant = printed_.status == 0 && accepted.status != 0,
              .byElement = byElement,
              .line = sign->line,
              .kernels = group.kernels,
              .how = differenceOf(copied.array, expected),
              .accepted = std::make_shared<const AcceptedResult>(copied.event, copied.from, expected, copied.array),
              .elsewhere = place};
        }
      }
    }
    return std::nullopt;
  }

  /// Whether these results end the program with the status that its own has, and only what it accepts with success.
  [[nodiscard]] bool failsAlike(const Printed& accepted, const std::vector<Printed>& damaged) const {
    return accepted.isOver() && accepted.status == 0 && std::ranges::all_of(damaged, [&](const Printed& one) {
             return one.end == printed_.end && one.status == printed_.status;
           });
  }

  /// Whether what is expected is shown to be computed as the result is, or not to be: how that follows its input is
  /// asked at two places.
  Kinship kinship(const Copied& copied, const ArrayData& expected) {
    const auto isLong = [&](const Contents& one) { return one.size() == copied.array.bytes.size(); };
    if (!isFloating(copied.array.element) || std::ranges::count_if(given_, isLong) != 1) { return Kinship::Unknown; }
    ArrayData input = copied.array;
    input.bytes = *std::ranges::find_if(given_, isLong);
    if (holdsNan(input) || holdsNan(copied.array)) { return Kinship::Unknown; }
    std::vector<Response> responses;
    for (const std::int64_t part : {3, 4}) {
      const std::int64_t at = part * input.elementCount() / 7;
      ArrayData changed = input, result = copied.array;
      const double by = 1 + std::abs(experiment::valueAt(input, at));
      experiment::setValue(changed, at, experiment::valueAt(input, at) + by);
      if (repetitions_.isSpent()) { return Kinship::Unknown; }
      (void)repetitions_.run({.toHost =
                                  [&](std::size_t event, AllocationId from, std::span<std::byte> given) {
                                    if (event == copied.event && from == copied.from) {
                                      result.bytes.assign(given.begin(), given.end());
                                    }
                                  },
                              .toDevice =
                                  [&](std::span<std::byte> given) {
                                    if (std::ranges::equal(given, input.bytes)) {
                                      std::ranges::copy(changed.bytes, given.begin());
                                    }
                                  }});
      const auto response = result.bytes.size() == input.bytes.size() && !holdsNan(result)
                                ? responseOf(copied.array, result, at, by)
                                : std::nullopt;
      if (!response) { return Kinship::Unknown; }
      responses.push_back(*response);
    }
    return areAlike(responses[0], responses[1]) ? kinshipOf(input, copied.array, expected, responses[0])
                                                : Kinship::Unknown;
  }

  /// Whether a kernel writes to an array.
  static bool isWritten(const ProgramRun& run, AllocationId array) {
    return std::ranges::any_of(run.launches, [&](const ProgramLaunch& launch) {
      return std::ranges::any_of(launch.pointers, [&](const LaunchPointer& one) {
        return one.writes && one.place && one.place->allocation == array;
      });
    });
  }

  /// Whether one of two arrays is computed from the other, and never the other way round.
  [[nodiscard]] bool areStages(AllocationId one, AllocationId other) const {
    const auto computes = [&](AllocationId read, AllocationId written) {
      return std::ranges::any_of(of_.launches, [&](const ProgramLaunch& launch) {
        const auto uses = [&](AllocationId array, bool LaunchPointer::* how) {
          return std::ranges::any_of(launch.pointers, [&](const LaunchPointer& pointer) {
            return pointer.*how && pointer.place && pointer.place->allocation == array;
          });
        };
        return uses(read, &LaunchPointer::reads) && uses(written, &LaunchPointer::writes);
      });
    };
    return computes(one, other) != computes(other, one);
  }

  /// Where what is expected was when something else was copied.
  [[nodiscard]] std::optional<std::pair<std::size_t, AllocationId>> elsewhere(const Copied& copied,
                                                                              const ArrayData& expected) const {
    for (const auto& [at, bytes] : beside_) {
      // What is computed from the copied array in a later stage is another result.
      if (at.first != copied.event || bytes.size() != expected.bytes.size() || areStages(copied.from, at.second)) {
        continue;
      }
      ArrayData other = expected;
      other.bytes = bytes;
      if (!holdsNan(other) && differenceOf(other, expected).differing == 0) { return at; }
    }
    return std::nullopt;
  }

  /// Whether the program counts what is wrong with a result, and compares it with more than what the array held before.
  std::optional<OwnCheck> countedIn(const Group& group) {
    if (group.copies.size() != 1 || repetitions_.isSpent() || !hasGrowingCount(printed_, group.damaged)) {
      return std::nullopt;
    }
    const Copied& copied = group.copies.front();
    const std::pair<std::size_t, AllocationId> at{copied.event, copied.from};
    ArrayData larger = copied.array;
    ArrayData smaller = copied.array;
    if (!setFarOff(larger, true) || !setFarOff(smaller, false)) { return std::nullopt; }
    std::vector<Printed> more = group.damaged;
    more.push_back(printedWith({{at, copied.before ? copied.before->bytes : Contents(copied.array.bytes.size())}}));
    const auto sign = countOf(printed_, more, printedWith({{at, larger.bytes}}), printedWith({{at, smaller.bytes}}),
                              copied.array.elementCount());
    if (!sign || isComparedWithOther(copied)) { return std::nullopt; }
    return OwnCheck{.passed = false, .ends = plain_.status != 0, .line = sign->line, .kernels = group.kernels};
  }

  /// Whether the result of another kernel is accepted in place of a result: two methods, which need not agree.
  bool isComparedWithOther(const Copied& copied) {
    std::size_t tried = 0;
    return std::ranges::any_of(groups_, [&](const Group& group) {
      return std::ranges::any_of(group.copies, [&](const Copied& other) {
        if (other.from == copied.from || other.array.bytes.size() != copied.array.bytes.size() ||
            other.array.bytes == copied.array.bytes || repetitions_.isSpent() || ++tried > kMostTried) {
          return false;
        }
        Copied right = copied;
        right.array = other.array;
        const Printed accepted = printedWith({{{copied.event, copied.from}, other.array.bytes}});
        const std::vector<Printed> damaged = printedWithExchanged({right});
        return !damaged.empty() && running::rejectionOf(printed_, accepted, damaged).has_value();
      });
    });
  }

  const ProgramRun& of_;
  Repetitions repetitions_;
  Seen plain_;
  Printed printed_;
  std::vector<Group> groups_;
  std::vector<Contents> hostArrays_;
  std::optional<std::vector<Contents>> comparedArrays_;
  std::set<Contents> given_;     ///< what was copied to the device
  std::set<Contents> onDevice_;  ///< what was copied to it or from it
  /// What kernels have left in other arrays of the device, by the copy.
  std::map<std::pair<std::size_t, AllocationId>, Contents> beside_;
};

/// "d_b (allocated at line 51)"
std::string nameOf(const Allocation& one) {
  const std::string place = trf("allocated at {}", placeText(one.allocatedAt));
  return one.label.empty() ? trf("the memory {}", place) : fmt::format("{} ({})", one.label, place);
}

/// A result that is not the one that was copied.
HostFinding wrongCopy(const ProgramRun& run, const OwnCheck& check) {
  const auto& [event, other] = *check.elsewhere;
  const ProgramEvent& copy = run.events.at(event);
  return {
      .kind = HostFindingKind::ResultMissing,
      .at = copy.at,
      .message = trf("This copies {}. What the program accepts is in {} at that point: {} of the {} copied elements "
                     "differ from it. Is a swap of the two pointers missing, or one too many?",
                     nameOf(run.allocations.at(copy.source->allocation)), nameOf(run.allocations.at(other)),
                     check.how->differing, check.how->points)};
}

}  // namespace

std::vector<OwnCheck> ownChecksWith(const ChangedKernels& kernels, const ProgramRun& run,
                                    const host::HostProgram& program, const RunOptions& options) {
  Experiments experiments(run, program, options);
  experiments.change(kernels);
  return experiments.checks();
}

void findOwnChecks(ProgramRun& run, const host::HostProgram& program, const RunOptions& options) {
  if (options.hostEnds || !run.isWhole() || leavesOut(run.excess) || run.launches.empty() ||
      !Repetitions::isQuick(run)) {
    return;
  }
  run.ownChecks = Experiments(run, program, options).checks();
  std::erase_if(run.ownChecks, [&](const OwnCheck& one) {
    if (!one.elsewhere || !one.fails()) { return false; }
    run.findings.push_back(wrongCopy(run, one));
    return true;
  });
}

}  // namespace haloscope::running
