#pragma once

#include "KernelOptions.h"

namespace CLI {
class App;
}

/// The options of commands that say which kernel they are about, and how it is launched.
namespace haloscope {

/// -D and --size.
void addKnobs(CLI::App& command, KnobOptions& knobs);
/// All of KernelOptions; `which` explains --kernel.
void addKernel(CLI::App& command, KernelOptions& options, const char* which);

}  // namespace haloscope
