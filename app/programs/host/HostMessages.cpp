#include "host/HostMessages.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "program/Cbor.h"
#include "program/SourceLocation.h"

namespace haloscope::host {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostProgram::File, name, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostProgram, files, headers, defines)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostPlace, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostDiagnostic, where, column, message, undefined, isClash)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostStart, program, arguments, properties, deviceName, objectBytes, watchesCalls,
                                   repeatable, gathersArrays, notesComparisons, files)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Rejected, problems, lacksMain)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Compiled, objectBytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Allocate, bytes, memory, address, symbol, file, asynchronous, stream)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Free, address, host, asynchronous, stream)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Copy, destination, destinationPitch, source, sourcePitch, width, height, kind,
                                   asynchronous, stream, ofLibrary)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Fill, address, pitch, width, height, value, asynchronous, stream)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SymbolCopy, symbol, file, offset, bytes, toSymbol, asynchronous, stream)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SymbolAddress, symbol, file)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Variable, symbol, file, bytes, constant)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchCall, kernel, file, grid, block, dynamicSharedBytes, stream, cooperative,
                                   cluster)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EarlyAccess, address, step, count, writes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileRefused, name, how)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CaptureBroken, waits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Synchronize, what, object)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Create, event, nonBlocking)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Destroy, event, object)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordEvent, event, stream, ofLibrary)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WaitEvent, stream, event)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UseDevice, device)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EnablePeer, device)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ElapsedTime, start, end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LastError, clear)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SetKernelAttribute, kernel, file, attribute, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelProperty, kernel, name, file, threads, dynamicSharedBytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FunctionCall, function, arguments, offsets, before, after)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Returned, status, unchanged)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CalledAgain, blocks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GatheredArrays, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ComparedArrays, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Unsupported, function)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ended, status)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Uncaught, type, message, missedArgument)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Crashed, signal, address, deviceAddress, stackOverflow, inCall, freedBy,
                                   missedArgument)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Failed, message)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostReply, error, value, list, sticky, given)

namespace {

using nlohmann::json;

template <typename Message>
json bodyOf(const Message& message) {
  if constexpr (std::is_empty_v<Message>) {
    return json::object();
  } else {
    return message;
  }
}

/// The alternative of this index, read from a body.
template <std::size_t index = 0>
HostMessage messageOf(std::size_t wanted, const json& body) {
  if constexpr (index == std::variant_size_v<HostMessage>) {
    throw InputError("a message of the host process has an unknown type");
  } else {
    using Message = std::variant_alternative_t<index, HostMessage>;
    if (wanted != index) { return messageOf<index + 1>(wanted, body); }
    if constexpr (std::is_empty_v<Message>) {
      return Message{};
    } else {
      return body.get<Message>();
    }
  }
}

/// No message has a floating-point number, and nlohmann would convert one that no integer can hold.
bool hasFloat(const json& value) {
  return value.is_number_float() || (value.is_structured() && std::ranges::any_of(value, hasFloat));
}

/// `read` with what nlohmann throws as an InputError.
template <typename Read>
auto checked(std::span<const std::byte> bytes, Read read) {
  const json value = fromCbor(bytes, "a message of the host process");
  if (hasFloat(value)) { throw InputError("a message of the host process has a number that is no integer"); }
  try {
    return read(value);
  } catch (const json::exception& wrong) {
    throw InputError(std::string("a message of the host process is malformed: ") + wrong.what());
  }
}

}  // namespace

std::vector<std::byte> encode(const HostStart& start) { return toCbor(start); }

std::vector<std::byte> encode(const HostCall& call) {
  return toCbor(json::array({call.message.index(), call.at.file, call.at.line,
                             std::visit([](const auto& message) { return bodyOf(message); }, call.message)}));
}

std::vector<std::byte> encode(const HostReply& reply) { return toCbor(reply); }

HostStart decodeStart(std::span<const std::byte> bytes) {
  return checked(bytes, [](const json& value) { return value.get<HostStart>(); });
}

HostCall decodeCall(std::span<const std::byte> bytes) {
  return checked(bytes, [](const json& value) {
    return HostCall{.message = messageOf(value.at(0).get<std::size_t>(), value.at(3)),
                    .at = {.file = value.at(1).get<std::string>(), .line = value.at(2).get<int>()}};
  });
}

HostReply decodeReply(std::span<const std::byte> bytes) {
  return checked(bytes, [](const json& value) { return value.get<HostReply>(); });
}

}  // namespace haloscope::host
