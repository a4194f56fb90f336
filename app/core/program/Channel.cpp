#include "program/Channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

/// What precedes each packet.
struct Sizes {
  std::uint64_t message = 0, payload = 0;
};

/// Bytes are received in parts, so that a size alone allocates little.
constexpr std::size_t kPartBytes = std::size_t{1} << 20;
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
  std::uint64_t bytes = 0;
  for (const std::span<const std::byte> part : payload) { bytes += part.size(); }
  return send(message, bytes, [part = payload.begin()]() mutable { return *part++; });
}

bool Channel::send(std::span<const std::byte> message, std::uint64_t payloadBytes, const NextPart& next) {
  const Sizes sizes{.message = message.size(), .payload = payloadBytes};
  bool sent = sendAll(std::as_bytes(std::span(&sizes, 1))) && sendAll(message);
  for (std::uint64_t left = payloadBytes; sent && left > 0;) {
    const std::span<const std::byte> part = next();
    sent = sendAll(part);
    left -= part.size();
  }
  return sent;
}

bool Channel::receive(std::span<std::byte> part) {
  while (!part.empty()) {
    if (!wait(POLLIN)) { return false; }
    const ssize_t got = ::recv(socket_, part.data(), part.size(), 0);
    if (got < 0 && errno == EINTR) { continue; }
    if (got <= 0) { return false; }
    part = part.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool Channel::receive(std::vector<std::byte>& bytes, std::uint64_t count) {
  bytes.clear();
  while (bytes.size() < count) {
    const std::size_t before = bytes.size();
    bytes.resize(before + std::min<std::uint64_t>(kPartBytes, count - before));
    if (!receive(std::span(bytes).subspan(before))) { return false; }
  }
  return true;
}

std::optional<Announced> Channel::receiveMessage() {
  Sizes sizes;
  if (!receive(std::as_writable_bytes(std::span(&sizes, 1)))) { return std::nullopt; }
  if (sizes.message > kMaxMessageBytes || sizes.payload > kMaxPayloadBytes) {
    throw InputError(tr("the host process sent more than a message can have"));
  }
  Announced announced{.message = {}, .payloadBytes = sizes.payload};
  if (!receive(announced.message, sizes.message)) { return std::nullopt; }
  return announced;
}

std::optional<Packet> Channel::receive() {
  std::optional<Announced> announced = receiveMessage();
  Packet packet;
  if (!announced || !receive(packet.payload, announced->payloadBytes)) { return std::nullopt; }
  packet.message = std::move(announced->message);
  return packet;
}

}  // namespace haloscope
