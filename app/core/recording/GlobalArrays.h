#pragma once

#include "recording/Recording.h"

namespace haloscope::recording {

/// The arrays a block works between.
struct GlobalArrays {
  ObjectId input = kNone;  ///< the most read global array of the output's shape or, if there is none, the most read one
  ObjectId output = kNone;  ///< the most written global array
};

[[nodiscard]] GlobalArrays findGlobalArrays(const Recording& recording);

}  // namespace haloscope::recording
