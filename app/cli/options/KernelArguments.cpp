#include "options/KernelArguments.h"

#include <CLI/CLI.hpp>
#include <map>

#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "simt/WarpOrderNames.h"

namespace haloscope {

CLI::Option* addTarget(CLI::App& command, std::string& id) {
  return command.add_option("ID", id, tr("Variant, e.g. stencil/tiled, or a .cu file"))->required();
}

CLI::Option* addJson(CLI::App& command, bool& json) {
  return command.add_flag("--json", json, tr("Print one JSON document"));
}

void addKnobs(CLI::App& command, KnobOptions& knobs) {
  command.add_option("-D,--define", knobs.defines, tr("Set a tunable or a size: NAME=VALUE"))->allow_extra_args(false);
  CLI::Option* size =
      command.add_option("--size", knobs.size, tr("Set every size of the problem (N; width and height)"));
  command
      .add_option("--blocks", knobs.blocks,
                  tr("Set the sizes of the problem by its grid: a number of blocks for each axis, X[,Y[,Z]]"))
      ->excludes(size);
}

CLI::Option* addBlock(CLI::App& command, std::string& block) {
  return command.add_option("--block", block, tr("Focused block, X,Y,Z (default: an interior one)"));
}

CLI::Option* addOutputCell(CLI::App& command, std::string& cell, const char* help) {
  return command.add_option("--output-cell", cell, help);
}

void addKernel(CLI::App& command, KernelOptions& options, const char* which) {
  command.add_option("--kernel", options.kernel, which);
  addKnobs(command, options.knobs);
  command.add_option("--launch", options.launch,
                     tr("Grid and block, GX,GY,GZ,BX,BY,BZ, instead of those proposed for the file"));
  command.add_option("--bind", options.binds, tr("Set a parameter, PARAM=VALUE: a number, or a shape such as [N,N]"))
      ->allow_extra_args(false);
  command.add_option("--shared", options.sharedBytes, tr("Dynamic shared memory of a block, in bytes"))
      ->check(CLI::Range(std::int64_t{0}, kMaxSharedBytesPerBlock));
  options.program.addWithNoHostTo(command);
}

void addData(CLI::App& command, std::vector<std::string>& data) {
  command.add_option("--data", data, tr(inputs::kSpecHelp))->allow_extra_args(false);
}

void addSchedule(CLI::App& command, ScheduleOptions& schedule) {
  using simt::WarpOrder;
  static const std::map<std::string, WarpOrder> kOrders = [] {
    std::map<std::string, WarpOrder> orders;
    for (const simt::NamedWarpOrder& one : simt::kWarpOrders) { orders.emplace(one.name, one.order); }
    return orders;
  }();
  command
      .add_option("--order", schedule.order,
                  tr("Order of the block's warps: side-by-side, in-order, reversed, random, adversarial"))
      ->transform(CLI::CheckedTransformer(kOrders, CLI::ignore_case).description(""))
      ->default_str("side-by-side");
  command.add_option("--seed", schedule.seed, tr("Seed of --order random"));
  command.add_option("--without-barrier", schedule.withoutBarriers, tr("Leave out the __syncthreads() on this line"))
      ->allow_extra_args(false);
}

}  // namespace haloscope
