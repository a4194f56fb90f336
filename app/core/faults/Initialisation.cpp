#include "faults/Initialisation.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "faults/FaultPropagation.h"
#include "faults/FindingGroups.h"
#include "language/Text.h"
#include "program/Shuffle.h"
#include "simt/Warp.h"

namespace haloscope::faults {

using provenance::kMaxTags;
using provenance::LaneTags;
using provenance::Tags;

namespace {

std::string nameOf(const Program& program, RegisterId reg) {
  const auto found = std::find_if(program.variables.begin(), program.variables.end(),
                                  [=](const Variable& variable) { return variable.reg == reg; });
  return found == program.variables.end() ? tr("a variable") : found->name;
}

}  // namespace

Initialisation::Initialisation(const Program& program, const Launch& launch, Suspects suspects)
    : TagFlow(program, launch),
      suspects_(std::move(suspects)),
      written_(program, launch, suspects_.undefinedGlobals),
      races_(program, launch, suspects_.races),
      tagOfLoad_(program.code.size(), kMaxTags - 1),
      tagOfVariable_(program.registers.size(), kMaxTags - 1) {
  const auto nextTag = [this](RegisterId variable) {
    if (origins_.size() < kMaxTags) {
      Origin origin;
      origin.variable = variable;
      origin.reads.resize(std::size_t{this->launch().configuration.warpsPerBlock()} * kWarpSize);
      origins_.push_back(std::move(origin));
    }
    return static_cast<std::uint8_t>(origins_.size() - 1);
  };
  for (const std::uint32_t load : suspects_.loads) { tagOfLoad_[load] = nextTag(kNone); }
  for (const std::uint32_t shuffle : suspects_.shuffles) { tagOfLoad_[shuffle] = nextTag(kNone); }
  for (const RegisterId variable : suspects_.variables) { tagOfVariable_[variable] = nextTag(variable); }
  followUnassigned(suspects_.variables);
}

std::unique_ptr<simt::Observer> Initialisation::fork() const {
  auto fork = std::make_unique<Initialisation>(program(), launch(), suspects_);
  written_.shareWith(fork->written_);
  return fork;
}

void Initialisation::join(Observer& worker) {
  auto& other = static_cast<Initialisation&>(worker);
  joinOutputs(other);
  for (std::size_t tag = 0; tag < origins_.size(); ++tag) {
    Origin& added = other.origins_[tag];
    Origin& origin = origins_[tag];
    if (added.occurrences == 0) { continue; }
    const std::uint64_t occurrences = origin.occurrences + added.occurrences;
    if (origin.occurrences == 0 || added.block < origin.block) { origin = std::move(added); }
    origin.occurrences = occurrences;
  }
}

void Initialisation::blockBegins(const Dim3& block, std::uint64_t blockLinear) {
  TagFlow::blockBegins(block, blockLinear);
  written_.beginBlock(blockLinear);
  block_ = blockLinear;
  races_.beginInterval(blockLinear, 0);
}

void Initialisation::barrierReleased(const Dim3& /*block*/, std::uint32_t interval) {
  races_.beginInterval(block_, interval);
}

void Initialisation::note(std::size_t tag, const simt::WarpContext& context, int lane, const Read& read) {
  Origin& origin = origins_[tag];
  const std::size_t thread = std::size_t{context.warp} * kWarpSize + static_cast<std::size_t>(lane);
  origin.reads[thread] = read;
  origin.reads[thread].block = context.blockLinear + 1;
  origin.reads[thread].thread = thread;
  origin.latest = origin.reads[thread];
}

void Initialisation::loaded(const simt::WarpContext& context, const simt::MemoryAccess& access, LaneTags& tags) {
  const std::size_t tag = tagOfLoad_[access.instruction];
  if (tag >= origins_.size()) { return; }
  LaneMask unwritten = writtenOf(otherOwner()).unwritten(context, access);
  if (unwritten == 0) { return; }
  if (otherOwner() == nullptr) {
    races_.each(access, [&](int lane, std::uint32_t) { unwritten &= ~(LaneMask{1} << lane); });
  }
  for (LaneMask rest = unwritten; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    tags.add(lane, Tags{1} << tag);
    note(tag, context, lane, {0, access.instruction, access.object, elementOf(access, lane), 0, 0});
  }
}

void Initialisation::stored(const simt::WarpContext& context, const simt::MemoryAccess& access, LaneTags& /*tags*/) {
  writtenOf(otherOwner()).wrote(context, access);
}

provenance::WrittenElements& Initialisation::writtenOf(TagFlow* owner) {
  return owner == nullptr ? written_ : static_cast<Initialisation*>(owner)->written_;
}

Tags Initialisation::readsUnassigned(const simt::WarpContext& context, std::uint32_t instruction, RegisterId reg,
                                     LaneMask lanes) {
  const std::size_t tag = tagOfVariable_[reg];
  if (tag >= origins_.size()) { return 0; }
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    note(tag, context, std::countr_zero(rest), {0, instruction, kNone, 0, 0, 0});
  }
  return Tags{1} << tag;
}

Tags Initialisation::readsAbsent(const simt::WarpContext& context, std::uint32_t instruction, int lane, int from) {
  const std::size_t tag = tagOfLoad_[instruction];
  if (tag >= origins_.size()) { return 0; }
  const Instruction& shuffle = program().code[instruction];
  const int width = ShuffleOperand::width(ShuffleMode::unpack(shuffle.aux),
                                          static_cast<std::uint32_t>(context.state->bits(shuffle.b, lane)));
  note(tag, context, lane, {0, instruction, kNone, from, 0, ShuffleOperand::isWidth(width) ? 0 : width});
  return Tags{1} << tag;
}

void Initialisation::used(const simt::WarpContext& context, std::uint32_t instruction, Use use, const LaneTags& tags,
                          const simt::MemoryAccess* access) {
  for (LaneMask rest = tags.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::size_t thread = std::size_t{context.warp} * kWarpSize + static_cast<std::size_t>(lane);
    for (Tags of = tags.at(lane); of != 0; of &= of - 1) {
      Origin& origin = origins_[static_cast<std::size_t>(std::countr_zero(of))];
      if (origin.occurrences++ != 0 && origin.block <= context.blockLinear) { continue; }
      origin.block = context.blockLinear;
      origin.interval = context.interval;
      origin.usedAt = instruction;
      origin.use = use;
      if (access != nullptr) { origin.output = {access->object, elementOf(*access, lane)}; }
      // The thread's own reading, unless the value came to it through memory that threads share.
      const bool own = origin.reads[thread].block == context.blockLinear + 1;
      origin.read = own ? origin.reads[thread] : origin.latest;
    }
  }
}

std::vector<Finding> Initialisation::findings() const {
  std::vector<Finding> all;
  std::vector<Tags> tags;
  for (std::size_t tag = 0; tag < origins_.size(); ++tag) {
    const Origin& origin = origins_[tag];
    if (origin.occurrences == 0) { continue; }
    Finding finding{.kind = FindingKind::Uninitialized,
                    .where = program().code[origin.read.instruction].range,
                    .other = program().code[origin.usedAt].range,
                    .threads = {{unlinear(origin.read.block - 1, launch().configuration.grid),
                                 unlinear(origin.read.thread, launch().configuration.block)}},
                    .object = origin.read.object,
                    .index = origin.read.index,
                    .interval = origin.interval,
                    .occurrences = origin.occurrences};
    finding.message = describe(origin, finding);
    finding.remedy = remedyOf(origin);
    all.push_back(std::move(finding));
    tags.push_back(Tags{1} << tag);
  }
  std::vector<Finding> merged;
  for (const std::vector<std::size_t>& group : FindingGroups(program()).of(all)) {
    Tags together = 0;
    for (const std::size_t member : group) { together |= tags[member]; }
    merged.push_back(FindingGroups::merged(all, group));
    listOutputs(*this, together, merged.back());
  }
  return merged;
}

std::string Initialisation::describe(const Origin& origin, const Finding& finding) const {
  const std::string who = trf("read by thread {} of block {} at line {}", text(finding.threads[0].thread),
                              text(finding.threads[0].block), finding.where.line);
  std::string what;
  if (origin.variable != kNone) {
    what = trf("{} is {} before it has a value", nameOf(program(), origin.variable), who);
  } else if (origin.read.object != kNone) {
    const std::string element = analysis::elementName(program(), origin.read.object, origin.read.index);
    // Of a launch among others, what an earlier one computed from such memory holds the same marks.
    const auto isMarked = [&](const provenance::UndefinedArray& array) {
      return array.object == origin.read.object && array.words != nullptr;
    };
    what = std::ranges::any_of(suspects_.undefinedGlobals, isMarked)
               ? trf("{} is {}, but nothing was written there before, or only what was computed from such memory",
                     element, who)
               : trf("{} is {}, but nothing was written there before", element, who);
  } else if (origin.read.width != 0) {
    what = trf("what a shuffle of width {} gives is {}; a width must be 1, 2, 4, 8, 16 or 32", origin.read.width, who);
  } else {
    what = trf("the value of lane {} is {}, but that lane takes no part in the shuffle", origin.read.index, who);
  }
  switch (origin.use) {
    case Use::Condition:
      return trf("{}; the condition at line {} depends on it", what, finding.other.line);
    case Use::Address:
      return trf("{}; the address at line {} depends on it", what, finding.other.line);
    case Use::Output:
      break;
  }
  return trf("{}; {} is computed from it", what,
             analysis::elementName(program(), origin.output.object, origin.output.index));
}

std::string Initialisation::remedyOf(const Origin& origin) const {
  if (origin.variable != kNone) { return tr("give it a value where it is declared"); }
  if (origin.read.object == kNone) {
    return origin.read.width != 0 ? "" : tr("let all lanes that give a value make the call");
  }
  switch (program().objects[origin.read.object].space) {
    case MemorySpace::Shared:
      return tr("let a thread of the block write it first, with a barrier between");
    case MemorySpace::Global:
      return tr("fill it before the launch, or do not read it here");
    default:
      return tr("write it first");
  }
}

}  // namespace haloscope::faults
