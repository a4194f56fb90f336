#include "running/RepeatedLaunches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/SourceTokens.h"
#include "language/Text.h"
#include "running/HostFindings.h"
#include "running/LaunchSequence.h"

namespace haloscope::running {

namespace {

/// Fewer are no loop.
constexpr std::size_t kFewest = 3;

struct Accessed {
  std::set<AllocationId> read, written;
};

Accessed accessedBy(const ProgramLaunch& launch) {
  Accessed all;
  for (const auto* const pointers : {&launch.pointers, &launch.variables}) {
    for (const LaunchPointer& one : *pointers) {
      if (!one.place) { continue; }
      if (one.reads) { all.read.insert(one.place->allocation); }
      if (one.writes) { all.written.insert(one.place->allocation); }
    }
  }
  return all;
}

bool haveCommon(const std::set<AllocationId>& a, const std::set<AllocationId>& b) {
  return std::ranges::any_of(a, [&](AllocationId one) { return b.contains(one); });
}

/// Whether a launch of the same kernel is given the same.
bool isSameLaunch(const ProgramLaunch& a, const ProgramLaunch& b) {
  return a.symbol == b.symbol && a.configuration == b.configuration && a.scalars == b.scalars &&
         std::ranges::equal(a.pointers, b.pointers, [](const LaunchPointer& one, const LaunchPointer& other) {
           return one.place && other.place && one.place->allocation == other.place->allocation &&
                  one.place->offset == other.place->offset;
         });
}

/// Launches of one place that are the same, with nothing between them that changes what they read, or uses their
/// result.
struct Chain {
  const ProgramLaunch* first = nullptr;
  Accessed accessed{};
  std::size_t count = 1;
};

class Chains {
 public:
  explicit Chains(const ProgramRun& run) : run_(run) {
    for (const ProgramEvent& event : run.events) {
      using Kind = ProgramEvent::Kind;
      switch (event.kind) {
        case Kind::Launch:
          add(run.launches.at(event.launch));
          break;
        case Kind::Allocate:
        case Kind::Free:
          break;
        case Kind::Synchronize:
          endShared();
          break;
        default:
          endAll();
      }
    }
    endAll();
  }

  [[nodiscard]] const std::vector<Chain>& found() const { return found_; }

 private:
  /// Whether it would compute the same again, and the host sees its result only by a copy, or when it has waited.
  [[nodiscard]] bool isRepeatable(const ProgramLaunch& launch, const Accessed& accessed) const {
    const bool known = launch.program != nullptr && std::ranges::none_of(launch.program->code, [](const auto& one) {
                         return isAccess(one.op) && one.aux == kNone;
                       });
    return known && isWhole(launch) && !accessed.written.empty() && !haveCommon(accessed.read, accessed.written);
  }

  void add(const ProgramLaunch& launch) {
    Accessed accessed = accessedBy(launch);
    bool known = false;
    for (std::size_t i = open_.size(); i-- > 0;) {
      Chain& one = open_[i];
      const Accessed& its = one.accessed;
      if (one.first->at == launch.at && isSameLaunch(*one.first, launch) && isWhole(launch)) {
        ++one.count;
        known = true;
      } else if (haveCommon(accessed.written, its.read) || haveCommon(accessed.written, its.written) ||
                 haveCommon(accessed.read, its.written)) {
        end(one);
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    if (!known && isRepeatable(launch, accessed)) {
      open_.push_back({.first = &launch, .accessed = std::move(accessed)});
    }
  }

  void end(const Chain& one) {
    if (one.count >= kFewest) { found_.push_back(one); }
  }
  /// The host may now use what kernels use, too.
  void endShared() {
    const auto isShared = [&](AllocationId id) { return run_.allocations.at(id).memory != host::HostMemory::Device; };
    std::erase_if(open_, [&](const Chain& one) {
      const bool shared =
          std::ranges::any_of(one.accessed.read, isShared) || std::ranges::any_of(one.accessed.written, isShared);
      if (shared) { end(one); }
      return shared;
    });
  }
  void endAll() {
    std::ranges::for_each(open_, [this](const Chain& one) { end(one); });
    open_.clear();
  }

  const ProgramRun& run_;
  std::vector<Chain> open_, found_;
};

/// A name that says that a program takes the time of its launches, or repeats them on purpose.
bool isOfTiming(std::string_view name) {
  std::string small(name);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static constexpr std::array<std::string_view, 14> kParts{"clock",    "chrono", "timer",  "wtime",       "timeofday",
                                                           "timespec", "rdtsc",  "ticks",  "eventrecord", "elapse",
                                                           "bench",    "warm",   "repeat", "profil"};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return small.find(part) != std::string::npos; });
}

bool takesTime(const host::HostProgram& program) {
  const auto inText = [](const std::string& text) {
    const frontend::SourceTokens tokens(text);
    return std::ranges::any_of(tokens.code(), [](const frontend::SourceToken& one) {
      return one.kind == frontend::SourceToken::Kind::Identifier && isOfTiming(one.spelling);
    });
  };
  return std::ranges::any_of(program.files, [&](const auto& file) { return inText(file.text); }) ||
         std::ranges::any_of(program.headers, [&](const auto& header) { return inText(header.second); });
}

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) { return names.front(); }
  return trf("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

/// What the program calls the arrays that a launch only reads, or only writes; those with as many bytes as `like`, if
/// it is given.
std::vector<std::string> namesOf(const ProgramRun& run, const std::set<AllocationId>& arrays, std::uint64_t like) {
  std::vector<std::string> names;
  for (const AllocationId id : arrays) {
    const Allocation& one = run.allocations.at(id);
    if (one.size == like && one.name.empty()) {
      names.push_back(one.label.empty() ? trf("the memory of {}", placeText(one.allocatedAt)) : one.label);
    }
  }
  return names;
}

}  // namespace

void addRepeatedLaunches(ProgramRun& run, const host::HostProgram& program) {
  if (run.end != ProgramEnd::Exited || leavesOut(run.excess)) { return; }
  const Chains chains(run);
  if (chains.found().empty() || takesTime(program)) { return; }
  for (const Chain& chain : chains.found()) {
    const ProgramLaunch& first = *chain.first;
    const auto isElsewhere = [&](const ProgramLaunch& one) { return one.at != first.at && isSameLaunch(one, first); };
    const auto isKnown = [&](const HostFinding& one) {
      return one.at == first.at &&
             (one.kind == HostFindingKind::RepeatedLaunch || one.kind == HostFindingKind::NeverCopiedBack);
    };
    if (std::ranges::any_of(run.launches, isElsewhere) || std::ranges::any_of(run.findings, isKnown)) { continue; }
    const std::uint64_t size = run.allocations.at(*chain.accessed.written.begin()).size;
    const std::vector<std::string> inputs = namesOf(run, chain.accessed.read, size);
    const std::vector<std::string> outputs = namesOf(run, chain.accessed.written, size);
    if (inputs.empty() || outputs.empty()) { continue; }
    run.findings.push_back(
        {.kind = HostFindingKind::RepeatedLaunch,
         .at = first.at,
         .message = trf("{} launches of {} compute the same again: each reads {}, which nothing changes between "
                        "them, and writes {}. Are the pointers to be exchanged after each launch?",
                        chain.count, first.kernel, listed(inputs), listed(outputs))});
  }
}

}  // namespace haloscope::running
