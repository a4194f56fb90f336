#include "provenance/TagFlow.h"

#include <algorithm>
#include <bit>

#include "provenance/ShuffleSources.h"
#include "simt/Warp.h"

namespace haloscope::provenance {

void LaneTags::set(int lane, Tags tags) {
  of[static_cast<std::size_t>(lane)] = tags;
  const LaneMask bit = LaneMask{1} << lane;
  lanes = tags != 0 ? lanes | bit : lanes & ~bit;
}

TagFlow::TagFlow(const Program& program, const Launch& launch)
    : program_(program),
      launch_(launch),
      granules_(program, launch),
      registers_(program.registers.size() * launch.configuration.warpsPerBlock()),
      objects_(program.objects.size()) {
  const std::size_t threads = std::size_t{launch.configuration.warpsPerBlock()} * kWarpSize;
  for (ObjectId object = 0; object < objects_.size(); ++object) {
    OfObject& of = objects_[object];
    of.space = program.objects[object].space;
    of.count = static_cast<std::size_t>(granules_.count(object));
    if (of.space == MemorySpace::Global) {
      of.global = PagedArray<GlobalTags>(of.count);
    } else {
      of.own.resize(of.space == MemorySpace::Local ? of.count * threads : of.count);
    }
  }
}

void TagFlow::followUnassigned(const std::vector<RegisterId>& variables) {
  variables_ = variables;
  unassigned_.assign(variables.empty() ? 0 : registers_.size(), 0);
}

void TagFlow::blockBegins(const Dim3& /*block*/, std::uint64_t blockLinear) {
  block_ = blockLinear + 1;
  for (LaneTags& tags : registers_) { tags.lanes = 0; }
  for (OfObject& object : objects_) {
    if (object.tagged) { std::fill(object.own.begin(), object.own.end(), Tags{0}); }
    object.tagged = false;
  }
  for (std::size_t first = 0; first < unassigned_.size(); first += program_.registers.size()) {
    for (const RegisterId reg : variables_) { unassigned_[first + reg] = kAllLanes; }
  }
}

LaneTags& TagFlow::registerTags(std::uint32_t warp, RegisterId reg) {
  return registers_[warp * program_.registers.size() + reg];
}

void TagFlow::addOperand(const simt::WarpContext& context, std::uint32_t instruction, RegisterId reg, LaneTags& to) {
  if (reg == kNone) { return; }
  const LaneTags& from = registerTags(context.warp, reg);
  for (LaneMask rest = from.lanes & context.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    to.add(lane, from.of[static_cast<std::size_t>(lane)]);
  }
  if (unassigned_.empty()) { return; }
  const LaneMask lanes = unassigned_[context.warp * program_.registers.size() + reg] & context.active;
  if (lanes == 0) { return; }
  const Tags tags = readsUnassigned(context, instruction, reg, lanes);
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) { to.add(std::countr_zero(rest), tags); }
}

void TagFlow::addChosen(const simt::WarpContext& context, std::uint32_t instruction, LaneTags& to) {
  const Instruction& code = program_.code[instruction];
  LaneTags yes;
  LaneTags no;
  addOperand(context, instruction, code.b, yes);
  addOperand(context, instruction, code.c, no);
  for (LaneMask rest = yes.lanes | no.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const bool known = (to.lanes >> lane & 1) == 0;
    const bool chosen = context.state->bits(code.a, lane) != 0;
    to.add(lane, known ? (chosen ? yes.at(lane) : no.at(lane)) : yes.at(lane) | no.at(lane));
  }
}

void TagFlow::addShuffled(const simt::WarpContext& context, std::uint32_t instruction, LaneTags& to) {
  const Instruction& code = program_.code[instruction];
  LaneTags values;
  addOperand(context, instruction, code.a, values);
  addOperand(context, instruction, code.b, to);
  addOperand(context, instruction, code.c, to);
  const ShuffleSources sources(context, code);
  for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const int from = sources.from[static_cast<std::size_t>(lane)];
    const bool given = (sources.given >> lane & 1) != 0;
    to.add(lane, given ? values.at(from) : readsAbsent(context, instruction, lane, from));
  }
}

void TagFlow::addVotes(const simt::WarpContext& context, std::uint32_t instruction, LaneTags& to) {
  const Instruction& code = program_.code[instruction];
  const auto kind = static_cast<VoteKind>(code.aux);
  if (kind == VoteKind::ActiveMask) { return; }
  LaneTags votes;
  addOperand(context, instruction, code.a, votes);
  addOperand(context, instruction, code.b, to);
  if (votes.lanes == 0) { return; }
  // One lane that says yes settles Any, one that says no settles All, whatever the others say.
  LaneMask settling = 0;
  for (LaneMask rest = context.active & ~votes.lanes; rest != 0 && kind != VoteKind::Ballot; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const bool settles = (context.state->bits(code.a, lane) != 0) == (kind == VoteKind::Any);
    settling |= settles ? LaneMask{1} << lane : 0;
  }
  for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto mask = static_cast<LaneMask>(context.state->bits(code.b, lane));
    if ((mask & settling) != 0) { continue; }
    for (LaneMask voters = votes.lanes & mask; voters != 0; voters &= voters - 1) {
      to.add(lane, votes.at(std::countr_zero(voters)));
    }
  }
}

void TagFlow::addUnlessKnown(const simt::WarpContext& context, std::uint32_t instruction, LaneTags& to) {
  const Instruction& code = program_.code[instruction];
  const std::uint64_t decides = code.op == Opcode::Or && code.type == ValueType::Bool ? 1 : 0;
  LaneTags a;
  LaneTags b;
  addOperand(context, instruction, code.a, a);
  addOperand(context, instruction, code.b, b);
  if (code.op == Opcode::Or && code.type != ValueType::Bool) {
    // No single value of the other operand settles all bits but all ones, which no code uses for this.
    for (LaneMask rest = a.lanes | b.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      to.add(lane, a.at(lane) | b.at(lane));
    }
    return;
  }
  for (LaneMask rest = a.lanes | b.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const bool settledByA = a.at(lane) == 0 && context.state->bits(code.a, lane) == decides;
    const bool settledByB = b.at(lane) == 0 && context.state->bits(code.b, lane) == decides;
    if (!settledByA && !settledByB) { to.add(lane, a.at(lane) | b.at(lane)); }
  }
}

void TagFlow::write(const simt::WarpContext& context, RegisterId reg, const LaneTags& tags) {
  LaneTags& to = registerTags(context.warp, reg);
  for (LaneMask rest = tags.lanes & context.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    to.of[lane] = tags.of[lane];
  }
  to.lanes = (to.lanes & ~context.active) | (tags.lanes & context.active);
  if (!unassigned_.empty()) { unassigned_[context.warp * program_.registers.size() + reg] &= ~context.active; }
}

void TagFlow::instruction(const simt::WarpContext& context, std::uint32_t instruction) {
  const Instruction& code = program_.code[instruction];
  LaneTags result;
  if (isAccess(code.op) || code.op == Opcode::If || code.op == Opcode::LoopTest || code.op == Opcode::Barrier) {
    LaneTags needed;
    addOperand(context, instruction, code.a, needed);
    if (needed.lanes != 0) {
      used(context, instruction, isAccess(code.op) ? Use::Address : Use::Condition, needed, nullptr);
    }
    result = needed;
    for (LaneMask rest = loaded_.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      result.add(lane, loaded_.at(lane));
    }
    loaded_.lanes = 0;
    if (code.dst != kNone) { write(context, code.dst, result); }
    return;
  }
  if (code.dst == kNone) { return; }
  switch (code.op) {
    case Opcode::Select:
      addOperand(context, instruction, code.a, result);
      addChosen(context, instruction, result);
      break;
    case Opcode::And:
    case Opcode::Or:
      addUnlessKnown(context, instruction, result);
      break;
    case Opcode::Shuffle:
      addShuffled(context, instruction, result);
      break;
    case Opcode::Vote:
      addVotes(context, instruction, result);
      break;
    default:
      addOperand(context, instruction, code.a, result);
      addOperand(context, instruction, code.b, result);
      addOperand(context, instruction, code.c, result);
      break;
  }
  write(context, code.dst, result);
}

Tags TagFlow::elementTags(const simt::WarpContext& context, const simt::MemoryAccess& access, int lane) const {
  const OfObject& object = accessed(access.object);
  const auto perLane = static_cast<std::size_t>(granules_.perLane(access));
  const std::size_t first = firstGranule(context, access, lane, perLane, object.count);
  Tags all = 0;
  for (std::size_t place = first; place < first + perLane; ++place) {
    if (object.space != MemorySpace::Global) {
      all |= object.tagged ? object.own[place] : 0;
      continue;
    }
    const GlobalTags* const tags = object.global.find(place);
    all |= tags != nullptr && tags->block == block_ ? tags->now : 0;
  }
  return all;
}

void TagFlow::setElementTags(const simt::WarpContext& context, const simt::MemoryAccess& access, int lane, Tags tags) {
  OfObject& object = accessed(access.object);
  if (tags == 0 && object.space != MemorySpace::Global && !object.tagged) { return; }
  const auto perLane = static_cast<std::size_t>(granules_.perLane(access));
  const std::size_t first = firstGranule(context, access, lane, perLane, object.count);
  for (std::size_t place = first; place < first + perLane; ++place) {
    if (object.space != MemorySpace::Global) {
      object.own[place] = tags;
      object.tagged = true;
      continue;
    }
    if (tags == 0 && object.global.find(place) == nullptr) { continue; }
    GlobalTags& granule = object.global.at(place);
    if (granule.block != block_) {
      granule.earlier = granule.all();
      granule.block = block_;
    }
    granule.now = tags;
  }
}

void TagFlow::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  const Instruction& code = program_.code[access.instruction];
  if (code.op == Opcode::Load) {
    const OfObject& object = accessed(access.object);
    LaneTags tags;
    for (LaneMask rest = object.tagged || object.space == MemorySpace::Global ? access.lanes : 0; rest != 0;
         rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      tags.set(lane, elementTags(context, access, lane));
    }
    loaded(context, access, tags);
    for (LaneMask rest = tags.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      loaded_.set(lane, tags.at(lane));
    }
    return;
  }
  simt::WarpContext lanesOnly = context;
  lanesOnly.active = access.lanes;
  LaneTags tags;
  addOperand(lanesOnly, access.instruction, code.b, tags);
  addOperand(lanesOnly, access.instruction, code.a, tags);
  if (isAtomic(code.op)) {
    addOperand(lanesOnly, access.instruction, code.c, tags);
    // Lane after lane: each finds what those before it have left.
    LaneTags old;
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      old.set(lane, elementTags(context, access, lane));
    }
    loaded(context, access, old);
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const Tags found = old.at(lane) | elementTags(context, access, lane);
      loaded_.set(lane, found);
      if (code.op != Opcode::AtomicExchange) { tags.add(lane, found); }
      setElementTags(context, access, lane, tags.at(lane));
    }
  }
  stored(context, access, tags);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    setElementTags(context, access, lane, tags.at(lane));
  }
  if (access.space == MemorySpace::Global && tags.lanes != 0) {
    used(context, access.instruction, Use::Output, tags, &access);
  }
}

void TagFlow::clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank) {
  otherOwner_ = static_cast<TagFlow*>(cluster_.at(rank));
  this->access(context, access);
  otherOwner_ = nullptr;
}

void TagFlow::outOfBounds(const simt::WarpContext& context, const simt::OutOfBounds& fault) {
  if (program_.code[fault.instruction].op == Opcode::Store) { return; }
  LaneTags tags;
  missed(context, fault, tags);
  for (LaneMask rest = fault.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    loaded_.set(lane, tags.at(lane));
  }
}

void TagFlow::joinOutputs(TagFlow& other) {
  for (ObjectId object = 0; object < objects_.size(); ++object) {
    objects_[object].global.join(other.objects_[object].global, [](GlobalTags& own, const GlobalTags& added) {
      own = {own.all() | added.all(), 0, 0};
    });
  }
}

void TagFlow::eachOutput(Tags tags, const std::function<void(ObjectId object, std::int64_t element)>& reached) const {
  for (ObjectId object = 0; object < objects_.size(); ++object) {
    const PagedArray<GlobalTags>& granules = objects_[object].global;
    std::int64_t latest = -1;
    for (std::size_t number = 0; number < granules.pageCount(); ++number) {
      const auto* const page = granules.page(number);
      for (std::size_t at = 0; page != nullptr && at < page->size(); ++at) {
        if (((*page)[at].all() & tags) == 0) { continue; }
        const std::int64_t element =
            granules_.element(object, static_cast<std::int64_t>(number * PagedArray<GlobalTags>::kPage + at));
        if (element == latest) { continue; }
        latest = element;
        reached(object, element);
      }
    }
  }
}

}  // namespace haloscope::provenance
