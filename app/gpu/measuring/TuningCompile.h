#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "driver/Compiler.h"
#include "driver/Kernel.h"
#include "measuring/TuningMap.h"
#include "program/Program.h"

namespace haloscope::measuring {

class GpuGate;

/// A cell of the map, ready to be timed.
struct CompiledCell {
  TuningCell cell;  ///< with what its code takes, or why it cannot run
  std::shared_ptr<const Program> program;
  std::unique_ptr<gpu::Kernel> kernel;  ///< null: it cannot run, or there is no GPU
};

/// What cells are compiled with.
struct CellCompiler {
  GpuGate& gate;
  std::shared_ptr<const gpu::Device> device;      ///< null: for `capability` by `compiler`
  std::shared_ptr<const gpu::Compiler> compiler;  ///< null too: registers stay unknown
  int capability = 0;                             ///< 90 for 9.0
  gpu::MultiprocessorLimits limits;
  std::stop_token stop{};
};

/// Lowers, executes on the emulator at the header's sizes, and compiles; for a GPU the cell must be cleared by
/// the gate at its own sizes. If the cell cannot run, its limit gives the reason. Takes tens of milliseconds,
/// a check seconds at worst; may be called from several threads. When asked to stop, a cell that may not be compiled.
/// Throws gpu::Error if the GPU is lost.
[[nodiscard]] CompiledCell compileCell(const KernelFile& file, TuningCell cell, const CellCompiler& with);

}  // namespace haloscope::measuring
