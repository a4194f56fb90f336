#pragma once

#include <string>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/Executor.h"

/// Launches executed without being observed: by the emulator at first, and as machine code once that is ready.
namespace haloscope::machine {

/// Sweep after sweep: a launch, after which each of `objects` gets the contents of its successor; these are the same
/// objects in another order.
struct Series {
  std::uint32_t sweeps = 1;
  std::vector<ObjectId> objects{}, successors{};
};

/// What came of a launch, and how it was executed.
struct Result : simt::ExecuteResult {
  bool machineCode = false;
};

/// As simt::execute() without observers, with the same results bit for bit and the same outcome. The profile may be
/// empty, unless `profiled`: then it is as the emulator has counted it, now or in a launch that has the same one.
/// Compiling takes place beside the emulator: what is executed for long, or often, is compiled, and nothing waits for
/// it. Of a series, the outcome is that of the sweep that did not finish. `options` may name budgets and a stop token;
/// with anything else the emulator does all of it. Safe from several threads.
Result execute(const Program& program, Launch& launch, const simt::ExecuteOptions& options = {},
               const Series& series = {}, bool profiled = false);

/// How launches are executed from now on, for tests and benches.
enum class Policy : std::uint8_t {
  Auto,
  Emulator,  ///< never as machine code
  Machine,   ///< as machine code whenever it can be, and execute() waits for it
};
void setPolicy(Policy policy);

/// Why the emulator executes this launch under Policy::Machine; empty if machine code does. Waits.
[[nodiscard]] std::string whyEmulated(const Program& program, const Launch& launch);

}  // namespace haloscope::machine
