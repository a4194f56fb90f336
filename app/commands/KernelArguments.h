#pragma once

#include "commands/KernelOptions.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// The options of commands that say which kernel they are about, and how it is launched.
namespace haloscope {

/// -D and --size.
void addKnobs(CLI::App& command, KnobOptions& knobs);
/// --block, the focused one. Gives the option.
CLI::Option* addBlock(CLI::App& command, std::string& block);
/// All of KernelOptions; `which` explains --kernel.
void addKernel(CLI::App& command, KernelOptions& options, const char* which);

}  // namespace haloscope
