#pragma once

#include <map>
#include <string>
#include <vector>

#include "running/OwnCheck.h"
#include "running/ProgramRun.h"

/// Which kernels a program's own comparison is about, and what it says of them.
namespace haloscope::running {

/// The line that shows it, or how else it shows.
[[nodiscard]] std::string textOf(const OwnCheck& check);
/// "3 of 64 elements differ, the first is element 5: 2 instead of 1"
[[nodiscard]] std::string textOf(const RejectedResult& result);

/// By symbol, what the program says of the results of one kernel: a failure only where it can be about no other one.
[[nodiscard]] std::map<std::string, OwnCheck> checksOfKernels(const ProgramRun& run);

/// Whether it ends with a status of failure. Another one may be a number that it computes.
[[nodiscard]] bool endsWithFailure(const ProgramRun& run);

/// Where a program accepts a result, a function of the host that computes something else is no reference of it: it may
/// compute something else, or the program looks at a part of the result. Nor are launches at fault that compute it
/// again.
void withdrawAccepted(ProgramRun& run);
/// Where a program ends with success because it rejects a result, and accepts that of another kernel, the result is
/// meant to be wrong: nothing that it differs from is a reference of it.
void withdrawMeant(ProgramRun& run);
/// Where a program rejects a result, a function of the host from which it differs nearly everywhere is a reference of
/// it.
void addRejected(ProgramRun& run);
/// A comparison that fails is a finding of the kernel that it is about, if that is known and nothing else explains it:
/// no finding, and no function of the host that computes the same as the kernel.
void addOwnChecks(ProgramRun& run);
/// Whether a finding is one of these, and nothing says where the kernel is wrong.
[[nodiscard]] bool isRejection(const faults::Finding& finding);
/// Those for which no change of a kernel was found, see judging::addProgramRepair(): that is said of the program, for
/// what is wrong was not shown; and where it was not shown either that the two are meant to be the same, it is no
/// fault, see differencesTold().
void settleOwnChecks(ProgramRun& run);
/// Once something else has shown what is wrong with the kernel.
void dropExplainedRejections(ProgramRun& run);
/// What it prints of other differences between a result and an array of its own, a sentence each: no faults.
[[nodiscard]] std::vector<std::string> differencesTold(const ProgramRun& run);
/// Whether a finding explains that the program's comparison fails.
[[nodiscard]] bool explainsOwnCheck(const ProgramRun& run);
/// That the program rejects its results, or seems to by its exit status, and the kernels that this may be about if
/// nothing explains it; empty if it does not reject them.
[[nodiscard]] std::string rejection(const ProgramRun& run);

}  // namespace haloscope::running
