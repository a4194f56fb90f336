#include "machine/KernelProcess.h"

#include <poll.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "program/Channel.h"
#include "program/SourceLocation.h"
#include "simt/LaunchMemory.h"

namespace haloscope::machine {
namespace {

bool isGiven(const MemoryObject& object) {
  return object.space == MemorySpace::Global || object.space == MemorySpace::Constant;
}

}  // namespace

KernelProcess::KernelProcess(std::shared_ptr<process::ForkServer> server, std::shared_ptr<Arena> arena,
                             const Program& program, const KernelShape& shape)
    : task_{.program = program, .shape = shape, .set = simt::bestInstructionSet(), .places = {}},
      server_(std::move(server)),
      arena_(std::move(arena)),
      process_(server_->fork()),
      written_(writtenObjects(program)) {
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const bool given = isGiven(program.objects[i]) && shape.objectBytes[i] != 0;
    const auto place = given ? arena_->take(shape.objectBytes[i]) : std::uint64_t{0};
    if (!place) {
      for (const std::uint64_t taken : task_.places) { arena_->give(taken); }
      throw std::bad_alloc();
    }
    task_.places.push_back(*place);
  }
  Channel(process_.socket()).send(encode(task_));
}

KernelProcess::~KernelProcess() {
  for (const std::uint64_t place : task_.places) { arena_->give(place); }
}

std::optional<bool> KernelProcess::ready(int waitMilliseconds) {
  const auto isReady = [this] { return prepared_.outcome == Prepared::Outcome::Ready; };
  if (known_) { return isReady(); }
  pollfd waits{.fd = process_.socket(), .events = POLLIN, .revents = 0};
  if (poll(&waits, 1, waitMilliseconds) <= 0) { return std::nullopt; }
  known_ = true;
  prepared_.why = "the process ended before its code was made";
  try {
    const std::optional<Packet> packet = Channel(process_.socket()).receive();
    if (packet) { prepared_ = decodePrepared(packet->message); }
  } catch (const InputError&) {}  // a process that forges its answers is as good as none
  return isReady();
}

void KernelProcess::fill(const Launch& launch) {
  for (std::size_t i = 0; i < task_.places.size(); ++i) {
    if (task_.places[i] == 0) { continue; }
    const std::span<std::byte> room = arena_->at(task_.places[i], task_.shape.objectBytes[i]);
    const std::vector<std::byte>& bytes = launch.arrays[i].bytes;
    if (bytes.empty()) {
      std::ranges::copy(simt::initialBytes(task_.program.objects[i]), room.begin());
    } else {
      std::memcpy(room.data(), bytes.data(), room.size());
    }
  }
}

std::optional<Swept::Outcome> KernelProcess::sweep(const Sweeps& sweeps, const std::function<bool()>& proceed) {
  Channel channel(process_.socket(), proceed);
  if (!channel.send(encode(sweeps))) { return std::nullopt; }
  try {
    const std::optional<Packet> packet = channel.receive();
    if (!packet) { return std::nullopt; }
    return decodeSwept(packet->message).outcome;
  } catch (const InputError&) { return std::nullopt; }
}

void KernelProcess::take(Launch& launch, const Sweeps& sweeps) const {
  std::vector<std::uint64_t> places = task_.places;
  std::vector<bool> changed = written_;
  for (std::uint32_t i = 0; i < sweeps.count; ++i) {
    std::vector<std::uint64_t> next = places;
    for (std::size_t at = 0; at < sweeps.objects.size(); ++at) {
      next[sweeps.objects[at]] = places[sweeps.successors[at]];
    }
    places = std::move(next);
  }
  for (const ObjectId object : sweeps.objects) { changed[object] = true; }
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::vector<std::byte>& bytes = launch.arrays[i].bytes;
    if (places[i] != 0 && changed[i] && !bytes.empty()) {
      std::memcpy(bytes.data(), arena_->at(places[i], bytes.size()).data(), bytes.size());
    }
  }
}

}  // namespace haloscope::machine
