#include "host/HostMessages.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "program/Cbor.h"
#include "program/Channel.h"
#include "program/SourceLocation.h"

// What a forged or damaged message may do: be refused.

namespace haloscope::host {
namespace {

using Bytes = std::vector<std::byte>;
using nlohmann::json;

Bytes bytesOf(const HostCall& call) { return encode(call); }

/// Decodes; whether it was refused. Anything but an InputError is a fault of the decoder.
bool refused(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(decodeCall(bytes));
    return false;
  } catch (const InputError&) { return true; }
}

/// One message of each kind.
template <std::size_t index = 0>
std::vector<Bytes> oneOfEach() {
  if constexpr (index == std::variant_size_v<HostMessage>) {
    return {};
  } else {
    std::vector<Bytes> all = oneOfEach<index + 1>();
    all.push_back(bytesOf({std::variant_alternative_t<index, HostMessage>{}, {"a.cu", 12}}));
    return all;
  }
}

TEST(HostMessages, ComeBackAsTheyWereSent) {
  const HostCall call{LaunchCall{.kernel = "_Z1fPf",
                                 .file = 2,
                                 .grid = {3, 4, 5},
                                 .block = {6, 7, 8},
                                 .dynamicSharedBytes = 99,
                                 .stream = 1,
                                 .cooperative = true,
                                 .cluster = {2, 1, 3}},
                      {"src/main.cu", 41}};
  const HostCall back = decodeCall(encode(call));
  const auto& launch = std::get<LaunchCall>(back.message);
  EXPECT_EQ(back.at, call.at);
  EXPECT_EQ(launch.kernel, "_Z1fPf");
  EXPECT_EQ(launch.file, 2U);
  EXPECT_EQ(launch.grid, (std::array<std::uint32_t, 3>{3, 4, 5}));
  EXPECT_EQ(launch.block, (std::array<std::uint32_t, 3>{6, 7, 8}));
  EXPECT_TRUE(launch.cooperative);
  EXPECT_EQ(launch.cluster, (std::array<std::uint32_t, 3>{2, 1, 3}));
  const auto copy = std::get<Copy>(decodeCall(encode(HostCall{Copy{.asynchronous = true, .stream = 17}, {}})).message);
  EXPECT_TRUE(copy.asynchronous);
  EXPECT_EQ(copy.stream, 17U);
  const auto wait = std::get<WaitEvent>(decodeCall(encode(HostCall{WaitEvent{.stream = 17, .event = 18}, {}})).message);
  EXPECT_EQ(wait.stream, 17U);
  EXPECT_EQ(wait.event, 18U);
  for (const Bytes& bytes : oneOfEach()) { EXPECT_FALSE(refused(bytes)); }
}

TEST(HostMessages, EveryTruncationIsRefused) {
  for (const Bytes& bytes : oneOfEach()) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_TRUE(refused(std::span(bytes).first(size))) << size << " of " << bytes.size() << " bytes";
    }
  }
}

TEST(HostMessages, AnyChangedByteIsReadOrRefused) {
  std::size_t refusals = 0, read = 0;
  for (const Bytes& bytes : oneOfEach()) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const int value : {0x00, 0x1b, 0x3b, 0x5b, 0x7b, 0x9b, 0xbb, 0x9f, 0xbf, 0xf6, 0xfb, 0xff}) {
        Bytes changed = bytes;
        changed[at] = static_cast<std::byte>(value);
        if (refused(changed)) {
          ++refusals;
          continue;
        }
        // What is read means the same when it is written again.
        const Bytes again = encode(decodeCall(changed));
        EXPECT_EQ(encode(decodeCall(again)), again) << "byte " << at << " is " << value;
        ++read;
      }
    }
  }
  EXPECT_GT(refusals, 0U);
  EXPECT_GT(read, 0U);
}

TEST(HostMessages, RandomBytesAreRefused) {
  std::mt19937 generator(7);
  for (int round = 0; round < 5000; ++round) {
    Bytes bytes(generator() % 200);
    for (std::byte& one : bytes) { one = static_cast<std::byte>(generator()); }
    EXPECT_TRUE(refused(bytes));
  }
}

TEST(HostMessages, SizesWithoutTheirContentsAreRefused) {
  // An array, a text, bytes and a map of 2^60 elements, of which none follows.
  for (const int head : {0x9b, 0x7b, 0x5b, 0xbb}) {
    Bytes bytes{static_cast<std::byte>(head), std::byte{0x10}};
    bytes.resize(9);
    EXPECT_TRUE(refused(bytes));
  }
}

TEST(HostMessages, DeepNestingIsRefused) {
  for (const int head : {0x81, 0x9f, 0xa1, 0xbf}) {
    EXPECT_TRUE(refused(Bytes(1 << 20, static_cast<std::byte>(head))));
  }
}

TEST(HostMessages, OtherFormsAreRefused) {
  const std::array forms{
      json(nullptr),
      json::array(),
      json::object(),
      json::array({1}),
      json::array({1000, "a.cu", 1, json::object()}),
      json::array({-1, "a.cu", 1, json::object()}),
      json::array({"0", "a.cu", 1, json::object()}),
      json::array({3, 5, 1, json::object()}),
      json::array({3, "a.cu", "1", json::object()}),
      json::array({3, "a.cu", 1, json::object()}),
      json::array({3, "a.cu", 1, json::array()}),
      json::array({3, "a.cu", 1, {{"bytes", 1e300}, {"memory", 0}, {"address", 0}, {"symbol", ""}, {"file", 0}}}),
      json::array({3, "a.cu", 1, {{"bytes", "many"}, {"memory", 0}, {"address", 0}, {"symbol", ""}, {"file", 0}}}),
  };
  for (const json& form : forms) { EXPECT_TRUE(refused(toCbor(form))) << form.dump(); }
}

/// The two ends of a connection.
struct Ends {
  Ends() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0); }
  ~Ends() {
    for (const int end : ends) {
      if (end >= 0) { close(end); }
    }
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  void closeSecond() { close(std::exchange(ends[1], -1)); }

  std::array<int, 2> ends{-1, -1};
};

void sendRaw(int socket, std::span<const std::uint64_t> words) {
  const auto bytes = std::as_bytes(words);
  EXPECT_EQ(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
}

TEST(Channel, CarriesAPayloadInParts) {
  const Ends ends;
  const Bytes message(100, std::byte{1});
  const Bytes part(70'000, std::byte{2});
  std::jthread sender([&] {
    const std::array<std::span<const std::byte>, 3> parts{part, {}, part};
    EXPECT_TRUE(Channel(ends.ends[1]).send(message, parts));
  });
  const std::optional<Packet> packet = Channel(ends.ends[0]).receive();
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->message, message);
  EXPECT_EQ(packet->payload, Bytes(140'000, std::byte{2}));
}

TEST(Channel, SizesBeyondTheLimitsAreRefused) {
  for (const auto& sizes : {std::array<std::uint64_t, 2>{Channel::kMaxMessageBytes + 1, 0},
                            std::array<std::uint64_t, 2>{1, Channel::kMaxPayloadBytes + 1},
                            std::array<std::uint64_t, 2>{~std::uint64_t{0}, ~std::uint64_t{0}}}) {
    const Ends ends;
    sendRaw(ends.ends[1], sizes);
    EXPECT_THROW(static_cast<void>(Channel(ends.ends[0]).receive()), InputError);
  }
}

TEST(Channel, APacketThatEndsTooEarlyIsNone) {
  for (const std::size_t words : {0, 1, 2, 3}) {
    Ends ends;
    const std::array<std::uint64_t, 3> sent{16, std::uint64_t{1} << 31, 5};
    sendRaw(ends.ends[1], std::span(sent).first(words));
    ends.closeSecond();
    EXPECT_FALSE(Channel(ends.ends[0]).receive());
  }
}

TEST(Channel, WaitingEndsWhereItShallNotProceed) {
  const Ends ends;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
  const auto proceed = [&] { return std::chrono::steady_clock::now() < until; };
  EXPECT_FALSE(Channel(ends.ends[0], proceed).receive());
  // Nor does a process that reads nothing hold up the sender.
  EXPECT_FALSE(Channel(ends.ends[0], proceed).send(Bytes(64 << 20)));
}

TEST(Channel, AGoneReaderIsNoSignal) {
  Ends ends;
  ends.closeSecond();
  EXPECT_FALSE(Channel(ends.ends[0]).send(Bytes(1 << 20)));
}

}  // namespace
}  // namespace haloscope::host
