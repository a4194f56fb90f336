#pragma once

#include "checking/Check.h"
#include "judging/CheckedKernel.h"
#include "opening/OpenedFile.h"

namespace haloscope::judging {

/// What is found in a kernel of which no launch is known may be the fault of the blocks that were proposed, or of
/// numbers that were. Checks it with blocks of other shapes and with other numbers: where one shows a part of the
/// findings and nothing else, that is its verdict. A kernel that does not ask which block it is in may be meant for
/// one. `overrides`: with which its text was opened; `isWritten`: its block stands in the text. Throws Cancelled.
void tryOtherLaunches(CheckedKernel& row, const opening::LaunchOverrides& overrides, bool isWritten,
                      const checking::CheckOptions& options);

}  // namespace haloscope::judging
