#pragma once

#include <string>
#include <vector>

#include "running/ProgramRun.h"
#include "verdict/Remark.h"

namespace haloscope::running {

/// Kinds of remarks that are no findings of the host half.
inline constexpr const char* kCompileRemark = "compile";  ///< a message of the compiler or the linker
inline constexpr const char* kLinkedRemark = "linked";    ///< files that were not named belong to it
inline constexpr const char* kSizesRemark = "sizes";      ///< it was executed with other sizes than its own
inline constexpr const char* kOwnComparisonRemark = "own-comparison";  ///< it rejects its own results
inline constexpr const char* kTriedRemark = "tried-change";            ///< see ProgramRun::tried
inline constexpr const char* kDifferenceRemark = "difference-told";    ///< see differencesTold()
inline constexpr const char* kNoLaunchRemark = "no-launch";
inline constexpr const char* kFileRemark = "file";  ///< that it asked for and did not get
inline constexpr const char* kEndRemark = "end";    ///< what ended it, if it is no exit

/// All that is said of a program, for every command and the window: findings of its host half, what its own comparison
/// says, how it ended. What belongs to a kernel is with its launch.
[[nodiscard]] std::vector<verdict::Remark> remarksOf(const ProgramRun& run, bool withArguments);

/// Why an executed program launched no kernel, and what to do about it: sentences.
[[nodiscard]] std::string withoutLaunches(const ProgramRun& run, bool withArguments);

}  // namespace haloscope::running
