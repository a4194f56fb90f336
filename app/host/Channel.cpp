#include "host/Channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace haloscope::host {

namespace {

/// What precedes each packet.
struct Sizes {
  std::uint64_t message = 0, payload = 0;
};

/// A payload is received in parts, so that a size alone allocates little.
constexpr std::size_t kPartBytes = std::size_t{16} << 20;
constexpr int kPollMilliseconds = 5;

}  // namespace

bool Channel::wait(short event) {
  if (!proceed_) { return true; }
  pollfd waiting{.fd = socket_, .events = event, .revents = 0};
  while (proceed_()) {
    if (poll(&waiting, 1, kPollMilliseconds) > 0) { return true; }
  }
  return false;
}

bool Channel::sendAll(std::span<const std::byte> bytes) {
  const int flags = MSG_NOSIGNAL | (proceed_ ? MSG_DONTWAIT : 0);
  while (!bytes.empty()) {
    if (!wait(POLLOUT)) { return false; }
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), flags);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) { continue; }
    if (sent <= 0) { return false; }
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Channel::send(std::span<const std::byte> message, std::span<const std::span<const std::byte>> payload) {
  Sizes sizes{.message = message.size()};
  for (const std::span<const std::byte> part : payload) { sizes.payload += part.size(); }
  return sendAll(std::as_bytes(std::span(&sizes, 1))) && sendAll(message) &&
         std::ranges::all_of(payload, [this](std::span<const std::byte> part) { return sendAll(part); });
}

bool Channel::receiveAll(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    if (!wait(POLLIN)) { return false; }
    const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) { continue; }
    if (got <= 0) { return false; }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

std::optional<Packet> Channel::receive() {
  Sizes sizes;
  if (!receiveAll(std::as_writable_bytes(std::span(&sizes, 1)))) { return std::nullopt; }
  if (sizes.message > kMaxMessageBytes || sizes.payload > kMaxPayloadBytes) { return std::nullopt; }
  Packet packet;
  packet.message.resize(sizes.message);
  if (!receiveAll(packet.message)) { return std::nullopt; }
  while (packet.payload.size() < sizes.payload) {
    const std::size_t before = packet.payload.size();
    packet.payload.resize(std::min<std::uint64_t>(sizes.payload, before + std::max(kPartBytes, before)));
    if (!receiveAll(std::span(packet.payload).subspan(before))) { return std::nullopt; }
  }
  return packet;
}

}  // namespace haloscope::host
