#pragma once

#include <memory>

#include "options/CliForward.h"
#include "options/ExitCode.h"

namespace haloscope {

struct HandInCheck;

/// Adds the options of a process that checks one hand-in for `haloscope grade`, and is not for users. What is returned
/// has their values.
[[nodiscard]] std::shared_ptr<HandInCheck> addHandInCheck(CLI::App& command);

/// Limits this process, checks the hand-in and writes its record to grading::kAnswerFile. Throws nothing: what goes
/// wrong is in the record.
ExitCode checkHandIn(const HandInCheck& check);

}  // namespace haloscope
