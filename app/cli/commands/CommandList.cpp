#include <algorithm>
#include <array>

#include "commands/Command.h"
#include "program/Misspelling.h"

// One line a command: NAME is defined as NAMECommand in a file of its own.
#define HALOSCOPE_COMMANDS(COMMAND) \
  COMMAND(help)                     \
  COMMAND(list)                     \
  COMMAND(count)                    \
  COMMAND(verify)                   \
  COMMAND(ask)                      \
  COMMAND(exercise)                 \
  COMMAND(make)                     \
  COMMAND(check)                    \
  COMMAND(grade)                    \
  COMMAND(run)                      \
  COMMAND(lower)                    \
  COMMAND(trace)                    \
  COMMAND(compare)                  \
  COMMAND(bench)                    \
  COMMAND(tune)                     \
  COMMAND(figure)                   \
  COMMAND(climb)                    \
  COMMAND(lesson)                   \
  COMMAND(session)                  \
  COMMAND(play)                     \
  COMMAND(render)                   \
  COMMAND(export)                   \
  COMMAND(site)

namespace haloscope {

#define HALOSCOPE_DECLARE(name) extern const Command name##Command;
HALOSCOPE_COMMANDS(HALOSCOPE_DECLARE)
#undef HALOSCOPE_DECLARE

std::span<const Command* const> commands() {
#define HALOSCOPE_ADDRESS(name) &name##Command,
  static constexpr std::array kCommands = {HALOSCOPE_COMMANDS(HALOSCOPE_ADDRESS)};
#undef HALOSCOPE_ADDRESS
  return kCommands;
}

std::string commandMeant(const std::string& written) {
  const auto all = commands();
  const auto meant = std::ranges::find_if(all, [&](const Command* one) { return isMisspelling(written, one->name); });
  return meant == all.end() ? std::string() : (*meant)->name;
}

}  // namespace haloscope
