#include "lowering/Lowering.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "lowering/ClangSession.h"
#include "lowering/CudaLibrary.h"
#include "lowering/DeviceTextReader.h"
#include "lowering/Instrumenter.h"
#include "lowering/IntegerConstants.h"
#include "lowering/KernelList.h"
#include "lowering/KernelLowering.h"
#include "lowering/LoweringError.h"
#include "lowering/MacroExpansion.h"

namespace haloscope::lowering {

namespace {

std::string names(const std::vector<ListedKernel>& kernels) {
  std::string list;
  for (const ListedKernel& kernel : kernels) { list += (list.empty() ? "" : ", ") + kernel.name; }
  return list;
}

template <typename Kind = CompileError>
Kind error(const std::string& file, const SourceRange& where, const std::string& message) {
  return {file, {{Diagnostic::Severity::Error, where, message}}};
}

const ListedKernel& choose(const std::string& file, const std::vector<ListedKernel>& kernels,
                           const std::string& wanted) {
  if (kernels.empty()) throw error<NoSuchKernel>(file, {}, tr("no kernel: no __global__ function with a body"));
  const auto matches = [&](const ListedKernel& kernel) {
    return kernel.name == wanted || kernel.functionName == wanted || kernel.symbol == wanted;
  };
  auto chosen = std::ranges::find_if(kernels, matches);
  if (wanted.empty()) {
    const auto ready = std::ranges::find_if(kernels, [](const ListedKernel& kernel) { return kernel.definition; });
    chosen = ready == kernels.end() ? kernels.begin() : ready;
  }
  if (chosen == kernels.end()) {
    throw error<NoSuchKernel>(file, {}, tr("no kernel named '") + wanted + tr("'; there are: ") + names(kernels));
  }
  if (chosen->definition == nullptr) {
    throw error(file, chosen->where,
                tr("kernel template '") + chosen->name +
                    "' is never instantiated: give its parameters defaults, or add 'template __global__ void " +
                    chosen->name + "<…>(…);'");
  }
  return *chosen;
}

void throwIfAny(const std::string& file, std::vector<Diagnostic> errors) {
  if (!errors.empty()) throw CompileError(file, std::move(errors));
}

std::vector<Diagnostic> asWarnings(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic& one : diagnostics) { one.severity = Diagnostic::Severity::Warning; }
  return diagnostics;
}

/// Whether it copies asynchronously, or uses barriers in shared memory or of clusters: what CUDA's library does for
/// that is replaced by functions that log it.
bool copiesOrMeets(const Program& program) {
  return usesClusters(program) || std::ranges::any_of(program.code, [](const Instruction& one) {
           return one.async || one.op == Opcode::MemoryBarrier || one.op == Opcode::CopyCommit ||
                  one.op == Opcode::CopyWait;
         });
}

}  // namespace

CompileResult compile(const std::string& file, const std::string& text, const CompileOptions& options) {
  ClangSession session(text, options);
  session.parse();
  const std::vector<ListedKernel> kernels = listKernels(session);
  if (kernels.empty()) throwIfAny(file, session.errors());  // they may explain why there is none
  throwIfAny(file, session.generalErrors());
  const ListedKernel& kernel = choose(file, kernels, options.kernel);
  throwIfAny(file, session.errorsIn(kernel.where));

  CompileResult result;
  for (const ListedKernel& one : kernels) { result.kernels.push_back(one.name); }
  try {
    KernelLowering lowering(session, options.executed);
    result.program = lowering.lower(*kernel.definition, kernel.name);
    result.warnings = asWarnings(session.diagnostics());
    result.asked = session.asked();
    result.warnings.insert(result.warnings.end(), lowering.warnings().begin(), lowering.warnings().end());
  } catch (const LoweringError& refused) {
    const SourceRange where = refused.where().valid() ? refused.where() : kernel.where;
    throw CompileError(file, {{Diagnostic::Severity::Error, where, refused.what(), refused.header()}});
  }
  return result;
}

DeviceText deviceText(const std::string& file, const std::string& text, const CompileOptions& options) {
  ClangSession session(text, options);
  session.parse();
  const std::vector<ListedKernel> kernels = listKernels(session);
  const ListedKernel& kernel = choose(file, kernels, options.kernel);
  return DeviceTextReader(session, text, options).read(*kernel.definition);
}

InstrumentedText instrument(const std::string& file, const std::string& text, const CompileOptions& options) {
  const std::string expanded = expandMacros(text, options);
  ClangSession session(expanded, options);
  session.parse();
  const std::vector<ListedKernel> kernels = listKernels(session);
  const ListedKernel& kernel = choose(file, kernels, options.kernel);
  throwIfAny(file, session.errorsIn(kernel.where));
  InstrumentedText result;
  try {
    KernelLowering lowering(session, options.executed);
    result.program = lowering.lower(*kernel.definition, kernel.name);
    const std::string library = copiesOrMeets(result.program) ? loggedCudaLibrary(expanded, options) : "";
    result.device = DeviceTextReader(session, expanded, options).read(*kernel.definition, library);
    Instrumenter instrumenter(session, result.program);
    instrumenter.instrument(*kernel.definition);
    result.device.text = instrumenter.apply(result.device.text);
    result.device.prologue += frontend::logPrelude();
    result.sites = instrumenter.sites();
  } catch (const LoweringError& refused) {
    const SourceRange where = refused.where().valid() ? refused.where() : kernel.where;
    throw CompileError(file, {{Diagnostic::Severity::Error, where, refused.what(), refused.header()}});
  }
  return result;
}

TextSummary summarize(const std::string& text, const CompileOptions& options) {
  ClangSession session(text, options);
  session.parse();
  TextSummary summary;
  for (const ListedKernel& kernel : listKernels(session)) {
    summary.kernels.push_back(
        {kernel.name, kernel.functionName, kernel.where, kernel.definition != nullptr, kernel.symbol});
  }
  summary.diagnostics = session.diagnostics();
  summary.helperErrors = session.helperErrors();
  summary.constants = integerConstants(session);
  return summary;
}

frontend::Answer answer(const frontend::Request& request) {
  using frontend::Refusal;
  using What = frontend::Request::What;
  try {
    switch (request.what) {
      case What::Compile:
        return lowering::compile(request.file, request.text, request.options);
      case What::Summarize:
        return lowering::summarize(request.text, request.options);
      case What::DeviceText:
        return lowering::deviceText(request.file, request.text, request.options);
      case What::Instrument:
        return lowering::instrument(request.file, request.text, request.options);
    }
    return Refusal{};
  } catch (const NoSuchKernel& error) {
    return Refusal{.why = Refusal::Why::NoSuchKernel, .diagnostics = error.diagnostics()};
  } catch (const CompileError& error) {
    return Refusal{.why = Refusal::Why::NotCompilable, .diagnostics = error.diagnostics()};
  } catch (const InputError& error) {
    return Refusal{.why = Refusal::Why::BadInput, .message = error.message()};
  } catch (const std::logic_error& error) { return Refusal{.why = Refusal::Why::Failed, .message = error.what()}; }
}

}  // namespace haloscope::lowering
