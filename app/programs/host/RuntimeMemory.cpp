#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "host/ArrayGathering.h"
#include "host/ComparedValues.h"
#include "host/Faults.h"
#include "host/Runtime.h"
#include "host/RuntimeCall.h"
#include "host/RuntimeGraphs.h"

// Memory of the device, and of the host as far as kernels can use it.

namespace haloscope::host {

namespace runtime {

namespace {

/// Managed memory is not cleared: as the device's, it holds what tells that nothing has written it.
void fillUnwritten(std::span<std::byte> memory, std::uint32_t word) {
  for (std::size_t at = 0; at < memory.size(); at += sizeof word) {
    std::memcpy(&memory[at], &word, std::min(sizeof word, memory.size() - at));
  }
}

void* allocate(std::size_t bytes, int memory, CallPlace at) {
  Call call(at);
  if (memory == 0) {
    call.exchange(Allocate{.bytes = bytes, .memory = HostMemory::Device});
    return reinterpret_cast<void*>(call.reply().value);
  }
  void* const data =
      mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    failed(kMemoryAllocation);
    return nullptr;
  }
  call.ask(Allocate{.bytes = bytes,
                    .memory = memory == 1 ? HostMemory::Managed : HostMemory::PageLocked,
                    .address = addressOf(data)});
  if (call.reply().error != kSuccess) {
    munmap(data, std::max<std::size_t>(bytes, 1));
    return nullptr;
  }
  if (memory == 1) {
    fillUnwritten({static_cast<std::byte*>(data), bytes}, static_cast<std::uint32_t>(call.reply().value));
  }
  state().blocks.push_back({static_cast<std::byte*>(data), bytes, true});
  noteCopied(bytes);
  state().mapsMemory = true;
  return data;
}

void* allocateIn(std::size_t bytes, void* stream, CallPlace at) {
  Call call(at);
  call.exchange(
      Allocate{.bytes = bytes, .memory = HostMemory::Device, .asynchronous = true, .stream = addressOf(stream)});
  return reinterpret_cast<void*>(call.reply().value);
}

void registerMemory(void* memory, std::size_t bytes, CallPlace at) {
  Call call(at);
  if (call.ask(Allocate{.bytes = bytes, .memory = HostMemory::PageLocked, .address = addressOf(memory)}) == kSuccess) {
    state().blocks.push_back({static_cast<std::byte*>(memory), bytes, false});
  }
}

int release(void* memory, int host, CallPlace at) {
  if (memory == nullptr) { return kSuccess; }
  Call call(at);
  waited();
  const int error = call.ask(Free{.address = addressOf(memory), .host = host != 0});
  auto& blocks = state().blocks;
  const auto block =
      std::ranges::find(blocks, memory, [](const HostBlock& one) { return static_cast<void*>(one.data); });
  if (error == kSuccess && block != blocks.end()) {
    if (block->mapped) { munmap(block->data, std::max<std::size_t>(block->bytes, 1)); }
    blocks.erase(block);
  }
  return error;
}

int releaseIn(void* memory, void* stream, CallPlace at) {
  if (memory == nullptr) { return kSuccess; }
  Call call(at);
  return call.ask(Free{.address = addressOf(memory), .asynchronous = true, .stream = addressOf(stream)});
}

/// The stand-in for thrust does not know which stream its algorithms are given.
std::uint64_t streamOf(void* stream, const CallPlace& at) { return isOnStack(at) ? kEveryStream : addressOf(stream); }

/// Of `asynchronous`: the copy is part of what a library does in a stream.
constexpr int kOfLibrary = 2;

int copy(const CallRows* rows, int kind, int asynchronous, void* stream, CallPlace at);

StreamWork workOf(const CallRows& rows, int kind, CallPlace at) {
  return [=](void* where) { return copy(&rows, kind, 1, where, at); };
}

int copy(const CallRows* rows, int kind, int asynchronous, void* stream, CallPlace at) {
  Call call(at);
  if (const int error = errorOfDefault(stream); error != kSuccess) { return error; }
  if (asynchronous != 0 && isCaptured(stream)) {
    keepFor(stream, workOf(*rows, kind, at));
    return kSuccess;
  }
  if (asynchronous == 0) { waited(); }
  Opened opened;
  const Copy message{.destination = addressOf(rows->destination),
                     .destinationPitch = rows->destinationPitch,
                     .source = addressOf(rows->source),
                     .sourcePitch = rows->sourcePitch,
                     .width = rows->width,
                     .height = rows->height,
                     .kind = static_cast<CopyKind>(kind),
                     .asynchronous = asynchronous != 0,
                     .stream = streamOf(stream, at),
                     .ofLibrary = isOnStack(at) || asynchronous == kOfLibrary};
  const bool toDevice = isDevice(rows->destination);
  const bool fromDevice = isDevice(rows->source);
  std::vector<std::span<const std::byte>> payload;
  // Without its rows the parent refuses a copy: one of this size is a mistake.
  const bool possible = rows->height == 0 || rows->width <= Channel::kMaxPayloadBytes / rows->height;
  if (toDevice && !fromDevice && possible) {
    const auto* from = static_cast<const std::byte*>(rows->source);
    if (rows->width == rows->sourcePitch) {
      payload.push_back({from, rows->width * rows->height});
    } else {
      for (std::size_t y = 0; y < rows->height; ++y) {
        payload.emplace_back(from + y * rows->sourcePitch, rows->width);
      }
    }
  }
  Packet answer = call.exchange(message);
  if (call.reply().error == kSuccess && call.reply().value == kWantsRows) {
    answer = call.exchange(CopiedRows{}, payload);
  }
  // What has no bytes may have no address either.
  if (call.reply().error != kSuccess || rows->width == 0) { return call.reply().error; }
  if (fromDevice && !toDevice) { noteCopied(rows->width * rows->height); }
  auto* to = static_cast<std::byte*>(rows->destination);
  if (!toDevice && fromDevice && answer.payload.size() == rows->width * rows->height) {
    for (std::size_t y = 0; y < rows->height; ++y) {
      std::memcpy(to + y * rows->destinationPitch, answer.payload.data() + y * rows->width, rows->width);
    }
    if (rows->destinationPitch == rows->width || rows->height == 1) { noteArrival({to, answer.payload.size()}); }
    if (asynchronous != 0) { opened.add(to, KernelUse::Writes); }
  } else if (toDevice && !fromDevice) {
    if (asynchronous != 0) { opened.add(rows->source, KernelUse::Reads); }
  } else if (!toDevice && !fromDevice) {
    const auto* from = static_cast<const std::byte*>(rows->source);
    for (std::size_t y = 0; y < rows->height; ++y) {
      std::memmove(to + y * rows->destinationPitch, from + y * rows->sourcePitch, rows->width);
    }
  }
  return kSuccess;
}

int fill(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height, int asynchronous,
         void* stream, CallPlace at) {
  Call call(at);
  if (const int error = errorOfDefault(stream); error != kSuccess) { return error; }
  if (asynchronous != 0 && isCaptured(stream)) {
    keepFor(stream, [=](void* where) { return fill(memory, pitch, value, width, height, 1, where, at); });
    return kSuccess;
  }
  const Opened opened;
  const int error = call.ask(Fill{.address = addressOf(memory),
                                  .pitch = pitch,
                                  .width = width,
                                  .height = height,
                                  .value = static_cast<std::uint8_t>(value),
                                  .asynchronous = asynchronous != 0,
                                  .stream = addressOf(stream)});
  if (error == kSuccess && !isDevice(memory) && width > 0) {
    for (std::size_t y = 0; y < height; ++y) { std::memset(static_cast<std::byte*>(memory) + y * pitch, value, width); }
  }
  return error;
}

int copySymbol(const void* symbol, void* host, std::size_t bytes, std::size_t offset, const int* how, void* stream,
               CallPlace at) {
  Call call(at);
  const bool toSymbol = how[0] != 0;
  waited();
  const auto known = state().symbols.find(symbol);
  if (known == state().symbols.end()) { return failed(kInvalidSymbol); }
  const SymbolCopy message{.symbol = known->second.name,
                           .file = known->second.file,
                           .offset = offset,
                           .bytes = bytes,
                           .toSymbol = toSymbol,
                           .asynchronous = how[1] != 0,
                           .stream = addressOf(stream)};
  if (toSymbol && bytes <= Channel::kMaxPayloadBytes) {
    const std::array<std::span<const std::byte>, 1> payload{bytesAt(host, bytes)};
    return call.ask(message, payload);
  }
  const Packet answer = call.exchange(message);
  if (call.reply().error == kSuccess && bytes > 0 && answer.payload.size() == bytes) {
    std::memcpy(host, answer.payload.data(), bytes);
  }
  return call.reply().error;
}

void* symbolAddress(const void* symbol, CallPlace at) {
  Call call(at);
  const auto known = state().symbols.find(symbol);
  if (known == state().symbols.end()) { return nullptr; }
  call.ask(SymbolAddress{known->second.name, known->second.file});
  return reinterpret_cast<void*>(call.reply().value);
}

/// As cudaMemoryType.
int memoryKind(const void* memory) {
  if (isDevice(memory)) { return 2; }
  const auto* at = static_cast<const std::byte*>(memory);
  for (const HostBlock& one : state().blocks) {
    if (at >= one.data && at < one.data + one.bytes) { return one.mapped ? 3 : 1; }
  }
  return 0;
}

std::size_t addCopy(const graphs::Place* where, const CallRows* rows, int kind, CallPlace at) {
  return graphs::put(where, workOf(*rows, kind, at));
}

/// `element` bytes of the value are repeated.
std::size_t addFill(const graphs::Place* where, const CallFill* one, CallPlace at) {
  const CallFill all = *one;
  const unsigned low = all.value & 0xffU;
  const unsigned repeated = low * (all.element == 4 ? 0x01010101U : all.element == 2 ? 0x0101U : 1U);
  if (repeated == all.value || all.element == 1) {
    return graphs::put(where, [=](void* stream) {
      return fill(all.memory, std::max<std::size_t>(all.pitch, all.width * all.element), static_cast<int>(low),
                  all.width * all.element, all.height, 1, stream, at);
    });
  }
  const std::size_t count = all.width * all.height, width = all.width * all.element;
  std::vector<std::byte> values(count * all.element);
  for (std::size_t i = 0; i < count; ++i) { std::memcpy(values.data() + i * all.element, &all.value, all.element); }
  return graphs::put(where, [=](void* stream) {
    const CallRows rows{all.memory, std::max(all.pitch, width), values.data(), width, width, all.height};
    return copy(&rows, static_cast<int>(CopyKind::HostToDevice), 2, stream, at);
  });
}

/// Memory of a stand-in for a library: none of the program's own arrays.
void* scratch(std::size_t bytes) { return std::malloc(std::max<std::size_t>(bytes, 1)); }

}  // namespace

GuestSymbols memorySymbols() {
  return {
      {"haloscope_allocate", of(allocate)},
      {"haloscope_allocate_in", of(allocateIn)},
      {"haloscope_register", of(registerMemory)},
      {"haloscope_free", of(release)},
      {"haloscope_free_in", of(releaseIn)},
      {"haloscope_copy", of(copy)},
      {"haloscope_fill", of(fill)},
      {"haloscope_symbol_copy", of(copySymbol)},
      {"haloscope_symbol_address", of(symbolAddress)},
      {"haloscope_memory_kind", of(memoryKind)},
      {"haloscope_scratch", of(scratch)},
      {"haloscope_graph_copy", of(addCopy)},
      {"haloscope_graph_fill", of(addFill)},
      {"haloscope_scratch_free", of(std::free)},
  };
}

}  // namespace runtime

void checkHostFree(const void* memory, const char* function) {
  using namespace runtime;
  if (!isDevice(memory)) {
    if (!state().mapsMemory) { return; }
    const std::lock_guard lock(turns());
    const auto ofRuntime = [&](const HostBlock& one) { return one.mapped && one.data == memory; };
    if (std::ranges::none_of(state().blocks, ofRuntime)) { return; }
  }
  leave(Crashed{.signal = SIGABRT,
                .address = addressOf(memory),
                .deviceAddress = isDevice(memory),
                .stackOverflow = false,
                .inCall = false,
                .freedBy = function},
        hostPlace(placeOnStack()));
}

}  // namespace haloscope::host
