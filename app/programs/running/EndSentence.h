#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "host/HostMessages.h"
#include "running/DeviceMemory.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// "The program ended with status 0 after 3 launches, one of which was not executed." Of one that exited.
[[nodiscard]] std::string exitSentence(const ProgramRun& run);

/// What a program that comes to a bad end lacks: it reads an argument, or a file, that it was not given, and the null
/// pointer that it got instead, or its own exception, is no mistake of it. What it has merely looked for gives no
/// pointer. Empty: nothing. `given`: its name, and the arguments that it has. `missed`: the element of argv that it
/// read.
[[nodiscard]] std::string wantedInput(const std::vector<std::string>& given, std::size_t missed,
                                      const std::vector<RefusedFile>& files, bool followsNull);

/// The same of a program that came to its end: an empty launch, or a copy or an allocation that failed, may follow from
/// the size that a file which it could not read would have given. Empty: nothing of this kind failed.
[[nodiscard]] std::string wantedSizes(const ProgramRun& run, const std::vector<std::string>& given);

/// Findings at calls that failed say nothing of a program that lacks its input.
void eraseFailedCalls(ProgramRun& run);

/// What ended a program, for the user: a signal, or an exception that nothing caught.
/// `isAllocated`: its address is one that the runtime gave the program.
[[nodiscard]] std::string sentence(const host::Crashed& crash, bool isAllocated);
[[nodiscard]] std::string sentence(const host::Uncaught& exception);
/// A signal within a copy, whose host array begins at `begin`: it ended, or there is none.
[[nodiscard]] std::string sentence(const ProgramEvent& copy, const DeviceMemory& memory, const host::Crashed& crash,
                                   std::uint64_t begin);
/// One that quotes the program may be too long to be read: it ends with an ellipsis, after a whole character of UTF-8.
[[nodiscard]] std::string shortened(std::string sentence, std::size_t most = 4096);

}  // namespace haloscope::running
