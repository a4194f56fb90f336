#pragma once

#include "host/Guest.h"

namespace haloscope::host {

/// From now on a signal that would end the program, and an exception that nothing catches, are reported to the parent
/// process with the place in the program's text, and end this one.
void reportFaults(const Guest& guest);

}  // namespace haloscope::host
