#include "driver/BlockLogger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <thread>
#include <utility>

#include "driver/Driver.h"
#include "driver/Event.h"
#include "driver/LaunchArrays.h"
#include "language/Text.h"

namespace haloscope::gpu {

namespace {

constexpr const char* kWords = "haloscope_log::words";
constexpr const char* kCounts = "haloscope_log::counts";
constexpr const char* kCapacity = "haloscope_log::capacity";
constexpr const char* kFocus = "haloscope_log::focus";

/// Initial words per thread: enough for most blocks of the catalogue.
constexpr std::size_t kFirstWords = 4096;

/// An instrumented sweep takes milliseconds.
constexpr std::chrono::seconds kLimit{10};

template <typename Value>
std::span<const std::byte> bytesOf(const Value& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

BlockLogger::BlockLogger(const Clearance& clearance, std::shared_ptr<const Device> device, const KernelText& text,
                         const Program& program)
    : device_(std::move(device)),
      kernel_(clearance, device_, text, program, {kWords, kCounts, kCapacity, kFocus}),
      stream_(device_) {}

BlockLog BlockLogger::run(const Program& program, const Launch& launch, const Dim3& block, const Words& words) {
  const std::uint32_t threads = launch.configuration.threadsPerBlock();
  BlockLog log;
  log.capacity =
      static_cast<std::uint32_t>(std::min<std::size_t>(words.bytes / sizeof(std::uint32_t) / threads, 1U << 28));
  log.counts.assign(threads, 0);
  const std::size_t countBytes = threads * sizeof(std::uint32_t);
  if (!counts_ || counts_->bytes() < countBytes) { counts_.emplace(device_, countBytes); }
  counts_->upload(std::as_bytes(std::span(log.counts)));

  const LaunchArrays arrays(kernel_, program, launch);
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    if (const DeviceAddress address = arrays.address(id); address != 0) { log.places[id] = address; }
  }
  const std::array<std::uint32_t, 3> focus{block.x, block.y, block.z};
  kernel_.setVariable(kWords, bytesOf(words.address));
  kernel_.setVariable(kCounts, bytesOf(counts_->address()));
  kernel_.setVariable(kCapacity, bytesOf(log.capacity));
  kernel_.setVariable(kFocus, bytesOf(focus));
  EventPair events(device_);
  events.begin.record(stream_);
  kernel_.launch(launch.configuration, arrays.arguments(), stream_);
  events.end.record(stream_);
  const auto began = std::chrono::steady_clock::now();
  while (!events.end.passed()) {
    if (std::chrono::steady_clock::now() - began > kLimit) {
      constexpr int kLaunchTimeout = 702;
      throw Error(trf("{} did not end within {} s", program.kernel, kLimit.count()), kLaunchTimeout);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  milliseconds_ = events.milliseconds();
  counts_->download(std::as_writable_bytes(std::span(log.counts)));

  const std::size_t fetched = std::size_t{threads} * log.capacity * sizeof(std::uint32_t);
  if (!host_ || host_->bytes().size() < fetched) { host_.emplace(device_, fetched); }
  downloadAsync(stream_, host_->bytes().first(fetched), words.address);
  stream_.synchronize();
  log.words.resize(std::size_t{threads} * log.capacity);
  std::ranges::copy(host_->bytes().first(fetched), std::as_writable_bytes(std::span(log.words)).begin());
  return log;
}

BlockLog BlockLogger::run(const Program& program, const Launch& launch, const Dim3& block) {
  const std::size_t threads = launch.configuration.threadsPerBlock();
  std::size_t wordsPerThread = kFirstWords;
  while (true) {
    const std::size_t bytes = threads * wordsPerThread * sizeof(std::uint32_t);
    if (bytes > kMostBytes) {
      throw InputError(
          trf("the recording of a block would take {} MiB on the GPU (maximum {}): choose a smaller "
              "size or tile",
              bytes >> 20U, kMostBytes >> 20U));
    }
    if (!own_ || own_->bytes() < bytes) {
      own_.reset();
      own_.emplace(device_, bytes);
    }
    BlockLog log = run(program, launch, block, {own_->address(), bytes});
    const std::uint32_t longest = *std::ranges::max_element(log.counts);
    if (longest <= log.capacity) { return log; }
    wordsPerThread = longest;
  }
}

}  // namespace haloscope::gpu
