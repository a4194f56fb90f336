#include "analysis/Counts.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace haloscope::analysis {
namespace {

bool isUnknownAccess(const Instruction& instruction) {
  return isAccess(instruction.op) && (instruction.aux == kNone || instruction.mapped);
}

/// Lanes that executed an access, as loads and stores.
ObjectCounts accessesOf(const Instruction& instruction, std::uint64_t lanes) {
  const std::uint64_t bytes = lanes * static_cast<std::uint64_t>(sizeInMemory(instruction.type));
  ObjectCounts counts;
  if (instruction.op != Opcode::Store) {
    counts.loads = lanes;
    counts.loadBytes = bytes;
  }
  if (instruction.op != Opcode::Load) {
    counts.stores = lanes;
    counts.storeBytes = bytes;
  }
  return counts;
}

void add(ObjectCounts& sum, const ObjectCounts& counts) {
  sum.loads += counts.loads;
  sum.stores += counts.stores;
  sum.loadBytes += counts.loadBytes;
  sum.storeBytes += counts.storeBytes;
}

void add(Traffic& sum, MemorySpace space, const ObjectCounts& counts) {
  switch (space) {
    case MemorySpace::Global:
      sum.globalLoad += counts.loadBytes;
      sum.globalStore += counts.storeBytes;
      break;
    case MemorySpace::Shared:
      sum.sharedLoad += counts.loadBytes;
      sum.sharedStore += counts.storeBytes;
      break;
    case MemorySpace::Constant:
      sum.constantLoad += counts.loadBytes;
      break;
    case MemorySpace::Local:
      sum.localLoad += counts.loadBytes;
      sum.localStore += counts.storeBytes;
      break;
  }
}

}  // namespace

double StatementCounts::laneEfficiency() const { return ratio(lanes, executions * kWarpSize); }

double Counts::laneEfficiency() const { return ratio(laneInstructions, warpInstructions * kWarpSize); }

double Counts::opPerLoadByte() const { return ratio(flops, traffic.globalLoad); }

double Counts::opPerByte() const { return ratio(flops, traffic.globalLoad + traffic.globalStore); }

PointerCounter::PointerCounter(const Program& program)
    : row_(program.code.size(), kNone), objects_(program.objects.size()) {
  std::uint32_t rows = 0;
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    if (isUnknownAccess(program.code[at])) { row_[at] = rows++; }
  }
  lanes_.assign(2 * rows * objects_, 0);
}

bool PointerCounter::needed(const Program& program) { return std::ranges::any_of(program.code, isUnknownAccess); }

std::unique_ptr<simt::Observer> PointerCounter::fork() const {
  auto fork = std::make_unique<PointerCounter>(*this);
  std::ranges::fill(fork->lanes_, 0);
  return fork;
}

void PointerCounter::join(Observer& worker) {
  const std::vector<std::uint64_t>& others = static_cast<PointerCounter&>(worker).lanes_;
  for (std::size_t i = 0; i < lanes_.size(); ++i) { lanes_[i] += others[i]; }
}

void PointerCounter::access(const simt::WarpContext&, const simt::MemoryAccess& access) {
  const std::uint32_t row = row_[access.instruction];
  if (row != kNone) {
    lanes_[2 * row * objects_ + access.object] += static_cast<std::uint64_t>(std::popcount(access.lanes));
  }
}

void PointerCounter::clusterAccess(const simt::WarpContext&, const simt::MemoryAccess& access, std::uint32_t) {
  const std::uint32_t row = row_[access.instruction];
  if (row != kNone) {
    lanes_[(2 * row + 1) * objects_ + access.object] += static_cast<std::uint64_t>(std::popcount(access.lanes));
  }
}

std::uint64_t PointerCounter::lanes(std::uint32_t instruction, ObjectId object) const {
  const std::uint32_t row = row_[instruction];
  return row == kNone ? 0 : lanes_[2 * row * objects_ + object];
}

std::uint64_t PointerCounter::clusterLanes(std::uint32_t instruction, ObjectId object) const {
  const std::uint32_t row = row_[instruction];
  return row == kNone ? 0 : lanes_[(2 * row + 1) * objects_ + object];
}

Counts countProfile(const Program& program, const simt::ExecuteResult& result, const PointerCounter* pointers) {
  Counts counts;
  counts.objects.resize(program.objects.size());
  counts.statements.resize(program.statements.size());
  counts.blocks = result.blocks;
  counts.threads = result.threads;
  const std::vector<StatementId> statementOf = statementOfInstructions(program);
  StatementCounts outside;  // what runs before the first statement
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& instruction = program.code[at];
    const std::uint64_t lanes = result.profile.lanes[at];
    const std::uint64_t warps = result.profile.warps[at];
    StatementCounts& statement = statementOf[at] == kNone ? outside : counts.statements[statementOf[at]];
    if (instruction.op == Opcode::Statement) {
      statement.executions += warps;
      statement.lanes += lanes;
      continue;
    }
    const std::uint64_t flops = lanes * static_cast<std::uint64_t>(floatingOperations(instruction));
    counts.flops += flops;
    statement.flops += flops;
    if (instruction.bulk) {  // its own unit does it
      if (instruction.op == Opcode::Loop) { counts.bulkCopies += lanes; }
      if (instruction.op == Opcode::Load && instruction.fetch == FetchPart::None) {
        counts.bulkBytes += lanes * static_cast<std::uint64_t>(sizeInMemory(instruction.type));
      }
    } else {
      counts.warpInstructions += warps;
      counts.laneInstructions += lanes;
    }
    if (instruction.op == Opcode::Barrier) { counts.barriers += warps; }
    if (instruction.fetch == FetchPart::Begin) { counts.textureRequests += warps; }
    if (!isAccess(instruction.op) || instruction.fetch != FetchPart::None) { continue; }
    const auto addAccesses = [&](ObjectId object, std::uint64_t accessing) {
      const ObjectCounts accesses = accessesOf(instruction, accessing);
      add(counts.objects[object], accesses);
      add(counts.traffic, program.objects[object].space, accesses);
      add(statement.traffic, program.objects[object].space, accesses);
    };
    if (!isUnknownAccess(instruction)) {
      addAccesses(instruction.aux, lanes);
    } else if (pointers != nullptr) {
      for (ObjectId object = 0; object < program.objects.size(); ++object) {
        addAccesses(object, pointers->lanes(at, object));
        const ObjectCounts others = accessesOf(instruction, pointers->clusterLanes(at, object));
        add(counts.objects[object], others);
        for (Traffic* traffic : {&counts.traffic, &statement.traffic}) {
          traffic->clusterLoad += others.loadBytes;
          traffic->clusterStore += others.storeBytes;
        }
      }
    }
  }
  return counts;
}

Counts count(const Program& program, Launch& launch, const simt::ExecuteOptions& options, simt::ExecuteResult* result,
             std::span<simt::Observer* const> extra) {
  PointerCounter pointers(program);
  std::vector<simt::Observer*> observers(extra.begin(), extra.end());
  if (PointerCounter::needed(program)) { observers.push_back(&pointers); }
  simt::ExecuteResult executed = simt::execute(program, launch, observers, options);
  Counts counts = countProfile(program, executed, &pointers);
  if (result != nullptr) { *result = std::move(executed); }
  return counts;
}

double globalLoadsPerStore(const Counts& counts, const Program& program) {
  std::uint64_t loads = 0, stores = 0;
  for (std::size_t object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space != MemorySpace::Global) { continue; }
    loads += counts.objects[object].loads;
    stores += counts.objects[object].stores;
  }
  return stores == 0 ? 0 : static_cast<double>(loads) / static_cast<double>(stores);
}

}  // namespace haloscope::analysis
