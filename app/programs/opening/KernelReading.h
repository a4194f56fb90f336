#pragma once

#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"
#include "opening/OpenedFile.h"

/// From a text, which the user may be editing, to the kernel that is executed.
namespace haloscope::opening {

/// The input of an experiment: a choice and its text, by value, since the user may be typing.
struct Request {
  experiment::Choice choice;
  KernelFile file;
  bool reread = false;          ///< the text is newer than the rest of `file`: its header is read again first
  LaunchOverrides overrides{};  ///< for a text without a header: the user's launch settings
};

/// A kernel's text as read, and the assumptions made for it.
struct ReadKernel {
  ProposedKernel proposed;
  std::vector<std::string> kernels;  ///< for a text without a header: all kernels in it
  std::vector<KernelFile> others;    ///< ... but the one that was asked for
};

/// Reads the text of a request. Throws SourceError or InputError.
[[nodiscard]] ReadKernel readKernel(const Request& request);

}  // namespace haloscope::opening
