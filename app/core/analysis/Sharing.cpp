#include "analysis/Sharing.h"

#include <bit>

namespace haloscope::analysis {

Sharing::Sharing(const Program& program, const Launch& launch)
    : program_(program),
      launch_(launch),
      concurrent_(std::make_shared<const ConcurrentAccesses>(program)),
      granules_(program, launch),
      owners_(program.objects.size()) {
  for (ObjectId object = 0; object < owners_.size(); ++object) {
    const bool global = program.objects[object].space == MemorySpace::Global;
    if (!global || concurrent_->slots(object) == 0) { continue; }
    owners_[object] = provenance::PagedArray<Owner>(static_cast<std::size_t>(granules_.count(object)));
  }
}

bool Sharing::listensTo(std::uint32_t instruction) const {
  if (!concurrent_->mayRace(instruction)) { return false; }
  const ObjectId object = program_.code[instruction].aux;
  return object == kNone || program_.objects[object].space == MemorySpace::Global;
}

std::unique_ptr<simt::Observer> Sharing::fork() const { return std::make_unique<Sharing>(program_, launch_); }

void Sharing::join(Observer& worker) {
  auto& other = static_cast<Sharing&>(worker);
  for (ObjectId object = 0; object < owners_.size(); ++object) {
    owners_[object].join(other.owners_[object], [](Owner& own, const Owner& added) { own.add(added.word); });
  }
}

void Sharing::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  if (access.space != MemorySpace::Global || concurrent_->slot(access.object, access.instruction) == kNone) { return; }
  provenance::PagedArray<Owner>& owners = owners_[access.object];
  const Opcode op = program_.code[access.instruction].op;
  const std::uint64_t flags = (access.store ? Owner::kWritten : 0) | (!isAtomic(op) ? Owner::kPlain : 0);
  const std::uint64_t first =
      context.blockLinear * launch_.configuration.threadsPerBlock() + std::uint64_t{context.warp} * kWarpSize + 1;
  const std::int64_t perLane = granules_.perLane(access);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::uint64_t word = ((first + static_cast<std::uint64_t>(lane)) << Owner::kThreadShift) | flags;
    const std::int64_t granule = access.index[static_cast<std::size_t>(lane)] * perLane;
    for (std::int64_t at = granule; at < granule + perLane; ++at) { owners.at(static_cast<std::size_t>(at)).add(word); }
  }
}

std::int64_t Sharing::firstShared(ObjectId object, std::int64_t from) const {
  const provenance::PagedArray<Owner>& owners = owners_[object];
  constexpr std::size_t kPage = provenance::PagedArray<Owner>::kPage;
  const auto begin = static_cast<std::size_t>(from);
  for (std::size_t number = begin / kPage; number < owners.pageCount(); ++number) {
    const auto* const page = owners.page(number);
    for (std::size_t at = number == begin / kPage ? begin % kPage : 0; page != nullptr && at < page->size(); ++at) {
      if ((*page)[at].contended()) { return static_cast<std::int64_t>(number * kPage + at); }
    }
  }
  return -1;
}

}  // namespace haloscope::analysis
