#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// What the kernel computes, where names or a run with one coefficient at a time tell it.
void recognise(LaunchDraft& draft);

/// Says what the arrays that the kernel reads are filled with: no text says that.
void tellFillings(LaunchDraft& draft);

}  // namespace haloscope::opening
