#include "ForgedHost.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "host/HostMessages.h"
#include "host/ServeHost.h"
#include "program/Channel.h"
#include "program/Program.h"

namespace haloscope::running {

namespace {

using host::HostMessage;
using Bytes = std::vector<std::byte>;

/// Messages at random, whose values are those that matter: addresses near allocations, sizes near their ends, numbers
/// that overflow.
class Forger {
 public:
  explicit Forger(std::uint32_t seed) : generator_(seed) {}

  HostMessage message() {
    switch (pick(26)) {
      case 0:
      case 1:
      case 2:
        return host::Allocate{.bytes = size(),
                              .memory = static_cast<host::HostMemory>(pick(5)),
                              .address = pick(2) == 0 ? 0 : address(),
                              .symbol = pick(4) == 0 ? name() : "",
                              .file = file(),
                              .asynchronous = pick(2) == 0,
                              .stream = handle()};
      case 3:
        return host::Free{.address = address(), .host = pick(2) == 0, .asynchronous = pick(2) == 0, .stream = handle()};
      case 4:
      case 5:
      case 6:
      case 7:
        return host::Copy{.destination = address(),
                          .destinationPitch = size(),
                          .source = address(),
                          .sourcePitch = size(),
                          .width = size(),
                          .height = pick(2) == 0 ? 1 : size(),
                          .kind = static_cast<host::CopyKind>(pick(7)),
                          .asynchronous = pick(2) == 0,
                          .stream = handle()};
      case 8:
      case 9:
        return host::Fill{.address = address(),
                          .pitch = size(),
                          .width = size(),
                          .height = pick(2) == 0 ? 1 : size(),
                          .value = static_cast<std::uint8_t>(pick(256)),
                          .asynchronous = pick(2) == 0,
                          .stream = handle()};
      case 10:
      case 11:
        return host::SymbolCopy{.symbol = name(),
                                .file = file(),
                                .offset = size(),
                                .bytes = size(),
                                .toSymbol = pick(2) == 0,
                                .asynchronous = pick(2) == 0,
                                .stream = handle()};
      case 12:
        return host::SymbolAddress{.symbol = name(), .file = file()};
      case 13:
        return host::Variable{.symbol = name(), .file = file(), .bytes = size(), .constant = pick(2) == 0};
      case 14:
      case 15:
      case 16:
        return host::LaunchCall{.kernel = pick(3) != 0 ? "_Z5twicePfS_i" : name(),
                                .file = file(),
                                .grid = {extent(), extent(), extent()},
                                .block = {extent(), extent(), extent()},
                                .dynamicSharedBytes = pick(2) == 0 ? 0 : size(),
                                .stream = handle(),
                                .cooperative = pick(2) == 0,
                                .cluster = {pick(3) == 0 ? static_cast<std::uint32_t>(pick(5)) : 0U, 1, 1}};
      case 17:
        return host::LaunchArguments{};
      case 18:
        if (pick(2) == 0) { return host::CopiedRows{}; }
        return host::EarlyAccess{address()};
      case 19:
        return host::Synchronize{.what = static_cast<host::Synchronize::What>(pick(6)), .object = handle()};
      case 20:
        return host::ElapsedTime{.start = pick(5), .end = pick(5)};
      case 21:
        return host::RecordEvent{.event = pick(5), .stream = handle()};
      case 22:
        return host::SetKernelAttribute{.kernel = name(),
                                        .file = file(),
                                        .attribute = static_cast<std::int32_t>(pick(12)),
                                        .value = static_cast<std::int32_t>(size())};
      case 23:
        if (pick(2) == 0) { return host::Create{.event = pick(3) == 0, .nonBlocking = pick(2) == 0}; }
        return host::Destroy{.event = pick(2) == 0, .object = handle()};
      case 24:
        return host::WaitEvent{.stream = handle(), .event = pick(5)};
      default:
        return host::KernelProperty{.kernel = name(),
                                    .name = pick(2) == 0 ? "sharedSizeBytes" : "blocksPerMultiprocessor",
                                    .file = file(),
                                    .threads = static_cast<std::int64_t>(size()),
                                    .dynamicSharedBytes = static_cast<std::int64_t>(size())};
    }
  }

  Bytes payload(const HostMessage& of) {
    // Mostly as many as the message says.
    if (const auto* variable = std::get_if<host::Variable>(&of); variable != nullptr && pick(4) != 0) {
      return Bytes(variable->bytes % 5000);
    }
    if (const auto* copy = std::get_if<host::SymbolCopy>(&of); copy != nullptr && pick(4) != 0) {
      return Bytes(copy->toSymbol && copy->bytes < 5000 ? copy->bytes : 0);
    }
    Bytes bytes(pick(60) == 0 ? pick(5000) : 0);
    for (std::byte& one : bytes) { one = static_cast<std::byte>(generator_()); }
    return bytes;
  }

  /// Of the kernel `twice`, and the host's memory behind them.
  Bytes arguments(std::uint64_t hostBytes) {
    const std::array<std::uint64_t, 3> values{address(), address(), size()};
    Bytes bytes(20 + hostBytes);
    std::memcpy(bytes.data(), values.data(), 20);
    return bytes;
  }

  host::HostPlace place() {
    return {pick(3) == 0 ? std::string() : "main.cu",
            pick(3) == 0 ? static_cast<int>(generator_()) : static_cast<int>(pick(20))};
  }

  std::uint64_t pick(std::uint64_t count) { return generator_() % count; }

 private:
  std::uint64_t address() {
    switch (pick(6)) {
      case 0:
        return 0;
      case 1:
        return 0x7f0000000000 + pick(8) * 1024;
      case 2:
        return generator_() * std::uint64_t{0x100000001};
      default:
        return PackedPointer::pack(static_cast<ObjectId>(pick(9)), static_cast<std::int64_t>(pick(3) * 64) - 64);
    }
  }
  std::uint64_t size() {
    static constexpr std::array<std::uint64_t, 14> kSizes{0,
                                                          1,
                                                          4,
                                                          16,
                                                          64,
                                                          1000,
                                                          4096,
                                                          std::uint64_t{1} << 31,
                                                          std::uint64_t{1} << 33,
                                                          (std::uint64_t{1} << 40) - 1,
                                                          std::uint64_t{1} << 47,
                                                          std::uint64_t{1} << 63,
                                                          ~std::uint64_t{0} - 63,
                                                          ~std::uint64_t{0}};
    return kSizes[pick(pick(2) == 0 ? 7 : kSizes.size())];
  }
  /// Of a stream or an event: those of the runtime, those that it was given, and none.
  std::uint64_t handle() { return pick(6) == 0 ? size() : pick(2) == 0 ? pick(3) : 16 + pick(8); }
  std::uint32_t extent() {
    static constexpr std::array<std::uint32_t, 8> kExtents{0, 1, 2, 33, 1024, 65535, 0x80000000U, 0xffffffffU};
    return kExtents[pick(pick(4) == 0 ? kExtents.size() : 4)];
  }
  std::uint32_t file() { return pick(4) == 0 ? static_cast<std::uint32_t>(generator_()) : 0; }
  std::string name() {
    static const std::array<std::string, 6> kNames{"filter", "_ZL6filter",           "",
                                                   "_Z",     std::string(3000, '_'), "_ZN1aINS_INS_INS_INS_INS_IiEE"};
    return kNames[pick(kNames.size())];
  }

  std::mt19937 generator_;
};

/// A message with the sizes of another one: its payload does not come.
void announce(const HostMessage& message, std::uint64_t payloadBytes) {
  const Bytes bytes = encode(host::HostCall{message, {"main.cu", 7}});
  const std::array<std::uint64_t, 2> words{bytes.size(), payloadBytes};
  static_cast<void>(::send(host::kHostSocket, words.data(), sizeof words, MSG_NOSIGNAL));
  static_cast<void>(::send(host::kHostSocket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

/// Names gigabytes, in each place where a message names a size, and sends none of them.
void claimMemory(std::uint32_t which, Channel& channel) {
  constexpr std::uint64_t kMuch = std::uint64_t{3} << 30, kHost = 0x7f0000000000;
  const auto ask = [&](const HostMessage& message) {
    channel.send(encode(host::HostCall{message, {"main.cu", 7}}));
    const std::optional<Packet> answer = channel.receive();
    return answer ? host::decodeReply(answer->message) : host::HostReply{};
  };
  ask(host::Allocate{.bytes = kMuch, .memory = host::HostMemory::PageLocked, .address = kHost});
  ask(host::Allocate{.bytes = std::uint64_t{8} << 30, .memory = host::HostMemory::Managed, .address = 2 * kHost / 3});
  switch (which) {
    case 0: {
      const std::uint64_t device = ask(host::Allocate{.bytes = std::uint64_t{1} << 30}).value;
      ask(host::Copy{.destination = device,
                     .destinationPitch = 1 << 30,
                     .source = 4096,
                     .sourcePitch = 1 << 30,
                     .width = 1 << 30,
                     .height = 1,
                     .kind = host::CopyKind::HostToDevice});
      return announce(host::CopiedRows{}, std::uint64_t{1} << 30);
    }
    case 1:
      ask(host::LaunchCall{.kernel = "_Z5twicePfS_i", .grid = {1, 1, 1}, .block = {1, 1, 1}});
      return announce(host::LaunchArguments{}, 20 + kMuch);
    case 2:
      return announce(host::Variable{.symbol = "_ZL6filter", .bytes = std::uint64_t{1} << 30}, std::uint64_t{1} << 30);
    case 3:
      return announce(
          host::FunctionCall{.function = "[]", .arguments = {}, .offsets = {}, .before = {kMuch}, .after = {}}, kMuch);
    case 4:
      return announce(host::Compiled{.objectBytes = {kMuch}}, kMuch);
    case 5:
      return announce(host::Synchronize{}, std::uint64_t{4} << 30);
    case 6:
      return announce(host::SymbolCopy{.symbol = "_ZL6filter", .bytes = kMuch}, kMuch);
    default: {
      const std::array<std::uint64_t, 2> words{std::uint64_t{16} << 20, kMuch};
      static_cast<void>(::send(host::kHostSocket, words.data(), sizeof words, MSG_NOSIGNAL));
    }
  }
}

void sendRandomBytes(std::uint32_t seed) {
  std::mt19937 generator(seed);
  for (int i = 0; i < 1000; ++i) {
    std::array<std::uint32_t, 64> words{};
    for (std::uint32_t& word : words) { word = static_cast<std::uint32_t>(generator()); }
    // Some begin with sizes that are believed.
    if (generator() % 2 == 0) { words[1] = words[2] = words[3] = 0, words[0] %= 400; }
    if (::send(host::kHostSocket, words.data(), sizeof words, MSG_NOSIGNAL) <= 0) { return; }
  }
}

}  // namespace

int forgeHost(const std::string& how) {
  Channel channel(host::kHostSocket);
  if (!channel.receive()) { return 1; }
  const std::string kind = how.substr(0, how.find(':'));
  const auto seed =
      static_cast<std::uint32_t>(how.find(':') == std::string::npos ? 0 : std::stoul(how.substr(how.find(':') + 1)));
  const auto send = [&](const HostMessage& message, const Bytes& payload = {}) {
    const std::array<std::span<const std::byte>, 1> parts{payload};
    return channel.send(encode(host::HostCall{message, {"main.cu", 7}}), parts);
  };
  if (kind == "bytes") {
    sendRandomBytes(seed);
  } else if (kind == "claims") {
    send(host::Began{});
    claimMemory(seed, channel);
  } else if (kind == "strings") {
    // Strings without a length, each in the one before.
    send(host::Began{});
    channel.send(Bytes(300'000, std::byte{0x7f}));
  } else if (kind == "silent") {
    send(host::Began{});
    while (true) { pause(); }
  } else if (kind == "half") {
    send(host::Began{});
    const std::array<std::uint64_t, 3> words{100, 1000, 5};
    static_cast<void>(::send(host::kHostSocket, words.data(), sizeof words, MSG_NOSIGNAL));
    while (true) { pause(); }
  } else if (kind == "deaf") {
    // Asks for much, and reads nothing of it.
    send(host::Began{});
    send(host::Variable{.symbol = "v", .bytes = 1 << 20}, Bytes(1 << 20));
    while (send(host::SymbolCopy{.symbol = "v", .bytes = 1 << 20, .toSymbol = false})) {}
  } else if (kind == "flood") {
    send(host::Began{});
    const std::string text(1 << 16, 'x');
    while (write(STDOUT_FILENO, text.data(), text.size()) > 0) {}
  } else if (kind == "twice") {
    for (int i = 0; i < 1000; ++i) { send(host::Began{}); }
    while (true) { pause(); }
  } else if (kind == "names") {
    send(host::Began{});
    for (int i = 0; i < 1000; ++i) {
      send(host::SetKernelAttribute{.kernel = std::string(1 << 20, 'n'), .attribute = 8, .value = 1});
      if (!channel.receive()) { return 0; }
    }
  } else if (kind == "places" || kind == "problems") {
    const std::vector<host::HostPlace> places{{"/etc/passwd", 1},
                                              {"main.cu", 2},
                                              {"main.cu", 99},
                                              {"main.cu", -1},
                                              {"../main.cu", 1},
                                              {"./main.cu", 3},
                                              {"", 1},
                                              {"main.cu", INT_MAX},
                                              {std::string(1 << 20, 'a'), 1}};
    if (kind == "problems") {
      host::Rejected rejected;
      for (const host::HostPlace& at : places) { rejected.problems.push_back({at, 5, "wrong"}); }
      send(rejected);
      return 0;
    }
    send(host::Began{});
    for (const host::HostPlace& at : places) {
      const std::array<std::span<const std::byte>, 0> nothing{};
      channel.send(encode(host::HostCall{host::Free{.address = 0x1234}, at}), nothing);
      if (!channel.receive()) { return 0; }
    }
    const std::array<std::span<const std::byte>, 0> nothing{};
    channel.send(encode(host::HostCall{host::Uncaught{"int", ""}, places.front()}), nothing);
  } else if (kind == "launches") {
    // Of no blocks, of kernels that are all read: their names are those of one with other parameters.
    send(host::Began{});
    for (int i = 0; i < 5000; ++i) {
      send(host::LaunchCall{.kernel = "_Z5twice" + std::string(static_cast<std::size_t>(i % 900), 'P') + "f",
                            .block = {1, 1, 1}});
      if (!channel.receive()) { return 0; }
    }
  } else if (kind == "kernels") {
    // The same kernel in files that do not exist, and kernels that do not exist.
    send(host::Began{});
    for (std::uint32_t i = 0; i < 100'000; ++i) {
      const bool known = i < 20'000;
      send(host::KernelProperty{.kernel = known ? "_Z5twicePfS_i" : std::string(4000, 'k') + std::to_string(i),
                                .name = "sharedSizeBytes",
                                .file = known ? i : 0});
      if (!channel.receive()) { return 0; }
    }
  } else {
    Forger forger(seed);
    std::uint64_t hostBytes = 0;
    send(host::Began{});
    for (int i = 0; i < 400; ++i) {
      const HostMessage message = forger.message();
      const Bytes payload = forger.payload(message);
      const std::array<std::span<const std::byte>, 1> parts{payload};
      if (!channel.send(encode(host::HostCall{message, forger.place()}), parts)) { return 0; }
      if (std::holds_alternative<host::EarlyAccess>(message)) { continue; }
      const std::optional<Packet> answer = channel.receive();
      if (!answer) { return 0; }
      const host::HostReply reply = host::decodeReply(answer->message);
      const bool good = reply.error == 0;
      if (const auto* one = std::get_if<host::Allocate>(&message); one != nullptr && good && one->address != 0) {
        hostBytes += one->bytes;
      }
      // Mostly a copy and a launch go on as they should.
      const auto* const copy = std::get_if<host::Copy>(&message);
      if (copy != nullptr && reply.value == host::kWantsRows && forger.pick(8) != 0) {
        const Bytes rows(copy->width * copy->height);
        const std::array<std::span<const std::byte>, 1> given{rows};
        if (!channel.send(encode(host::HostCall{host::CopiedRows{}, forger.place()}), given)) { return 0; }
        if (!channel.receive()) { return 0; }
      }
      if (std::holds_alternative<host::LaunchCall>(message) && good && forger.pick(8) != 0) {
        const Bytes arguments = forger.arguments(hostBytes);
        const std::array<std::span<const std::byte>, 1> given{arguments};
        if (!channel.send(encode(host::HostCall{host::LaunchArguments{}, forger.place()}), given)) { return 0; }
        if (!channel.receive()) { return 0; }
      }
    }
  }
  return 0;
}

}  // namespace haloscope::running
