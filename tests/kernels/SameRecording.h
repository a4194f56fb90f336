#pragma once

#include "recording/Recording.h"

namespace haloscope::test {

/// A log contains values only: the origin of selected or shuffled values may be unknown.
enum class Origins { All, Known };

/// Expects that a block's recording read from a log equals the emulator's recording step by step: the same lanes,
/// accesses with their elements and values, changes with their origins, and activities. `Known`: a value may count as
/// computed where the recorder knows its origin; no other difference is allowed.
void expectSame(const recording::Recording& emulator, const recording::Recording& logged,
                Origins origins = Origins::All);

}  // namespace haloscope::test
