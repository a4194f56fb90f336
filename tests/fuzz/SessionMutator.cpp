#include "SessionMutator.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "host/HostMessages.h"
#include "program/Cbor.h"
#include "program/Channel.h"
#include "program/SourceLocation.h"

namespace haloscope::fuzz {

namespace {

using nlohmann::json;
using Random = std::minstd_rand;

constexpr std::size_t kMostPayload = 64 << 10;
constexpr std::size_t kMostPackets = 2000;

/// Values near the ends of types, of memory and of what is allowed.
constexpr std::array<std::uint64_t, 30> kExtremes{0,          1,          2,          3,          4,
                                                  7,          8,          16,         31,         32,
                                                  33,         255,        256,        1024,       1025,
                                                  4096,       65535,      65536,      0x7fffffff, 0x80000000,
                                                  0xffffffff, 1ULL << 32, 1ULL << 33, 1ULL << 40, (1ULL << 47) - 1,
                                                  1ULL << 47, 1ULL << 48, 1ULL << 63, ~0ULL - 63, ~0ULL};

std::size_t below(Random& random, std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random()) % n; }

/// The places of a message that hold a value or a list.
void collect(json& value, std::vector<json*>& leaves, std::vector<json*>& lists) {
  if (!value.is_structured()) {
    leaves.push_back(&value);
    return;
  }
  lists.push_back(&value);
  for (json& one : value) { collect(one, leaves, lists); }
}

json readMessage(const Packet& packet) {
  try {
    return fromCbor(packet.message, "");
  } catch (const InputError&) { return nullptr; }
}

class Change {
 public:
  Change(HostSession& session, unsigned seed) : session_(session), packets_(session.packets), random_(seed) {}

  void apply() {
    // Most sessions are longer than what a change affects: one near the end keeps all before it.
    switch (below(random_, 16)) {
      case 0:
        return erase();
      case 1:
        return repeat();
      case 2:
        return move();
      case 3:
        return changeType();
      case 4:
        return changePayload();
      case 5:
        return changeList();
      case 6:
        return below(random_, 4) == 0 ? damageBytes() : cutOff();
      case 7:
        return retype();
      case 8:
        return below(random_, 2) == 0 ? announce() : leaveOpen();
      default:
        return changeLeaf();
    }
  }

 private:
  Packet* any() { return packets_.empty() ? nullptr : &packets_[below(random_, packets_.size())]; }
  std::uint64_t number() { return kExtremes[below(random_, kExtremes.size())]; }

  void erase() {
    if (packets_.empty()) { return; }
    const std::size_t first = below(random_, packets_.size());
    const std::size_t count = std::min(packets_.size() - first, 1 + below(random_, 3));
    packets_.erase(at(first), at(first + count));
  }
  void repeat() {
    const Packet* packet = any();
    if (packet == nullptr) { return; }
    const Packet copy = *packet;
    const std::size_t times = below(random_, 8) == 0 ? 300 : 1 + below(random_, 3);
    if (packets_.size() + times > kMostPackets || copy.payload.size() * times > 4 * kMostPayload) { return; }
    packets_.insert(at(below(random_, packets_.size() + 1)), times, copy);
  }
  void move() {
    if (packets_.empty()) { return; }
    const std::size_t from = below(random_, packets_.size());
    Packet packet = std::move(packets_[from]);
    packets_.erase(at(from));
    packets_.insert(at(below(random_, packets_.size() + 1)), std::move(packet));
  }
  std::vector<Packet>::iterator at(std::size_t i) { return packets_.begin() + static_cast<std::ptrdiff_t>(i); }

  /// Another message with the same values, which mostly lacks some.
  void changeType() {
    edit([&](json& message) {
      if (message.is_array() && !message.empty()) {
        message[0] = below(random_, 8) == 0 ? number() : below(random_, std::variant_size_v<host::HostMessage> + 1);
      }
      // With those of a message that has this type.
      const Packet* like = any();
      const json other = like == nullptr ? json() : readMessage(*like);
      if (other.is_array() && message.is_array() && below(random_, 2) == 0) { message = other; }
    });
  }

  void changeLeaf() {
    edit([&](json& message) {
      std::vector<json*> leaves;
      std::vector<json*> lists;
      collect(message, leaves, lists);
      if (leaves.size() < 2) { return; }
      json& leaf = *leaves[1 + below(random_, leaves.size() - 1)];
      if (leaf.is_string()) {
        leaf = text();
      } else if (leaf.is_boolean()) {
        leaf = !leaf.get<bool>();
      } else if (leaf.is_number_integer()) {
        changeNumber(leaf);
      }
    });
  }
  void changeNumber(json& leaf) {
    const bool isNegative = leaf.is_number_integer() && !leaf.is_number_unsigned();
    const std::uint64_t value =
        isNegative ? static_cast<std::uint64_t>(leaf.get<std::int64_t>()) : leaf.get<std::uint64_t>();
    switch (below(random_, 6)) {
      case 0:
        leaf = value + 1 + below(random_, 8);
        break;
      case 1:
        leaf = value - 1 - below(random_, 8);
        break;
      case 2:
        leaf = value * (below(random_, 2) == 0 ? 2 : 4);
        break;
      case 3:
        leaf = value / (below(random_, 2) == 0 ? 2 : 4);
        break;
      case 4: {
        // One of another message: an address, mostly.
        const Packet* packet = any();
        json other = packet == nullptr ? json() : readMessage(*packet);
        std::vector<json*> leaves;
        std::vector<json*> lists;
        collect(other, leaves, lists);
        const json* found = leaves.empty() ? nullptr : leaves[below(random_, leaves.size())];
        if (found != nullptr && found->is_number()) { leaf = *found; }
        break;
      }
      default:
        leaf = number();
        if (below(random_, 4) == 0) { leaf = -static_cast<std::int64_t>(number() >> 1); }
    }
  }
  std::string text() {
    switch (below(random_, 8)) {
      case 0:
        return {};
      case 1:
        return std::string(below(random_, 2) == 0 ? 3000 : 70'000, '_');
      case 2:
        return "_ZN1aINS_INS_INS_INS_INS_IiEE";
      case 3:
        return "_Z";
      case 4:
        return "\xff\xfe\x80 \x01";
      default: {
        const Packet* packet = any();
        json other = packet == nullptr ? json() : readMessage(*packet);
        std::vector<json*> leaves;
        std::vector<json*> lists;
        collect(other, leaves, lists);
        std::erase_if(leaves, [](const json* one) { return !one->is_string(); });
        return leaves.empty() ? "x" : leaves[below(random_, leaves.size())]->get<std::string>();
      }
    }
  }

  void changeList() {
    edit([&](json& message) {
      std::vector<json*> leaves;
      std::vector<json*> lists;
      collect(message, leaves, lists);
      if (lists.empty()) { return; }
      json& list = *lists[below(random_, lists.size())];
      if (list.is_array()) {
        if (below(random_, 2) == 0 && !list.empty()) {
          list.erase(below(random_, list.size()));
        } else {
          list.insert(list.end(), below(random_, 8) == 0 ? 2000 : 1, list.empty() ? json(number()) : json(list.back()));
        }
      } else if (!list.empty()) {
        list.erase(std::next(list.begin(), static_cast<std::ptrdiff_t>(below(random_, list.size()))));
      }
    });
  }

  /// A value of another kind where one is expected.
  void retype() {
    edit([&](json& message) {
      std::vector<json*> leaves;
      std::vector<json*> lists;
      collect(message, leaves, lists);
      json& place = *(leaves.empty() || below(random_, 3) == 0 ? lists : leaves)[0];
      const std::array<json, 6> kinds{nullptr, 1.5e300, "text", json::array(), json::object(), -1};
      (leaves.size() > 1 ? *leaves[below(random_, leaves.size())] : place) = kinds[below(random_, kinds.size())];
    });
  }

  void changePayload() {
    Packet* packet = any();
    if (packet == nullptr) { return; }
    std::vector<std::byte>& bytes = packet->payload;
    if (below(random_, 2) == 0 && !bytes.empty()) {
      for (std::size_t i = 0; i < 8; ++i) { bytes[below(random_, bytes.size())] = static_cast<std::byte>(random_()); }
    } else if (below(random_, 2) == 0 && bytes.size() >= 8) {
      const std::uint64_t value = number();
      std::memcpy(bytes.data() + below(random_, bytes.size() / 8) * 8, &value, sizeof value);
    } else {
      bytes.resize(std::min<std::size_t>(kMostPayload, below(random_, 2) == 0 ? bytes.size() / 2 : number()));
    }
  }

  void damageBytes() {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < 1 + below(random_, 40); ++i) { bytes.push_back(static_cast<std::byte>(random_())); }
    if (below(random_, 2) == 0) {
      // A size that is believed, and much too large.
      const std::array<std::uint64_t, 2> words{below(random_, 2) == 0 ? 5 : number(), number()};
      const auto view = std::as_bytes(std::span(words));
      bytes.insert(bytes.begin(), view.begin(), view.end());
    }
    session_.rest = std::move(bytes);
    if (Packet* packet = any(); packet != nullptr && !packet->message.empty() && below(random_, 2) == 0) {
      packet->message[below(random_, packet->message.size())] = static_cast<std::byte>(random_());
    }
  }
  /// A message whose sizes are forged: of itself, or of a payload that does not come whole.
  void announce() {
    if (packets_.empty()) { return; }
    const std::size_t last = below(random_, packets_.size());
    const Packet packet = packets_[last];
    packets_.resize(last);
    const std::array<std::uint64_t, 3> most{Channel::kMaxPayloadBytes, Channel::kMaxPayloadBytes - 1,
                                            Channel::kMaxMessageBytes};
    std::array<std::uint64_t, 2> words{packet.message.size(), packet.payload.size()};
    words[below(random_, 4) == 0 ? 0 : 1] = below(random_, 2) == 0 ? most[below(random_, most.size())] : number();
    const auto view = std::as_bytes(std::span(words));
    session_.rest.assign(view.begin(), view.end());
    session_.rest.insert(session_.rest.end(), packet.message.begin(), packet.message.end());
    session_.rest.insert(session_.rest.end(), packet.payload.begin(), packet.payload.end());
  }

  /// CBOR whose strings, arrays or maps have no length, or one that is forged, or that has tags.
  void leaveOpen() {
    Packet* packet = any();
    if (packet == nullptr || packet->message.empty()) { return; }
    static constexpr std::array<int, 9> kInitial{0x5f, 0x7f, 0x9f, 0xbf, 0xc0, 0x5b, 0x7b, 0x9b, 0xbb};
    const auto initial = static_cast<std::byte>(kInitial[below(random_, kInitial.size())]);
    const std::size_t count = below(random_, 4) == 0 ? 70'000 : 1 + below(random_, 3);
    const auto place = packet->message.begin() + static_cast<std::ptrdiff_t>(below(random_, packet->message.size()));
    if (below(random_, 2) == 0) {
      *place = initial;
    } else {
      packet->message.insert(place, count, initial);
    }
  }
  void cutOff() {
    if (!packets_.empty()) { packets_.resize(1 + below(random_, packets_.size())); }
  }

  template <typename Edit>
  void edit(Edit change) {
    Packet* packet = any();
    if (packet == nullptr) { return; }
    json message = readMessage(*packet);
    if (message.is_null()) { return; }
    change(message);
    packet->message = toCbor(message);
    // Mostly with as many bytes as the message says.
    if (below(random_, 4) != 0) { fitPayload(*packet); }
  }
  static void fitPayload(Packet& packet) {
    std::uint64_t bytes = packet.payload.size();
    try {
      const host::HostCall call = host::decodeCall(packet.message);
      if (const auto* symbol = std::get_if<host::SymbolCopy>(&call.message); symbol != nullptr && bytes > 0) {
        bytes = symbol->bytes;
      } else if (const auto* variable = std::get_if<host::Variable>(&call.message)) {
        bytes = variable->bytes;
      }
    } catch (const InputError&) { return; }
    if (bytes <= kMostPayload) { packet.payload.resize(bytes); }
  }

  HostSession& session_;
  std::vector<Packet>& packets_;
  Random random_;
};

}  // namespace

HostSession mutatedSession(HostSession session, unsigned seed) {
  Random random(seed);
  const std::size_t changes = 1 + below(random, 4);
  for (std::size_t i = 0; i < changes; ++i) { Change(session, static_cast<unsigned>(random())).apply(); }
  return session;
}

HostSession joinedSessions(HostSession session, const HostSession& other, unsigned seed) {
  Random random(seed);
  if (other.packets.empty() || session.packets.size() + other.packets.size() > kMostPackets) { return session; }
  const std::size_t first = below(random, other.packets.size());
  const std::size_t count = 1 + below(random, other.packets.size() - first);
  const auto from = other.packets.begin() + static_cast<std::ptrdiff_t>(first);
  session.packets.insert(
      session.packets.begin() + static_cast<std::ptrdiff_t>(below(random, session.packets.size() + 1)), from,
      from + static_cast<std::ptrdiff_t>(count));
  return session;
}

}  // namespace haloscope::fuzz
