#pragma once

#include "opening/LaunchDraft.h"

namespace haloscope::opening {

/// Determines what the kernel computes, if names or runs with one coefficient at a time show it.
void recognise(LaunchDraft& draft);

/// Records how the arrays that the kernel reads are filled, which no text states.
void describeArrayContents(LaunchDraft& draft);

}  // namespace haloscope::opening
