#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "measuring/SuiteRun.h"

/// Other people's programs that solve the problem of a class, timed beside the variants. None ships with Haloscope.
namespace haloscope::measuring {

/// How a peer is started; for each class {size}, {precision}, {steps} and the names of the class's problem ({N},
/// {FILTER_RADIUS}) in its command are replaced.
struct Peer {
  std::string name;
  std::string command;  ///< for /bin/sh; its last line of output is the number of milliseconds of a launch: "0.25 ms"
};

/// "NAME=COMMAND". Throws InputError.
[[nodiscard]] Peer peerOf(const std::string& option);

struct PeerTime {
  std::string name, command;  ///< as it was started
  double milliseconds = 0;    ///< of a launch with the class's steps; 0: see `problem`
  std::string problem{};      ///< why there is no time
  double effectiveGBs = 0, fraction = 0;
};

/// The command with the class's values. Throws InputError for a name in braces that the class does not have.
[[nodiscard]] std::string commandFor(const Peer& peer, const LimitClass& limit);
/// A line that is nothing but a number above zero, which may be followed by "ms".
[[nodiscard]] std::optional<double> millisecondsIn(std::string_view line);
/// Starts a peer and waits for it; what it has started itself is ended with it.
[[nodiscard]] PeerTime timePeer(const Peer& peer, const SuiteClass& measured,
                                std::chrono::seconds patience = std::chrono::seconds(120));
/// The peer that a class names, a Python program of `folder`; without python3 and torch a problem in its place.
[[nodiscard]] PeerTime timeShippedPeer(const SuiteClass& measured, const std::string& folder);

}  // namespace haloscope::measuring
