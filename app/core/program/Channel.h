#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace haloscope {

/// One message with the bytes that come with it.
struct Packet {
  std::vector<std::byte> message;
  std::vector<std::byte> payload;
};

/// A message whose payload is still to be received.
struct Announced {
  std::vector<std::byte> message;
  std::uint64_t payloadBytes = 0;
};

/// Both ends' way to send packets over a stream socket: two sizes, the message, the payload. The socket stays open when
/// this object ends. A size that the other end names allocates nothing: memory grows as the bytes arrive.
class Channel {
 public:
  /// Largest message and payload that are received.
  static constexpr std::uint64_t kMaxMessageBytes = std::uint64_t{16} << 20;
  static constexpr std::uint64_t kMaxPayloadBytes = std::uint64_t{4} << 30;

  /// `proceed` is asked again and again while a packet is sent or received, which ends where it returns false.
  explicit Channel(int socket, std::function<bool()> proceed = {}) : socket_(socket), proceed_(std::move(proceed)) {}

  /// Sends a packet, its payload in parts. False if the other end is gone.
  bool send(std::span<const std::byte> message, std::span<const std::span<const std::byte>> payload = {});
  /// The same with a payload of which `next` gives one part after the other.
  using NextPart = std::function<std::span<const std::byte>()>;
  bool send(std::span<const std::byte> message, std::uint64_t payloadBytes, const NextPart& next);

  /// Waits for the next packet. None if the other end is gone. Throws InputError for a size beyond its limit.
  [[nodiscard]] std::optional<Packet> receive();

  /// The same in two steps: a message, then the payload that was announced with it, part by part.
  [[nodiscard]] std::optional<Announced> receiveMessage();
  [[nodiscard]] bool receive(std::span<std::byte> part);
  /// A part that becomes the contents of `bytes`.
  [[nodiscard]] bool receive(std::vector<std::byte>& bytes, std::uint64_t count);

 private:
  /// Waits until the socket is ready for `event`, or does not wait where nothing is to be asked.
  bool wait(short event);
  bool sendAll(std::span<const std::byte> bytes);

  int socket_;
  std::function<bool()> proceed_;
};

}  // namespace haloscope
