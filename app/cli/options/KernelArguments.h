#pragma once

#include <string>
#include <vector>

#include "language/Text.h"
#include "options/CliForward.h"
#include "options/KernelOptions.h"

/// Options that several commands have in common.
namespace haloscope {

/// The positional argument ID: a variant or the path of a .cu file. Required.
CLI::Option* addTarget(CLI::App& command, std::string& id);
/// --json
CLI::Option* addJson(CLI::App& command, bool& json);
/// -D and --size.
void addKnobs(CLI::App& command, KnobOptions& knobs);
/// --block, the focused one. Returns the option.
CLI::Option* addBlock(CLI::App& command, std::string& block);
/// --output-cell; `help` says what the cell is for. Returns the option.
CLI::Option* addOutputCell(CLI::App& command, std::string& cell, const char* help);
/// All of KernelOptions; `which` is the help text of --kernel.
void addKernel(CLI::App& command, KernelOptions& options, const char* which = tr("Which kernel of the file"));
/// --data, of what a command executes.
void addData(CLI::App& command, std::vector<std::string>& data);
/// --order, --seed and --without-barrier.
void addSchedule(CLI::App& command, ScheduleOptions& schedule);

}  // namespace haloscope
