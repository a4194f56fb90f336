#include "commands/KernelArguments.h"

#include <CLI/CLI.hpp>

#include "program/Launch.h"

namespace haloscope {

void addKnobs(CLI::App& command, KnobOptions& knobs) {
  command.add_option("-D,--define", knobs.defines, "Set a tunable or a size: NAME=VALUE")->allow_extra_args(false);
  command.add_option("--size", knobs.size, "Set every size of the problem (N; width and height)");
}

CLI::Option* addBlock(CLI::App& command, std::string& block) {
  return command.add_option("--block", block, "Focused block, X,Y,Z (default: an interior one)");
}

void addKernel(CLI::App& command, KernelOptions& options, const char* which) {
  command.add_option("--kernel", options.kernel, which);
  addKnobs(command, options.knobs);
  command.add_option("--launch", options.launch,
                     "Grid and block, GX,GY,GZ,BX,BY,BZ, instead of what the file suggests");
  command
      .add_option("--bind", options.binds, "What a parameter receives, PARAM=VALUE: a number, or a shape such as [N,N]")
      ->allow_extra_args(false);
  command.add_option("--shared", options.sharedBytes, "Dynamic shared memory of a block, in bytes")
      ->check(CLI::Range(std::int64_t{0}, kMaxSharedBytesPerBlock));
}

}  // namespace haloscope
