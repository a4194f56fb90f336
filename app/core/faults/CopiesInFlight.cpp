#include "faults/CopiesInFlight.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "language/Text.h"

namespace haloscope::faults {
namespace {

bool has(const Program& program, Opcode op) {
  return std::ranges::any_of(program.code, [op](const Instruction& one) { return one.op == op; });
}

}  // namespace

CopiesInFlight::CopiesInFlight(const Program& program, const Launch& launch)
    : program_(program),
      launch_(launch),
      granules_(program, launch),
      byBarriers_(has(program, Opcode::MemoryBarrier)),
      copies_(program.objects.size()),
      reading_(program.objects.size()) {
  for (ObjectId object = 0; object < copies_.size(); ++object) {
    if (program.objects[object].space != MemorySpace::Shared) { continue; }
    copies_[object].resize(static_cast<std::size_t>(granules_.count(object)));
    reading_[object].resize(copies_[object].size());
  }
}

bool CopiesInFlight::needed(const Program& program) {
  return std::ranges::any_of(program.code, [](const Instruction& one) { return one.async; });
}

bool CopiesInFlight::listensTo(std::uint32_t instruction) const {
  const Instruction& code = program_.code[instruction];
  return isAccess(code.op) && !code.async && (code.aux == kNone || !copies_[code.aux].empty());
}

std::unique_ptr<simt::Observer> CopiesInFlight::fork() const {
  return std::make_unique<CopiesInFlight>(program_, launch_);
}

void CopiesInFlight::join(Observer& worker) {
  for (const auto& [key, added] : static_cast<CopiesInFlight&>(worker).places_) {
    Place& place = places_[key];
    const std::uint64_t occurrences = place.occurrences + added.occurrences;
    if (place.occurrences == 0 || added.block < place.block) { place = added; }
    place.occurrences = occurrences;
  }
}

void CopiesInFlight::blockBegins(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) {
  if (!anyIssued_) { return; }
  anyIssued_ = false;
  for (std::vector<Copy>& of : copies_) { std::ranges::fill(of, Copy{}); }
  for (std::vector<Copy>& of : reading_) { std::ranges::fill(of, Copy{}); }
  sources_.clear();
}

template <class Each>
void CopiesInFlight::eachGranule(const simt::WarpContext& context, const simt::MemoryAccess& access, const Each& each) {
  if (copies_[access.object].empty()) { return; }
  const std::int64_t perLane = granules_.perLane(access);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::int64_t first = access.index[static_cast<std::size_t>(lane)] * perLane;
    const std::uint32_t thread = context.warp * kWarpSize + static_cast<std::uint32_t>(lane);
    for (std::int64_t granule = first; granule < first + perLane; ++granule) { each(granule, thread); }
  }
}

void CopiesInFlight::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  const bool bulk = program_.code[access.instruction].bulk;
  if (!anyIssued_ && !bulk) { return; }
  if (bulk) { source_ = {access.object, {}}; }
  eachGranule(context, access, [&](std::int64_t granule, std::uint32_t thread) {
    const auto at = static_cast<std::size_t>(granule);
    note(context, access, granule, thread, copies_[access.object][at]);
    if (access.store) { note(context, access, granule, thread, reading_[access.object][at]); }
    if (bulk) { source_.granules.push_back(granule); }
  });
}

void CopiesInFlight::copyIssued(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                std::uint32_t number) {
  anyIssued_ = true;
  if (access.space == MemorySpace::Global) {
    const std::uint32_t thread = context.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(access.lanes));
    for (const std::int64_t granule : source_.granules) {
      reading_[source_.object][static_cast<std::size_t>(granule)] = {.instruction = access.instruction,
                                                                     .number = number,
                                                                     .thread = thread,
                                                                     .interval = context.interval,
                                                                     .reads = true};
    }
    sources_[{context.warp, number}] = std::exchange(source_, {});
    return;
  }
  eachGranule(context, access, [&](std::int64_t granule, std::uint32_t thread) {
    const auto at = static_cast<std::size_t>(granule);
    note(context, access, granule, thread, copies_[access.object][at]);
    note(context, access, granule, thread, reading_[access.object][at]);
    copies_[access.object][at] = {
        .instruction = access.instruction, .number = number, .thread = thread, .interval = context.interval};
  });
}

void CopiesInFlight::copyArrived(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                 std::uint32_t number) {
  if (const auto source = sources_.find({context.warp, number}); source != sources_.end()) {
    for (const std::int64_t granule : source->second.granules) {
      Copy& copy = reading_[source->second.object][static_cast<std::size_t>(granule)];
      if (copy.number == number && copy.thread / kWarpSize == context.warp) { copy = {}; }
    }
    sources_.erase(source);
    return;
  }
  eachGranule(context, access, [&](std::int64_t granule, std::uint32_t thread) {
    Copy& copy = copies_[access.object][static_cast<std::size_t>(granule)];
    if (copy.thread == thread && copy.number == number) { copy = {}; }
  });
}

void CopiesInFlight::note(const simt::WarpContext& context, const simt::MemoryAccess& access, std::int64_t granule,
                          std::uint32_t thread, const Copy& copy) {
  if (copy.instruction == kNone) { return; }
  const bool bulk = program_.code[copy.instruction].bulk;
  const bool races = !bulk && !byBarriers_ && copy.thread != thread && copy.interval == context.interval;
  if (races) { return; }
  Place& place = places_[{access.instruction, copy.instruction}];
  const bool earlier =
      std::tuple(context.blockLinear, context.interval, granule) < std::tie(place.block, place.interval, place.granule);
  if (place.occurrences == 0 || earlier) {
    place = {place.occurrences, context.blockLinear, context.interval, access.object, granule, thread,
             copy.thread,       copy.reads};
  }
  ++place.occurrences;
}

Finding CopiesInFlight::findingOf(std::uint32_t user, std::uint32_t copier, const Place& place) const {
  const Instruction& code = program_.code[user];
  const auto thread = [&](std::uint32_t number) {
    return ThreadPlace{unlinear(place.block, launch_.configuration.grid),
                       unlinear(number, launch_.configuration.block)};
  };
  Finding finding{.kind = FindingKind::NotArrived,
                  .where = code.range,
                  .other = program_.code[copier].range,
                  .threads = {thread(place.user), thread(place.copier)},
                  .object = place.object,
                  .index = granules_.element(place.object, place.granule),
                  .interval = place.interval,
                  .occurrences = place.occurrences};
  const char* used = code.async ? tr("copied to again") : code.op == Opcode::Load ? tr("read") : tr("written");
  const char* why =
      place.read ? tr("wait with cp.async.bulk.wait_group.read before this line")
      : program_.code[copier].bulk
          ? tr("no thread before has waited for the phase of the barrier that expects its bytes; wait for "
               "that phase")
      : !has(program_, Opcode::CopyWait) && !byBarriers_ ? tr("nothing waits for it; add a wait before this line")
      : !has(program_, Opcode::CopyCommit)
          ? tr("it is never committed, so that no wait covers it; commit it before the wait")
          : tr("no wait before that covers it; wait for it, and let fewer batches remain");
  finding.message =
      trf("{} is {} by thread {} of block {} at line {} before the copy that {} at line {} has "
          "{}: {}",
          analysis::elementName(program_, finding.object, finding.index), used, text(finding.threads[0].thread),
          text(finding.threads[0].block), finding.where.line,
          place.user == place.copier ? std::string(tr("it issued"))
                                     : trf("thread {} issued", text(finding.threads[1].thread)),
          finding.other.line, place.read ? tr("read it") : tr("arrived"), why);
  return finding;
}

std::vector<Finding> CopiesInFlight::findings() const {
  std::vector<Finding> all;
  // What is not waited for is mostly copied to again as well: that is the same mistake.
  const bool used =
      std::ranges::any_of(places_, [&](const auto& one) { return !program_.code[one.first.first].async; });
  for (const auto& [key, place] : places_) {
    if (used && program_.code[key.first].async) { continue; }
    if (place.occurrences > 0) { all.push_back(findingOf(key.first, key.second, place)); }
  }
  return all;
}

}  // namespace haloscope::faults
