#include "running/UnorderedUses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/ElementName.h"
#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "program/SourceLocation.h"
#include "running/CudaErrors.h"
#include "running/LaunchSequence.h"

namespace haloscope::running {

namespace {

/// Operations that the host has not waited for, of which older ones are forgotten.
constexpr std::size_t kMostPending = 256;
/// Of what a launch finds where an operation before it has written.
constexpr std::uint64_t kMostFound = std::uint64_t{1} << 20;
constexpr std::size_t kMostSaid = 10'000;

constexpr const char* kPerThreadMacro = "CUDA_API_PER_THREAD_DEFAULT_STREAM";

}  // namespace

UnorderedUses::UnorderedUses(const host::HostProgram& program, const RunOptions& options, const DeviceMemory& memory,
                             HostFindings& findings)
    : memory_(memory),
      findings_(findings),
      allowed_(!options.repeated),
      active_(allowed_ && program.defines.contains(kPerThreadMacro)),
      order_(active_),
      touches_(options) {}

void UnorderedUses::created(const host::Create& call, std::uint64_t handle) {
  if (call.event) { return; }
  active_ = allowed_;
  order_.create(handle, call.nonBlocking);
}

void UnorderedUses::destroyed(const host::Destroy& call) {
  call.event ? order_.destroyEvent(call.object) : order_.destroy(call.object);
}

void UnorderedUses::synchronized(const host::Synchronize& call) {
  switch (call.what) {
    case host::Synchronize::What::Stream:
      order_.hostWaitsForStream(call.object);
      break;
    case host::Synchronize::What::Event:
      order_.hostWaitsForEvent(call.object);
      break;
    default:
      order_.hostWaitsForDevice();
  }
  dropOver();
}

void UnorderedUses::waitedForAll() {
  order_.hostWaitsForAll();
  dropOver();
}

void UnorderedUses::dropOver() {
  std::erase_if(pending_, [&](const Operation& one) { return order_.isOver(one.point); });
}

void UnorderedUses::add(Operation operation) {
  if (order_.isOver(operation.point)) { return dropOver(); }
  if (pending_.size() == kMostPending) { pending_.pop_front(); }
  pending_.push_back(std::move(operation));
}

void UnorderedUses::take(Operation operation, bool hostWaits) {
  for (const Conflict& conflict : conflictsOf(operation)) { report(operation, conflict); }
  if (hostWaits) { order_.hostWaitsFor(operation.point); }
  add(std::move(operation));
}

UnorderedUses::Use UnorderedUses::use(const DevicePlace& place, ByteSet bytes, bool writes) const {
  Use one{.allocation = place.allocation, .reads = !writes, .writes = writes};
  (writes ? one.bytes.writes : one.bytes.reads) = std::move(bytes);
  return one;
}

UnorderedUses::Use UnorderedUses::wholeOf(const DevicePlace& place) const {
  const std::uint64_t size = memory_.at(place.allocation).size;
  return use(place, ByteSet::rows(0, size, size, 1), true);
}

void UnorderedUses::allocated(const host::Allocate& call, const ProgramEvent& event) {
  // The host may work on one part of it while a kernel works on another.
  active_ = active_ || (allowed_ && event.destination && memory_.at(event.destination->allocation).hostAddress != 0);
  if (!follows(call.stream) || event.error != kSuccess || !event.destination) { return; }
  // It may wait for everything.
  if (!call.asynchronous) { return waitedForAll(); }
  take({.kind = Kind::Allocate,
        .point = order_.issue(call.stream),
        .at = event.at,
        .uses = {wholeOf(*event.destination)}},
       false);
}

void UnorderedUses::freed(const host::Free& call, const ProgramEvent& event) {
  if (!follows(call.stream) || event.error != kSuccess || !event.source) { return; }
  if (!call.asynchronous) { return waitedForAll(); }
  take({.kind = Kind::Free, .point = order_.issue(call.stream), .at = event.at, .uses = {wholeOf(*event.source)}},
       false);
}

void UnorderedUses::copied(const host::Copy& call, const ProgramEvent& event) {
  if (!follows(call.stream) || event.error != kSuccess || event.bytes == 0 || (!event.destination && !event.source)) {
    return;
  }
  if (call.stream == host::kEveryStream) { return waitedForAll(); }
  Operation one{.kind = Kind::Copy, .point = order_.issue(call.stream), .at = event.at, .ofLibrary = call.ofLibrary};
  bool ofHost = false;
  for (const auto& [place, pitch, writes] : {std::tuple{event.destination, call.destinationPitch, true},
                                             std::tuple{event.source, call.sourcePitch, false}}) {
    ofHost = ofHost || !place || memory_.at(place->allocation).hostAddress != 0;
    if (!place) { continue; }
    const auto begin = static_cast<std::uint64_t>(place->offset);
    one.uses.push_back(use(*place, ByteSet::rows(begin, pitch, call.width, call.height), writes));
  }
  // Nothing is copied asynchronously to memory that is not page-locked; between arrays of the device the host never
  // waits.
  take(std::move(one), call.asynchronous ? !event.destination : ofHost);
}

void UnorderedUses::filled(const host::Fill& call, const ProgramEvent& event) {
  if (!follows(call.stream) || event.error != kSuccess || event.bytes == 0 || !event.destination) { return; }
  const auto begin = static_cast<std::uint64_t>(event.destination->offset);
  const bool ofHost = memory_.at(event.destination->allocation).memory == host::HostMemory::PageLocked;
  take({.kind = Kind::Fill,
        .point = order_.issue(call.stream),
        .at = event.at,
        .uses = {use(*event.destination, ByteSet::rows(begin, call.pitch, call.width, call.height), true)}},
       !call.asynchronous && ofHost);
}

void UnorderedUses::copied(const host::SymbolCopy& call, const ProgramEvent& event) {
  const std::optional<DevicePlace> place = call.toSymbol ? event.destination : event.source;
  if (!follows(call.stream) || event.error != kSuccess || call.bytes == 0 || !place) { return; }
  take({.kind = Kind::Copy,
        .point = order_.issue(call.stream),
        .at = event.at,
        .uses = {use(*place, ByteSet::rows(call.offset, call.bytes, call.bytes, 1), call.toSymbol)}},
       !call.asynchronous || !call.toSymbol);
}

void UnorderedUses::begins(const ProgramLaunch& launch, const BoundLaunch& bound, std::uint64_t stream) {
  if (!follows(stream)) { return; }
  const bool ofHost =
      std::ranges::any_of(bound.allocations, [&](const auto& one) { return memory_.at(one.second).hostAddress != 0; });
  launching_ = Operation{.kind = Kind::Launch,
                         .point = order_.issue(stream),
                         .at = launch.at,
                         .kernel = launch.kernel,
                         .touches = touches_.of(launch, bound, ofHost || order_.mayOverlap())};
  const std::vector<bool> reads = readObjects(*bound.program), writes = writtenObjects(*bound.program);
  for (const auto& [object, allocation] : bound.allocations) {
    if (!reads[object] && !writes[object]) { continue; }
    launching_->uses.push_back(
        {.allocation = allocation, .object = object, .reads = reads[object], .writes = writes[object]});
  }
  conflicts_ = conflictsOf(*launching_);
  for (Conflict& one : conflicts_) {
    if (one.how != How::Writes || one.before != How::Writes) { continue; }
    const std::vector<std::byte>& bytes = bound.launch.arrays[one.use->object].bytes;
    const TouchedBytes* const before = bytesOf(*one.earlier, *one.earlierUse);
    const TouchedBytes* const now = bytesOf(*launching_, *one.use);
    if (before == nullptr || now == nullptr) { continue; }
    std::uint64_t left = kMostFound;
    for (auto both = firstCommon(before->writes, now->writes); both && left > 0;
         both = firstCommon(before->writes, now->writes, both->end)) {
      const std::uint64_t end = std::min({both->end, both->begin + left, std::uint64_t{bytes.size()}});
      if (both->begin >= end) { break; }
      one.found.emplace_back(both->begin, std::vector(bytes.begin() + static_cast<std::ptrdiff_t>(both->begin),
                                                      bytes.begin() + static_cast<std::ptrdiff_t>(end)));
      left -= end - both->begin;
    }
  }
}

void UnorderedUses::ended(const ProgramLaunch& launch, const BoundLaunch& bound) {
  if (!launching_) { return; }
  const bool whole = isWhole(launch) && stickyErrorOf(launch) == kSuccess;
  for (Conflict& conflict : conflicts_) {
    if (!whole) { break; }
    bool matters = conflict.found.empty();
    for (const auto& [begin, found] : conflict.found) {
      const std::byte* const now = bound.launch.arrays[conflict.use->object].bytes.data() + begin;
      const auto differs = std::ranges::mismatch(found, std::span(now, found.size())).in1;
      if (differs == found.end()) { continue; }
      conflict.byte = begin + static_cast<std::uint64_t>(differs - found.begin());
      matters = true;
      break;
    }
    if (matters) { report(*launching_, conflict); }
  }
  conflicts_.clear();
  if (whole) { add(std::move(*launching_)); }
  launching_.reset();
}

const TouchedBytes* UnorderedUses::bytesOf(const Operation& operation, const Use& use) {
  return operation.touches ? touches_.find(operation.touches, use.object) : &use.bytes;
}

std::vector<std::uint64_t> UnorderedUses::stillUsed() const {
  std::vector<std::uint64_t> all;
  if (!follows()) { return all; }
  for (const Allocation& one : memory_.all()) {
    if (one.hostAddress == 0 || one.freed) { continue; }
    host::KernelUse most = host::KernelUse::None;
    for (const Operation& operation : pending_) {
      const auto found = std::ranges::find(operation.uses, one.id, &Use::allocation);
      if (found == operation.uses.end()) { continue; }
      most = std::max(most, found->writes ? host::KernelUse::Writes : host::KernelUse::Reads);
    }
    all.push_back(static_cast<std::uint64_t>(most));
  }
  return all;
}

void UnorderedUses::accessed(const DevicePlace& place, const host::EarlyAccess& how, const host::HostPlace& at) {
  const Allocation& memory = memory_.at(place.allocation);
  const auto begin = static_cast<std::uint64_t>(place.offset);
  if (begin >= memory.size || how.step == 0 || how.count == 0 || how.count - 1 > (memory.size - 1 - begin) / how.step) {
    throw InputError(tr("the host process names memory that it has not allocated"));
  }
  if (!follows()) { return; }
  const ByteSet seen = ByteSet::rows(begin, how.step, 1, how.count);
  std::string beside;
  for (const Operation& one : pending_) {
    const auto use = std::ranges::find(one.uses, place.allocation, &Use::allocation);
    const TouchedBytes* const bytes = use == one.uses.end() ? nullptr : bytesOf(one, *use);
    if (bytes == nullptr) { continue; }
    const std::string who = one.kind == Kind::Launch
                                ? trf("the kernel {}, launched at {}", one.kernel, placeText(one.at))
                                : trf("the copy at {}", placeText(one.at));
    std::optional<ByteRun> both = firstCommon(bytes->writes, seen);
    if (!both) { both = firstCommon(bytes->shared, seen); }
    if (!both && how.writes) { both = firstCommon(bytes->reads, seen); }
    if (!both) {
      beside = who;
      continue;
    }
    if (!said_.insert({one.at.file, one.at.line, at.file, at.line}).second) { return; }
    const std::string name = memory.label.empty() ? tr("this memory") : memory.label;
    const Program* const kernel = one.touches ? one.touches->program.get() : nullptr;
    const bool hasElements = kernel != nullptr && !memory.label.empty() && kernel->objects[use->object].members.empty();
    findings_.add(HostFindingKind::MissingSynchronization, at,
                  trf("Host code accesses {} while {} may still be at work on it: cudaDeviceSynchronize() is missing.",
                      hasElements ? fmt::format("{}[{}]", name,
                                                static_cast<std::int64_t>(both->begin) /
                                                    sizeInMemory(kernel->objects[use->object].element))
                                  : name,
                      who));
    return;
  }
  if (beside.empty() || memory.memory != host::HostMemory::Managed ||
      !said_.insert({"", static_cast<int>(place.allocation), "", 0}).second) {
    return;
  }
  findings_.add(HostFindingKind::UsedBesideKernel, at,
                trf("Host code accesses {} while {} may still be at work on other elements of it. Only a GPU whose "
                    "concurrentManagedAccess is 1 allows that: Pascal or later, under Linux.",
                    memory.label.empty() ? tr("this memory") : memory.label, beside));
}

std::vector<UnorderedUses::Conflict> UnorderedUses::conflictsOf(const Operation& later) {
  std::vector<Conflict> conflicts;
  if (!order_.mayOverlap()) { return conflicts; }
  for (const Operation& earlier : pending_) {
    if (order_.isBefore(earlier.point, later.point)) { continue; }
    if (said_.contains({earlier.at.file, earlier.at.line, later.at.file, later.at.line})) { continue; }
    for (const Use& before : earlier.uses) {
      for (const Use& now : later.uses) {
        const bool may = before.allocation == now.allocation && (before.writes || now.writes);
        if (may) { compare(earlier, before, later, now, conflicts); }
      }
    }
  }
  return conflicts;
}

void UnorderedUses::compare(const Operation& earlier, const Use& before, const Operation& later, const Use& now,
                            std::vector<Conflict>& conflicts) {
  if (bytesOf(earlier, before) == nullptr) { return; }
  const TouchedBytes* const second = bytesOf(later, now);
  const TouchedBytes* const first = bytesOf(earlier, before);  // may be forgotten now
  if (first == nullptr || second == nullptr) { return; }
  struct Pair {
    const ByteSet &before, &now;
    How how, earlier;
  };
  const std::array<Pair, 7> pairs{{{first->writes, second->reads, How::Reads, How::Writes},
                                   {first->reads, second->writes, How::Writes, How::Reads},
                                   {first->shared, second->reads, How::Reads, How::Updates},
                                   {first->shared, second->writes, How::Writes, How::Updates},
                                   {first->reads, second->shared, How::Updates, How::Reads},
                                   {first->writes, second->shared, How::Updates, How::Writes},
                                   {first->writes, second->writes, How::Writes, How::Writes}}};
  for (const Pair& pair : pairs) {
    const auto both = firstCommon(pair.before, pair.now);
    if (!both) { continue; }
    conflicts.push_back({.earlier = &earlier,
                         .earlierUse = &before,
                         .use = &now,
                         .how = pair.how,
                         .before = pair.earlier,
                         .byte = both->begin});
    return;
  }
}

std::string UnorderedUses::elementText(const Operation& later, const Conflict& conflict) const {
  const auto elementOf = [&](const Program& program, ObjectId object) {
    return static_cast<std::int64_t>(conflict.byte) / sizeInMemory(program.objects[object].element);
  };
  if (later.touches) {
    const Program& program = *later.touches->program;
    return analysis::elementName(program, conflict.use->object, elementOf(program, conflict.use->object));
  }
  const Allocation& one = memory_.at(conflict.use->allocation);
  const std::string name = !one.name.empty()   ? qualifiedName(one.name)
                           : one.label.empty() ? trf("the memory allocated at {}", placeText(one.allocatedAt))
                                               : one.label;
  if (!conflict.earlier->touches || later.kind == Kind::Free || one.label.empty()) { return name; }
  const Program& program = *conflict.earlier->touches->program;
  if (!program.objects[conflict.earlierUse->object].members.empty()) { return name; }
  return fmt::format("{}[{}]", name, elementOf(program, conflict.earlierUse->object));
}

void UnorderedUses::report(const Operation& later, const Conflict& conflict) {
  const Operation& earlier = *conflict.earlier;
  if (said_.size() >= kMostSaid ||
      !said_.insert({earlier.at.file, earlier.at.line, later.at.file, later.at.line}).second) {
    return;
  }
  const std::string element = elementText(later, conflict);
  const std::string at = earlier.at.file == later.at.file || earlier.at.line == 0
                             ? placeText(earlier.at)
                             : fmt::format("{}:{}", earlier.at.file, earlier.at.line);
  const std::string who = later.kind == Kind::Launch ? later.kernel
                          : later.ofLibrary          ? tr("This call")
                          : later.kind == Kind::Copy ? tr("This copy")
                          : later.kind == Kind::Fill ? tr("This fill")
                                                     : "cudaFreeAsync()";
  const std::string other = earlier.kind == Kind::Launch
                                ? trf("{}, launched at {} in another stream,", earlier.kernel, at)
                            : earlier.ofLibrary          ? trf("the call at {} in another stream", at)
                            : earlier.kind == Kind::Copy ? trf("the copy at {} in another stream", at)
                            : earlier.kind == Kind::Fill ? trf("the fill at {} in another stream", at)
                                                         : trf("cudaMallocAsync() at {} in another stream", at);
  constexpr std::array kDoes{trMark("reads"), trMark("writes"), trMark("updates")};
  constexpr std::array kDoing{trMark("reading"), trMark("writing"), trMark("updating")};
  const char* const does = tr(kDoes[static_cast<std::size_t>(conflict.how)]);
  std::string message =
      earlier.kind == Kind::Allocate ? trf("{} uses {}, and nothing orders it behind {}.", who, element, other)
      : later.kind == Kind::Free
          ? trf("{} releases {} while {} may still be using it: nothing orders the two.", who, element, other)
          : trf("{} {} {} while {} may still be {} it: nothing orders the two.", who, does, element, other,
                tr(kDoing[static_cast<std::size_t>(conflict.before)]));
  const bool byDefault = (order_.isDefault(earlier.point) || order_.isDefault(later.point)) &&
                         order_.onOneDevice(earlier.point, later.point);
  message += ' ';
  message += byDefault ? tr("The default stream and one with cudaStreamNonBlocking do not wait for each other: call "
                            "cudaStreamSynchronize() in between.")
                       : tr("Record an event behind the earlier one and let the later one's stream wait for it with "
                            "cudaStreamWaitEvent(), or call cudaStreamSynchronize() in between.");
  findings_.add(HostFindingKind::UnorderedOperations, later.at, std::move(message));
}

}  // namespace haloscope::running
