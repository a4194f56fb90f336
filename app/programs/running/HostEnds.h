#pragma once

namespace haloscope::running {

/// Descriptors of a process that executes a program's host half: this side's ends. The process owns the other ones.
struct HostEnds {
  int socket = -1;  ///< a stream, see program/Channel.h
  int output = -1;  ///< of a pipe, for what the program prints
};

}  // namespace haloscope::running
