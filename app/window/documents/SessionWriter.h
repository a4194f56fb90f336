#pragma once

#include <string>

#include "state/Session.h"

namespace haloscope {

/// The text of a session's file. It is read again before it is returned: a scene that would come back as another one is
/// an InputError, as is a text that no file can hold, such as one that is not UTF-8, and what is too large. Slow.
[[nodiscard]] std::string sessionText(const Session& session);

}  // namespace haloscope
