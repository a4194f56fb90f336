#include "provenance/UnwrittenReads.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace haloscope::provenance {

UnwrittenReads::UnwrittenReads(const Program& program, const Launch& launch,
                               std::vector<UndefinedArray> undefinedGlobals)
    : program_(program),
      launch_(launch),
      undefinedGlobals_(std::move(undefinedGlobals)),
      written_(program, launch, undefinedGlobals_),
      reads_(program.code.size(), false) {}

std::unique_ptr<simt::Observer> UnwrittenReads::fork() const {
  auto fork = std::make_unique<UnwrittenReads>(program_, launch_, undefinedGlobals_);
  written_.shareWith(fork->written_);
  return fork;
}

void UnwrittenReads::join(Observer& worker) {
  auto& other = static_cast<UnwrittenReads&>(worker);
  std::vector<std::uint64_t> all;
  std::sort(other.blocks_.begin(), other.blocks_.end());
  std::merge(blocks_.begin(), blocks_.end(), other.blocks_.begin(), other.blocks_.end(), std::back_inserter(all));
  blocks_ = std::move(all);
  for (std::size_t at = 0; at < reads_.size(); ++at) {
    if (other.reads_[at]) { reads_[at] = true; }
  }
}

void UnwrittenReads::blockBegins(const Dim3& /*block*/, std::uint64_t blockLinear) { written_.beginBlock(blockLinear); }

void UnwrittenReads::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  look(context, access, written_);
}

void UnwrittenReads::clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                   std::uint32_t rank) {
  look(context, access, static_cast<UnwrittenReads*>(cluster_.at(rank))->written_);
}

void UnwrittenReads::look(const simt::WarpContext& context, const simt::MemoryAccess& access,
                          WrittenElements& written) {
  const Opcode op = program_.code[access.instruction].op;
  if (op != Opcode::Store && written.unwritten(context, access) != 0) {
    reads_[access.instruction] = true;
    if (blocks_.empty() || blocks_.back() != context.blockLinear) { blocks_.push_back(context.blockLinear); }
  }
  if (access.store) { written.wrote(context, access); }
}

std::vector<std::uint32_t> UnwrittenReads::loads() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t at = 0; at < reads_.size(); ++at) {
    if (reads_[at]) { all.push_back(at); }
  }
  return all;
}

}  // namespace haloscope::provenance
