#include "faults/CopiesInFlight.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "analysis/ElementName.h"

namespace haloscope::faults {
namespace {

bool has(const Program& program, Opcode op) {
  return std::ranges::any_of(program.code, [op](const Instruction& one) { return one.op == op; });
}

}  // namespace

CopiesInFlight::CopiesInFlight(const Program& program, const Launch& launch)
    : program_(program), launch_(launch), granules_(program, launch), copies_(program.objects.size()) {
  for (ObjectId object = 0; object < copies_.size(); ++object) {
    if (program.objects[object].space != MemorySpace::Shared) { continue; }
    copies_[object].resize(static_cast<std::size_t>(granules_.count(object)));
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
}

template <class Each>
void CopiesInFlight::eachGranule(const simt::WarpContext& context, const simt::MemoryAccess& access, const Each& each) {
  std::vector<Copy>& copies = copies_[access.object];
  if (copies.empty()) { return; }
  const std::int64_t perLane = granules_.perLane(access);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::int64_t first = access.index[static_cast<std::size_t>(lane)] * perLane;
    const std::uint32_t thread = context.warp * kWarpSize + static_cast<std::uint32_t>(lane);
    for (std::int64_t granule = first; granule < first + perLane; ++granule) {
      each(granule, thread, copies[static_cast<std::size_t>(granule)]);
    }
  }
}

void CopiesInFlight::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  if (!anyIssued_) { return; }
  eachGranule(context, access, [&](std::int64_t granule, std::uint32_t thread, const Copy& copy) {
    note(context, access, granule, thread, copy);
  });
}

void CopiesInFlight::copyIssued(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                std::uint32_t number) {
  anyIssued_ = true;
  eachGranule(context, access, [&](std::int64_t granule, std::uint32_t thread, Copy& copy) {
    note(context, access, granule, thread, copy);
    copy = {access.instruction, number, thread, context.interval};
  });
}

void CopiesInFlight::copyArrived(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                 std::uint32_t number) {
  eachGranule(context, access, [&](std::int64_t /*granule*/, std::uint32_t thread, Copy& copy) {
    if (copy.thread == thread && copy.number == number) { copy = {}; }
  });
}

void CopiesInFlight::note(const simt::WarpContext& context, const simt::MemoryAccess& access, std::int64_t granule,
                          std::uint32_t thread, const Copy& copy) {
  if (copy.instruction == kNone || (copy.thread != thread && copy.interval == context.interval)) { return; }
  Place& place = places_[{access.instruction, copy.instruction}];
  const bool earlier =
      std::tuple(context.blockLinear, context.interval, granule) < std::tie(place.block, place.interval, place.granule);
  if (place.occurrences == 0 || earlier) {
    place = {place.occurrences, context.blockLinear, context.interval, access.object, granule, thread, copy.thread};
  }
  ++place.occurrences;
}

Finding CopiesInFlight::findingOf(std::uint32_t user, std::uint32_t copier, const Place& place) const {
  const Instruction& code = program_.code[user];
  const auto thread = [&](std::uint32_t number) {
    return ThreadPlace{unlinear(place.block, launch_.configuration.grid),
                       unlinear(number, launch_.configuration.block)};
  };
  Finding finding;
  finding.kind = FindingKind::NotArrived;
  finding.where = code.range;
  finding.other = program_.code[copier].range;
  finding.object = place.object;
  finding.index = granules_.element(place.object, place.granule);
  finding.interval = place.interval;
  finding.occurrences = place.occurrences;
  finding.threads = {thread(place.user), thread(place.copier)};
  const char* used = code.async ? "copied to again" : code.op == Opcode::Load ? "read" : "written";
  const char* why = !has(program_, Opcode::CopyWait) ? "nothing waits for it; add a wait before this line"
                    : !has(program_, Opcode::CopyCommit)
                        ? "it is never committed, so that no wait covers it; commit it before the wait"
                        : "no wait before that covers it; wait for it, and let fewer batches remain";
  finding.message = fmt::format(
      "{} is {} by thread {} of block {} at line {} before the copy that {} at line {} has "
      "arrived: {}",
      analysis::elementName(program_, finding.object, finding.index), used, text(finding.threads[0].thread),
      text(finding.threads[0].block), finding.where.line,
      place.user == place.copier ? std::string("it issued")
                                 : fmt::format("thread {} issued", text(finding.threads[1].thread)),
      finding.other.line, why);
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
