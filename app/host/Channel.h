#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace haloscope::host {

/// One message with the bytes that come with it.
struct Packet {
  std::vector<std::byte> message;
  std::vector<std::byte> payload;
};

/// Both ends' way to send packets over a stream socket: two sizes, the message, the payload. The socket stays open when
/// this object ends.
class Channel {
 public:
  /// Largest message and payload that are received; a larger one ends the connection.
  static constexpr std::uint64_t kMaxMessageBytes = std::uint64_t{16} << 20;
  static constexpr std::uint64_t kMaxPayloadBytes = std::uint64_t{4} << 30;

  /// `proceed` is asked again and again while a packet is sent or received, which ends where it returns false.
  explicit Channel(int socket, std::function<bool()> proceed = {}) : socket_(socket), proceed_(std::move(proceed)) {}

  /// Sends a packet, its payload in parts. False if the other end is gone.
  bool send(std::span<const std::byte> message, std::span<const std::span<const std::byte>> payload = {});
  /// Waits for the next packet. None if the other end is gone or a size is beyond its limit.
  [[nodiscard]] std::optional<Packet> receive();

 private:
  /// Waits until the socket is ready for `event`, or does not wait where nothing is to be asked.
  bool wait(short event);
  bool sendAll(std::span<const std::byte> bytes);
  bool receiveAll(std::span<std::byte> bytes);

  int socket_;
  std::function<bool()> proceed_;
};

}  // namespace haloscope::host
