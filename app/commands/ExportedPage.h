#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "commands/Command.h"
#include "options/KernelOptions.h"
#include "options/PictureOptions.h"

namespace haloscope {

/// `haloscope export … --html`: a recorded block as a page for a browser.
struct PageOptions {
  std::filesystem::path output;  ///< empty: no page is asked for
  bool questions = false, notes = false;

  /// --html, --questions and --notes, after all other options of the command: those that say how something looks do not
  /// go with --html. `this` must outlive the command.
  void addTo(CLI::App& command);
};

/// What the page is about: a variant, the path of a .cu file, or that of a session, whose scenes become chapters.
struct PageSubject {
  const std::string& id;
  const KernelOptions& kernel;
  const ScheduleOptions& schedule;
  const std::string& block;  ///< "x,y,z"; empty: an interior one; of a file with findings that of the first
  const Place& place;        ///< at which the page opens; not given: the start, or the first finding of a file
  std::optional<std::int64_t> finding{};  ///< ... or where this one shows, counted from 1
};

/// Writes the page, whole or not at all. Throws UserError; interrupted by Ctrl + C, it writes nothing.
[[nodiscard]] ExitCode exportPage(const CommandContext& context, const PageSubject& subject,
                                  const PageOptions& options);

}  // namespace haloscope
