#pragma once

#include "recording/Recording.h"

namespace haloscope::test {

/// A log has values: of some that were chosen or shuffled it cannot tell whence they came.
enum class Origins { All, Known };

/// Expects that a block's recording read from a log says, step by step, what the emulator's recorder says: the same
/// lanes, accesses with their elements and values, changes with their origins, and activities. `Known`: a value may
/// be said to be computed where the recorder knows more, but nothing else.
void expectSame(const recording::Recording& emulator, const recording::Recording& logged,
                Origins origins = Origins::All);

}  // namespace haloscope::test
