#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "language/Language.h"
#include "options/CliForward.h"
#include "options/ExitCode.h"

namespace haloscope {

class Catalogue;
class Screen;

/// What a command works with.
struct CommandContext {
  const Catalogue& catalogue;
  Screen& screen;
  std::optional<Language> language{};  ///< that --language names
};

/// Prints its result to standard output, as a table or as one JSON document; notes and warnings go to standard error.
/// Throws SourceError, InputError and MissingError.
using CommandRun = std::function<ExitCode(const CommandContext&)>;

/// `haloscope NAME …`, each defined in a file of its own.
struct Command {
  const char* name;
  const char* help;
  CommandRun (*add)(CLI::App& command);  ///< adds its options; what it returns owns them
};

/// In the order of --help.
[[nodiscard]] std::span<const Command* const> commands();
/// The name of which another is probably a misspelling; empty: there is none.
[[nodiscard]] std::string commandMeant(const std::string& written);
/// Without a name: the window, whose options are those of the program itself.
extern const Command windowCommand;

}  // namespace haloscope
