#pragma once

#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "opening/OpenedFile.h"
#include "program/KernelFile.h"

/// From a text that may be edited meanwhile to the kernel that is executed.
namespace haloscope::opening {

/// What to make an experiment of: a choice, and the text it is about, by value; a person may be typing in it.
struct Request {
  experiment::Choice choice;
  KernelFile file;
  bool reread = false;          ///< the text is newer than what the rest of `file` says: its header is read first
  LaunchOverrides overrides{};  ///< of a text without header: what the person says of its launch
};

/// A kernel's text as it was read, and what had to be assumed for it.
struct ReadKernel {
  ProposedKernel proposed;
  std::vector<std::string> kernels;  ///< of a text without header: all that it has
};

/// Reads the text of a request. Throws SourceError or InputError.
[[nodiscard]] ReadKernel readKernel(const Request& request);

}  // namespace haloscope::opening
