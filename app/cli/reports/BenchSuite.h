#pragma once

#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "options/CliForward.h"
#include "options/ExitCode.h"

namespace haloscope {

/// The options of `haloscope bench --suite`.
struct SuiteArguments {
  std::string suite;                 ///< name or path; empty: no suite
  std::vector<std::string> classes;  ///< parts of their names; empty: all
  int tuneCandidates = 0;
  bool counters = false;
  std::vector<std::string> peers;  ///< NAME=COMMAND
  bool shippedPeers = false;

  /// `this` must outlive the command.
  void addTo(CLI::App& command);
};

/// Plans, measures and prints every class of the suite. Throws InputError for a suite or a class that does not exist,
/// MissingError without a GPU.
[[nodiscard]] ExitCode benchSuite(const Catalogue& catalogue, const SuiteArguments& arguments, bool json);

}  // namespace haloscope
