#include "faults/Barriers.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "language/Text.h"

namespace haloscope::faults {
namespace {

/// "threads (32,0,0) to (63,0,0)", for threads of a block that are given ascending.
std::string threadsText(const std::vector<std::uint64_t>& threads, const Dim3& block) {
  const std::string first = text(unlinear(threads.front(), block));
  if (threads.size() == 1) { return tr("thread ") + first; }
  if (threads.back() - threads.front() != threads.size() - 1) {
    return trf("{} threads, the first of them {},", threads.size(), first);
  }
  return trf("threads {} to {}", first, text(unlinear(threads.back(), block)));
}

/// Whether a thread that returned would have come to the barrier otherwise: further down, or in the next pass of a
/// loop.
bool isBeforeBarrier(const Program& program, std::uint32_t leftAt, std::uint32_t barrier) {
  if (leftAt < barrier) { return true; }
  for (std::uint32_t at = leftAt; at < program.code.size(); ++at) {
    const Instruction& one = program.code[at];
    if (one.op == Opcode::LoopBack && one.target <= barrier) { return true; }
  }
  return false;
}

}  // namespace

void Barriers::blockBegins(const Dim3& /*block*/, std::uint64_t blockLinear) {
  block_ = blockLinear;
  left_.clear();
  disordered_ = false;
  firstBarrier_ = kNone;
}

void Barriers::barrierReleased(const Dim3& /*block*/, std::uint32_t interval) {
  if (!left_.empty() && !disordered_) { noteAbsences(interval - 1); }
  firstBarrier_ = kNone;
}

void Barriers::threadsLeave(const simt::WarpContext& context, std::uint32_t instruction) {
  left_.push_back({instruction, context.warp, context.active});
}

void Barriers::noteAbsences(std::uint32_t interval) {
  std::ranges::sort(left_, {}, [](const Leaving& leaving) { return std::tie(leaving.instruction, leaving.warp); });
  for (auto first = left_.begin(); first != left_.end();) {
    Absence absence{firstBarrier_, first->instruction, 0, block_, interval, firstThread_, {}};
    for (; first != left_.end() && first->instruction == absence.leftAt; ++first) {
      for (LaneMask lanes = first->lanes; lanes != 0; lanes &= lanes - 1) {
        absence.absent.push_back(std::uint64_t{first->warp} * kWarpSize +
                                 static_cast<std::uint64_t>(std::countr_zero(lanes)));
      }
    }
    std::ranges::sort(absence.absent);  // a warp may leave in parts
    absence.occurrences = absence.absent.size();
    note(absence);
  }
  left_.clear();
}

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
    disordered_ = true;
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

void Barriers::note(const Absence& absence) {
  for (Absence& known : absences_) {
    if (known.barrier != absence.barrier || known.leftAt != absence.leftAt) { continue; }
    const std::uint64_t occurrences = known.occurrences + absence.occurrences;
    if (absence.block < known.block) { known = absence; }
    known.occurrences = occurrences;
    return;
  }
  absences_.push_back(absence);
}

void Barriers::join(Observer& worker) {
  for (const Meeting& meeting : static_cast<Barriers&>(worker).meetings_) { note(meeting); }
  for (const Absence& absence : static_cast<Barriers&>(worker).absences_) { note(absence); }
}

std::vector<Finding> Barriers::findings() const {
  std::vector<Meeting> meetings = meetings_;
  std::ranges::sort(meetings, {}, [](const Meeting& one) { return std::tie(one.arrivesAt, one.otherAt); });
  std::vector<Absence> absences = absences_;
  std::ranges::sort(absences, {}, [](const Absence& one) { return std::tie(one.barrier, one.leftAt); });
  std::vector<Finding> all;
  for (const Meeting& meeting : meetings) { all.push_back(findingOf(meeting)); }
  for (const Absence& absence : absences) { all.push_back(findingOf(absence)); }
  return all;
}

Finding Barriers::findingOf(const Meeting& meeting) const {
  Finding finding{.kind = FindingKind::DivergentBarrier,
                  .where = program_.code[meeting.arrivesAt].range,
                  .interval = meeting.interval,
                  .occurrences = meeting.occurrences};
  const Dim3 block = unlinear(meeting.block, launch_.configuration.grid);
  finding.threads = {{block, unlinear(meeting.arrives, launch_.configuration.block)},
                     {block, unlinear(meeting.absent, launch_.configuration.block)}};
  const std::string arrives = trf("thread {} of block {} waits at the barrier at line {}",
                                  text(finding.threads[0].thread), text(block), finding.where.line);
  if (meeting.otherAt == kNone) {
    finding.message =
        trf("{}, which thread {} of the same warp does not reach", arrives, text(finding.threads[1].thread));
  } else {
    finding.other = program_.code[meeting.otherAt].range;
    finding.message = trf("{} while thread {} waits at a different one at line {}", arrives,
                          text(finding.threads[1].thread), finding.other.line);
  }
  return finding;
}

Finding Barriers::findingOf(const Absence& absence) const {
  Finding finding{.kind = FindingKind::DivergentBarrier,
                  .where = program_.code[absence.barrier].range,
                  .other = program_.code[absence.leftAt].range,
                  .interval = absence.interval,
                  .occurrences = absence.occurrences};
  const Dim3 block = unlinear(absence.block, launch_.configuration.grid);
  finding.threads = {{block, unlinear(absence.waits, launch_.configuration.block)},
                     {block, unlinear(absence.absent.front(), launch_.configuration.block)}};
  const std::string who = threadsText(absence.absent, launch_.configuration.block) + tr(" of block ") + text(block);
  const bool one = absence.absent.size() == 1;
  if (isBeforeBarrier(program_, absence.leftAt, absence.barrier)) {
    finding.kind = FindingKind::EarlyReturn;
    finding.message = trf(
        "{} {} already returned, at line {}, when the others wait at the barrier at line {}; GPUs of compute "
        "capability 7.0 and later do not wait for threads that have left, but according to the programming guide all "
        "threads of the block must reach a barrier, and the work {} to do before it is left out",
        who, one ? tr("has") : tr("have"), finding.other.line, finding.where.line,
        one ? tr("it was") : tr("they were"));
    finding.remedy = tr("put a condition around the work in place of the return");
  } else {
    finding.message = trf(
        "{} {} to the end of the kernel while the others wait at the barrier at line {}; all threads of a block must "
        "reach each barrier equally often: a GPU may hang here or continue with wrong values",
        who, one ? tr("runs") : tr("run"), finding.where.line);
  }
  return finding;
}

std::optional<Finding> stoppedFinding(const simt::ExecuteResult& result, const Launch& launch) {
  Finding finding;
  switch (result.outcome) {
    case simt::Outcome::Endless:
      finding.kind = FindingKind::Endless;
      break;
    case simt::Outcome::GridBarrier:
      finding.kind = FindingKind::GridBarrier;
      break;
    case simt::Outcome::ClusterBarrier:
      finding.kind = FindingKind::ClusterBarrier;
      break;
    default:
      return std::nullopt;
  }
  finding.where = result.where;
  finding.message = result.message;
  finding.threads = {{unlinear(result.block, launch.configuration.grid), {0, 0, 0}}};
  return finding;
}

}  // namespace haloscope::faults
