#include "faults/ProxyFences.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "language/Text.h"

namespace haloscope::faults {

ProxyFences::ProxyFences(const Program& program, const Launch& launch)
    : program_(program),
      launch_(launch),
      granules_(program, launch),
      writes_(program.objects.size()),
      fences_(launch.configuration.threadsPerBlock()),
      passed_(launch.configuration.warpsPerBlock()) {
  for (ObjectId object = 0; object < writes_.size(); ++object) {
    if (program.objects[object].space != MemorySpace::Shared) { continue; }
    writes_[object].resize(static_cast<std::size_t>(granules_.count(object)));
  }
}

bool ProxyFences::needed(const Program& program) {
  return std::ranges::any_of(program.code, [](const Instruction& one) { return one.bulk && isAccess(one.op); });
}

bool ProxyFences::listensTo(std::uint32_t instruction) const {
  const Instruction& code = program_.code[instruction];
  const bool matters = writesMemory(code.op) || (code.bulk && isAccess(code.op));
  return matters && (code.aux == kNone || !writes_[code.aux].empty());
}

std::unique_ptr<simt::Observer> ProxyFences::fork() const { return std::make_unique<ProxyFences>(program_, launch_); }

void ProxyFences::join(Observer& worker) {
  for (const auto& [key, added] : static_cast<ProxyFences&>(worker).places_) {
    Place& place = places_[key];
    const std::uint64_t occurrences = place.occurrences + added.occurrences;
    if (place.occurrences == 0 || added.block < place.block) { place = added; }
    place.occurrences = occurrences;
  }
}

void ProxyFences::blockBegins(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) {
  for (std::vector<Write>& of : writes_) { std::ranges::fill(of, Write{}); }
  std::ranges::fill(fences_, Fence{});
  std::ranges::fill(passed_, 0);
  now_ = 0;
}

void ProxyFences::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  std::vector<Write>& writes = writes_[access.object];
  if (writes.empty()) { return; }
  ++now_;
  const bool bulk = program_.code[access.instruction].bulk;
  const std::int64_t perLane = granules_.perLane(access);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::int64_t first = access.index[static_cast<std::size_t>(lane)] * perLane;
    const std::uint32_t thread = context.warp * kWarpSize + static_cast<std::uint32_t>(lane);
    for (std::int64_t granule = first; granule < first + perLane; ++granule) {
      Write& write = writes[static_cast<std::size_t>(granule)];
      if (!bulk) {
        write = {access.instruction, thread, context.interval, now_};
        continue;
      }
      if (write.instruction != kNone && !isFenced(write, thread)) {
        Place& place = places_[{access.instruction, write.instruction}];
        if (place.occurrences == 0 || context.blockLinear < place.block) {
          place = {place.occurrences, context.blockLinear, access.object, granule, thread, write.thread};
        }
        ++place.occurrences;
      }
      if (access.store) { write = {}; }
    }
  }
}

bool ProxyFences::isFenced(const Write& write, std::uint32_t copier) const {
  if (fences_[write.thread].time > write.time) { return true; }
  const Fence& own = fences_[copier];
  return own.time > write.time && (own.interval > write.interval || own.passed > write.time);
}

void ProxyFences::memoryBarrierPassed(const simt::WarpContext& context, std::uint64_t /*barrier*/) {
  passed_[context.warp] = ++now_;
}

void ProxyFences::fencePassed(const simt::WarpContext& context, FenceScope scope) {
  if (scope != FenceScope::AsyncProxy) { return; }
  ++now_;
  for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
    const std::size_t thread = context.warp * kWarpSize + static_cast<std::size_t>(std::countr_zero(rest));
    fences_[thread] = {context.interval, now_, passed_[context.warp]};
  }
}

Finding ProxyFences::findingOf(std::uint32_t copy, std::uint32_t store, const Place& place) const {
  const auto thread = [&](std::uint32_t number) {
    return ThreadPlace{unlinear(place.block, launch_.configuration.grid),
                       unlinear(number, launch_.configuration.block)};
  };
  const bool reads = program_.code[copy].op == Opcode::Load;
  Finding finding{.kind = FindingKind::ProxyFence,
                  .where = program_.code[copy].range,
                  .other = program_.code[store].range,
                  .threads = {thread(place.copier), thread(place.writer)},
                  .object = place.object,
                  .index = granules_.element(place.object, place.granule),
                  .occurrences = place.occurrences};
  finding.message = trf(
      "the bulk copy of thread {} of block {} at line {} {} {}, which thread {} has stored to at line {} without a "
      "fence.proxy.async after it: {}; let each thread that stores pass the fence, then synchronise, then copy",
      text(finding.threads[0].thread), text(finding.threads[0].block), finding.where.line,
      reads ? tr("reads") : tr("fills"), analysis::elementName(program_, finding.object, finding.index),
      text(finding.threads[1].thread), finding.other.line,
      reads ? tr("on a GPU the copy need not see what was stored") : tr("on a GPU the store may come after the copy"));
  return finding;
}

std::vector<Finding> ProxyFences::findings() const {
  std::vector<Finding> all;
  for (const auto& [key, place] : places_) {
    if (place.occurrences > 0) { all.push_back(findingOf(key.first, key.second, place)); }
  }
  return all;
}

}  // namespace haloscope::faults
