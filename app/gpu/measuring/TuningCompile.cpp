#include "measuring/TuningCompile.h"

#include <fmt/format.h>

#include "experiment/Experiment.h"
#include "experiment/FaultlessRun.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

std::string sharedLimit(const TuningCell& cell) {
  return trf("a block needs {} bytes of shared memory; the maximum is {}", cell.sharedBytes,
             cell.configuration.sharedBytesLimit);
}

std::string residenceLimit(const TuningCell& cell, const gpu::MultiprocessorLimits& limits) {
  const std::uint32_t threads = cell.configuration.threadsPerBlock();
  if (cell.occupancy.limitedBy == "registers") {
    return trf("{} threads with {} registers each need more than the {} registers of a multiprocessor", threads,
               cell.registers, limits.registers);
  }
  return sharedLimit(cell);
}

/// `clearance` is there if a device is.
void compileCode(const KernelFile& file, CompiledCell& compiled, const CellCompiler& with,
                 const std::optional<gpu::Clearance>& clearance) {
  TuningCell& cell = compiled.cell;
  gpu::KernelText text = gpuText(file, cell.bindings);
  text.registerLimit = cell.registerLimit;
  if (clearance) {
    compiled.kernel = std::make_unique<gpu::Kernel>(*clearance, with.device, text, *compiled.program);
    cell.registers = compiled.kernel->resources().registersPerThread;
    cell.spillBytes = compiled.kernel->resources().spillBytes;
  } else if (with.compiler) {
    const std::string name = text.kernel.empty() ? compiled.program->kernel : text.kernel;
    const gpu::CompiledText code = with.compiler->compile(text, {name}, with.capability);
    const auto symbol = code.symbols.find(name);
    const auto found = code.resources.find(symbol == code.symbols.end() ? name : symbol->second);
    if (found != code.resources.end()) {
      cell.registers = found->second.registers;
      cell.spillBytes = found->second.spillBytes;
    }
  }
}

}  // namespace

CompiledCell compileCell(const KernelFile& file, TuningCell cell, const CellCompiler& with) {
  CompiledCell compiled{std::move(cell), nullptr, nullptr};
  TuningCell& at = compiled.cell;
  if (!at.limit.empty()) { return compiled; }
  try {
    compiled.program = std::make_shared<const Program>(experiment::compile(file, at.bindings));
    at.sharedBytes = compiled.program->sharedBytes() + at.configuration.dynamicSharedBytes;
    if (at.sharedBytes > at.configuration.sharedBytesLimit) {
      at.limit = sharedLimit(at);
      return compiled;
    }
    constexpr unsigned kWorkers = 1;  // other cells are compiled at the same time
    experiment::expectFaultless(file, at.bindings, *compiled.program, kWorkers);
    std::optional<gpu::Clearance> clearance;
    if (with.device) { clearance = with.gate.require(file, at.bindings, {.workers = kWorkers, .stop = with.stop}); }
    compileCode(file, compiled, with, clearance);
  } catch (const experiment::Cancelled&) { return compiled; } catch (const UserError& refused) {
    const SourceRange& where = refused.where();
    at.limit = where.valid() ? trf("line {}: {}", where.line, refused.message()) : refused.message();
    return compiled;
  }
  const auto threads = static_cast<int>(at.configuration.threadsPerBlock());
  at.occupancy = gpu::occupancyOf(with.limits, threads, at.registers, at.sharedBytes);
  at.compiled = true;
  if (at.occupancy.residentBlocks == 0) {
    at.limit = residenceLimit(at, with.limits);
    compiled.kernel.reset();
  } else if (compiled.kernel) {
    // What the driver computes replaces what the table says.
    at.occupancy.residentBlocks = compiled.kernel->residentBlocks(at.configuration);
    at.occupancy.share = static_cast<double>(at.occupancy.residentBlocks) * at.configuration.warpsPerBlock() *
                         kWarpSize / with.limits.threads;
  }
  return compiled;
}

}  // namespace haloscope::measuring
