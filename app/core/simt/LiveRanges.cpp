#include "simt/LiveRanges.h"

#include <algorithm>

namespace haloscope::simt {
namespace {

enum class Access : std::uint8_t { Read, Write, MaskedWrite };

struct Use {
  std::uint32_t at;
  Access access;
};

/// Per register, its uses in program order. Empty for all but temporaries.
std::vector<std::vector<Use>> findUses(const Program& program) {
  std::vector<std::vector<Use>> uses(program.registers.size());
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& instruction = program.code[at];
    const auto add = [&](RegisterId reg, Access access) {
      if (reg == kNone || program.registers[reg].kind != RegisterKind::Temporary) { return; }
      uses[reg].push_back({at, access});
    };
    add(instruction.a, Access::Read);
    add(instruction.b, Access::Read);
    add(instruction.c, Access::Read);
    add(instruction.dst, writesActiveLanesOnly(instruction) ? Access::MaskedWrite : Access::Write);
  }
  return uses;
}

/// Splits the uses of one register into values, backwards, since the readers determine the meaning of a masked write.
std::vector<LiveRange> cut(RegisterId reg, const std::vector<Use>& uses, const Structure& structure) {
  std::vector<LiveRange> ranges;
  LiveRange range{.reg = reg, .firstUse = kNone, .lastUse = 0, .end = 0, .writes = 0, .outlivesTurn = false};
  std::uint32_t readers = kNone;  // the region that all reads of this value are in
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
    const std::uint32_t region = structure.region(use->at);
    if (range.firstUse == kNone) { range.lastUse = range.end = use->at; }
    range.firstUse = use->at;
    if (use->access == Access::Read) {
      readers = readers == kNone ? region : structure.commonRegion(readers, region);
      continue;
    }
    ++range.writes;
    const bool begins = use->access == Access::Write || readers == kNone || structure.encloses(region, readers);
    if (!begins) { continue; }
    ranges.push_back(range);
    range.firstUse = kNone;
    range.writes = 0;
    readers = kNone;
  }
  if (range.firstUse != kNone) {  // read before any write: the value comes from an earlier iteration
    range.outlivesTurn = true;
    ranges.push_back(range);
  }
  std::reverse(ranges.begin(), ranges.end());
  return ranges;
}

/// A value that enters a loop is needed until the last iteration, and a value written in the loop may be read in the
/// next iteration.
void extendOverLoop(std::vector<LiveRange>& ranges, const Structure::LoopExtent& loop) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    LiveRange& range = ranges[i];
    const bool enters = range.firstUse < loop.begin && range.lastUse > loop.begin;
    const bool unwritten = range.outlivesTurn && range.firstUse > loop.begin && range.firstUse < loop.end;
    if (!enters && !unwritten) { continue; }
    range.end = std::max(range.end, loop.end);
    while (i + 1 < ranges.size() && ranges[i + 1].firstUse < loop.end) {
      range.lastUse = ranges[i + 1].lastUse;
      range.end = std::max(range.end, ranges[i + 1].end);
      range.writes += ranges[i + 1].writes;
      ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }
}

}  // namespace

bool writesActiveLanesOnly(const Instruction& instruction) {
  if (isAtomic(instruction.op)) { return true; }
  switch (instruction.op) {
    case Opcode::Assign:
    case Opcode::Load:
    case Opcode::Math:
      return true;  // some functions are computed for active lanes only
    default:
      return false;
  }
}

std::vector<LiveRange> findLiveRanges(const Program& program, const Structure& structure) {
  std::vector<std::uint32_t> barriers;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].op == Opcode::Barrier) { barriers.push_back(at); }
  }
  const std::vector<std::vector<Use>> uses = findUses(program);
  std::vector<LiveRange> all;
  for (RegisterId reg = 0; reg < uses.size(); ++reg) {
    std::vector<LiveRange> ranges = cut(reg, uses[reg], structure);
    for (const Structure::LoopExtent& loop : structure.loops()) { extendOverLoop(ranges, loop); }
    for (LiveRange& range : ranges) {
      const auto barrier = std::lower_bound(barriers.begin(), barriers.end(), range.firstUse);
      range.outlivesTurn |= barrier != barriers.end() && *barrier < range.end;
      all.push_back(range);
    }
  }
  std::sort(all.begin(), all.end(), [](const LiveRange& x, const LiveRange& y) {
    return x.firstUse != y.firstUse ? x.firstUse < y.firstUse : x.reg < y.reg;
  });
  return all;
}

}  // namespace haloscope::simt
