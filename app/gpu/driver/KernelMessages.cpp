#include "driver/KernelMessages.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "program/Cbor.h"
#include "program/SourceLocation.h"

namespace haloscope::gpu {

namespace {

using nlohmann::json;

constexpr const char* kRequest = "a request to the GPU process";
constexpr const char* kReply = "a reply of the GPU process";
constexpr std::size_t kMaxMessageBytes = 4096;

/// Reads a message of the form {name: content} with `read`, which throws json::exception for a wrong content.
template <typename Message, typename Read>
Message decode(std::span<const std::byte> packet, const char* what, Read read) {
  const json message = fromCbor(packet, what);
  if (!message.is_object() || message.size() != 1) { throw InputError(std::string(what) + " has the wrong form"); }
  try {
    return read(message.begin().key(), message.begin().value());
  } catch (const json::exception& error) {
    throw InputError(std::string(what) + " has the wrong form: " + error.what());
  }
}

}  // namespace

std::vector<std::byte> encode(const KernelRequest& request) {
  const auto* run = std::get_if<RunSweeps>(&request);
  return toCbor(run != nullptr ? json{{"run", run->count}} : json{{"replace field", nullptr}});
}

std::vector<std::byte> encode(const KernelReply& reply) {
  if (const auto* ready = std::get_if<KernelReady>(&reply)) { return toCbor({{"ready", ready->gpuName}}); }
  if (const auto* done = std::get_if<SweepsDone>(&reply)) { return toCbor({{"done", done->milliseconds}}); }
  const std::string& message = std::get<KernelFailed>(reply).message;
  return toCbor({{"failed", message.substr(0, kMaxMessageBytes)}});
}

KernelRequest decodeRequest(std::span<const std::byte> packet) {
  return decode<KernelRequest>(packet, kRequest, [](std::string_view name, const json& content) -> KernelRequest {
    if (name == "replace field") { return ReplaceField{}; }
    if (name == "run") { return RunSweeps{content.get<int>()}; }
    throw InputError(std::string(kRequest) + " is of an unknown kind");
  });
}

KernelReply decodeReply(std::span<const std::byte> packet) {
  return decode<KernelReply>(packet, kReply, [](std::string_view name, const json& content) -> KernelReply {
    if (name == "ready") { return KernelReady{content.get<std::string>()}; }
    if (name == "failed") { return KernelFailed{content.get<std::string>()}; }
    if (name != "done") { throw InputError(std::string(kReply) + " is of an unknown kind"); }
    auto milliseconds = content.get<std::vector<double>>();
    milliseconds.resize(std::min(milliseconds.size(), kMaxSweepTimes));
    return SweepsDone{std::move(milliseconds)};
  });
}

}  // namespace haloscope::gpu
