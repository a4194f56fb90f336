#include "faults/LaneMasks.h"

#include <algorithm>
#include <bit>
#include <string>

#include <fmt/format.h>

#include "language/Text.h"
#include "program/Shuffle.h"
#include "simt/Warp.h"

namespace haloscope::faults {
namespace {

/// The register with the mask of a call of this kind; kNone of anything else.
RegisterId maskOf(const Instruction& instruction) {
  switch (instruction.op) {
    case Opcode::Shuffle:
      return instruction.c;
    case Opcode::Vote:
      return instruction.b;
    case Opcode::WarpBarrier:
      return instruction.a;
    default:
      return kNone;
  }
}

std::string functionName(const Instruction& instruction) {
  if (instruction.op == Opcode::WarpBarrier) { return "__syncwarp"; }
  if (instruction.op == Opcode::Vote) {
    const auto kind = static_cast<VoteKind>(instruction.aux);
    return kind == VoteKind::Any ? "__any_sync" : kind == VoteKind::All ? "__all_sync" : "__ballot_sync";
  }
  switch (ShuffleMode::unpack(instruction.aux).kind) {
    case ShuffleKind::Index:
      return "__shfl_sync";
    case ShuffleKind::Up:
      return "__shfl_up_sync";
    case ShuffleKind::Down:
      return "__shfl_down_sync";
    case ShuffleKind::Xor:
      break;
  }
  return "__shfl_xor_sync";
}

/// Which of the functions it is, but for a shuffle's width.
std::uint32_t functionOf(const Instruction& instruction) {
  if (instruction.op == Opcode::WarpBarrier) { return 0; }
  return instruction.op == Opcode::Vote ? instruction.aux
                                        : static_cast<std::uint32_t>(ShuffleMode::unpack(instruction.aux).kind);
}

}  // namespace

bool LaneMasks::matters(const Program& program) {
  return std::ranges::any_of(program.code, [](const Instruction& one) { return maskOf(one) != kNone; });
}

bool LaneMasks::follows(std::uint32_t instruction) const { return maskOf(program_.code[instruction]) != kNone; }

void LaneMasks::blockBegins(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) {
  calls_.clear();
  missed_.clear();
}

void LaneMasks::instruction(const simt::WarpContext& context, std::uint32_t instruction) {
  const Instruction& code = program_.code[instruction];
  const std::uint32_t first = context.warp * kWarpSize;
  const LaneMask live = context.state->live();
  for (LaneMask rest = context.active; rest != 0;) {
    const auto maskIn = [&](int lane) { return static_cast<LaneMask>(context.state->bits(maskOf(code), lane)); };
    const int caller = std::countr_zero(rest);
    const LaneMask mask = maskIn(caller);
    LaneMask together = 0;
    for (LaneMask others = rest; others != 0; others &= others - 1) {
      const int lane = std::countr_zero(others);
      if (maskIn(lane) == mask) { together |= LaneMask{1} << lane; }
    }
    rest &= ~together;
    if (const LaneMask unnamed = together & ~mask; unnamed != 0) {
      const std::uint32_t thread = first + static_cast<std::uint32_t>(std::countr_zero(unnamed));
      note(instruction, {1, context.blockLinear, context.interval, thread, thread, mask});
    }
    const Meeting meeting{context.warp, mask, code.op, functionOf(code)};
    Counts& calls = calls_[meeting];
    std::uint32_t most = 0;
    for (LaneMask lanes = together; lanes != 0; lanes &= lanes - 1) {
      most = std::max(most, ++calls[static_cast<std::size_t>(std::countr_zero(lanes))]);
    }
    for (LaneMask absent = mask & live & ~together; absent != 0; absent &= absent - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(absent));
      if (calls[lane] >= most) { continue; }  // it was here before
      Missed& missed = missed_[{meeting, instruction}];
      if (std::ranges::all_of(missed.needed, [](std::uint32_t count) { return count == 0; })) {
        missed.waits = first + static_cast<std::uint32_t>(caller);
        missed.interval = context.interval;
      }
      missed.needed[lane] = most;
    }
  }
}

void LaneMasks::blockEnds(const Dim3& /*block*/, std::uint64_t blockLinear) {
  for (const auto& [key, missed] : missed_) {
    const auto& [meeting, instruction] = key;
    const Counts& calls = calls_[meeting];
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      if (missed.needed[lane] <= calls[lane]) { continue; }
      const std::uint32_t absent = std::get<0>(meeting) * kWarpSize + static_cast<std::uint32_t>(lane);
      note(instruction, {1, blockLinear, missed.interval, missed.waits, absent, std::get<1>(meeting)});
    }
  }
}

void LaneMasks::note(std::uint32_t instruction, const Fault& fault) {
  const auto [known, isNew] = faults_.try_emplace(instruction, fault);
  if (isNew) { return; }
  const std::uint64_t occurrences = known->second.occurrences + fault.occurrences;
  if (fault.block < known->second.block) { known->second = fault; }
  known->second.occurrences = occurrences;
}

void LaneMasks::join(Observer& worker) {
  for (const auto& [instruction, fault] : static_cast<LaneMasks&>(worker).faults_) { note(instruction, fault); }
}

std::vector<Finding> LaneMasks::findings() const {
  std::vector<Finding> all;
  for (const auto& [instruction, fault] : faults_) { all.push_back(findingOf(instruction, fault)); }
  return all;
}

Finding LaneMasks::findingOf(std::uint32_t instruction, const Fault& fault) const {
  const Instruction& code = program_.code[instruction];
  Finding finding{
      .kind = FindingKind::LaneMask, .where = code.range, .interval = fault.interval, .occurrences = fault.occurrences};
  const Dim3 block = unlinear(fault.block, launch_.configuration.grid);
  finding.threads = {{block, unlinear(fault.calls, launch_.configuration.block)}};
  const std::string call =
      trf("thread {} of block {} calls {} at line {} with the mask 0x{:08x}", text(finding.threads[0].thread),
          text(block), functionName(code), finding.where.line, fault.mask);
  if (fault.absent == fault.calls) {
    finding.message = call + tr(", which does not name it: a thread must be in its own mask");
    return finding;
  }
  finding.threads.push_back({block, unlinear(fault.absent, launch_.configuration.block)});
  finding.message = trf(
      "{}, which names thread {}: that one had not left the kernel then and never makes this call, so that a GPU may "
      "wait for it or go on with undefined values",
      call, text(finding.threads[1].thread));
  finding.remedy =
      tr("move the call to where all threads of the mask come, or leave those that do not come out of the mask");
  return finding;
}

}  // namespace haloscope::faults
