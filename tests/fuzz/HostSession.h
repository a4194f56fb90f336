#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "host/HostProgram.h"
#include "program/Channel.h"
#include "running/ProgramRun.h"

/// What a host process sends to this side, as bytes: recorded from a real one, changed, and sent again without one.
namespace haloscope::fuzz {

/// A session as it is stored: the task (see host::HostStart) as the first packet, whose payload is what the program
/// printed, then all that the process sent.
struct HostSession {
  Packet task;
  std::vector<Packet> packets;  ///< see host::HostCall
  std::vector<std::byte> rest;  ///< bytes after the last whole packet
};

/// Reads as many whole packets as there are.
[[nodiscard]] HostSession sessionOf(std::span<const std::byte> bytes);
[[nodiscard]] std::vector<std::byte> bytesOf(const HostSession& session);

/// Executes a program with a host process of `haloscope`, and keeps what it sends. `run`: what came of it.
[[nodiscard]] HostSession recordedSession(const host::HostProgram& program, const std::filesystem::path& haloscope,
                                          running::ProgramRun* run = nullptr);

/// What this side makes of a session, within bounds of time and memory that suit thousands of them. Throws
/// std::logic_error where it breaks a promise: no sentence on how the program ended, an empty message, a place that is
/// none. A session whose task is unreadable ends as Failed.
running::ProgramRun replay(std::span<const std::byte> session);

}  // namespace haloscope::fuzz
