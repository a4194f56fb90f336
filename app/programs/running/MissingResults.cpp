#include "running/MissingResults.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "running/Arrivals.h"
#include "running/OtherResults.h"
#include "running/PrintedText.h"
#include "running/Repetitions.h"

namespace haloscope::running {

namespace {

/// Arrays of the host that may be meant for it.
constexpr std::size_t kMostPlaces = 4;

/// The last launch that writes an array, of those at one place.
struct LeftBehind {
  std::size_t event = 0;
  AllocationId array = 0;
  bool operator==(const LeftBehind&) const = default;
};

std::vector<LeftBehind> leftBehindAt(const ProgramRun& run, const host::HostPlace& at) {
  std::vector<LeftBehind> all;
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const ProgramEvent& event = run.events[i];
    if (event.kind != ProgramEvent::Kind::Launch || !(event.at == at)) { continue; }
    for (const LaunchPointer& pointer : run.launches.at(event.launch).pointers) {
      if (!pointer.writes || !pointer.place) { continue; }
      std::erase_if(all, [&](const LeftBehind& one) { return one.array == pointer.place->allocation; });
      all.push_back({i, pointer.place->allocation});
    }
  }
  return all;
}

class Giving {
 public:
  explicit Giving(Repetitions repetitions) : repetitions_(std::move(repetitions)) {}

  /// What the program prints with a result in an array of the host alone.
  std::optional<Sign> signOf(const LeftBehind& left, ValueType element) {
    if (!plain_) { plain_ = printedBy(seenOf(repetitions_.run({}))); }
    for (std::size_t to = 0; to < kMostPlaces && !repetitions_.isSpent(); ++to) {
      const Printed given = printedWith(left, to, [](std::span<std::byte>) {});
      std::vector<Printed> exchanged;
      for (const std::uint32_t which : {0U, 1U}) {
        exchanged.push_back(printedWith(left, to, [&](std::span<std::byte> bytes) {
          ArrayData array = arrayOf(element, bytes);
          if (exchangeValues(array, which)) { std::ranges::copy(array.bytes, bytes.begin()); }
        }));
      }
      if (rejectionOf(*plain_, given, exchanged)) { return running::signOf(given, exchanged); }
    }
    return std::nullopt;
  }

 private:
  Printed printedWith(const LeftBehind& left, std::size_t to, std::function<void(std::span<std::byte>)> change) {
    return printedBy(seenOf(repetitions_.run(
        {.gathersArrays = true,
         .given = GivenArray{.event = left.event, .from = left.array, .to = to, .change = std::move(change)}})));
  }

  Repetitions repetitions_;
  std::optional<Printed> plain_;
};

}  // namespace

void findMissingResults(ProgramRun& run, const host::HostProgram& program, const RunOptions& options) {
  if (options.hostEnds || !run.isWhole() || leavesOut(run.excess) || !Repetitions::isQuick(run)) { return; }
  Giving giving{Repetitions(run, program, options)};
  for (HostFinding& finding : run.findings) {
    if (finding.kind != HostFindingKind::NeverCopiedBack) { continue; }
    for (const LeftBehind& left : leftBehindAt(run, finding.at)) {
      const std::optional<ValueType> element = elementOf(run, left.array);
      const auto sign = element ? giving.signOf(left, *element) : std::nullopt;
      if (!sign) { continue; }
      finding.kind = HostFindingKind::ResultMissing;
      finding.message += sign->line.empty()
                             ? std::string(tr(" With it in an array of the host the program ends in another way."))
                             : trf(" With it in an array of the host the program prints: {}", sign->line);
      break;
    }
  }
}

}  // namespace haloscope::running
