#include "analysis/Barriers.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

namespace haloscope::analysis {
namespace {

std::string text(const Dim3& index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

}  // namespace

void Barriers::blockBegins(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) { firstBarrier_ = kNone; }

void Barriers::barrierReleased(const Dim3& /*block*/, std::uint32_t /*interval*/) { firstBarrier_ = kNone; }

void Barriers::barrierReached(const simt::WarpContext& context, std::uint32_t instruction, LaneMask expected) {
  const std::uint64_t base = std::uint64_t{context.warp} * kWarpSize;
  const std::uint64_t thread = base + static_cast<std::uint64_t>(std::countr_zero(context.active));
  const LaneMask missing = expected & ~context.active;
  if (missing != 0) {
    note({instruction, kNone, 1, context.blockLinear, context.interval, thread,
          base + static_cast<std::uint64_t>(std::countr_zero(missing))});
  }
  if (firstBarrier_ == kNone) {
    firstBarrier_ = instruction;
    firstThread_ = thread;
  } else if (firstBarrier_ != instruction) {
    const bool inOrder = firstBarrier_ < instruction;
    note({std::min(firstBarrier_, instruction), std::max(firstBarrier_, instruction), 1, context.blockLinear,
          context.interval, inOrder ? firstThread_ : thread, inOrder ? thread : firstThread_});
  }
}

void Barriers::note(const Meeting& meeting) {
  for (Meeting& known : meetings_) {
    if (known.arrivesAt != meeting.arrivesAt || known.otherAt != meeting.otherAt) { continue; }
    const std::uint64_t occurrences = known.occurrences + meeting.occurrences;
    if (std::tie(meeting.block, meeting.interval) < std::tie(known.block, known.interval)) { known = meeting; }
    known.occurrences = occurrences;
    return;
  }
  meetings_.push_back(meeting);
}

void Barriers::join(Observer& worker) {
  for (const Meeting& meeting : static_cast<Barriers&>(worker).meetings_) { note(meeting); }
}

std::vector<Finding> Barriers::findings() const {
  std::vector<Meeting> meetings = meetings_;
  std::sort(meetings.begin(), meetings.end(), [](const Meeting& one, const Meeting& two) {
    return std::tie(one.arrivesAt, one.otherAt) < std::tie(two.arrivesAt, two.otherAt);
  });
  std::vector<Finding> all;
  for (const Meeting& meeting : meetings) {
    Finding finding;
    finding.kind = FindingKind::DivergentBarrier;
    finding.where = program_.code[meeting.arrivesAt].range;
    finding.interval = meeting.interval;
    finding.occurrences = meeting.occurrences;
    const Dim3 block = unlinear(meeting.block, launch_.configuration.grid);
    finding.threads = {{block, unlinear(meeting.arrives, launch_.configuration.block)},
                       {block, unlinear(meeting.absent, launch_.configuration.block)}};
    const std::string arrives = fmt::format("thread {} of block {} waits at the barrier at line {}",
                                            text(finding.threads[0].thread), text(block), finding.where.line);
    if (meeting.otherAt == kNone) {
      finding.message =
          fmt::format("{}, which thread {} of the same warp does not reach", arrives, text(finding.threads[1].thread));
    } else {
      finding.other = program_.code[meeting.otherAt].range;
      finding.message = fmt::format("{} while thread {} waits at another one at line {}", arrives,
                                    text(finding.threads[1].thread), finding.other.line);
    }
    all.push_back(std::move(finding));
  }
  return all;
}

std::optional<Finding> endlessFinding(const simt::ExecuteResult& result, const Launch& launch) {
  if (result.outcome != simt::Outcome::Endless) { return std::nullopt; }
  Finding finding;
  finding.kind = FindingKind::Endless;
  finding.where = result.where;
  finding.message = result.message;
  finding.threads = {{unlinear(result.block, launch.configuration.grid), {0, 0, 0}}};
  return finding;
}

}  // namespace haloscope::analysis
