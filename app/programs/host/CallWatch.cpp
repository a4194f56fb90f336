#include "host/CallWatch.h"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "host/HostFunction.h"
#include "host/HostHeap.h"
#include "host/Runtime.h"

namespace haloscope::host {

namespace {

/// Of each function; a time loop calls it again and again.
constexpr int kMostCalls = 6;
constexpr std::size_t kMostCallBytes = std::size_t{256} << 20;
/// What an array on the stack, whose size is not known, may have at most.
constexpr std::size_t kMostStackBytes = std::size_t{1} << 20;

/// As libstdc++ lays out a std::vector.
struct VectorLayout {
  std::byte *begin, *end, *capacity;
};

/// What a call can use: where it begins, and how long it is.
struct Block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  VectorLayout* vector = nullptr;  ///< whose elements these are; null: of an array
  std::vector<std::byte> before{};
};

struct WatchedCall {
  const char* description = nullptr;
  std::uint64_t* arguments = nullptr;
  void (*again)(std::uint64_t*) = nullptr;
  FunctionCall message;
  std::vector<Block> blocks;
  bool usable = true;
};

/// A call that has been sent, to be made again.
struct PastCall {
  HostFunction function;
  void (*again)(std::uint64_t*) = nullptr;
  FunctionCall message;
  std::vector<bool> vectors;  ///< by block
};

/// What the last call that has written a block has left there.
struct Result {
  std::size_t call = 0;
  std::vector<std::byte> bytes;
};

/// The results of calls by their addresses, and of how many blocks of each call it is known that they stay as they are.
struct Results {
  std::mutex mutex;
  std::map<std::uintptr_t, Result> blocks;
  std::map<std::size_t, int> written, unchanged;
  std::size_t bytes = 0;
};
Results& results() {
  static Results one;
  return one;
}

/// Looks at the result at an address for the last time.
void closeResult(std::map<std::uintptr_t, Result>::iterator one) {
  Results& all = results();
  const std::vector<std::byte>& bytes = one->second.bytes;
  if (std::memcmp(reinterpret_cast<const void*>(one->first), bytes.data(), bytes.size()) == 0) {
    ++all.unchanged[one->second.call];
  }
  all.bytes -= bytes.size();
  all.blocks.erase(one);
}

struct Watch {
  std::optional<CallWatching> watching;
  std::thread::id thread;
  std::map<const char*, int> counts;
  std::unique_ptr<WatchedCall> current;
  std::vector<PastCall> past;
};

Watch& watch() {
  static Watch one;
  return one;
}

/// A block is about to be freed.
void closeResultAt(std::span<const std::byte> block) {
  const std::lock_guard lock(results().mutex);
  const auto result = results().blocks.find(reinterpret_cast<std::uintptr_t>(block.data()));
  if (result != results().blocks.end()) { closeResult(result); }
}

/// From an address in this thread's stack, above the frame of a call, to the stack's end.
std::span<const std::byte> stackAt(std::uintptr_t address, std::uintptr_t frame) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) { return {}; }
  void* low = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(low) + bytes;
  if (address < frame || address >= end) { return {}; }
  return {reinterpret_cast<const std::byte*>(address), std::min<std::size_t>(end - address, kMostStackBytes)};
}

/// The memory that an address is in; empty if it is not known.
std::span<const std::byte> memoryAt(std::uintptr_t address, const std::uint64_t* frame) {
  if (const auto block = heapBlockAt(address); !block.empty()) { return block; }
  if (const auto block = watch().watching->registered(address); !block.empty()) { return block; }
  if (const auto block = watch().watching->guest->variableAt(address); !block.empty()) { return block; }
  return stackAt(address, reinterpret_cast<std::uintptr_t>(frame));
}

/// The argument of a parameter: the result comes first.
std::size_t argumentOf(const HostFunction& function, std::size_t parameter) {
  if (!function.returnsVector) { return parameter; }
  return parameter + 1 == function.parameters.size() ? 0 : parameter + 1;
}

std::size_t indexOf(std::vector<Block>& blocks, Block block) {
  const auto known = std::ranges::find(blocks, block.data, &Block::data);
  if (block.vector == nullptr && known != blocks.end()) {
    known->bytes = std::max(known->bytes, block.bytes);
    return static_cast<std::size_t>(known - blocks.begin());
  }
  blocks.push_back(std::move(block));
  return blocks.size() - 1;
}

/// Finds the blocks that a call can use. False if one of them is not known.
bool findBlocks(const HostFunction& function, WatchedCall& call) {
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const bool result = function.returnsVector && i + 1 == function.parameters.size();
    const std::uint64_t argument = call.arguments[argumentOf(function, i)];
    std::uint64_t passed = argument;
    std::uint64_t offset = 0;
    switch (function.parameters[i].form) {
      case HostParameter::Form::Number:
        break;
      case HostParameter::Form::Array: {
        const auto memory = memoryAt(argument, call.arguments);
        if (memory.empty()) { return false; }
        offset = argument - reinterpret_cast<std::uintptr_t>(memory.data());
        passed = indexOf(call.blocks, {.data = const_cast<std::byte*>(memory.data()), .bytes = memory.size()});
        break;
      }
      case HostParameter::Form::Vector: {
        auto* const vector = reinterpret_cast<VectorLayout*>(argument);
        Block block{.vector = vector};
        if (!result) {
          block.data = vector->begin;
          block.bytes = static_cast<std::size_t>(vector->end - vector->begin);
        }
        passed = indexOf(call.blocks, std::move(block));
        break;
      }
    }
    call.message.arguments.push_back(passed);
    call.message.offsets.push_back(offset);
  }
  std::size_t all = 0;
  for (const Block& block : call.blocks) { all += block.bytes; }
  return all <= kMostCallBytes;
}

void enter(const char* description, std::uint64_t* arguments, void (*again)(std::uint64_t*)) {
  Watch& all = watch();
  if (!all.watching || std::this_thread::get_id() != all.thread) { return; }
  // The stack grows downwards: what began below a call is a part of it.
  if (all.current && arguments < all.current->arguments) { return; }
  all.current.reset();
  if (int& count = all.counts[description]; ++count > kMostCalls) { return; }
  auto call = std::make_unique<WatchedCall>();
  call->description = description;
  call->arguments = arguments;
  call->again = again;
  call->message.function = description;
  if (!findBlocks(functionIn(description), *call)) { call->usable = false; }
  for (Block& block : call->blocks) {
    if (call->usable) { block.before.assign(block.data, block.data + block.bytes); }
  }
  all.current = std::move(call);
}

/// What a call has left of a block, if it has changed it.
void keepResult(std::size_t call, const Block& block, std::span<const std::byte> now) {
  if (now.empty() || std::ranges::equal(block.before, now)) { return; }
  Results& all = results();
  const std::lock_guard lock(all.mutex);
  ++all.written[call];
  const auto address = reinterpret_cast<std::uintptr_t>(now.data());
  if (const auto known = all.blocks.find(address); known != all.blocks.end()) {
    all.bytes -= known->second.bytes.size();
    all.blocks.erase(known);
  }
  // On a stack it is not known when the memory ends.
  if (heapBlockAt(address).empty() || all.bytes + now.size() > kMostCallBytes) { return; }
  all.bytes += now.size();
  all.blocks[address] = {.call = call, .bytes = {now.begin(), now.end()}};
}

void leaveFunction(const std::uint64_t* arguments) {
  Watch& all = watch();
  if (!all.watching || std::this_thread::get_id() != all.thread || !all.current ||
      all.current->arguments != arguments) {
    return;
  }
  const std::unique_ptr<WatchedCall> call = std::move(all.current);
  if (!call->usable) { return; }
  std::vector<std::span<const std::byte>> parts;
  PastCall past{.function = functionIn(call->description), .again = call->again, .message = {}, .vectors = {}};
  for (const Block& block : call->blocks) {
    call->message.before.push_back(block.before.size());
    parts.emplace_back(block.before);
  }
  for (const Block& block : call->blocks) {
    past.vectors.push_back(block.vector != nullptr);
    std::span<const std::byte> now(block.data, block.bytes);
    if (block.vector != nullptr) {
      now = {block.vector->begin, static_cast<std::size_t>(block.vector->end - block.vector->begin)};
    }
    keepResult(all.past.size(), block, now);
    call->message.after.push_back(now.size());
    parts.push_back(now);
  }
  all.watching->send(call->message, parts);
  past.message = std::move(call->message);
  all.past.push_back(std::move(past));
}

template <typename Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

GuestSymbols watchSymbols() {
  return {
      {"haloscope_enter", address(enter)},
      {"haloscope_leave", address(leaveFunction)},
  };
}

void watchCalls(CallWatching watching) {
  watch().thread = std::this_thread::get_id();
  watch().watching = std::move(watching);
  watchHeap(closeResultAt);
}

void endWatchingCalls() {
  endWatchingHeap();
  watch().watching.reset();
}

std::vector<std::uint64_t> unchangedResults() {
  Results& all = results();
  const std::lock_guard lock(all.mutex);
  while (!all.blocks.empty()) { closeResult(all.blocks.begin()); }
  std::vector<std::uint64_t> calls;
  for (const auto& [call, count] : all.written) {
    if (all.unchanged[call] == count) { calls.push_back(call); }
  }
  return calls;
}

void noteRuntimeCall() {
  if (watch().current && std::this_thread::get_id() == watch().thread) { watch().current->usable = false; }
}

std::vector<std::vector<std::byte>> callAgain(std::span<const std::uint64_t> request,
                                              std::span<const std::byte> blocks) {
  if (request.empty() || request.front() >= watch().past.size()) { return {}; }
  const PastCall& call = watch().past[request.front()];
  const std::span<const std::uint64_t> numbers = request.subspan(1);
  const std::size_t parameters = call.function.parameters.size();
  if (numbers.size() != parameters) { return {}; }
  // A function may replace the elements of a vector: then they are deleted as they were allocated.
  std::vector<VectorLayout> memory;
  for (const std::uint64_t bytes : call.message.before) {
    if (bytes > blocks.size()) { return {}; }
    auto* const data = static_cast<std::byte*>(newBlock(std::max<std::size_t>(bytes, 1)));
    std::ranges::copy(blocks.first(bytes), data);
    blocks = blocks.subspan(bytes);
    memory.push_back({data, data + bytes, data + bytes});
  }
  std::vector<std::uint64_t> arguments(parameters);
  for (std::size_t i = 0; i < parameters; ++i) {
    std::uint64_t& argument = arguments[argumentOf(call.function, i)];
    if (call.function.parameters[i].form == HostParameter::Form::Number) {
      argument = numbers[i];
      continue;
    }
    VectorLayout& block = memory[call.message.arguments[i]];
    const bool isResult = call.function.returnsVector && i + 1 == parameters;
    if (isResult) { block = {}; }
    argument = call.function.parameters[i].form == HostParameter::Form::Vector
                   ? reinterpret_cast<std::uintptr_t>(&block)
                   : reinterpret_cast<std::uintptr_t>(block.begin + call.message.offsets[i]);
  }
  call.again(arguments.data());
  std::vector<std::vector<std::byte>> result;
  for (const VectorLayout& block : memory) {
    result.emplace_back(block.begin, block.end);
    deleteBlock(block.begin);
  }
  return result;
}

}  // namespace haloscope::host
