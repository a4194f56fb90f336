#pragma once

#include <functional>

namespace haloscope::work {

/// Executes `work` on a thread of a low scheduling priority, as are those that it starts, and waits for it: sweeps and
/// frames keep the cores. Throws what it throws.
void atLowPriority(const std::function<void()>& work);

}  // namespace haloscope::work
