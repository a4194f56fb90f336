#pragma once

#include "host/Guest.h"
#include "process/NamedFiles.h"

namespace haloscope::host {

/// From now on a signal that would end the program, and an exception that nothing catches, are reported to the parent
/// process with the place in the program's text, and end this one.
void reportFaults(const Guest& guest);

/// The innermost place of the program on the stack; line 0: none, or before reportFaults().
[[nodiscard]] process::TextPlace placeOnStack();

}  // namespace haloscope::host
