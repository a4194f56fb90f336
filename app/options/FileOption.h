#pragma once

#include <string>
#include <vector>

#include "options/CliForward.h"
#include "running/NamedFile.h"

namespace haloscope {

/// The files that an executed program can open: --file NAME[=PATH].
struct FileOption {
  std::vector<std::string> given;

  /// `this` must outlive the command.
  void addTo(CLI::App& command);
  /// Reads them. Throws InputError.
  [[nodiscard]] std::vector<running::NamedFile> read() const;
};

}  // namespace haloscope
