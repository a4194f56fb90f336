#include "frontend/Frontend.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include <clang/Basic/Stack.h>
#include <llvm/Support/thread.h>

#include "frontend/ClangSession.h"
#include "frontend/CudaLibrary.h"
#include "frontend/DeviceTextReader.h"
#include "frontend/Instrumenter.h"
#include "frontend/IntegerConstants.h"
#include "frontend/KernelList.h"
#include "frontend/KernelLowering.h"
#include "frontend/LoweredTexts.h"
#include "frontend/LoweringError.h"
#include "frontend/MacroExpansion.h"
#include "language/Text.h"
#include "preludes/LogPrelude.h"
#include "preludes/LoggedCopies.h"

namespace haloscope::frontend {

namespace {

/// Clang and the lowering recurse over nested code, which may nest deeply; only touched pages cost memory.
constexpr unsigned kStackBytes = 512U << 20;

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

CompileResult compileHere(const std::string& file, const std::string& text, const CompileOptions& options) {
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

}  // namespace

CompileOptions optionsOf(const KernelFile& file, const Bindings& bindings) {
  return {.defines = file.defines(bindings),
          .kernel = file.kernel,
          .prologue = file.prologue,
          .headers = file.headers,
          .instances = file.instances};
}

Diagnostic seenFromText(Diagnostic diagnostic) {
  if (diagnostic.header.empty()) return diagnostic;
  diagnostic.message = SourceError(diagnostic.header, diagnostic.where, diagnostic.message).what();
  diagnostic.where = {};
  diagnostic.header.clear();
  return diagnostic;
}

CompileError::CompileError(std::string file, std::vector<Diagnostic> diagnostics)
    : SourceError(std::move(file), diagnostics.empty() ? SourceRange{} : seenFromText(diagnostics.front()).where,
                  diagnostics.empty() ? tr("cannot be compiled") : seenFromText(diagnostics.front()).message),
      diagnostics_(std::move(diagnostics)) {}

namespace {

/// Runs `work` on a thread with enough stack for Clang; returns or throws what it does.
template <typename Work>
auto onLargeStack(Work work) {
  std::optional<decltype(work())> result;
  std::exception_ptr failure;
  llvm::thread worker(std::optional<unsigned>(kStackBytes), [&] {
    clang::noteBottomOfStack();
    try {
      result = work();
    } catch (...) { failure = std::current_exception(); }
  });
  worker.join();
  if (failure) std::rethrow_exception(failure);
  return std::move(*result);
}

DeviceText deviceTextHere(const std::string& file, const std::string& text, const CompileOptions& options) {
  ClangSession session(text, options);
  session.parse();
  const std::vector<ListedKernel> kernels = listKernels(session);
  const ListedKernel& kernel = choose(file, kernels, options.kernel);
  return DeviceTextReader(session, text, options).read(*kernel.definition);
}

/// Whether it copies asynchronously, or uses barriers in shared memory or of clusters: what CUDA's library does for
/// that is replaced by functions that log it.
bool copiesOrMeets(const Program& program) {
  return usesClusters(program) || std::ranges::any_of(program.code, [](const Instruction& one) {
           return one.async || one.op == Opcode::MemoryBarrier || one.op == Opcode::CopyCommit ||
                  one.op == Opcode::CopyWait;
         });
}

InstrumentedText instrumentHere(const std::string& file, const std::string& text, const CompileOptions& options) {
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
    result.device.prologue += logPrelude();
    result.sites = instrumenter.sites();
  } catch (const LoweringError& refused) {
    const SourceRange where = refused.where().valid() ? refused.where() : kernel.where;
    throw CompileError(file, {{Diagnostic::Severity::Error, where, refused.what(), refused.header()}});
  }
  return result;
}

}  // namespace

std::string logPrelude() { return std::string(preludes::kLogPrelude) + preludes::kLoggedCopies; }

InstrumentedText instrument(const std::string& file, const std::string& text, const CompileOptions& options) {
  return onLargeStack([&] { return instrumentHere(file, text, options); });
}

CompileResult compile(const std::string& file, const std::string& text, const CompileOptions& options) {
  static LoweredTexts lowered;
  if (std::optional<CompileResult> known = lowered.find(text, options)) { return *std::move(known); }
  CompileResult result = onLargeStack([&] { return compileHere(file, text, options); });
  lowered.keep(text, options, result);
  return result;
}

DeviceText deviceText(const std::string& file, const std::string& text, const CompileOptions& options) {
  return onLargeStack([&] { return deviceTextHere(file, text, options); });
}

TextSummary summarize(const std::string& text, const CompileOptions& options) {
  return onLargeStack([&] {
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
  });
}

}  // namespace haloscope::frontend
