#include "recording/LogPlaces.h"

#include <algorithm>

#include "language/Text.h"
#include "program/Launch.h"
#include "recording/LogValues.h"

namespace haloscope::recording {

namespace {

std::uint64_t bytesOf(const Program& program, const Launch& launch, ObjectId id) {
  const MemoryObject& object = program.objects[id];
  if (id < launch.arrays.size() && !launch.arrays[id].bytes.empty()) { return launch.arrays[id].bytes.size(); }
  if (object.extentsAtLaunch && object.space == MemorySpace::Shared) {
    return static_cast<std::uint64_t>(launch.configuration.dynamicSharedBytes);
  }
  return static_cast<std::uint64_t>(object.byteCount());
}

/// The arrays declared at a place: one for each time the function around it is inlined.
std::vector<ObjectId> declaredAt(const Program& program, const LogSite& site) {
  std::vector<ObjectId> found;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    if (program.objects[id].declared == site.declared && program.objects[id].name == site.name) { found.push_back(id); }
  }
  return found;
}

/// Which of the inlined calls of one function this is.
std::size_t turnOf(const Program& program, std::uint32_t function) {
  std::size_t turn = 0;
  for (std::uint32_t other = 0; other < function; ++other) {
    if (program.functions[other].range == program.functions[function].range) { ++turn; }
  }
  return turn;
}

}  // namespace

LogPlaces::LogPlaces(const Program& placed, const std::vector<LogSite>& sites, const Launch& launch,
                     const BlockLog& log, const std::vector<LogStream>& streams, std::uint32_t rank)
    : objects_(placed.objects.size()), own_(streams.size()) {
  for (const auto& [id, address] : log.places) {
    if (id >= objects_) { throw LogError(tr("the log is not that of this block")); }
    common_.push_back({address, bytesOf(placed, launch, id), id, kNone});
  }
  for (std::size_t thread = 0; thread < streams.size(); ++thread) {
    for (const LogEntry& entry : streams[thread].entries) {
      if (entry.kind != LogKind::Place || entry.payload.size() != 2) { continue; }
      const std::vector<ObjectId> objects = declaredAt(placed, sites[entry.site]);
      if (objects.empty()) { continue; }
      const ObjectId id = objects[std::min(objects.size() - 1, turnOf(placed, entry.function))];
      std::vector<Stretch>& list = placed.objects[id].space == MemorySpace::Local ? own_[thread] : common_;
      const std::uint64_t address = std::uint64_t{entry.payload[1]} << 32 | entry.payload[0];
      const bool known =
          std::ranges::any_of(list, [&](const Stretch& one) { return one.object == id && one.begin == address; });
      if (!known) { list.push_back({address, bytesOf(placed, launch, id), id, kNone}); }
    }
  }
  const std::uint64_t ranks = clusterOf(placed, launch.configuration).count();
  for (std::uint32_t thread = 0; thread < streams.size(); ++thread) {
    for (const LogEntry& entry : streams[thread].entries) {
      const bool maps = entry.kind == LogKind::Primitive && static_cast<LogPrimitive>(entry.site) == LogPrimitive::Map;
      if (maps && entry.payload.size() == 5) { addMapped(thread, entry.payload, rank, ranks); }
    }
  }
}

/// A thread found out where another block of the cluster has an array.
void LogPlaces::addMapped(std::uint32_t thread, std::span<const std::uint32_t> payload, std::uint32_t rank,
                          std::uint64_t ranks) {
  if (payload[2] >= ranks) { throw LogError(tr("the log is not that of this block")); }
  const std::uint64_t here = word64(payload, 0), there = word64(payload, 3);
  const Stretch* const array = find(thread, here, 0);
  if (array == nullptr || array->rank != kNone) { return; }
  Stretch mapped = *array;
  mapped.begin = there - (here - array->begin);
  mapped.rank = payload[2] == rank ? kNone : payload[2];
  const bool known = std::ranges::any_of(common_, [&](const Stretch& one) { return one.begin == mapped.begin; });
  if (!known) { common_.push_back(mapped); }
}

const LogPlaces::Stretch* LogPlaces::find(std::uint32_t thread, std::uint64_t address, std::uint64_t bytes) const {
  for (const auto* list : {&own_[thread], &common_}) {
    for (const Stretch& one : *list) {
      const std::uint64_t offset = address - one.begin;
      if (address >= one.begin && offset <= one.bytes && bytes <= one.bytes - offset) { return &one; }
    }
  }
  return nullptr;
}

std::map<ObjectId, std::uint64_t> LogPlaces::shared() const {
  std::map<ObjectId, std::uint64_t> places;
  for (const Stretch& one : common_) { places.emplace(one.object, one.begin); }
  return places;
}

std::optional<LogPlaces::Element> LogPlaces::element(std::uint32_t thread, std::uint64_t address, int bytes) const {
  const Stretch* found = find(thread, address, static_cast<std::uint64_t>(bytes));
  if (found == nullptr) { return std::nullopt; }
  return Element{found->object, static_cast<std::int64_t>(address - found->begin), found->rank};
}

std::uint64_t LogPlaces::pointer(std::uint32_t thread, std::uint64_t address) const {
  if (address == 0) { return PackedPointer::kNull; }
  const Stretch* found = find(thread, address, 1);
  if (found == nullptr) { found = find(thread, address, 0); }
  if (found == nullptr) {
    // Outside of every array: it belongs to the one it is nearest to.
    std::uint64_t least = ~std::uint64_t{0};
    for (const Stretch& one : common_) {
      const std::uint64_t away = address < one.begin ? one.begin - address : address - one.begin;
      if (away < least) {
        least = away;
        found = &one;
      }
    }
  }
  if (found == nullptr) { return PackedPointer::kNull; }
  // As the emulator numbers the arrays of the blocks of a cluster.
  const std::size_t object = found->rank == kNone ? found->object : found->object + objects_ * (found->rank + 1);
  return PackedPointer::pack(static_cast<ObjectId>(object), static_cast<std::int64_t>(address - found->begin));
}

}  // namespace haloscope::recording
