#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "opening/OpenedFile.h"

namespace haloscope {

/// A file named on the command line.
struct OpenedText {
  std::filesystem::path path;  ///< absolute
  std::string text;
  opening::LaunchOverrides overrides{};  ///< of its launch, from the command line
  std::string kernel{};                  ///< which of its kernels; empty: the first
};

/// How an opened file is launched: what was assumed, and what the user sets instead.
struct OpenedLaunch {
  opening::LaunchOverrides overrides;
  std::string kernel;                                 ///< which of the file's; empty: the first
  std::vector<std::string> arguments{};               ///< of its main(), as a scene gives them
  std::vector<std::string> kernels;                   ///< all of them, once read
  std::vector<std::string> assumptions;               ///< a sentence each
  std::vector<opening::MissingValue> missing;         ///< names that the text uses and does not declare
  std::optional<opening::ExecutedLaunch> executed{};  ///< the program's own launch of it, which the others follow
  std::uint64_t revision = 0;                         ///< counts changes of the overrides and the kernel
  std::uint64_t readRevision = 0;                     ///< the revision with which the catalogue's entry was read
  std::uint64_t readProgram = 0;                      ///< ... and ProgramView::revision
};

}  // namespace haloscope
