#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The arguments of main(), laid out so that a program which reads one that it was not given is noticed.
namespace haloscope::host {

/// argv: what lies behind the given arguments, the null pointer too, cannot be read before readsMissedArgument().
/// Throws std::bad_alloc. The texts must outlive the program, which may change them.
[[nodiscard]] char** guardedArguments(std::vector<std::string>& texts);

/// For the handler of a signal: whether an access that failed was to what lies behind the given arguments. Then all of
/// it can be read from now on, as null pointers.
[[nodiscard]] bool readsMissedArgument(std::uintptr_t address);

/// The index in argv of what the program read there first; 0: it read nothing there.
[[nodiscard]] std::uint32_t missedArgument();

}  // namespace haloscope::host
