#pragma once

#include <cstddef>
#include <cstdint>

#include "host/Guest.h"
#include "host/HostMessages.h"
#include "process/NamedFiles.h"
#include "program/Channel.h"

/// The CUDA runtime as a program in the child process sees it: each call becomes a message to the parent process, which
/// has the device's memory and executes the kernels.
namespace haloscope::host {

/// The functions that RuntimePrelude.h declares, and the few of the C library that need another form here. They use
/// `channel`, which must outlive the program.
[[nodiscard]] GuestSymbols runtimeSymbols(Channel& channel, const HostStart& start);

/// The kernels and variables that are registered from now on are those of this file of the program.
void beginFile(std::size_t file);

/// From now on the calls of the program's functions that take arrays are reported, see CallWatch.h.
void watchCallsOf(const Guest& guest);
/// From now on what may be GatheredArrays is kept.
void gatherArraysOf(const Guest& guest);

/// The place of the call in which the program is, if it is in one.
[[nodiscard]] process::TextPlace currentCall();
[[nodiscard]] HostPlace hostPlace(process::TextPlace at);

/// Ends the program if a function of the host, such as free(), is given memory of the runtime to free.
void checkHostFree(const void* memory, const char* function);

/// Sends the parent a last message and ends the process.
[[noreturn]] void leave(const HostMessage& last, const HostPlace& at = {});

/// Runs what the program registered with atexit() and the destructors of its global objects, then leaves.
[[noreturn]] void leaveWith(int status);

}  // namespace haloscope::host
