#pragma once

#include <filesystem>
#include <string>

#include "commands/Command.h"
#include "commands/PageSubject.h"

namespace haloscope {

/// `haloscope export … --html` and `--pdf`: recorded blocks to take home, as a page for a browser or on paper.
struct PageOptions {
  std::filesystem::path output;  ///< the page; empty: none is asked for
  std::filesystem::path sheet;   ///< the worksheet; empty: none is asked for
  bool questions = false, notes = false;
  bool solutions = false;    ///< of the worksheet
  std::string paper = "a4";  ///< or "letter"

  /// Whether one of them is asked for. Throws InputError if only their options are.
  [[nodiscard]] bool wanted() const;
  /// Their options, after all others of the command: those that say how something looks do not go with them. `this`
  /// must outlive the command.
  void addTo(CLI::App& command);
};

/// Writes the page or the worksheet, whole or not at all. Throws UserError; interrupted by Ctrl + C, it writes nothing.
[[nodiscard]] ExitCode exportPage(const CommandContext& context, const PageSubject& subject,
                                  const PageOptions& options);

}  // namespace haloscope
