#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measuring/GpuSpecs.h"
#include "options/CliForward.h"
#include "running/NamedFile.h"
#include "running/ProgramRun.h"

namespace haloscope {

/// What the command line says of programs that are executed: --no-host, --file NAME[=PATH], and their arguments, which
/// follow -- at the end of every command that has these options.
struct ProgramOptions {
  std::vector<std::string> arguments;  ///< of main(), without the program's name
  std::vector<std::string> files;      ///< that the program can open, as given
  std::uint32_t gpus = 0;              ///< that the program sees; 0: see running::devicesFor()
  bool noHost = false;                 ///< programs are not executed
  running::RunBudget budget{};         ///< no option: what executing one may take

  /// The arguments and --file. `this` must outlive the command.
  void addTo(CLI::App& command);
  /// The same, and --no-host: for commands that can do without executing programs.
  void addWithNoHostTo(CLI::App& command);
  /// The first option, as given, that is of use to an executed program alone; empty: none is given.
  [[nodiscard]] std::string given() const;
  /// Throws InputError if one is given, to a variant or kernel that has no program.
  void expectNone(const std::string& id) const;
  /// Reads the named files. Throws InputError.
  [[nodiscard]] std::vector<running::NamedFile> readFiles() const;
  /// How a program is executed on this GPU, with these arguments and files. Throws InputError.
  [[nodiscard]] running::RunOptions runOptions(const measuring::GpuSpec& gpu) const;
};

/// Gives the arguments that followed -- to the options of a command. Throws InputError if it has no ProgramOptions.
void giveArguments(CLI::App& command, const std::vector<std::string>& arguments);

}  // namespace haloscope
