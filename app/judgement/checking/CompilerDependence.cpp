#include "checking/CompilerDependence.h"

#include <memory>
#include <utility>

#include "checking/ReferencePairing.h"
#include "checking/SiblingRunner.h"
#include "checking/Siblings.h"
#include "checking/SizeComparison.h"
#include "frontend/Frontend.h"
#include "frontend/TellingMacros.h"

namespace haloscope::checking {

namespace {

/// The code without its places in the text.
std::string codeOf(Program program) {
  program.kernelRange = {};
  for (Instruction& one : program.code) { one.range = {}; }
  for (Variable& one : program.variables) { one.declared = one.scope = {}; }
  for (Parameter& one : program.parameters) { one.declared = {}; }
  for (MemoryObject& one : program.objects) { one.declared = {}; }
  for (Statement& one : program.statements) { one.range = {}; }
  for (LoopInfo& one : program.loops) { one.range = {}; }
  for (FunctionFrame& one : program.functions) { one.range = one.calledAt = {}; }
  return print(program);
}

bool computesTheSame(const KernelFile& file, const Bindings& bindings, const CheckReport& report, Program other,
                     const std::stop_token& stop) {
  CheckReport otherwise;
  otherwise.program = std::make_shared<const Program>(std::move(other));
  CheckReport own;
  own.program = report.program;
  const Sibling first{.file = &file, .bindings = bindings, .report = &own};
  const Sibling second{.file = &file, .bindings = bindings, .report = &otherwise};
  const auto mine = runnerOf(first, bindings);
  const auto theirs = runnerOf(second, bindings);
  if (!mine || !theirs) { return false; }
  const std::vector<Pairing> pairings = pairingsOf(*theirs, *mine);
  return !pairings.empty() && compareAtSizes(*theirs, *mine, pairings.front(), false, stop).agrees();
}

}  // namespace

std::optional<CompilerDependence> compilerDependence(const KernelFile& file, const Bindings& bindings,
                                                     const CheckReport& report, const std::stop_token& stop) {
  if (report.program == nullptr) { return std::nullopt; }
  const frontend::CompileOptions options = frontend::optionsOf(file, bindings);
  const std::string path = file.path.string();
  try {
    const frontend::CompileResult own = frontend::compile(path, file.text, options);
    const std::string code = codeOf(own.program);
    for (const frontend::Diagnostic& asked : own.asked) {
      for (const std::string& lines : frontend::otherwise(asked.name)) {
        frontend::CompileOptions elsewhere = options;
        elsewhere.prologue.insert(0, lines);
        try {
          Program other = frontend::compile(path, file.text, elsewhere).program;
          if (codeOf(other) == code || computesTheSame(file, bindings, report, std::move(other), stop)) { continue; }
        } catch (const frontend::CompileError&) {
          continue;  // elsewhere it is no kernel at all
        }
        return CompilerDependence{.macro = asked.name, .where = asked.where, .header = asked.header};
      }
    }
  } catch (const frontend::CompileError&) {
    return std::nullopt;  // which is what its own check says
  }
  return std::nullopt;
}

}  // namespace haloscope::checking
